"""Orders that somebody wrote without a block: they don't count, and nobody should find that out too late."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from parsers.orders.header import parse_header
from parsers.orders.lines import MAX_LINE_CHARS, logical_lines
from parsers.orders.marks import bare_header
from parsers.orders.matching import bare_words
from parsers.orders.understanding import understand
from processor.pipeline.context import PlayContext
from rules.engine.text import tokenize
from rules.play.blocks import Block, Header, LinePart
from rules.play.lines import SeenLine, SeenText

MOST_LINES = 400
"""Of a post that are looked at; a longer one is a story."""


def find_stray_order(seen: SeenText, play: PlayContext, seat: str) -> SeenLine | None:
    """The first line of a post without blocks that reads as an order, None where none does.

    One line of a single word may be prose (`espero`), so it takes several words, or two such lines, or a line
    `Órdenes turno 3` above.
    """
    lines = [line for line in seen.lines if not line.struck][:MOST_LINES]
    starts = [line for line in lines if _begins_with_verb(line.text, play)]
    if not starts:
        return None
    title = next((line.number for line in lines if _is_title(line.text, play.tracks)), None)
    below = [line for line in starts if title is not None and line.number > title]
    if below:
        return below[0]
    read = [line for line in starts if _reads(line, play, seat)]
    several = [line for line in read if len(bare_words(tokenize(line.text))) > 1]
    if several:
        return several[0]
    return read[0] if len(read) > 1 else None


def _order_texts(lines: Iterable[SeenLine]) -> Sequence[str]:
    parts = tuple(LinePart(line, 0, len(line.text)) for line in lines)
    return [one.text for one in logical_lines(Block(Header(), "bracket", 1, 1, "", parts))]


def _begins_with_verb(text: str, play: PlayContext) -> bool:
    if len(text) > MAX_LINE_CHARS:
        return False
    texts = _order_texts([SeenLine(1, text)])
    tokens = tokenize(texts[0]) if texts else ()
    return bool(tokens) and play.kind.grammar.is_verb(tokens[0].folded)


def _reads(line: SeenLine, play: PlayContext, seat: str) -> bool:
    texts = _order_texts([line])
    plan = play.kind.plan(play.look(seat))
    return understand(texts[0], play.kind.grammar, plan).order is not None


def _is_title(text: str, tracks: Sequence[str]) -> bool:
    """Whether a line is a block's opening but for the brackets: `Órdenes turno 3:`."""
    first = next((at for at, char in enumerate(text) if char.isalnum()), len(text))
    header = bare_header(text[first:]) if len(text) <= MAX_LINE_CHARS else None
    if header is None:
        return False
    read = parse_header(text[first:], *header, tracks)
    return not read.findings and read.header.turn is not None and read.header.track in (None, *tracks)
