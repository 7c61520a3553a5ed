"""When turns close: local times in the game's zone, computed once and kept in UTC (reliability.md 3.2)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from itertools import count
from zoneinfo import ZoneInfo

from rules.play.game import Schedule
from rules.play.turns import Deadline

_CHANGES = (time(2), time(3))


class BadHour(ValueError):
    """A deadline between 02:00 and 03:00: one night of the year has no such hour, another has it twice."""


def next_deadline(schedule: Schedule, zone: str, after: datetime) -> Deadline:
    """The first deadline of a schedule that lies after a moment.

    after: with a zone. The first deadline of all is `schedule.first`; the others follow on its weekdays or
    every n days (every day, where neither is given) at `schedule.at`, save on holidays. A local time that
    comes twice means its first coming.

    Raises:
        BadHour: a deadline between 02:00 and 03:00 local, where the schedule doesn't allow for it.
        ValueError: both weekdays and a number of days, a number below 1, or `after` without zone.
    """
    _check(schedule)
    if after.tzinfo is None:
        raise ValueError(f"{after} has no zone")
    moments = (
        to_utc(local, zone) for local in _local_times(schedule, after.astimezone(ZoneInfo(zone)).date())
    )
    return Deadline(next(moment for moment in moments if moment > after), zone)


def is_changing_hour(hour: time) -> bool:
    """Whether a local hour lies between 02:00 and 03:00, when clocks change."""
    return _CHANGES[0] <= hour < _CHANGES[1]


def _check(schedule: Schedule) -> None:
    for hour in (schedule.at, schedule.first.time()):
        if is_changing_hour(hour) and not schedule.night:
            raise BadHour(f"{hour:%H:%M}: no deadline between 02:00 and 03:00, when clocks change")
    if schedule.weekdays and schedule.every_days is not None:
        raise ValueError("a schedule has weekdays or a number of days, not both")
    if schedule.every_days is not None and schedule.every_days < 1:
        raise ValueError(f"every {schedule.every_days} days is no schedule")


def _local_times(schedule: Schedule, today: date) -> Iterator[datetime]:
    """The schedule's local times from about today on, ascending, without zone."""
    first = schedule.first.date()
    if first not in schedule.holidays:
        yield schedule.first
    start = max(first, today - timedelta(days=2))
    for days in count():
        day = start + timedelta(days=days)
        if day > first and _is_on(schedule, day, first):
            yield datetime.combine(day, schedule.at)


def _is_on(schedule: Schedule, day: date, first: date) -> bool:
    if day in schedule.holidays:
        return False
    if schedule.weekdays:
        return day.weekday() in schedule.weekdays
    return (day - first).days % (schedule.every_days or 1) == 0


def offset_at(moment: datetime, zone: str) -> timedelta:
    """A zone's offset from UTC at a moment, by the rules that this machine has now."""
    return moment.astimezone(ZoneInfo(zone)).utcoffset() or timedelta()


def to_utc(local: datetime, zone: str) -> datetime:
    """A local time of a zone in UTC; one that comes twice means its first coming."""
    return local.replace(tzinfo=ZoneInfo(zone), fold=0).astimezone(UTC)
