"""When a turn's next step is due (design.md 1, *Collect*; reliability.md 3.2)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from processor.outbox import next_needed_at, next_row_at, waits_for_person
from processor.pipeline.voiding import NOTICE
from processor.store.rows import OutboxRow, TurnRow
from rules.play.clock import TurnClock
from rules.play.game import Policies
from rules.play.posts import Capabilities, Precision
from rules.play.turns import TurnStatus

FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(minutes=15)
RULED_AGAIN = timedelta(minutes=2)
"""How soon the override file of a turn that asks is looked at again."""
ON_TIME = timedelta(hours=1)
"""A turn that is resolved so soon after its deadline is no late one: the next keeps the schedule."""


def closing_at(due_at: datetime, forum: Capabilities) -> datetime:
    """When the closing reading may begin: the deadline's minute (or second) still counts, inclusive."""
    if forum.precision is Precision.MINUTE:
        return due_at.replace(second=0, microsecond=0) + timedelta(minutes=1)
    return due_at + timedelta(seconds=1)


def keeps_rhythm(clock: TurnClock, now: datetime) -> bool:
    """Whether a turn closed when it was planned to and is resolved on time: then the next deadline is the
    schedule's next, though a day that loses an hour, or the minutes that a report takes, leave less than
    `at_least`.
    """
    return clock.due == clock.planned and now - clock.due <= ON_TIME


def next_reading_at(now: datetime, due_at: datetime, policies: Policies) -> datetime:
    """When the topic is read next: more often as the deadline comes near; none is late for the last part."""
    late_from = due_at - policies.late_window
    if now >= late_from:
        return now + policies.reading_late
    return min(now + policies.reading, late_from)


def reminder_at(turn: TurnRow, policies: Policies) -> datetime | None:
    """When who has no orders is to be reminded of an open turn; None: never, or done, or in a pause."""
    if policies.reminder is None or turn.reminded_at is not None or turn.paused:
        return None
    return turn.due_at - policies.reminder


def is_reminder_over(due_at: datetime, policies: Policies, now: datetime) -> bool:
    """Whether the moment to remind of a deadline has passed already."""
    return policies.reminder is not None and due_at - policies.reminder <= now


def next_answers_at(
    now: datetime, dues: Iterable[datetime], policies: Policies, forum: Capabilities
) -> datetime:
    """When the posts are read next while a turn asks: as for orders, and once when an offer has ended.

    dues: when the open offers end. An end that has passed by our clock and not by the forum's is looked at
    again soon.
    """
    again = now + policies.reading
    for due in dues:
        closing = closing_at(due, forum)
        again = min(again, next_reading_at(now, due, policies), closing if closing > now else again)
    return again


def back_off(failures: int, asked: float | None = None) -> timedelta:
    """How long to wait after so many failures in a row (from 1). asked: seconds the forum asked for."""
    doubled: timedelta = FIRST_WAIT * 2 ** min(failures - 1, 10)
    wait = min(doubled, LONGEST_WAIT)
    return max(wait, min(timedelta(seconds=asked or 0), timedelta(hours=1)))


def next_step_at(
    turn: TurnRow, rows: tuple[OutboxRow, ...], now: datetime, forum: Capabilities
) -> datetime | None:
    """When something is to be done for a turn as it stands; None: nothing by itself."""
    sending = next_row_at(rows, now)
    match turn.status:
        case TurnStatus.OPEN:
            closing = None if turn.paused else closing_at(turn.due_at, forum)
            return _soonest(turn.reading_at, closing, sending)
        case TurnStatus.PLANNED | TurnStatus.LOCKED:
            # That its predecessor was voided is sent first; other texts don't keep it waiting.
            notice = next_row_at(tuple(row for row in rows if row.kind == NOTICE), now)
            return notice or (now if turn.status is TurnStatus.LOCKED else turn.next_at)
        case TurnStatus.RESOLVING | TurnStatus.RESOLVED:
            return now
        case TurnStatus.ASKING:
            return _soonest(turn.reading_at, sending, now + RULED_AGAIN)
        case TurnStatus.PUBLISHING:
            return next_needed_at(rows, now) or (None if waits_for_person(rows) else now)
        case _:
            return sending


def _soonest(*moments: datetime | None) -> datetime | None:
    return min((one for one in moments if one is not None), default=None)
