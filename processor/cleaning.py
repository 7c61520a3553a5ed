"""Looks at the own posts of a reading: twins that a late answer left behind, and texts that aren't ours.

A forum can't check fences, so in rare cases a text stands in it twice. Then the post with the lowest id
stays and the others are edited to say so. A marker of ours with another hash than any text we made is no
twin but an alarm: somebody published something else in our name (reliability.md 2.1, *Cleaner*).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import unescape

from parsers.pages.shown import read_lines
from processor.store.rows import OutboxRow
from rules.play.joined import find_place, is_marker
from rules.play.posts import Post, Reading, Visibility
from rules.play.turns import TurnRef

_TAGS = re.compile(r"<[^<>]*>")
_LAST_WORD = re.compile(r"(?:^|\s)(ptd1:[^\s:]+:[0-9]+\.[0-9]+:\S+)\Z")
_HASHED = re.compile(r"(.+:[0-9]+/[0-9]+):[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class OwnPost:
    """A text of ours in a post, by its marker.

    created_at: by the forum's clock, UTC; None where the forum has appended the text to an older one, and
    doesn't say when.
    """

    post_id: str
    marker: str
    created_at: datetime | None


@dataclass(frozen=True, slots=True)
class Twin:
    """A text that repeats an older one: in another post, or further down in the same."""

    post_id: str
    kept: str
    marker: str

    @property
    def text(self) -> str:
        """What it is edited to. Without a marker it is never taken for the original again."""
        return f"*Duplicado de #{self.kept}.*"


def find_own_posts(readings: Iterable[Reading], account: str) -> tuple[OwnPost, ...]:
    """The texts of the account's visible posts that end in a marker, in the order read."""
    posts = (post for reading in readings for post in reading.posts if post.author_id == account)
    shown = (post for post in posts if post.visibility is Visibility.VISIBLE)
    return tuple(
        OwnPost(post.id, marker, None if at else post.created_at)
        for post in shown
        for at, marker in enumerate(_read_markers(post))
    )


def is_of_others(reading: Reading, account: str, game: str) -> bool:
    """Whether what the account has written there is of other games, and nothing of this one."""
    markers = [one.marker for one in find_own_posts((reading,), account)]
    return bool(markers) and not any(one.startswith(f"ptd1:{game}:") for one in markers)


def _read_markers(post: Post) -> tuple[str, ...]:
    """The marker, if it stands alone at the end, behind those of the texts before it in the same post."""
    text = find_text(post).rstrip()
    found = _LAST_WORD.search(text)
    if found is None:
        return ()
    if text.count("ptd1:") == 1:  # nearly always, and then nothing has to be parsed
        return (found[1],)
    lines = (post.raw or "").split("\n") if post.html is None else read_lines(post.html)
    return (*(line.strip() for line in lines[:-1] if is_marker(line)), found[1])


def find_text(post: Post) -> str:
    """What a reader sees of a post, without its markup; from the page, since raw text is seldom fetched."""
    text = post.raw if post.html is None else unescape(_TAGS.sub(" ", post.html))
    return text or ""


def find_first_part(own: Iterable[OwnPost], ref: TurnRef, kind: str) -> OwnPost | None:
    """The first part of a text; None where it isn't there."""
    start = ref.marker(kind, 1, 1).removesuffix("1")
    return next((one for one in own if one.marker.startswith(start)), None)


def find_twins(own: Sequence[OwnPost]) -> tuple[Twin, ...]:
    """Texts that carry the marker of an older one."""
    groups: dict[str, list[str]] = defaultdict(list)
    for one in own:
        groups[one.marker].append(one.post_id)
    ordered = [(marker, sorted(ids, key=_by_id)) for marker, ids in groups.items()]
    return tuple(Twin(post_id, ids[0], marker) for marker, ids in ordered for post_id in ids[1:])


def without_twins(own: Iterable[OwnPost], twins: Iterable[Twin]) -> tuple[OwnPost, ...]:
    """The texts that stay: of each the oldest."""
    gone = {(twin.post_id, twin.marker) for twin in twins if twin.post_id != twin.kept}
    return tuple(dict.fromkeys(one for one in own if (one.post_id, one.marker) not in gone))


def is_in_twin(row: OutboxRow, twin: Twin) -> bool:
    """Whether a row's text was thought to stand where the twin does; others may share that post."""
    return row.forum_post_id == twin.post_id and find_place(row.marker) == find_place(twin.marker)


def _by_id(post_id: str) -> tuple[int, str]:
    return (len(post_id), post_id)


def find_strangers(own: Sequence[OwnPost], rows: Iterable[OutboxRow]) -> tuple[OwnPost, ...]:
    """Posts that carry a marker of one of these rows with a hash that none of them has."""
    ours = {row.marker for row in rows}
    bases = {_base(marker) for marker in ours} - {None}
    return tuple(one for one in own if one.marker not in ours and _base(one.marker) in bases)


def _base(marker: str) -> str | None:
    """A marker without its hash; None for those that have none (texts that are edited)."""
    found = _HASHED.fullmatch(marker)
    return found[1] if found else None
