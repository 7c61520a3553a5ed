"""Answers to questions among a player's lines: `responder P1 aceptar`."""

from __future__ import annotations

from collections.abc import Sequence

from parsers.orders.keywords import REPLY_WORDS
from parsers.orders.lines import LogicalLine
from parsers.orders.matching import end_of_order
from rules.engine.text import tokenize


def read_reply(text: str) -> tuple[str, str] | None:
    """The handle (`P1`) and the answer as written, None where the line is no reply."""
    tokens = tokenize(text)
    tokens = tokens[: end_of_order(tokens)]
    if len(tokens) < 3 or tokens[0].folded not in REPLY_WORDS:
        return None
    at = 2 if tokens[2].text != ":" or len(tokens) == 3 else 3
    return tokens[1].text.upper(), text[tokens[at].start : tokens[-1].end]


def read_replies(lines: Sequence[LogicalLine]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """The replies of several lines, and the texts of those that are none."""
    read = [(line.text, read_reply(line.text)) for line in lines]
    replies = tuple(reply for _, reply in read if reply is not None)
    return replies, tuple(text for text, reply in read if reply is None)
