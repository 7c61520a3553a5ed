"""Several of our texts in one post: a forum may append what follows soon, a moderator may join posts.

Each text ends in its marker (`TurnRef.marker`), so a post whose last line is a marker is cut behind each of
its markers. What stands before a text and isn't ours (what was written by hand, a forum's own line between
two texts) is kept where it stands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARKER = re.compile(r"(?P<place>ptd1:[^\s:]+:[0-9]+\.[0-9]+:[^\s:]+:[0-9]+)/[0-9]+(?::[0-9a-f]{8})?")
_EDITION = re.compile(
    r"(?P<kind>ptd1:[^\s:]+:[0-9]+\.[0-9]+:[^\s:+]+)(?:\+(?P<edition>[0-9]+))?(?P<rest>:\S+)"
)
_DIVIDER = "[hr]"
"""What MyBB puts between two texts; a text of ours has no such line."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A text of ours, marker included, and the lines before it that aren't ours."""

    before: tuple[str, ...]
    lines: tuple[str, ...]

    @property
    def marker(self) -> str:
        return self.lines[-1].strip()

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def is_marker(line: str) -> bool:
    """Whether a line is a marker and nothing else."""
    return _MARKER.fullmatch(line.strip()) is not None


def find_place(marker: str) -> str:
    """What stays the same of a text's marker when it is edited: all but the number of parts and the hash."""
    found = _MARKER.fullmatch(marker.strip())
    return found["place"] if found else marker


def edition_of(marker: str) -> int:
    """Which post of its text a marker names: 1, and more where the forum let nobody edit those before."""
    found = _EDITION.fullmatch(marker)
    return int(found["edition"]) if found and found["edition"] else 1


def as_edition(marker: str, edition: int) -> str:
    """The marker of another post of the same text, from 1."""
    found = _EDITION.fullmatch(marker)
    if found is None or edition < 2:
        return marker if found is None else f"{found['kind']}{found['rest']}"
    return f"{found['kind']}+{edition}{found['rest']}"


def split_texts(post: str) -> tuple[str, ...]:
    """Our texts in a post as typed (LF), in their order; the post itself where it doesn't end in a marker."""
    return tuple(piece.text for piece in _cut(post)) or (post,)


def find_texts(post: str, marker: str) -> tuple[str, ...]:
    """Those that carry a marker: more than one where a text stands in the post twice."""
    return tuple(piece.text for piece in _cut(post) if piece.marker == marker.strip())


def put_text(post: str, text: str) -> str | None:
    """The post with a new version of one of its texts, found by what its marker has in common with the old.

    Without others of ours in it all of the post is the text. None: others stand there and this one doesn't.
    """
    pieces = _cut(post)
    place = find_place(text.strip().rpartition("\n")[2])
    for at, piece in enumerate(pieces):
        if find_place(piece.marker) == place:
            new = _Piece(piece.before, tuple(text.strip().split("\n")))
            return _join((*pieces[:at], new, *pieces[at + 1 :]))
    return None if len(pieces) > 1 else text


def take_text(post: str, marker: str) -> str | None:
    """The post without its last text that carries a marker; None where no other text of ours is left."""
    pieces = _cut(post)
    for at in range(len(pieces) - 1, -1, -1):
        if pieces[at].marker == marker.strip() and len(pieces) > 1:
            return _join((*pieces[:at], *pieces[at + 1 :]))
    return None


def trim_end(post: str) -> str:
    """What is left of a post whose last text was cut off: without the forum's line between the two."""
    return post.rstrip().removesuffix(_DIVIDER).rstrip()


def _cut(post: str) -> tuple[_Piece, ...]:
    lines = post.strip().split("\n")
    if not is_marker(lines[-1]):
        return ()
    ends = [at for at, line in enumerate(lines) if is_marker(line)]
    starts = [0, *(end + 1 for end in ends[:-1])]
    return tuple(_piece(lines[start : end + 1]) for start, end in zip(starts, ends, strict=True))


def _piece(lines: list[str]) -> _Piece:
    begin = max((at + 1 for at, line in enumerate(lines) if line.strip() == _DIVIDER), default=0)
    while not lines[begin].strip():
        begin += 1
    return _Piece(tuple(lines[:begin]), tuple(lines[begin:]))


def _join(pieces: tuple[_Piece, ...]) -> str:
    return "\n".join(line for piece in pieces for line in (*piece.before, *piece.lines)).strip()
