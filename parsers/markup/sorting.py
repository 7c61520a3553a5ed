"""From lines as laid out to a post's own lines, numbered, and what doesn't count."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from parsers.markup.layout import LaidLine
from parsers.orders.marks import describe_skip, is_order_code
from rules.play.lines import SeenLine, SeenText, Skip, SkipKind


def sort_out(laid: Sequence[LaidLine]) -> SeenText:
    """Own lines with their numbers; quotes, signatures and hidden text apart, one `Skip` for each."""
    lines: list[SeenLine] = []
    skipped: list[Skip] = []
    fences: dict[int, int] = {}
    for left_out, group in groupby(laid, key=lambda line: line.style.left_out):
        if left_out is not None:
            skipped.append(_describe(left_out.kind, _next_number(lines), tuple(group)))
            continue
        lines.extend(_number(line, at, fences) for at, line in enumerate(group, _next_number(lines)))
    return SeenText(tuple(lines), tuple(skipped))


def _describe(kind: SkipKind, number: int, lines: Sequence[LaidLine]) -> Skip:
    has_fence = any(line.style.code and is_order_code(line.style.code.word, line.text) for line in lines)
    return describe_skip(kind, number, [line.text for line in lines], has_block=has_fence)


def _next_number(lines: Sequence[SeenLine]) -> int:
    return lines[-1].number + 1 if lines else 1


def _number(line: LaidLine, number: int, fences: dict[int, int]) -> SeenLine:
    code = line.style.code
    return SeenLine(
        number,
        line.text,
        fence=None if code is None else code.word,
        struck=line.struck,
        partly_struck=line.partly_struck,
        inline_code=line.inline_code,
        spoiler=line.style.spoiler,
        fence_number=0 if code is None else fences.setdefault(code.number, len(fences) + 1),
    )
