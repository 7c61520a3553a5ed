"""Lines as they are laid out on the page: pieces of text are gathered until something ends the line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rules.engine.text import fold
from rules.play.lines import SkipKind

_BLANKS = re.compile(r"[ \t\r\n\f]+")
_LIST_MARK = re.compile(r"\s*(?:[0-9]{1,3}|[a-zA-Z])[.)]")


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the page that isn't the author's live text, or a code block with its info word.

    number: tells regions of one page apart.
    """

    kind: SkipKind
    number: int
    word: str = ""


@dataclass(frozen=True, slots=True)
class Style:
    """What the elements around a text make of it.

    left_out: the outermost quote, signature or hidden part. code: the code block. heading: its level, 0 for
    none.
    """

    left_out: Region | None = None
    code: Region | None = None
    preformatted: bool = False
    inline_code: bool = False
    struck: bool = False
    spoiler: bool = False
    heading: int = 0


@dataclass(frozen=True, slots=True)
class LaidLine:
    """One line with text, before it is known whether it counts."""

    text: str
    style: Style
    struck: bool = False
    partly_struck: bool = False
    inline_code: tuple[str, ...] = ()


@dataclass(slots=True)
class Layout:
    """The line that is being filled, and those that are full."""

    lines: list[LaidLine] = field(default_factory=list)
    _pieces: list[tuple[str, Style]] = field(default_factory=list)
    _codes: list[str] = field(default_factory=list)

    def add(self, text: str, style: Style) -> None:
        """More text on this line; in preformatted text each line break ends one."""
        if not style.preformatted:
            self._pieces.append((text, style))
            return
        first, *more = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._pieces.append((first, style))
        for line in more:
            self.end_line()
            self._pieces.append((line, style))

    def add_inline_code(self, source: str) -> None:
        """Note that inline code begins on this line."""
        self._codes.append(source)

    def end_line(self) -> None:
        """End the line; without text it leaves none."""
        text = "".join(piece for piece, _ in self._pieces)
        if fold(text):
            style = self._pieces[0][1]
            struck, partly = _find_strike(self._pieces)
            self.lines.append(LaidLine(_show(text, style), style, struck, partly, tuple(self._codes)))
        self._pieces.clear()
        self._codes.clear()

    def end_code(self, style: Style) -> None:
        """End a code block; an empty one leaves a line without text, since it may be an empty order block."""
        if not self.lines or self.lines[-1].style.code != style.code:
            self.lines.append(LaidLine("", style))


def _show(text: str, style: Style) -> str:
    if style.preformatted:
        return text.rstrip()
    shown = _BLANKS.sub(" ", text).strip(" ")
    return f"{'#' * style.heading} {shown}" if style.heading else shown


def _find_strike(pieces: list[tuple[str, Style]]) -> tuple[bool, bool]:
    """Whether all, or some, of a line is struck: letters and digits decide, a list mark in front does not."""
    if not any(char.isalnum() for piece, style in pieces if style.struck for char in piece):
        return False, False
    live = "".join(piece for piece, style in pieces if not style.struck)
    mark = _LIST_MARK.match(live)
    partly = any(char.isalnum() for char in (live[mark.end() :] if mark else live))
    return not partly, partly
