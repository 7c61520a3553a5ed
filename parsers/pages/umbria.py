"""Pages of Comunidad Umbría: the posts of a game's scene.

What is known of these pages is how a post is built (`parsers.pages.shapes`): nothing is known of how a
scene is cut into pages, of edit marks, or of the page of somebody who isn't logged in. So a page proves
itself only (each post whole, and nothing that looks like a post elsewhere), never that no other page is
missing: that is the director's word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urljoin, urlsplit
from zoneinfo import ZoneInfo

from bs4 import Tag

from parsers.pages.shaped import read_posts
from parsers.pages.shapes import UMBRIA
from parsers.pages.topics import attribute
from rules.play.posts import Post

_PAGE = re.compile("[0-9]{1,4}")


@dataclass(frozen=True, slots=True)
class ScenePage:
    """One page of a scene. links: addresses of further pages by their numbers, as far as it shows any."""

    posts: tuple[Post, ...]
    links: Mapping[int, str]


def parse_scene_page(page: Tag, address: str, zone: ZoneInfo, *, notes: bool = False) -> ScenePage:
    """A page as the site gives it, with the links that lead to the scene's other pages.

    Such a link has a number for its text and leads to the scene's own address with another query, or with
    that number behind it; no other is known. address: of the scene. zone: of whoever the page was made for.
    Raises as `parse_scene` does.
    """
    posts = parse_scene(page, zone, lambda post_id: f"{address}#msj{post_id.removesuffix('n')}", notes=notes)
    return ScenePage(posts, dict(_find_links(page, address)))


def _find_links(page: Tag, address: str) -> Iterator[tuple[int, str]]:
    """The posts' texts aren't in the tree any more, so that no player's link is taken for one."""
    here = urlsplit(address)
    for link in page.select("a[href]"):
        text = " ".join(link.get_text().split())
        target = urljoin(address, attribute(link, "href"))
        there = urlsplit(target)
        below = there.path.removeprefix(here.path.rstrip("/")).strip("/")
        is_same = (there.scheme, there.netloc) == (here.scheme, here.netloc)
        is_scene = there.path.startswith(here.path.rstrip("/")) and below in ("", text)
        if _PAGE.fullmatch(text) and is_same and is_scene and (below or there.query != here.query):
            yield int(text), target.partition("#")[0]


def parse_scene(
    page: Tag, zone: ZoneInfo, link: Callable[[str], str], *, notes: bool = False
) -> tuple[Post, ...]:
    """The posts of a page, in the order in which they stand there.

    zone: in which whoever saved the page sees times. link: makes a post's address from its id.
    notes: whether the notes of a post that the page's reader is let see are private messages of its author.

    Raises:
        NotATopicPage: no list of posts. IncompletePageError: a post without author, time or text, one inside
        another, a post twice, or a thing that looks like a post and stands elsewhere.
    """
    return tuple(_list_posts(page, zone, link, notes=notes))


def _list_posts(page: Tag, zone: ZoneInfo, link: Callable[[str], str], *, notes: bool) -> Iterator[Post]:
    for post, shown in read_posts(page, UMBRIA, zone, link):
        yield post
        if notes and shown.notes:
            yield replace(post, id=f"{post.id}n", html=shown.notes, private=True)
