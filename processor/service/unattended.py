"""What makes closing a turn by itself unsafe: nobody looked for long, or our clock isn't to be believed."""

from __future__ import annotations

from processor.service.work import Work
from processor.store import heartbeats
from rules.engine.messages import Message, msg


def find_unattended(work: Work) -> tuple[str, Message] | None:
    """Code and reason of the hold of a turn that is to be closed; None where nothing speaks against it.

    An outage counts as long as nothing was read, whoever was down: this machine or the forum. Where a person
    carries the posts nobody has to be there all the time: that person says when nothing is missing.
    """
    turn, waived = work.turn, work.turn.waived
    if not work.carriage.by_machine:
        return None
    unread = None if turn.reading_at is None else work.now - turn.reading_at
    if "outage" not in waived and unread is not None and unread > work.policies.outage:
        return "outage", msg("hold/outage", hours=int(unread.total_seconds() // 3600))
    if "clock" in waived:
        return None
    with work.service.database.read() as connection:
        jump = heartbeats.find_jump(connection, turn.due_at)
    if jump is None:
        return None
    earlier, later = (f"{moment:%Y-%m-%d %H:%M}" for moment in jump)
    return "clock", msg("hold/clock", earlier=earlier, later=later)
