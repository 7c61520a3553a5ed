"""Leases and fences: at most one worker acts for a turn, and one that was overtaken can write nothing.

A claim takes the lease and raises the fence in one statement; every later write of that worker first
checks the fence in its own transaction (reliability.md 2.2). Other processes judge a lease by the wall
clock in the database; its holder judges it by the monotonic clock, which doesn't jump. The forum can't
check fences, so the holder looks at its clock directly before each request.

The wall clock is that of the worker's machine, not the database server's: deadlines, pauses and quiet times
run by it too, and a machine that differs from the forum's by more than `clock_skew` holds its turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import Connection, or_, update

from processor.ports import Clock
from processor.store.database import Database
from processor.store.rows import TurnRow
from processor.store.tables import turns


class LeaseLost(Exception):
    """Another worker has taken over, or the time is up: this worker may neither write nor send."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to act for a turn of a game.

    until: by the wall clock, as others see it. ends: by this process's monotonic clock, in seconds.
    """

    turn_id: int
    game: str
    owner: str
    fence: int
    length: timedelta
    until: datetime
    ends: float


def claim(database: Database, clock: Clock, turn: TurnRow, owner: str, length: timedelta) -> Lease | None:
    """Take a turn's lease, if it is free and the turn still is in the state that was seen; else None."""
    ends = clock.monotonic() + length.total_seconds()
    now = clock.now()
    until = now + length
    free = or_(turns.c.lease_until.is_(None), turns.c.lease_until < now)
    statement = (
        update(turns)
        .where(turns.c.id == turn.id, turns.c.status == turn.status, free)
        .values(lease_owner=owner, lease_until=until, fence=turns.c.fence + 1, waits_for=None)
        .returning(turns.c.fence)
    )
    game = turn.ref.game
    with database.write(game) as connection:
        fence = connection.execute(statement).scalar()
    return None if fence is None else Lease(turn.id, game, owner, fence, length, until, ends)


@contextmanager
def fenced(database: Database, lease: Lease) -> Iterator[Connection]:
    """A writing transaction of the lease's holder. Raises LeaseLost before anything is written."""
    with database.write(lease.game) as connection:
        _require(connection, lease)
        yield connection


def renew(database: Database, clock: Clock, lease: Lease) -> Lease:
    """The lease, running its full length from now. Raises LeaseLost."""
    ends = clock.monotonic() + lease.length.total_seconds()
    until = clock.now() + lease.length
    with database.write(lease.game) as connection:
        _require(connection, lease)
        connection.execute(update(turns).where(turns.c.id == lease.turn_id).values(lease_until=until))
    return replace(lease, until=until, ends=ends)


def release(database: Database, lease: Lease) -> None:
    """Give the lease back; without effect where another worker has it by now."""
    mine = (turns.c.id == lease.turn_id, turns.c.fence == lease.fence)
    with database.write(lease.game) as connection:
        connection.execute(update(turns).where(*mine).values(lease_owner=None, lease_until=None))


def require_time(clock: Clock, lease: Lease) -> None:
    """Raise LeaseLost where the lease is over by the monotonic clock; asked directly before each request."""
    if clock.monotonic() >= lease.ends:
        raise LeaseLost(f"the lease of turn {lease.turn_id} (fence {lease.fence}) is over")


def _require(connection: Connection, lease: Lease) -> None:
    """Check the fence by a write, which also keeps other writers of the row out until the commit."""
    mine = (turns.c.id == lease.turn_id, turns.c.fence == lease.fence)
    done = connection.execute(update(turns).where(*mine).values(fence=turns.c.fence))
    if done.rowcount != 1:
        raise LeaseLost(f"turn {lease.turn_id}: fence {lease.fence} is no longer the newest")
