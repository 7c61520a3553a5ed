"""The prose of a period's posts: how much there is, in which order, and which posts link to which."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from html import unescape

from rules.engine.turn import Facts
from rules.play.posts import Post


@dataclass(frozen=True, slots=True)
class Prose:
    """A post of a seat that counts. words: of prose. seen: what is read of it. place: in the period."""

    post: Post
    words: int
    seen: str
    place: int


def facts_of(prose: Mapping[str, Prose], used: Collection[str]) -> dict[str, Facts]:
    """Facts of the posts whose orders count, and of the posts of the same author that they link to, by id."""
    links = {key: _links(one, prose) for key, one in prose.items() if key in used}
    wanted = {*links, *(link for several in links.values() for link in several)}
    return {
        key: Facts(one.words, links.get(key, ()), one.place) for key, one in prose.items() if key in wanted
    }


def _links(one: Prose, prose: Mapping[str, Prose]) -> tuple[str, ...]:
    return tuple(
        key
        for key, other in prose.items()
        if other is not one and other.post.author_id == one.post.author_id and _links_to(one, other.post)
    )


def _links_to(one: Prose, other: Post) -> bool:
    """By its address, wherever that stands in the post, or by its number in the topic (`#41`)."""
    written = unescape(one.post.html or one.post.raw or "")
    if other.url and re.search(rf"{re.escape(other.url)}(?!\w)", written):
        return True
    return other.number is not None and re.search(rf"(?<![\w#])#{other.number}(?!\w)", one.seen) is not None
