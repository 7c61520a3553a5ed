"""How all games on this machine stand, counted in two statements (for a probe that asks every minute)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, and_, case, func, or_, select

from processor.store import heartbeats, switches
from processor.store.tables import games, turns
from rules.play.turns import GameStatus, TurnStatus

OVERDUE = timedelta(minutes=15)
"""So late something that is due is when nobody seems to do it."""
STALE = timedelta(minutes=10)
"""So old the last tick is when nobody seems to tick."""


@dataclass(frozen=True, slots=True)
class Health:
    """Numbers of games and of turns. late: turns with something long due. canary: whose forum failed the try.

    last_tick: UTC, None where there never was one. paused: whether the host has paused all games.
    """

    games: int
    open: int
    asking: int
    held: int
    parked: int
    late: int
    canary: int
    paused: bool
    last_tick: datetime | None

    def is_well(self, now: datetime) -> bool:
        """Whether nothing needs the host; a held turn needs its director alone."""
        ticks = self.last_tick is not None and now - self.last_tick <= STALE
        return not (self.parked or self.late or self.canary) and (ticks or not self.games)


def read_health(connection: Connection, now: datetime) -> Health:
    """Count. Finished games don't count."""
    playing = games.c.status.in_((GameStatus.ACTIVE, GameStatus.PARKED))
    by_status = select(games.c.status, func.count()).where(playing).group_by(games.c.status)
    counts = {str(status): int(count) for status, count in connection.execute(by_status)}
    counted = select(
        _count(turns.c.status == TurnStatus.OPEN),
        _count(turns.c.status == TurnStatus.ASKING),
        _count(turns.c.status == TurnStatus.HELD),
        _count(_is_late(now)),
        _count(and_(turns.c.status == TurnStatus.OPEN, turns.c.canary.is_not(None))),
    )
    row = connection.execute(counted.join(games, games.c.id == turns.c.game_id).where(playing)).one()
    opened, asking, held, late, canary = (int(number or 0) for number in row)
    paused = switches.find_pause(connection) is not None
    return Health(
        games=sum(counts.values()),
        open=opened,
        asking=asking,
        held=held,
        parked=counts.get(GameStatus.PARKED, 0),
        late=0 if paused else late,
        canary=canary,
        paused=paused,
        last_tick=heartbeats.find_beat(connection),
    )


def _is_late(now: datetime) -> ColumnElement[bool]:
    """Something is due and not done, or an open turn couldn't be closed."""
    undone = and_(games.c.status == GameStatus.ACTIVE, turns.c.next_at < now - OVERDUE)
    unclosed = and_(
        turns.c.status == TurnStatus.OPEN, turns.c.paused_at.is_(None), turns.c.due_at < now - OVERDUE
    )
    return or_(undone, unclosed)


def _count(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))
