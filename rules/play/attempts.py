"""Attempts at a turn: what is done with the orders of one that is voided, and what the next one knows of it
(design.md 1; docs/adr/0011-attempts.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any


class Orders(StrEnum):
    """What becomes of the orders of a voided attempt.

    REOPEN: the turn is opened once more, with a new seed. KEEP: the frozen ones are resolved once more, with
    the same seed.
    """

    REOPEN = "reopen"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Redo:
    """Why a turn is played once more. turn, attempt: what the director has voided, of this track.

    reason: for everybody to read, "" where it is secret.
    """

    turn: int
    attempt: int
    orders: Orders
    reason: str

    @property
    def keeps(self) -> bool:
        """Whether the voided turn's orders stand, with their dice."""
        return self.orders is Orders.KEEP

    def data(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "turn": self.turn,
            "attempt": self.attempt,
            "orders": self.orders.value,
            "reason": self.reason,
        }

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Redo:
        """From what `data` gave."""
        return cls(data["turn"], data["attempt"], Orders(data["orders"]), data["reason"])


UNPROVEN_AFTER = timedelta(hours=48)
"""So long after the deadline a seed that hasn't been shown counts as one that never will be."""


def is_unproven(due_at: datetime, shown_at: datetime) -> bool:
    """Whether a turn's seed wasn't shown in time. due_at: the deadline. shown_at: when it was, or now."""
    return shown_at > due_at + UNPROVEN_AFTER


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of the seeds of a track so far (reliability.md 1.4, *selective abort*, *never revealed*).

    proven: turns whose report showed the seed that was promised, this one included. voided: attempts that
    were voided. unproven: turns before this one whose seed wasn't shown within 48 hours, and still isn't.
    late: how many of the proven ones were shown later than that.
    """

    proven: int
    voided: int
    unproven: int
    late: int = 0


@dataclass(frozen=True, slots=True)
class VoidedTurn:
    """An attempt that is voided, as the players are told of it.

    seed: S in hex, None where the next attempt goes on with it. published: whether its report was.
    """

    turn: int
    attempt: int
    commitment: str
    seed: str | None
    published: bool
    proof: Mapping[str, Any] | None = None


ToldLines = tuple[tuple[str, str], ...]
"""What a reader was told of a turn, line by line, each with what it is about: lines about the same thing are
compared."""
