"""The words around orders, by the game's language: those of blocks, conditions, and lines that are no order.

Those of blocks, `listo`, `ninguna` and `responder` are understood in both languages everywhere, since they
can be nothing else; `if` and `otherwise` only where the game is in English, whose players expect them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.wording import Language

TURN_WORDS = frozenset(("turno", "turn"))
SEAT_WORDS = frozenset(("como", "as"))
STANDING_WORDS = frozenset(("permanentes", "standing"))
APPEND_WORDS = frozenset(("anade", "append", "add"))
HEADER_WORDS = TURN_WORDS | SEAT_WORDS | STANDING_WORDS | APPEND_WORDS
"""Folded words of a block's header."""

READY_WORDS = frozenset(("listo", "lista", "ready"))
NOTHING_WORDS = frozenset(("ninguna", "ninguno", "nada", "none"))
REPLY_WORDS = frozenset(("responder", "respondo", "responde", "responda", "answer", "reply"))


@dataclass(frozen=True, slots=True)
class Keywords:
    """How a language writes the words that Turnero shows.

    block, turn, seat, standing, append: of a block's marks and header. conditions: folded words in front of
    a condition. fallbacks: folded words, each way a tuple, in front of what runs instead.
    """

    block: str
    turn: str
    seat: str
    standing: str
    append: str
    conditions: frozenset[str]
    fallbacks: tuple[tuple[str, ...], ...]

    @property
    def closing(self) -> str:
        """The mark that ends a block."""
        return f"[/{self.block}]"


_SPANISH = Keywords("órdenes", "turno", "como", "permanentes", "añade", frozenset(("si",)), (("si", "no"),))
KEYWORDS: Mapping[Language, Keywords] = {
    "es": _SPANISH,
    "en": Keywords(
        "orders",
        "turn",
        "as",
        "standing",
        "add",
        frozenset((*_SPANISH.conditions, "if")),
        (*_SPANISH.fallbacks, ("if", "not"), ("otherwise",)),
    ),
}
"""By language; Spanish ones are understood in every game."""
