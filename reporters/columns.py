"""Tables as lines of a fixed-width face, for dialects that have no tables."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from rules.engine.document import Align

Cells = Sequence[str]

_GAP = "  "


def align_columns(head: Cells, rows: Iterable[Cells], align: Sequence[Align]) -> str:
    """Head, a line of dashes, and the rows, each column as wide as its widest cell.

    The first line never begins with a blank, which forums would strip: its first cell stands on the left.
    """
    table = [list(head), *map(list, rows)]
    widths = [max(width(row[at]) for row in table if at < len(row)) for at in range(len(head))]
    lines = [
        _line(table[0], widths, (Align.LEFT, *align[1:])),
        _GAP.join("-" * max(1, one) for one in widths),
    ]
    if not table[0][:1] or not table[0][0]:
        lines.insert(0, lines[1])
    return "\n".join((*lines, *(_line(row, widths, align) for row in table[1:])))


def width(text: str) -> int:
    """Cells of a fixed-width face that a line takes: two for wide letters, none for marks on others."""
    if text.isascii():
        return len(text)
    return sum(map(_char_width, text))


def _char_width(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _line(cells: Cells, widths: Sequence[int], align: Sequence[Align]) -> str:
    drawn = []
    for cell, wide, side in zip(cells, widths, align, strict=False):
        room = " " * (wide - width(cell))
        drawn.append(room + cell if side is Align.RIGHT else cell + room)
    return _GAP.join(drawn).rstrip()
