"""The lines of a block as orders are written in them: joined, without list marks, comments left out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rules.engine.text import fold, fold_with_positions, tokenize
from rules.play.blocks import Block, Header, LinePart
from rules.play.lines import SeenLine

MAX_LINE_CHARS = 500
"""Of a joined line; longer ones refuse the whole block (design.md 2)."""

_LIST_MARK = re.compile(r"(?:[0-9]{1,3}[.)](?![0-9])|[a-z]\)|[-+*](?= |[^\W\d_])|[•·▪◦‣●]) ?")
_LINE_END = re.compile(r"\r\n?|\n")
_MOST_LIST_MARKS = 3
_RULES = "-_=*~.:|'\\"


@dataclass(frozen=True, slots=True)
class LogicalLine:
    """One order line, clause line or `si no` line, put together from one or more lines of the post.

    text: the parts joined by one blank, without list marks and the backslashes of raw text.
    parts: for each part its offset in `text`, ascending from 0, and where it stands in the post.
    partly_struck: some of it is struck through, which makes the line an error.
    """

    text: str
    parts: tuple[tuple[int, LinePart], ...]
    partly_struck: bool = False

    @property
    def first_number(self) -> int:
        """The number of the post's line that it begins in."""
        return self.parts[0][1].line.number

    def locate(self, start: int, end: int) -> LinePart:
        """[start, end) of `text` as a part of a line of the post.

        A span over several lines is cut at the end of the first; one behind the text lies at the last
        line's end.
        """
        offset, part = next(one for one in reversed(self.parts) if one[0] <= max(start, 0))
        first = min(part.start + max(start, 0) - offset, part.end)
        return LinePart(part.line, first, max(first, min(part.start + end - offset, part.end)))


def logical_lines(block: Block, *, raw: bool = False) -> tuple[LogicalLine, ...]:
    """The block's lines in order, whatever their length.

    List marks are taken off; empty lines, rules of dashes, and lines that begin with `#` or `//` are left
    out. A line that ends in `,` goes on in the next of those that remain; with `raw`, for text as typed, in
    a backslash too.
    """
    lines: list[LogicalLine] = []
    parts: list[LinePart] = []
    for whole in block.lines:
        part = _trim(whole)
        if part is None:
            continue
        goes_on = _cut_where_it_goes_on(part, raw=raw)
        parts.append(goes_on or part)
        if goes_on is None:
            lines.append(_join(parts))
            parts = []
    if parts:
        lines.append(_join(parts))
    return tuple(lines)


def block_of(text: str) -> Block:
    """Lines that stand alone, without marks (a scenario's orders, a correction), as a block without header
    words.

    Numbers count all lines of the text, empty ones too.
    """
    lines = [SeenLine(number, line) for number, line in enumerate(_LINE_END.split(text), 1)]
    parts = tuple(LinePart(line, 0, len(line.text)) for line in lines if fold(line.text))
    return Block(Header(), "bracket", 1, max(len(lines), 1), "", parts)


def _trim(whole: LinePart) -> LinePart | None:
    """The part without list marks and blanks around it; None for what is no order."""
    folded = fold_with_positions(whole.text)
    at = 0
    for _ in range(_MOST_LIST_MARKS):
        mark = _LIST_MARK.match(folded.text, at)
        if mark is None:
            break
        at = mark.end()
    if folded.text.startswith(("#", "//"), at) or _is_decoration(folded.text[at:]):
        return None
    start, end = folded.span(at, len(folded.text))
    return LinePart(whole.line, whole.start + start, whole.start + end)


def _cut_where_it_goes_on(part: LinePart, *, raw: bool) -> LinePart | None:
    """The part up to its comma (emoji behind it are nothing) or backslash, None where the next begins
    anew.
    """
    if raw and part.text.endswith("\\"):
        return LinePart(part.line, part.start, part.start + len(part.text[:-1].rstrip()))
    tokens = tokenize(part.text)
    if tokens and (tokens[-1].kind, tokens[-1].folded) == ("punct", ","):
        return LinePart(part.line, part.start, part.start + tokens[-1].end)
    return None


def _is_decoration(text: str) -> bool:
    """Whether a line says nothing: empty, `---`, emoji."""
    if any(char.isalnum() for char in text):
        return False
    return all(token.flaw == "symbol" or not token.folded.strip(_RULES) for token in tokenize(text))


def _join(parts: list[LinePart]) -> LogicalLine:
    placed: list[tuple[int, LinePart]] = []
    offset = 0
    for part in parts:
        placed.append((offset, part))
        offset += len(part.text) + 1
    text = " ".join(part.text for part in parts)
    return LogicalLine(text, tuple(placed), any(part.line.partly_struck for part in parts))
