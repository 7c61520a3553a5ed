"""How far a turn's posts have been read, topic by topic, so that a reading can go on from there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from processor.store.rows import TurnRow
from processor.store.tables import reading_marks, turns
from rules.play.posts import Reading


@dataclass(frozen=True, slots=True)
class ReadingMark:
    """The newest post read, by position (from 1) and id. whole_at: when all of the turn's were read, UTC."""

    position: int
    post_id: str
    whole_at: datetime


def find_marks(connection: Connection, turn_id: int) -> dict[str, ReadingMark]:
    """A turn's marks by topic; none before its first reading."""
    rows = connection.execute(select(reading_marks).where(reading_marks.c.turn_id == turn_id))
    return {row.topic: ReadingMark(row.position, row.post_id, row.whole_at) for row in rows}


def find_anchor(connection: Connection, turn: TurnRow, topic: str) -> ReadingMark | None:
    """The newest post of a topic that was read in this turn, or else in the last one before that read there;
    None where none did. Where it stands now tells whether posts were taken out above it.
    """
    same = (turns.c.game_id == turn.ref.game, turns.c.track == turn.ref.track, turns.c.id <= turn.id)
    row = connection.execute(
        select(reading_marks)
        .join(turns, turns.c.id == reading_marks.c.turn_id)
        .where(*same, reading_marks.c.topic == topic)
        .order_by(turns.c.id.desc())
        .limit(1)
    ).first()
    return None if row is None else ReadingMark(row.position, row.post_id, row.whole_at)


def store_mark(
    connection: Connection, turn_id: int, reading: Reading, before: ReadingMark | None, whole_at: datetime
) -> None:
    """Go on behind a reading from now on; belongs into the transaction that stores its posts.

    before: the mark so far. whole_at: when the turn's posts were last read whole.
    """
    now = ReadingMark(reading.last, reading.posts[-1].id, whole_at)
    values = {"position": now.position, "post_id": now.post_id, "whole_at": now.whole_at}
    mine = (reading_marks.c.turn_id == turn_id, reading_marks.c.topic == reading.topic)
    if before is None:
        added = {"turn_id": turn_id, "topic": reading.topic, **values}
        connection.execute(insert(reading_marks).values(**added))
    elif now != before:
        connection.execute(update(reading_marks).where(*mine).values(**values))


def forget_marks(connection: Connection, turn_id: int) -> None:
    """Read everything of the turn anew next time."""
    connection.execute(delete(reading_marks).where(reading_marks.c.turn_id == turn_id))
