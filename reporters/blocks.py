"""What a renderer draws: pieces of a post, with all words chosen and nothing escaped yet.

Reporters build these from catalogue texts, `layout` makes them from a rule set's document; a renderer turns
them into a dialect and knows nothing of languages (design.md 6).
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.document import Align
from rules.engine.inline import Inline

Run = tuple[Inline, ...]
"""One line of text."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A title. level: 1 for the post's own, 2 for a section's. It never stands last in a part."""

    text: Run
    level: int = 2


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines below each other without a gap; one line is an ordinary paragraph.

    keep: must not be parted from the block behind it (the words above a fence).
    """

    lines: tuple[Run, ...]
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """A list with marks or numbers. start: number of the first item."""

    items: tuple[Run, ...]
    ordered: bool = False
    start: int = 1


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; `align` has one entry a column."""

    head: tuple[Run, ...]
    rows: tuple[tuple[Run, ...], ...]
    align: tuple[Align, ...]


@dataclass(frozen=True, slots=True)
class Fence:
    """Lines in a fixed-width face, to read under each other or to copy.

    language: one word, or "" for a guess; `text` keeps forums from colouring what is no program.
    """

    text: str
    language: str = "text"


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture. name: its file name. alternative: what it shows.

    told: whether a text beside it says the same; where it can't be shown its words aren't needed then.
    """

    name: str
    alternative: Run
    told: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across."""


Piece = Heading | Lines | Listing | Grid | Fence | Figure | Rule


@dataclass(frozen=True, slots=True)
class Chapter:
    """Pieces that stay together where a post has to be split. id: stable (`events`, `dice`, `next`)."""

    id: str
    pieces: tuple[Piece, ...]


def line(*runs: Run, keep: bool = False) -> Lines:
    """One paragraph of several runs that follow each other."""
    return Lines((sum(runs, ()),), keep)
