"""The host's pulse: when somebody last looked at what is due, and when our clock was seen to jump."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from processor.store.tables import clock_jumps, switches

TICK = "tick"
"""The row of `switches` that holds the pulse."""


def beat(connection: Connection, now: datetime, tolerance: timedelta) -> datetime | None:
    """Note that a tick begins; the moment of the last one where that lies in the future, which none can.

    One statement as long as clocks are right. tolerance: how far ahead another process's clock may be.
    """
    mine = update(switches).where(switches.c.name == TICK)
    if connection.execute(mine.where(switches.c.since <= now + tolerance).values(since=now)).rowcount:
        return None
    last = find_beat(connection)
    if last is None:
        _begin(connection, now)
        return None
    connection.execute(mine.values(since=now))
    return last if last > now + tolerance else None


def _begin(connection: Connection, now: datetime) -> None:
    try:
        with connection.begin_nested():
            connection.execute(insert(switches).values(name=TICK, since=now))
    except IntegrityError:
        return  # another process has begun at the same moment


def find_beat(connection: Connection) -> datetime | None:
    """When the last tick began, UTC; None where there never was one."""
    return connection.execute(select(switches.c.since).where(switches.c.name == TICK)).scalar_one_or_none()


def add_jump(connection: Connection, noticed_at: datetime, one: datetime, other: datetime) -> None:
    """Keep that our clock went from one moment to another without that time having passed."""
    stretch = {"earlier": min(one, other), "later": max(one, other)}
    connection.execute(insert(clock_jumps).values(noticed_at=noticed_at, **stretch))


def find_jump(connection: Connection, moment: datetime) -> tuple[datetime, datetime] | None:
    """The newest jump of our clock over a moment, by its two ends; None where none went over it."""
    over = (clock_jumps.c.earlier < moment, moment <= clock_jumps.c.later)
    found = select(clock_jumps.c.earlier, clock_jumps.c.later).where(*over)
    row = connection.execute(found.order_by(clock_jumps.c.id.desc()).limit(1)).one_or_none()
    return None if row is None else (row.earlier, row.later)
