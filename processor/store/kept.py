"""What is stored of a turn, row by row as it stands there: to be compared with what comes out again."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Table, select

from processor.store import evidence
from processor.store.columns import digest
from processor.store.rows import OutboxRow, SendState
from processor.store.tables import events, locks, orders, outbox, questions, rolls, states, submissions, turns
from rules.play.outgoing import TOPIC

Row = dict[str, Any]


def list_events(connection: Connection, turn_id: int) -> list[Row]:
    """What happened, in order, as `results.event_rows` makes it."""
    return _list(connection, events, turn_id, "position")


def list_rolls(connection: Connection, turn_id: int) -> list[Row]:
    """The dice in the order rolled, as `results.roll_rows` makes them."""
    return _list(connection, rolls, turn_id, "position")


def list_questions(connection: Connection, turn_id: int) -> list[Row]:
    """All that was asked, as `results.question_values` makes it, with the question's id and its times."""
    return _list(connection, questions, turn_id, "question")


def list_blocks(connection: Connection, turn_id: int) -> list[Row]:
    """The blocks of the frozen reading."""
    return _list(connection, submissions, turn_id, "seat", "position")


def list_orders(connection: Connection, turn_id: int) -> list[Row]:
    """The lines in force of the frozen reading."""
    return _list(connection, orders, turn_id, "seat", "position")


def _list(connection: Connection, table: Table, turn_id: int, *order: str) -> list[Row]:
    mine = select(table).where(table.c.turn_id == turn_id).order_by(*(table.c[name] for name in order))
    rows = (dict(row._mapping) for row in connection.execute(mine))  # noqa: SLF001 - SQLAlchemy's own name
    return [{key: value for key, value in row.items() if key != "turn_id"} for row in rows]


def find_published(
    connection: Connection, game_id: str, text: str, kind: str | None = None
) -> OutboxRow | None:
    """The first text (of a kind) sent to a game's topic that holds some words; None where no text does."""
    sent = (outbox.c.game_id == game_id, outbox.c.recipient == TOPIC, outbox.c.state == SendState.SENT)
    holds = [outbox.c.body.contains(text, autoescape=True)]
    holds += [] if kind is None else [outbox.c.kind == kind]
    found = connection.execute(select(outbox).where(*sent, *holds).order_by(outbox.c.sent_at, outbox.c.id))
    row = found.first()
    return None if row is None else OutboxRow.of(row)


def find_opened_state(connection: Connection, game_id: str, commitment: str) -> str | None:
    """The state, as JSON, that the turn with that commitment starts from; None where there is none.

    A later attempt that goes on with the same seed starts from the same state.
    """
    named = (turns.c.game_id == game_id, turns.c.commitment == commitment)
    joined = select(states.c.data).join(turns, turns.c.id == states.c.turn_id).where(*named)
    found = connection.execute(joined.order_by(turns.c.id.desc())).scalars().first()
    return None if found is None else str(found)


def list_digests(connection: Connection, turn_id: int, posts_of: int) -> tuple[Row, Row]:
    """What has a hash beside it: the hashes as they are stored, and as they come out, by name.

    posts_of: the attempt whose posts the turn goes on with.
    """
    state = connection.execute(select(states).where(states.c.turn_id == turn_id)).one()
    lock = connection.execute(select(locks).where(locks.c.turn_id == turn_id)).one()
    texts = connection.execute(select(outbox).where(outbox.c.turn_id == turn_id).order_by(outbox.c.id)).all()
    stored = {"states.data": state.sha256, "locks.overrides": lock.overrides_sha256}
    computed = {"states.data": digest(state.data), "locks.overrides": digest(lock.overrides)}
    for row in texts:
        name = f"outbox.body {row.kind} {row.part}/{row.parts} r{row.revision}"
        stored[name], computed[name] = row.body_sha256, digest(row.body)
    for post, version, kept, made in evidence.list_fingerprints(connection, posts_of):
        name = f"post_versions {post} v{version}"
        stored[name], computed[name] = kept, made
    return stored, computed
