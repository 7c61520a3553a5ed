"""While a turn is open its deadline follows the override file (design.md 4, *Schedule*)."""

from __future__ import annotations

from datetime import datetime

from processor import leases
from processor.pipeline.following import Followed
from processor.pipeline.readiness import is_everybody_ready
from processor.service.timing import is_reminder_over
from processor.service.work import Work
from processor.store import turns
from processor.store.rows import clock_columns
from rules.play.reading import TurnReading


def read_clock(work: Work) -> Followed:
    """What the override file as it is now makes of the turn's clock. Raises FolderFault."""
    text = work.service.folder.read_overrides(work.path, work.turn.ref)
    return follow_text(work, text)


def follow_text(work: Work, text: str) -> Followed:
    """What an override file's text makes of the turn's clock."""
    return work.service.pipeline.follow_clock(work.play, work.turn.clock, text, work.now)


def early_close(work: Work, reading: TurnReading) -> datetime | None:
    """When the turn closes because everybody is ready, a while after that was seen; None: at its deadline."""
    clock, wait = work.turn.clock, work.policies.early
    if wait is None or work.turn.paused or not is_everybody_ready(work.play, reading):
        return None
    early = clock.early or work.now + wait
    return early if clock.early is not None or early < clock.due else None


def store_clock(work: Work, followed: Followed) -> None:
    """Make a changed clock the turn's, and tell the players, in one commit; the receipts follow at once."""
    values = clock_columns(followed.clock)
    if not is_reminder_over(followed.clock.due, work.policies, work.now):
        values["reminded_at"] = None  # a reminder is due anew
    with leases.fenced(work.service.database, work.lease) as connection:
        turns.change_turn(connection, work.turn.id, reading_at=work.now, **values)
        work.put(connection, followed.texts)
