"""A report as data: sections of paragraphs, lists, tables and pictures, all in messages.

A rule set builds documents, reporters render them, one renderer for each dialect (design.md 6).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.engine.audience import PUBLIC, Audience
from rules.engine.drawing import Drawing
from rules.engine.messages import Message

Phrase = Message | tuple[Message, ...]


class Align(StrEnum):
    """Side of a table's column."""

    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph; several messages follow each other with a space."""

    text: Phrase


@dataclass(frozen=True, slots=True)
class Items:
    """A list; each item is a phrase. title: words above it that stay with it, None for none."""

    items: tuple[Phrase, ...]
    ordered: bool = False
    title: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a head; `align` has one entry a column."""

    head: tuple[Message, ...]
    rows: tuple[tuple[Message, ...], ...]
    align: tuple[Align, ...]


@dataclass(frozen=True, slots=True)
class Preformatted:
    """Lines to copy as they are (an order template, a snippet to paste, a proof)."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A map or a chart. name: of its file, without folder and ending, letters and digits and `-`.

    title: stands in the picture. alternative: a text that stands for it.
    told: whether a text beside it says the same, so that nothing is missing where it can't be shown.
    """

    name: str
    title: Message
    alternative: Message
    drawing: Drawing
    told: bool = False


Block = Paragraph | Items | Table | Preformatted | Picture


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report that stays together where a post has to be split.

    id: stable (`events`, `standings`); title: None for the lead.
    """

    id: str
    title: Message | None
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report for one audience."""

    title: Message
    sections: tuple[Section, ...]
    audience: Audience = PUBLIC
