"""A turn's clock: its planned deadline, and what the director has made of it since (design.md 4)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class ClockChange:
    """A schedule entry in effect. key: names the entry, whatever its reason. All moments are UTC.

    at: when it was first seen, which is when a pause begins and ends. before, after: the deadline around it.
    """

    key: str
    at: datetime
    before: datetime
    after: datetime


@dataclass(frozen=True, slots=True)
class TurnClock:
    """When a turn closes. planned: by the schedule alone. due: in force. All moments are UTC.

    paused_at: since when the clock stands still, None while it runs. changes: in the file's order.
    notices: how many times the players were told of a change. stops: when the host had all games paused,
    from and to. early: when it closes because everybody is ready, None where not everybody is.
    grace: how much longer it stays open for who had no orders at the deadline.
    offset: of the game's zone from UTC at `due`, by the rules by which the players were told; None: unknown.
    """

    planned: datetime
    due: datetime
    paused_at: datetime | None = None
    changes: tuple[ClockChange, ...] = ()
    notices: int = 0
    stops: tuple[tuple[datetime, datetime], ...] = ()
    early: datetime | None = None
    grace: timedelta = timedelta()
    offset: timedelta | None = None
