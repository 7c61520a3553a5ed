"""A turn's deadline as the override file has it (design.md 4, *Schedule*).

The deadline is computed anew from the planned one at each change of the file, entry by entry in file order,
so nothing is applied twice. What can't be computed, when a pause was seen to begin and to end, is remembered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from parsers.files.errors import FileProblem
from parsers.files.override import Extend, Override, Pause, Resume, SetDeadline
from processor.pipeline.override_entries import KEYS, Refused, fault
from processor.pipeline.schedule import is_changing_hour, to_utc
from rules.engine.messages import msg
from rules.play.clock import ClockChange, TurnClock

ClockEntry = SetDeadline | Extend | Pause | Resume
LARGEST_EXTENSION = timedelta(days=366)
"""No deadline is moved further from now; such a date is a slip of the pen."""


def run_clock(
    clock: TurnClock,
    overrides: Sequence[Override],
    zone: str,
    now: datetime,
    file: str,
    *,
    night: bool = False,
) -> TurnClock | FileProblem:
    """The clock with all schedule entries applied to the planned deadline, or what is wrong with one.

    night: whether deadlines may lie between 02:00 and 03:00, as in the game's schedule.
    """
    known = {one.key: one for one in clock.changes}
    ticking = replace(clock, due=clock.planned, paused_at=None, changes=())
    newest: ClockEntry | None = None
    for key, entry in keyed_entries(overrides):
        at = known[key].at if key in known else now
        ticking = _catch_up(ticking, at)
        try:
            after = _apply(ticking, entry, at, zone, night=night)
        except Refused as refused:
            return fault(file, entry, refused.code, refused.wrong, refused.right)
        if key in known:
            after = _hold_to(known[key], after, entry, ticking.due)
        newest = newest if key in known else entry
        change = ClockChange(key, at, ticking.due, after.due)
        ticking = replace(after, changes=(*ticking.changes, change))
    ticking = replace(_catch_up(ticking, now), stops=clock.stops)
    bad = None if newest is None else _find_bad_end(ticking, clock.due, now, zone)
    if newest is not None and bad is not None:
        return fault(file, newest, bad.code, bad.wrong, bad.right)
    ticking = replace(ticking, due=ticking.due + ticking.grace)
    if ticking.early is None or ticking.paused_at is not None:
        return ticking
    return replace(ticking, due=min(ticking.due, ticking.early))


def _catch_up(clock: TurnClock, until: datetime) -> TurnClock:
    """The clock after the host's pauses that were over by then; `stops` holds those that are left."""
    for begin, end in clock.stops:
        if end > until:
            break
        moved = timedelta() if clock.paused_at is not None else end - min(begin, clock.due)
        clock = replace(clock, due=clock.due + moved, stops=clock.stops[1:])
    return clock


def keyed_entries(overrides: Iterable[Override]) -> tuple[tuple[str, ClockEntry], ...]:
    """Schedule entries in file order with what tells them apart: what they do, and how often it was done
    before. A reason may be reworded.
    """
    seen: Counter[str] = Counter()
    keyed: list[tuple[str, ClockEntry]] = []
    for entry in overrides:
        if not isinstance(entry, ClockEntry):
            continue
        said = f"{KEYS[type(entry)]} {_value(entry)}".rstrip()
        seen[said] += 1
        keyed.append((f"{said} #{seen[said]}", entry))
    return tuple(keyed)


def _value(entry: ClockEntry) -> str:
    match entry:
        case SetDeadline(at=at):
            return at.isoformat()
        case Extend(amount=amount, unit=unit):
            return f"{amount}{unit}"
    return ""


def _apply(clock: TurnClock, entry: ClockEntry, at: datetime, zone: str, *, night: bool) -> TurnClock:
    """The clock after an entry. at: when it was first seen."""
    match entry:
        case SetDeadline():
            due = _moment(entry, zone, night=night)
            return replace(clock, due=due, paused_at=at if clock.paused_at else None)
        case Extend():
            return replace(clock, due=extend(clock.due, entry, zone))
        case Pause():
            if clock.paused_at is not None:
                raise Refused("paused", msg("clock/paused"), msg("clock/resume-first"))
            # One that is seen behind the deadline of a turn that is open still begins at the deadline.
            return replace(clock, paused_at=min(at, clock.due))
        case Resume():
            if clock.paused_at is None:
                raise Refused("not-paused", msg("clock/not-paused"), msg("clock/pause-first"))
            return replace(clock, due=clock.due + (at - clock.paused_at), paused_at=None)


def _hold_to(known: ClockChange, after: TurnClock, entry: ClockEntry, due: datetime) -> TurnClock:
    """What a local time came to once stands, though the rules of its zone have changed since (F6)."""
    computed = isinstance(entry, SetDeadline) or (isinstance(entry, Extend) and due == known.before)
    return replace(after, due=known.after) if computed else after


def extend(due: datetime, entry: Extend, zone: str) -> datetime:
    """A deadline later by hours, or by days of the local calendar: 22:00 stays 22:00."""
    if entry.unit == "h":
        return due + timedelta(hours=entry.amount)
    local = due.astimezone(ZoneInfo(zone)).replace(tzinfo=None) + timedelta(days=entry.amount)
    return to_utc(local, zone)


def _moment(entry: SetDeadline, zone: str, *, night: bool) -> datetime:
    """The deadline in UTC. A local one lies in the hour of the changes only in a game that allows it (and is
    the first of two), one with an offset always may.
    """
    if entry.at.tzinfo is not None:
        return entry.at.astimezone(UTC)
    if is_changing_hour(entry.at.time()) and not night:
        raise Refused("hour", msg("clock/changing-hour", hour=f"{entry.at:%H:%M}"), msg("clock/other-hour"))
    return to_utc(entry.at, zone)


def _find_bad_end(new: TurnClock, due: datetime, now: datetime, zone: str) -> Refused | None:
    """What speaks against a deadline that new entries have led to. due: the one in force so far."""
    if new.due < due and new.due <= now and new.paused_at is None:
        # Posts would be late that were in time when they were written.
        local = f"{new.due.astimezone(ZoneInfo(zone)):%d/%m/%Y %H:%M}"
        return Refused("past", msg("clock/past", moment=local), msg("clock/later"))
    if new.due > now + LARGEST_EXTENSION:
        return Refused("far", msg("clock/far"), msg("clock/nearer"))
    return None
