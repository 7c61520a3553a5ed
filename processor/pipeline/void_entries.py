"""Entries that void an attempt at a turn: which one it is, and when it can be followed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from parsers.files.override import Override, Void
from processor.pipeline.override_entries import Refused
from rules.engine.messages import msg
from rules.play.attempts import Orders


@dataclass(frozen=True, slots=True)
class Standing:
    """A turn as an entry finds it. attempt: its newest. opened: whether that was opened. locked: and closed.

    over: whether the game has ended and shown its secret H.
    """

    turn: int
    attempt: int
    opened: bool
    locked: bool
    over: bool = False


def find_void(entries: Sequence[Override], attempt: int) -> Void | None:
    """The entry that voids an attempt; of several the last."""
    found = [one for one in entries if isinstance(one, Void) and one.attempt == attempt]
    return found[-1] if found else None


def require_voidable(entry: Void, standing: Standing) -> None:
    """Raise Refused for an entry that can't be followed; one about an attempt that is over is no problem."""
    if entry.attempt > standing.attempt:
        attempts = {"attempt": entry.attempt, "newest": standing.attempt}
        raise Refused(
            "no-attempt", msg("correct/no-attempt", **attempts), msg("correct/attempts-are", **attempts)
        )
    if entry.attempt < standing.attempt:
        return
    if not standing.opened:
        raise Refused("not-open", msg("correct/void-planned", turn=standing.turn), msg("correct/remove"))
    if entry.orders is Orders.KEEP and not standing.locked:
        wrong = msg("correct/void-unlocked", turn=standing.turn)
        raise Refused("not-locked", wrong, msg("correct/void-reopen"))
    if entry.orders is Orders.REOPEN and standing.over:
        raise Refused("over", msg("correct/void-over"), msg("correct/void-keep"))
