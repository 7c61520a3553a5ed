"""Rows of attempts: one is voided, the next takes over what it goes on with (docs/adr/0011-attempts.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, bindparam, insert, select, update

from processor.pipeline.voiding import NOTICE
from processor.store.rows import SendState, TurnRow
from processor.store.tables import (
    answers,
    games,
    locks,
    orders,
    outbox,
    questions,
    results,
    states,
    submissions,
    turns,
)
from rules.play.attempts import Redo, Tally, ToldLines, is_unproven
from rules.play.outgoing import TOPIC
from rules.play.turns import GameStatus, TurnRef, TurnStatus

_TAKEN_OVER = (states, locks, submissions, orders, questions, answers)
"""What an attempt with the same orders starts with; results, events and dice stay with the voided one."""
_ON_ITS_WAY = (SendState.SENDING, SendState.QUEUED)
"""States of texts that are in the forum, or may be, or may show up there."""
_REPORT = outbox.c.kind.like("report%") | (outbox.c.kind == "digest")


def void_turn(connection: Connection, turn: TurnRow, now: datetime) -> None:
    """Void an attempt: whoever works on it can write no more, and what hasn't left isn't sent any more.

    That others before it were voided still has to be told (`move_notices`); what is of unknown fate has to be
    looked for in the forum.
    """
    mine = outbox.c.turn_id == turn.id
    unsent = outbox.c.state.in_((SendState.READY, SendState.WRITTEN))
    stopped = update(outbox).where(mine, unsent, outbox.c.kind != NOTICE)
    connection.execute(stopped.values(state=SendState.VOIDED, not_before=None))
    unsure = connection.execute(
        select(outbox.c.id).where(mine, outbox.c.state.in_(_ON_ITS_WAY)).limit(1)
    ).first()
    values = {
        "status": TurnStatus.VOID,
        "held_from": None,
        "held_code": None,
        "reason": None,
        "failures": 0,
        "next_at": None if unsure is None else now,
        "lease_owner": None,
        "lease_until": None,
        "fence": turns.c.fence + 1,
    }
    connection.execute(update(turns).where(turns.c.id == turn.id).values(**values))


def repeat_turn(
    connection: Connection, old: TurnRow, attempt: int, redo: Redo, next_at: datetime | None
) -> int:
    """The next attempt at a locked turn, with its orders, its lock, its seed and its answers; the id."""
    row = connection.execute(select(turns).where(turns.c.id == old.id)).one()
    values = {key: value for key, value in row._mapping.items() if key != "id"}  # noqa: SLF001 - its public name
    values |= {
        "attempt": attempt,
        "status": TurnStatus.LOCKED,
        "held_from": None,
        "held_code": None,
        "reason": None,
        "failures": 0,
        "orders_of": old.evidence,
        "redo": json.dumps(redo.data(), ensure_ascii=False),
        "next_at": next_at,
        "reading_at": None,
        "published_at": None,
        "overrides_stamp": None,
        "lease_owner": None,
        "lease_until": None,
        "fence": 0,
    }
    made = int(connection.execute(insert(turns).values(**values).returning(turns.c.id)).scalar_one())
    for table in _TAKEN_OVER:
        _copy(connection, table, old.id, made)
    connection.execute(update(locks).where(locks.c.turn_id == made).values(tried_sha256=None))
    return made


def _copy(connection: Connection, table: Table, old: int, new: int) -> None:
    found = connection.execute(select(table).where(table.c.turn_id == old)).mappings().all()
    rows = [{**row, "turn_id": new} for row in found]
    if rows:
        connection.execute(insert(table), rows)


def find_stamps(connection: Connection, game_id: str) -> dict[int, str]:
    """The stamps of override files in which nothing voids their turns, by the turn's id."""
    known = (turns.c.game_id == game_id, turns.c.overrides_stamp.is_not(None))
    found = connection.execute(select(turns.c.id, turns.c.overrides_stamp).where(*known))
    return {row.id: row.overrides_stamp for row in found}


def keep_stamps(connection: Connection, stamps: Mapping[int, str]) -> None:
    """Remember them. No lease is needed: a stamp is true of its file, whoever works on the turn."""
    mine = update(turns).where(turns.c.id == bindparam("turn")).values(overrides_stamp=bindparam("stamp"))
    connection.execute(mine, [{"turn": turn, "stamp": stamp} for turn, stamp in stamps.items()])


def move_notices(connection: Connection, ref: TurnRef, turn_id: int) -> None:
    """Have the next attempt send that earlier ones were voided, where those didn't come to it themselves."""
    same = (turns.c.game_id == ref.game, turns.c.track == ref.track, turns.c.status == TurnStatus.VOID)
    waiting = outbox.c.state.in_((SendState.READY, SendState.QUEUED, SendState.HELD))
    mine = (outbox.c.kind == NOTICE, waiting, outbox.c.turn_id.in_(select(turns.c.id).where(*same)))
    connection.execute(update(outbox).where(*mine).values(turn_id=turn_id))


def reactivate_game(connection: Connection, game_id: str) -> None:
    """Let a game that is over go on."""
    over = (games.c.id == game_id, games.c.status == GameStatus.FINISHED)
    connection.execute(update(games).where(*over).values(status=GameStatus.ACTIVE))


def is_locked(connection: Connection, turn_id: int) -> bool:
    """Whether a turn's orders are frozen."""
    return connection.execute(select(locks.c.turn_id).where(locks.c.turn_id == turn_id)).first() is not None


def is_secret_out(connection: Connection, game_id: str) -> bool:
    """Whether the game's secret H may stand in the forum: a last report was sent, or may have been."""
    found = connection.execute(
        select(outbox.c.id)
        .join(results, results.c.turn_id == outbox.c.turn_id)
        .where(outbox.c.game_id == game_id, outbox.c.kind == "report", results.c.finished)
        .where(outbox.c.state.in_((SendState.SENT, *_ON_ITS_WAY)))
        .limit(1)
    )
    return found.first() is not None


def list_told(connection: Connection, turn_id: int) -> frozenset[str]:
    """Who was sent a report of a turn, or may have been: `topic`, seats, the director."""
    sent = outbox.c.state.in_((SendState.SENT, *_ON_ITS_WAY))
    rows = connection.execute(select(outbox.c.recipient).where(outbox.c.turn_id == turn_id, _REPORT, sent))
    return frozenset(rows.scalars())


def list_voided(connection: Connection, ref: TurnRef) -> tuple[TurnRow, ...]:
    """The attempts before one whose report was published and doesn't hold any more, oldest first."""
    mine = (turns.c.game_id == ref.game, turns.c.track == ref.track, turns.c.number == ref.turn)
    found = select(turns).where(*mine, turns.c.attempt < ref.attempt, turns.c.published_at.is_not(None))
    return tuple(TurnRow.of(row) for row in connection.execute(found.order_by(turns.c.attempt)))


def is_published(connection: Connection, turn_id: int) -> bool:
    """Whether a turn's report was published, even where it is voided since."""
    found = connection.execute(select(turns.c.published_at).where(turns.c.id == turn_id)).scalar_one()
    return found is not None


def find_told(connection: Connection, ref: TurnRef, everybody: str) -> Mapping[str, ToldLines]:
    """What was told of the newest voided attempt whose report anybody was sent, by reader who was sent one.

    everybody: what the public is called among the readers.
    """
    mine = (turns.c.game_id == ref.game, turns.c.track == ref.track, turns.c.number == ref.turn)
    older = connection.execute(
        select(results.c.turn_id, results.c.told)
        .join(turns, turns.c.id == results.c.turn_id)
        .where(*mine, turns.c.attempt < ref.attempt, results.c.told.is_not(None))
        .order_by(turns.c.attempt.desc())
    )
    for row in older:
        readers = {everybody if one == TOPIC else one for one in list_told(connection, row.turn_id)}
        if readers:
            return _load_told(row.told, readers)
    return {}


def _load_told(text: str, readers: set[str]) -> Mapping[str, ToldLines]:
    told: dict[str, Any] = json.loads(text)
    return {
        reader: tuple((about, line) for about, line in lines)
        for reader, lines in told.items()
        if reader in readers
    }


def count_seeds(connection: Connection, turn: TurnRow, now: datetime) -> Tally:
    """What became of the seeds of a track up to a turn, as its report tells it.

    Its own counts as proven: shown now, or by an earlier attempt with the same seed. Voided are the attempts
    that were opened before this one was planned.
    """
    same = (turns.c.game_id == turn.ref.game, turns.c.track == turn.ref.track, turns.c.id < turn.id)
    rows = connection.execute(select(*_SEEDS).where(*same).order_by(turns.c.id)).all()
    shown = {one.commitment: one.published_at for one in reversed(rows) if one.published_at is not None}
    valid = [one for one in rows if one.status != TurnStatus.VOID and one.number < turn.ref.turn]
    proven = [(one.due_at, shown[one.commitment]) for one in valid if one.commitment in shown]
    proven.append((turn.due_at, shown.get(turn.commitment, now)))
    hidden = [one for one in valid if one.commitment not in shown]
    return Tally(
        proven=len(proven),
        voided=sum(1 for one in rows if one.status == TurnStatus.VOID and _was_opened(one)),
        unproven=sum(1 for one in hidden if is_unproven(one.due_at, now)),
        late=sum(1 for due_at, shown_at in proven if is_unproven(due_at, shown_at)),
    )


_SEEDS = (
    *(turns.c.status, turns.c.number, turns.c.commitment),
    *(turns.c.due_at, turns.c.published_at, turns.c.reading_at, turns.c.orders_of),
)


def _was_opened(row: Any) -> bool:
    return bool(row.reading_at or row.orders_of)


def is_unsure(connection: Connection, ref: TurnRef) -> bool:
    """Whether a text of a voided attempt of a track is of unknown fate: the next one has to wait for it."""
    unsure = connection.execute(
        select(outbox.c.id)
        .join(turns, turns.c.id == outbox.c.turn_id)
        .where(turns.c.game_id == ref.game, turns.c.track == ref.track, turns.c.status == TurnStatus.VOID)
        .where(outbox.c.state == SendState.SENDING)
        .limit(1)
    )
    return unsure.first() is not None


def wake_next(connection: Connection, ref: TurnRef, now: datetime) -> None:
    """Let the attempt that follows voided ones begin, once nothing of those is of unknown fate any more."""
    if is_unsure(connection, ref):
        return
    waiting = turns.c.status.in_((TurnStatus.PLANNED, TurnStatus.LOCKED))
    rows = connection.execute(
        select(turns).where(
            turns.c.game_id == ref.game, turns.c.track == ref.track, waiting, turns.c.next_at.is_(None)
        )
    )
    for row in rows:
        turn = TurnRow.of(row)
        if turn.reopened:
            move_notices(connection, ref, turn.id)
            connection.execute(update(turns).where(turns.c.id == turn.id).values(next_at=now))
