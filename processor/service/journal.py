"""What is told of each step while working: which turn, what was done, how long it took, what came of it.

An exception's words may hold what nobody but one player should read, since rule sets put values into them.
They are kept only where none of them stands in a post of the turn; the way to the exception is kept always.
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
_WORD = re.compile(r"[\w-]{2,}")
"""What may say something by itself: names, ids such as `E1`."""
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
        hidden = frozenset(_find_hidden(service, turn))
    except SQLAlchemyError:  # then nobody knows what must not be shown
        hidden = None
    chain = tuple(_causes(error))
    told = [line for one in chain for line in (*traceback.format_tb(one.__traceback__), _say(one, hidden))]
    logger.error(
        "this game's step failed", extra=name_turn(turn) | {"trace": "\n".join(map(str.rstrip, told))}
    )
    return _say(error, hidden)


def _causes(error: BaseException) -> Iterable[BaseException]:
    """An exception's causes, the first of all in front, and itself."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None:
        yield from _causes(before)
    yield error


def _say(error: BaseException, hidden: frozenset[str] | None) -> str:
    """An exception by its kind, and its words where none of them is hidden."""
    kind, said = type(error).__name__, str(error)
    safe = hidden is not None and hidden.isdisjoint(_words(said))
    return f"{kind}: {said if safe else _HIDDEN}"


def _words(text: str) -> Iterable[str]:
    return (one.casefold() for one in _WORD.findall(text))


def _find_hidden(service: Service, turn: TurnRow) -> Iterable[str]:
    """Every word of the turn's posts, and the secrets of its dice."""
    with service.database.read() as connection:
        versions = evidence.load_versions(connection, turn.evidence)
        secret = games.get_game(connection, turn.ref.game).secret
    for key in (turn.seed, secret):
        yield from (key.hex(), *_words(repr(key)))
    for one in versions:
        yield from _words(unescape(_TAGS.sub(" ", one.post.html or "")))
        yield from _words(one.post.raw or "")
