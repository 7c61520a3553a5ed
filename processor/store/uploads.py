"""Rows of a turn's pictures in the forum: one for each that was handed over, or was tried to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from processor.store.rows import SendState
from processor.store.tables import outbox, uploads
from rules.play.outgoing import TOPIC
from rules.play.posts import Uploaded


@dataclass(frozen=True, slots=True)
class UploadRow:
    """How far a picture is on its way. sha256: of what is drawn, as SVG. name: of its file in the folder.

    attempts: that were made. not_before: of the next one, UTC, if the turn still waits for it; None where
    there will be none. uploaded: None where the forum doesn't have it. reason: why, in the game's language.
    """

    sha256: str
    name: str
    attempts: int = 0
    not_before: datetime | None = None
    uploaded: Uploaded | None = None
    reason: str | None = None

    @property
    def settled(self) -> bool:
        """Whether nothing more is tried."""
        return self.attempts > 0 and self.not_before is None

    @property
    def handle(self) -> str:
        """What has to go along with the text that shows it, "" for nothing."""
        return "" if self.uploaded is None else self.uploaded.handle


def find_uploads(connection: Connection, turn_id: int) -> dict[str, UploadRow]:
    """A turn's rows, by their SHA-256."""
    rows = connection.execute(select(uploads).where(uploads.c.turn_id == turn_id).order_by(uploads.c.sha256))
    return {
        row.sha256: UploadRow(
            row.sha256,
            row.name,
            row.attempts,
            row.not_before,
            None if row.reference is None else Uploaded(row.reference, row.handle),
            row.reason,
        )
        for row in rows
    }


def store_upload(connection: Connection, turn_id: int, row: UploadRow) -> None:
    """Store how far a picture is; the caller holds the turn's fence."""
    connection.execute(delete(uploads).where(uploads.c.turn_id == turn_id, uploads.c.sha256 == row.sha256))
    connection.execute(
        insert(uploads).values(
            turn_id=turn_id,
            sha256=row.sha256,
            name=row.name,
            attempts=row.attempts,
            not_before=row.not_before,
            reference=None if row.uploaded is None else row.uploaded.reference,
            handle=row.handle,
            reason=row.reason,
        )
    )


def forget_handles(connection: Connection, turn_id: int, handles: Collection[str]) -> None:
    """Let a turn's texts go without these; the caller holds the turn's fence."""
    mine = (uploads.c.turn_id == turn_id, uploads.c.handle.in_(handles))
    connection.execute(update(uploads).where(*mine).values(handle=""))


def find_enclosed(connection: Connection, turn_id: int) -> dict[int, tuple[str, ...]]:
    """By the id of a row of the outbox, the handles that go along with it, ascending: each goes with the
    first text of the turn that shows one of its pictures.
    """
    shown = [one.uploaded for one in find_uploads(connection, turn_id).values() if one.uploaded is not None]
    if not any(one.handle for one in shown):
        return {}
    mine = (outbox.c.turn_id == turn_id, outbox.c.recipient == TOPIC, outbox.c.state != SendState.REPLACED)
    rows = connection.execute(select(outbox.c.id, outbox.c.body).where(*mine).order_by(outbox.c.id))
    gone: set[str] = {""}
    enclosed: dict[int, tuple[str, ...]] = {}
    for row in rows:
        here = {one.handle for one in shown if one.stands_in(row.body)} - gone
        if here:
            enclosed[row.id] = tuple(sorted(here))
            gone |= here
    return enclosed
