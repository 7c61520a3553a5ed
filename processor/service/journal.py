"""What is told of each step while working: which turn, what was done, how long it took, what came of it.

An exception's words may hold what nobody but one player should read, since rule sets put values into them. So
before they are logged or kept, every line that was written for the turn is taken out of them, and its seeds.
"""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Iterable
from html import unescape
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from processor.service.bundle import Service
from processor.store import evidence, games
from processor.store.rows import TurnRow

logger = logging.getLogger("turnero.step")

_TAGS = re.compile(r"<[^<>]*>")
_SHORTEST = 4
"""Letters; what is shorter says nothing by itself."""
_HIDDEN = "[…]"


def name_turn(turn: TurnRow) -> dict[str, Any]:
    """Fields by which a line of the log can be found again."""
    ref = turn.ref
    return {"game": ref.game, "track": ref.track, "turn": ref.turn, "attempt": ref.attempt}


def note_step(turn: TurnRow, outcome: str, seconds: float) -> None:
    """Log a step. turn: as it was before. outcome: `done`, `waits`, `parked`, `voided` or `overtaken`."""
    told = {"step": turn.status.value, "outcome": outcome, "seconds": round(seconds, 3)}
    logger.info("step", extra=name_turn(turn) | told)


def tell_fault(service: Service, turn: TurnRow, error: Exception) -> str:
    """Log an exception with its way here, and give it in a line; both without what the turn hides."""
    try:
        hidden = tuple(_find_hidden(service, turn))
    except SQLAlchemyError:  # then nobody knows what must not be shown
        logger.warning("this game's step failed: %s", type(error).__name__, extra=name_turn(turn))
        return type(error).__name__
    trace = conceal("".join(traceback.format_exception(error)), hidden)
    logger.error("this game's step failed", extra=name_turn(turn) | {"trace": trace})
    return conceal(f"{type(error).__name__}: {error}", hidden)


def conceal(text: str, hidden: Iterable[str]) -> str:
    """A text without those passages, the longest first."""
    for one in sorted(hidden, key=len, reverse=True):
        text = text.replace(one, _HIDDEN)
    return text


def _find_hidden(service: Service, turn: TurnRow) -> Iterable[str]:
    """What the turn's posts say, line by line, and the secrets of its dice."""
    with service.database.read() as connection:
        versions = evidence.load_versions(connection, turn.id)
        secret = games.get_game(connection, turn.ref.game).secret
    yield from (turn.seed.hex(), secret.hex(), repr(turn.seed), repr(secret))
    for one in versions:
        shown = unescape(_TAGS.sub("\n", one.post.html or ""))
        for line in f"{shown}\n{one.post.raw or ''}".splitlines():
            bare = line.strip(" \t-*+•.)0123456789")
            if len(bare) >= _SHORTEST:
                yield bare
