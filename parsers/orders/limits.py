"""What makes a closed block not count as a whole: its limits, and contents that all don't count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from parsers.orders.lines import MAX_LINE_CHARS, LogicalLine, logical_lines
from rules.engine.diagnostics import Diagnostic
from rules.engine.messages import Message, msg
from rules.engine.text import fold
from rules.play.blocks import Block, BlockProblem
from rules.play.lines import SeenLine, SkipKind

MAX_BLOCK_CHARS = 20_000
MAX_ORDERS = 200


def find_faults(
    block: Block, opening: SeenLine, hidden: Sequence[SkipKind], *, raw: bool
) -> tuple[BlockProblem, ...]:
    """Problems of a closed block beside its header's.

    hidden: kinds of parts inside it that the game's options exclude. Orders are counted exactly where they
    are read, since only there is known what is a clause; here the block is refused where no reading could
    keep within.
    """
    faults = [msg("parse/part-does-not-count", kind=kind) for kind in hidden]
    size = sum(len(part.text) for part in block.lines)
    if size > MAX_BLOCK_CHARS:
        faults.append(msg("parse/block-too-long", size=size, limit=MAX_BLOCK_CHARS))
        return tuple(_at(opening, fault) for fault in faults)
    lines = logical_lines(block, raw=raw)
    if not lines and not block.is_empty and not faults:
        faults.append(msg("parse/nothing-counts"))
    if sum(_is_order(line) for line in lines) > MAX_ORDERS:
        faults.append(msg("parse/too-many-orders", limit=MAX_ORDERS))
    return (*(_at(opening, fault) for fault in faults), *_long_lines(lines))


def _long_lines(lines: Sequence[LogicalLine]) -> Iterator[BlockProblem]:
    for line in lines:
        if len(line.text) > MAX_LINE_CHARS:
            message = msg("parse/line-too-long", size=len(line.text), limit=MAX_LINE_CHARS)
            yield _at(line.parts[0][1].line, message)


def _is_order(line: LogicalLine) -> bool:
    """Whether a line can be nothing but an order: clauses and fallbacks have a colon or begin with `si
    no`.
    """
    return ":" not in line.text and not fold(line.text).startswith("si no")


def _at(line: SeenLine, message: Message) -> BlockProblem:
    return BlockProblem(Diagnostic(message), line.number, line.text)
