"""Order blocks as they stand in a post, before any order in them is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.engine.diagnostics import Diagnostic
from rules.play.lines import SeenLine, Skip


@dataclass(frozen=True, slots=True)
class Header:
    """The words of a block's opening mark (design.md 2).

    turn: `turno N`, None where it isn't said. seat_name: `como NAME` as written, None where it isn't said.
    standing: `permanentes`. append: `añade`. track: the words left over, as written and joined by one blank;
    None for the main track. words: every word as written.
    """

    turn: int | None = None
    seat_name: str | None = None
    standing: bool = False
    append: bool = False
    track: str | None = None
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LinePart:
    """Characters [start, end) of a seen line: the whole line, or what stands beside a mark on it."""

    line: SeenLine
    start: int
    end: int

    @property
    def text(self) -> str:
        """The part's own characters."""
        return self.line.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Block:
    """One closed block: its header and what stands between its marks.

    first_line, last_line: numbers of the lines with the opening and the closing mark (of a code block its
    first and last line). mark: the opening as written.
    lines: lines with text, comments included, struck ones not. struck: those that are struck through.
    quoted: whether a quote, signature or other part that never counts stands inside.
    """

    header: Header
    kind: Literal["bracket", "fence"]
    first_line: int
    last_line: int
    mark: str
    lines: tuple[LinePart, ...] = ()
    struck: tuple[SeenLine, ...] = ()
    quoted: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing between the marks at all: such a block withdraws the orders."""
        return not (self.lines or self.struck or self.quoted)


@dataclass(frozen=True, slots=True)
class BlockProblem:
    """What is wrong with a mark or with a block as a whole; the block it is about doesn't count.

    finding: its span, where it has one, lies in `text`. line: number of the line. text: the line as seen.
    """

    finding: Diagnostic
    line: int
    text: str

    @property
    def code(self) -> str:
        """The stable code of this kind of problem."""
        return self.finding.code


@dataclass(frozen=True, slots=True)
class BlockScan:
    """What a post holds, in reading order.

    blocks: closed, with a right header, within the limits: these may count.
    refused: closed blocks with a problem; kept so that a receipt can show them, never to be resolved.
    problems: of refused blocks and of marks that make no block. skipped: what doesn't count.
    """

    blocks: tuple[Block, ...] = ()
    refused: tuple[Block, ...] = ()
    problems: tuple[BlockProblem, ...] = ()
    skipped: tuple[Skip, ...] = ()
