"""Rows of a resolved turn: events, rolls, questions, the files of its report."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from sqlalchemy import Connection, insert, select, update

from processor.store.tables import events, locks, questions, report_files, results, rolls, turns
from rules.engine.codec import canonical_json
from rules.engine.events import Event
from rules.engine.questions import Asked
from rules.engine.resolution import RolledDie
from rules.play.attempts import ToldLines
from rules.play.outgoing import ReportFile


def add_result(
    connection: Connection,
    turn_id: int,
    *,
    now: datetime,
    late_overrides: str | None,
    finished: bool,
    proofs: Mapping[str, Mapping[str, Any]],
    circumstances: str,
) -> None:
    """Store that a turn is resolved, with its proofs and what its texts rest on (`Circumstances`)."""
    connection.execute(
        insert(results).values(
            turn_id=turn_id,
            resolved_at=now,
            late_overrides=late_overrides,
            finished=finished,
            proofs=canonical_json(proofs),
            circumstances=circumstances,
        )
    )


def keep_told(
    connection: Connection, turn_id: int, carried: str | None, told: Mapping[str, ToldLines]
) -> None:
    """Store what a resolved turn says and leaves.

    carried: JSON of what the seats take into the next turn, None: as it was locked. told: by reader.
    """
    values = {"carried": carried, "told": json.dumps(told, ensure_ascii=False)}
    connection.execute(update(results).where(results.c.turn_id == turn_id).values(**values))


@dataclass(frozen=True, slots=True)
class ResultRow:
    """That a turn is resolved. late_overrides: the override file that it was resolved with, where that isn't
    the one of the lock. proofs: canonical JSON, by group. circumstances: as `dump_circumstances` wrote them,
    "" where the turn was resolved by a program that didn't keep them. carried: as in `keep_told`.
    """

    resolved_at: datetime
    late_overrides: str | None
    proofs: str
    circumstances: str
    carried: str | None = None


def find_result(connection: Connection, turn_id: int) -> ResultRow | None:
    """What is stored of a turn's resolution, None while there is none."""
    row = connection.execute(select(results).where(results.c.turn_id == turn_id)).one_or_none()
    if row is None:
        return None
    return ResultRow(row.resolved_at, row.late_overrides, row.proofs, row.circumstances, row.carried)


@dataclass(frozen=True, slots=True)
class LockedTurn:
    """What a turn's lock held, and its proofs by group.

    reading: JSON of `TurnReading`. attempt: the attempt at the turn for which its seeds were made.
    """

    proofs: Mapping[str, Mapping[str, Any]]
    reading: str
    overrides: str
    attempt: int


def list_locked(connection: Connection, game_id: str, *, before: int) -> tuple[LockedTurn, ...]:
    """The resolved turns of a game that were planned before one, oldest first.

    Voided attempts too: their seeds are revealed.
    """
    rows = connection.execute(
        select(results.c.proofs, locks.c.reading, locks.c.overrides, turns.c.seed_attempt)
        .join(turns, turns.c.id == results.c.turn_id)
        .join(locks, locks.c.turn_id == results.c.turn_id)
        .where(turns.c.game_id == game_id, turns.c.id < before)
        .order_by(turns.c.number, turns.c.attempt, turns.c.id)
    )
    return tuple(
        LockedTurn(json.loads(row.proofs), row.reading, row.overrides, row.seed_attempt) for row in rows
    )


def is_last_turn(connection: Connection, turn_id: int) -> bool:
    """Whether the game ends with this turn."""
    return bool(
        connection.execute(select(results.c.finished).where(results.c.turn_id == turn_id)).scalar_one()
    )


def add_events(connection: Connection, turn_id: int, told: Sequence[Event]) -> None:
    """Store what happened, in order."""
    rows = [{"turn_id": turn_id, **row} for row in event_rows(told)]
    if rows:
        connection.execute(insert(events), rows)


def event_rows(told: Sequence[Event]) -> list[dict[str, Any]]:
    """What happened, as it is stored."""
    return [
        {
            "position": position,
            "event_id": one.id,
            "audience": json.dumps(one.audience.data(), ensure_ascii=False),
            "seat": one.seat,
            "number": one.number,
            "data": dump_values(one.data),
        }
        for position, one in enumerate(told, 1)
    ]


def add_rolls(connection: Connection, turn_id: int, dice: Sequence[RolledDie]) -> None:
    """Store the dice in the order rolled."""
    rows = [{"turn_id": turn_id, **row} for row in roll_rows(dice)]
    if rows:
        connection.execute(insert(rolls), rows)


def roll_rows(dice: Sequence[RolledDie]) -> list[dict[str, Any]]:
    """The dice as they are stored; 64-bit numbers as text."""
    return [
        {
            "position": position,
            "dice_group": one.roll.group,
            "label": one.roll.label,
            "i": one.roll.index,
            "n": str(one.roll.sides),
            "value": str(one.roll.value),
            "true_value": str(one.roll.true_value),
            "purpose": one.roll.purpose,
            "audience": json.dumps(one.audience.data(), ensure_ascii=False),
        }
        for position, one in enumerate(dice, 1)
    ]


@dataclass(frozen=True, slots=True)
class AskedBefore:
    """What was asked so far. handles: question id -> handle, in this turn. published: ids, in this turn.

    last_handles: seat -> number of its last handle in the whole game.
    """

    handles: Mapping[str, str]
    published: tuple[str, ...]
    last_handles: Mapping[str, int]


def store_questions(
    connection: Connection,
    turn_id: int,
    asked: Iterable[Asked],
    open_ids: frozenset[str],
    handles: Mapping[str, str],
) -> None:
    """Store what a turn has asked, answered or open; what was published before stays known."""
    before = {
        row.question: row
        for row in connection.execute(select(questions).where(questions.c.turn_id == turn_id))
    }
    connection.execute(update(questions).where(questions.c.turn_id == turn_id).values(is_open=False))
    for one in asked:
        values = question_values(one, open_ids, handles)
        old = before.get(one.question.id)
        if old is None:
            connection.execute(insert(questions).values(turn_id=turn_id, question=one.question.id, **values))
        else:
            values["published"] = values["published"] or old.published
            same = (questions.c.turn_id == turn_id, questions.c.question == one.question.id)
            connection.execute(update(questions).where(*same).values(**values))


def question_values(one: Asked, open_ids: frozenset[str], handles: Mapping[str, str]) -> dict[str, Any]:
    """A question as it is stored."""
    is_open = one.question.id in open_ids
    return {
        "kind": one.question.kind,
        "recipient": one.question.to,
        "handle": handles.get(one.question.id),
        "data": dump_values(one.question.data),
        "is_open": is_open,
        "published": is_open,
        "answer": one.answer.value if one.answer else None,
        "answer_source": one.answer.source if one.answer else None,
    }


def find_asked(connection: Connection, game_id: str, turn_id: int) -> AskedBefore:
    """What a turn, and the whole game, has asked so far."""
    rows = connection.execute(
        select(questions).join(turns, turns.c.id == questions.c.turn_id).where(turns.c.game_id == game_id)
    ).all()
    mine = sorted((row for row in rows if row.turn_id == turn_id), key=lambda row: str(row.question))
    last: dict[str, int] = {}
    for row in rows:
        number = (row.handle or "").lstrip("P")
        if number.isdecimal():
            last[row.recipient] = max(last.get(row.recipient, 0), int(number))
    return AskedBefore(
        {row.question: row.handle for row in mine if row.handle},
        tuple(row.question for row in mine if row.published),
        last,
    )


def add_report_files(connection: Connection, turn_id: int, files: Iterable[ReportFile]) -> None:
    """Store the files that go to the game's folder once the turn is published."""
    rows = [{"turn_id": turn_id, "name": one.name, "content": one.content} for one in files]
    if rows:
        connection.execute(insert(report_files), rows)


def load_report_files(connection: Connection, turn_id: int) -> tuple[ReportFile, ...]:
    """The files of a turn's report, by name."""
    mine = select(report_files).where(report_files.c.turn_id == turn_id).order_by(report_files.c.name)
    return tuple(ReportFile(row.name, row.content) for row in connection.execute(mine))


def dump_values(values: Mapping[str, Any]) -> str:
    """Parameters of events and questions as canonical JSON; values other than plain ones name their type."""
    return canonical_json({key: _plain(value) for key, value in values.items()})


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        held = {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
        return {"type": type(value).__name__, **held}
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(one) for one in value]
    return value
