"""Rows of turns: planning, finding what is due, changing under a fence."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, func, insert, or_, select, update

from processor.pipeline.context import Commitments
from processor.pipeline.schedule import offset_at
from processor.store import switches
from processor.store.columns import digest
from processor.store.rows import TurnRow
from processor.store.tables import games, states, turns
from rules.engine.codec import load_state
from rules.engine.ruleset import Ruleset
from rules.play.attempts import Redo
from rules.play.turns import Deadline, GameStatus, TurnRef, TurnStatus

_LOOKED_AT = 50
"""So many turns that are first in line are looked at for when something is due next."""
_AT_WORK = (GameStatus.ACTIVE, GameStatus.PARKED)


@dataclass(frozen=True, slots=True)
class PlannedTurn:
    """A turn before it opens. seed: S. published: what players are told about it beforehand.

    state: canonical JSON of the state that it starts from. redo: why the turn is played once more.
    carried: JSON of what the seats bring, None: what the turn before leaves.
    """

    ref: TurnRef
    deadline: Deadline
    seed: bytes
    published: Commitments
    state: str
    rules_version: str
    redo: Redo | None = None
    carried: str | None = None


def add_turn(
    connection: Connection, planned: PlannedTurn, first_position: int | None, next_at: datetime | None
) -> int:
    """Store a planned turn and the state that it starts from; the turn's id.

    next_at: when it is to open, None while the turn before isn't published.
    """
    ref = planned.ref
    made = connection.execute(
        insert(turns)
        .values(
            game_id=ref.game,
            track=ref.track,
            number=ref.turn,
            attempt=ref.attempt,
            status=TurnStatus.PLANNED,
            due_at=planned.deadline.at,
            due_offset=int(offset_at(planned.deadline.at, planned.deadline.zone).total_seconds()),
            zone=planned.deadline.zone,
            next_at=next_at,
            seed=planned.seed.hex(),
            commitment=planned.published.commitment,
            groups=planned.published.groups,
            first_position=first_position,
            seed_attempt=ref.attempt,
            redo=None if planned.redo is None else json.dumps(planned.redo.data(), ensure_ascii=False),
            carried=planned.carried,
            proof=planned.published.proof,
        )
        .returning(turns.c.id)
    ).scalar_one()
    connection.execute(
        insert(states).values(
            turn_id=made,
            version=planned.rules_version,
            data=planned.state,
            sha256=digest(planned.state),
        )
    )
    return int(made)


def find_turn(connection: Connection, turn_id: int) -> TurnRow:
    """A turn by its row's id."""
    return TurnRow.of(connection.execute(select(turns).where(turns.c.id == turn_id)).one())


def find_attempt(connection: Connection, ref: TurnRef) -> TurnRow | None:
    """A turn by what it is."""
    row = connection.execute(
        select(turns).where(
            turns.c.game_id == ref.game,
            turns.c.track == ref.track,
            turns.c.number == ref.turn,
            turns.c.attempt == ref.attempt,
        )
    ).one_or_none()
    return None if row is None else TurnRow.of(row)


def find_valid(connection: Connection, game: str, track: str, number: int) -> TurnRow | None:
    """The attempt at a turn that counts: the newest that isn't voided."""
    mine = (turns.c.game_id == game, turns.c.track == track, turns.c.number == number)
    found = select(turns).where(*mine, turns.c.status != TurnStatus.VOID)
    row = connection.execute(found.order_by(turns.c.attempt.desc()).limit(1)).one_or_none()
    return None if row is None else TurnRow.of(row)


def find_last_attempt(connection: Connection, game: str, track: str, number: int) -> TurnRow | None:
    """The newest attempt at a turn, voided or not; None where the turn was never planned."""
    mine = (turns.c.game_id == game, turns.c.track == track, turns.c.number == number)
    row = connection.execute(
        select(turns).where(*mine).order_by(turns.c.attempt.desc()).limit(1)
    ).one_or_none()
    return None if row is None else TurnRow.of(row)


def list_turns(connection: Connection, game_id: str) -> tuple[TurnRow, ...]:
    """All turns of a game, oldest first."""
    found = (
        select(turns).where(turns.c.game_id == game_id).order_by(turns.c.number, turns.c.attempt, turns.c.id)
    )
    return tuple(TurnRow.of(row) for row in connection.execute(found))


@dataclass(frozen=True, slots=True)
class StoredState:
    """A state as stored. version: of the rules that wrote it. data: canonical JSON."""

    version: str
    data: str

    def load(self, ruleset: Ruleset) -> Any:
        """The state as the rule set's own type, migrated where older rules wrote it."""
        data = json.loads(self.data)
        if self.version != ruleset.version:
            data = ruleset.migrate(data, self.version)
        return load_state(ruleset.state, data)


def find_state(connection: Connection, turn_id: int) -> StoredState:
    """The state that a turn starts from."""
    row = connection.execute(select(states.c.version, states.c.data).where(states.c.turn_id == turn_id)).one()
    return StoredState(row.version, row.data)


def change_turn(connection: Connection, turn_id: int, **values: Any) -> None:
    """Set columns of a turn; the caller holds its fence."""
    connection.execute(update(turns).where(turns.c.id == turn_id).values(**values))


@dataclass(frozen=True, slots=True)
class Queue:
    """What waits to be done. due: now, by nobody else, the longest waiting first.

    next_at: when something will be due, None: nothing by itself. Of the first in line only, which is enough
    to decide whether waiting pays.
    """

    due: tuple[TurnRow, ...]
    next_at: datetime | None


def count_due(connection: Connection, now: datetime, games_only: Collection[str] | None) -> int:
    """Number of games with something to do now that nobody else does."""
    due = (turns.c.next_at <= now, *_is_free(now), _may_run(games_only))
    counted = select(func.count(turns.c.game_id.distinct())).join(games, games.c.id == turns.c.game_id)
    return int(connection.execute(counted.where(*due)).scalar_one())


def find_queue(
    connection: Connection, now: datetime, games_only: Collection[str] | None, limit: int = 20
) -> Queue:
    """The turns to do now, at most `limit`, and when the next ones are due; in one statement."""
    waiting = (
        select(turns.c.id)
        .join(games, games.c.id == turns.c.game_id)
        .where(turns.c.next_at.is_not(None), _may_run(games_only))
        .order_by(turns.c.next_at, turns.c.id)
    )
    ready = waiting.where(turns.c.next_at <= now, *_is_free(now)).limit(limit)
    near = waiting.limit(_LOOKED_AT)
    rows = connection.execute(
        select(turns, games.c.not_before)
        .join(games, games.c.id == turns.c.game_id)
        .where(or_(turns.c.id.in_(ready), turns.c.id.in_(near)))
        .order_by(turns.c.next_at, turns.c.id)
    ).all()
    moments = [_ready_at(row) for row in rows]
    due = [TurnRow.of(row) for row in rows if _is_ready(row, now)]
    return Queue(tuple(due[:limit]), min(moments, default=None))


def _is_free(now: datetime) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Nobody holds the turn, and its game isn't left alone."""
    free = or_(turns.c.lease_until.is_(None), turns.c.lease_until < now)
    return free, or_(games.c.not_before.is_(None), games.c.not_before <= now)


def _is_ready(row: Row[Any], now: datetime) -> bool:
    rested = row.not_before is None or row.not_before <= now
    return bool(row.next_at <= now and rested and (row.lease_until is None or row.lease_until < now))


def _ready_at(row: Row[Any]) -> datetime:
    """When nothing stands in a turn's way any more."""
    moments: tuple[datetime | None, ...] = (row.next_at, row.lease_until, row.not_before)
    return max(moment for moment in moments if moment is not None)


def _may_run(games_only: Collection[str] | None) -> ColumnElement[bool]:
    at_work = and_(games.c.status.in_(_AT_WORK), switches.runs())
    return at_work if games_only is None else and_(at_work, games.c.id.in_(games_only))
