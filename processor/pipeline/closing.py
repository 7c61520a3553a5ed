"""The end of a game: its secret H is published, and with it everything can be verified by everybody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from processor.pipeline.locking import order_texts, split_overrides
from rules.engine import ptd1
from rules.play.reading import TurnReading


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A resolved turn. proofs: by group, "" the public one. reading, overrides: as they were locked.

    attempt: the attempt at the turn for which its seeds were made.
    """

    proofs: Mapping[str, Mapping[str, Any]]
    reading: TurnReading
    overrides: str
    attempt: int = 1


def close_game(game: str, secret: bytes, past: Iterable[PastTurn]) -> dict[str, Any]:
    """The proof of a whole game (`rules.engine.closing`). game: id. secret: H. past: turns in order."""
    return {
        "game": game,
        "secret": secret.hex(),
        "commitment": ptd1.secret_commitment(game, secret),
        "turns": [_close_turn(one) for one in past],
    }


def _close_turn(turn: PastTurn) -> dict[str, Any]:
    openly, hidden = split_overrides(turn.reading, turn.overrides)
    later = {"attempt": turn.attempt} if turn.attempt > 1 else {}
    return later | {
        "proofs": [dict(proof) for _, proof in sorted(turn.proofs.items())],
        "orders": [
            {"post": post, "seat": seat, "text": text, "private": bool(salt)}
            for post, seat, text, salt in order_texts(turn.reading)
        ],
        "overrides": openly.decode(),
        "hidden": [{"source": source, "seat": seat, "text": text} for source, seat, text in hidden],
    }
