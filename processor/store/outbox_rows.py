"""Rows of the outbox: putting texts in, finding what is to be sent, changing their state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, insert, select, update

from processor.store.columns import digest
from processor.store.rows import OutboxRow, SendState
from processor.store.tables import outbox
from rules.play.outgoing import TOPIC, Outgoing
from rules.play.turns import TurnRef


class TextChanged(Exception):
    """A text that can't be edited was put in twice with different bodies; that is our bug."""


def put(
    connection: Connection,
    turn_id: int,
    ref: TurnRef,
    texts: Iterable[Outgoing],
    logins: Mapping[str, str | None],
    emptied: str,
) -> None:
    """Put texts into the outbox; what stands there already with the same body is left alone.

    logins: login name by recipient; who has none gets nothing, and the row says so.
    emptied: body of a part that an edited text no longer needs.
    """
    for one in texts:
        reason = None if one.to == TOPIC or logins.get(one.to) else f"{one.to} has no account in the forum"
        _put_text(connection, turn_id, ref, one, reason, emptied)


def _put_text(
    connection: Connection, turn_id: int, ref: TurnRef, one: Outgoing, reason: str | None, emptied: str
) -> None:
    before = {row.part: row for row in find_newest(connection, turn_id, one.kind)}
    bodies = list(one.parts)
    if one.editable:
        bodies += [emptied] * (len(before) - len(bodies))
    for part, body in enumerate(bodies, 1):
        marker = ref.marker(one.kind, part, len(bodies), None if one.editable else digest(body))
        old = before.get(part)
        if old is not None and (old.body, old.marker) == (body, marker):
            continue
        if old is not None and not one.editable:
            raise TextChanged(f"{marker} stands in the outbox with another body: {old.marker}")
        if old is not None and old.state is SendState.READY and old.attempts == 0:
            change_row(connection, old.id, state=SendState.REPLACED)
        connection.execute(
            insert(outbox).values(
                turn_id=turn_id,
                game_id=ref.game,
                track=ref.track,
                number=ref.turn,
                attempt=ref.attempt,
                kind=one.kind,
                part=part,
                parts=len(bodies),
                revision=old.revision + 1 if old else 1,
                recipient=one.to,
                title=one.title,
                editable=one.editable,
                body=body,
                body_sha256=digest(body),
                marker=marker,
                state=SendState.SKIPPED if reason else SendState.READY,
                reason=reason,
            )
        )


def find_newest(connection: Connection, turn_id: int, kind: str) -> tuple[OutboxRow, ...]:
    """The newest revision of each part of a text, by part."""
    mine = (outbox.c.turn_id == turn_id, outbox.c.kind == kind)
    rows = connection.execute(select(outbox).where(*mine).order_by(outbox.c.part, outbox.c.revision))
    return tuple({row.part: OutboxRow.of(row) for row in rows}.values())


def list_rows(connection: Connection, turn_id: int, *states: SendState) -> tuple[OutboxRow, ...]:
    """The turn's rows (in those states) in the order in which they are sent."""
    mine: list[ColumnElement[bool]] = [outbox.c.turn_id == turn_id]
    if states:
        mine.append(outbox.c.state.in_(states))
    return tuple(
        OutboxRow.of(row) for row in connection.execute(select(outbox).where(*mine).order_by(outbox.c.id))
    )


def find_sent_post(connection: Connection, row: OutboxRow) -> str | None:
    """The forum's id of the post that earlier revisions of a row stand in, None before the first was sent."""
    same = (
        outbox.c.turn_id == row.turn_id,
        outbox.c.kind == row.kind,
        outbox.c.part == row.part,
        outbox.c.forum_post_id.is_not(None),
    )
    found = connection.execute(select(outbox.c.forum_post_id).where(*same).order_by(outbox.c.revision.desc()))
    first = found.scalars().first()
    return None if first is None else str(first)


def change_row(connection: Connection, row_id: int, **values: Any) -> None:
    """Set columns of a row; the caller holds the turn's fence."""
    connection.execute(update(outbox).where(outbox.c.id == row_id).values(**values))
