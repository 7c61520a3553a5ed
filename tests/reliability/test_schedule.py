"""When turns close: zones, clock changes, weekdays (reliability.md 3.2)."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processor.pipeline.schedule import BadHour, next_deadline
from rules.play.game import Schedule

MADRID = "Europe/Madrid"
FIRST = datetime(2026, 10, 18, 22, 0)  # noqa: DTZ001 - a local time, as game files have it


def weekly(*days: int, at: time = time(22), first: datetime = FIRST) -> Schedule:
    """On weekdays, 0 = Monday."""
    return Schedule(at, first, weekdays=days)


def every(days: int | None, at: time = time(22), first: datetime = FIRST) -> Schedule:
    """Every so many days."""
    return Schedule(at, first, every_days=days)


def deadlines(schedule: Schedule, zone: str, count: int) -> list[str]:
    """The first deadlines, UTC."""
    found, after = [], datetime(2026, 1, 1, tzinfo=UTC)
    for _ in range(count):
        after = next_deadline(schedule, zone, after).at
        found.append(f"{after:%Y-%m-%d %H:%M}")
    return found


@pytest.mark.parametrize(
    ("schedule", "zone", "expected"),
    [
        (every(7), MADRID, ["2026-10-18 20:00", "2026-10-25 21:00", "2026-11-01 21:00"]),
        (every(1), MADRID, ["2026-10-18 20:00", "2026-10-19 20:00", "2026-10-20 20:00"]),
        (weekly(2, 6), MADRID, ["2026-10-18 20:00", "2026-10-21 20:00", "2026-10-25 21:00"]),
        (weekly(0, at=time(9, 30)), MADRID, ["2026-10-18 20:00", "2026-10-19 07:30", "2026-10-26 08:30"]),
        (every(None), MADRID, ["2026-10-18 20:00", "2026-10-19 20:00"]),
        (every(7), "America/Santiago", ["2026-10-19 01:00", "2026-10-26 01:00"]),
        (every(1), "America/Santiago", ["2026-10-19 01:00", "2026-10-20 01:00"]),
        (every(7, first=datetime(2027, 3, 21, 22, 0)), MADRID, ["2027-03-21 21:00", "2027-03-28 20:00"]),  # noqa: DTZ001
    ],
)
def test_deadlines_follow_the_local_clock(schedule: Schedule, zone: str, expected: list[str]) -> None:
    """22:00 stays 22:00 for those who live there, also across the changes of 2026-10-25 and 2027-03-28."""
    assert expected == deadlines(schedule, zone, len(expected))


@pytest.mark.parametrize("hour", [time(2), time(2, 30), time(2, 59)])
def test_the_hour_of_the_change_is_refused(hour: time) -> None:
    """It is missing one night and comes twice in another."""
    with pytest.raises(BadHour):
        next_deadline(every(1, at=hour), MADRID, datetime(2026, 1, 1, tzinfo=UTC))
    with pytest.raises(BadHour):
        next_deadline(every(1, first=datetime.combine(FIRST, hour)), MADRID, datetime(2026, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize("hour", [time(1, 59), time(3)])
def test_the_hours_around_it_are_accepted(hour: time) -> None:
    """Up to 01:59 and from 03:00 on."""
    found = next_deadline(every(1, at=hour), MADRID, datetime(2026, 11, 1, tzinfo=UTC)).at
    assert hour == found.astimezone(ZoneInfo(MADRID)).time()


@pytest.mark.parametrize("schedule", [Schedule(time(22), FIRST, (1,), 2), every(0), every(-1)])
def test_a_schedule_that_means_nothing_is_refused(schedule: Schedule) -> None:
    """Weekdays and a number of days, or no days at all."""
    with pytest.raises(ValueError, match="schedule"):
        next_deadline(schedule, MADRID, datetime(2026, 1, 1, tzinfo=UTC))


def test_a_moment_without_zone_is_refused() -> None:
    """An hour whose zone nobody knows is a wrong hour."""
    with pytest.raises(ValueError, match="no zone"):
        next_deadline(every(1), MADRID, FIRST)


@given(
    st.sampled_from([every(1), every(3), weekly(0, 4), weekly(6, at=time(0, 30))]),
    st.sampled_from([MADRID, "America/Santiago", "America/Havana", "Pacific/Auckland", "UTC"]),
    st.integers(0, 60 * 24 * 800),
)
def test_the_next_deadline_is_the_first_after(schedule: Schedule, zone: str, minutes: int) -> None:
    """Later than asked for, at the schedule's local hour, and never later than the one of a moment before."""
    after = datetime(2026, 10, 19, 12, tzinfo=UTC) + timedelta(minutes=minutes)
    found = next_deadline(schedule, zone, after)
    assert found.at > after
    assert found == next_deadline(schedule, zone, found.at - timedelta(microseconds=1))
    local = found.at.astimezone(ZoneInfo(found.zone))
    assert schedule.at == local.time() or local.utcoffset() != (local - timedelta(hours=2)).utcoffset()
