"""planned → open: the commitment leaves, orders may come."""

from __future__ import annotations

from datetime import datetime

from processor import leases
from processor.checkpoints import Checkpoint
from processor.service.holding import hold
from processor.service.timing import is_reminder_over
from processor.service.work import Work
from processor.store import turns
from rules.engine.messages import msg
from rules.play.turns import TurnStatus


def open_turn(work: Work) -> datetime | None:
    """Open a planned turn; the first of a game and a voided one get an opening post, others stand in the last
    report.
    """
    now = work.now
    if now >= work.turn.due_at and "too-late" not in work.turn.waived:
        hold(work, "too-late", msg("hold/too-late"))
        return None
    alone = work.turn.reopened or work.turn.ref.turn == work.row.first_turn
    texts = work.service.pipeline.opening(work.play, work.commitments) if alone else ()
    # Who has just been told the deadline needs no reminder.
    reminded = now if is_reminder_over(work.turn.due_at, work.policies, now) else None
    values = {"reading_at": now, "next_at": now, "reminded_at": reminded}
    with leases.fenced(work.service.database, work.lease) as connection:
        turns.change_turn(connection, work.turn.id, status=TurnStatus.OPEN, **values)
        work.put(connection, texts)
    work.service.reach(Checkpoint.OPENED)
    return None
