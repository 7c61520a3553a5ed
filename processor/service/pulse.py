"""Whether our own clock can be believed, and that somebody is at work at all (reliability.md F7).

A clock that jumps makes deadlines pass, or come back, without anybody having had the time. So the wall clock
is compared with one that never jumps within a process, and with the last tick's moment between processes. A
turn whose deadline lies between the two ends of a jump is held when it is to be closed.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from datetime import datetime, timedelta

from processor.ports import Clock
from processor.service.bundle import Service
from processor.store import heartbeats, turns
from processor.store.turns import Queue

logger = logging.getLogger("turnero.pulse")

JUMP = timedelta(minutes=10)
"""By so much a clock may be put right without anybody being asked."""


class ClockWatch:
    """Compares a process's wall clock with its monotonic one; one per process, looked at between steps."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wall, self._steady = clock.now(), clock.monotonic()

    def look(self) -> tuple[datetime, datetime] | None:
        """Where our clock should stand and where it stands, if it has jumped since the last look."""
        wall, steady = self._clock.now(), self._clock.monotonic()
        expected = self._wall + timedelta(seconds=steady - self._steady)
        self._wall, self._steady = wall, steady
        return None if abs(wall - expected) <= JUMP else (expected, wall)


def begin_tick(service: Service, only: Collection[str] | None) -> Queue:
    """Note that a tick begins and find what is due, in one transaction and two statements."""
    now = service.clock.now()
    with service.database.write(heartbeats.TICK) as connection:
        last = heartbeats.beat(connection, now, JUMP)
        if last is not None:
            _warn(last, now)
            heartbeats.add_jump(connection, now, last, now)
        return turns.find_queue(connection, now, only)


def look_at_clock(service: Service, watch: ClockWatch) -> None:
    """Keep a jump of our clock, so that turns whose deadline it went over are held by whoever closes them."""
    jump = watch.look()
    if jump is not None:
        _warn(*jump)
        with service.database.write(heartbeats.TICK) as connection:
            heartbeats.add_jump(connection, service.clock.now(), *jump)


def _warn(expected: datetime, now: datetime) -> None:
    logger.warning("our clock has jumped from %s to %s", expected.isoformat(), now.isoformat())
