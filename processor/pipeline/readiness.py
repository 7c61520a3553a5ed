"""Whether everybody is done with a turn, so that it may close before its time (design.md 1)."""

from __future__ import annotations

from processor.pipeline.context import PlayContext
from rules.play.reading import SeatReading, TurnReading


def is_everybody_ready(play: PlayContext, reading: TurnReading) -> bool:
    """Whether the newest block of each seat that somebody plays says `listo`; no block says nothing.

    Who has announced an absence and sent nothing isn't waited for.
    """
    waited = [one for one in reading.seats if _is_waited_for(play, one)]
    return bool(waited) and all(not one.silent and one.in_force[-1].ready for one in waited)


def is_somebody_missing(play: PlayContext, reading: TurnReading) -> bool:
    """Whether a seat that is waited for has sent nothing that is in force."""
    return any(one.silent for one in reading.seats if _is_waited_for(play, one))


def _is_waited_for(play: PlayContext, own: SeatReading) -> bool:
    played = play.game.seat(own.seat).account is not None and own.seat not in play.out
    return played and not (own.silent and own.seat in play.absent)
