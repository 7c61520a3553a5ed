"""When turns close: zones, clock changes, weekdays (reliability.md 3.2)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.tick import tick
from processor.pipeline.schedule import BadHour, next_deadline
from processor.store import turns
from rules.play.game import Schedule
from rules.play.turns import TurnStatus
from tests.support.hand_clock import DEADLINE
from tests.support.small_game import write_folder
from tests.support.small_night import start_night

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


@pytest.mark.parametrize(
    ("first", "zone", "expected"),
    [
        # The night of 2026-10-25 is an hour longer in Madrid, that of 2027-03-28 an hour shorter.
        ("2026-10-24T01:59", MADRID, ["10-23 23:59", "10-24 23:59", "10-26 00:59"]),
        ("2026-10-24T03:00", MADRID, ["10-24 01:00", "10-25 02:00", "10-26 02:00"]),
        ("2027-03-27T01:59", MADRID, ["03-27 00:59", "03-28 00:59", "03-28 23:59"]),
        ("2027-03-27T03:00", MADRID, ["03-27 02:00", "03-28 01:00", "03-29 01:00"]),
        ("2027-10-30T01:59", MADRID, ["10-29 23:59", "10-30 23:59", "11-01 00:59"]),
        ("2027-10-30T03:00", MADRID, ["10-30 01:00", "10-31 02:00", "11-01 02:00"]),
        # Half an hour: 01:30 to 02:00 comes twice on Lord Howe on 2027-04-04.
        ("2027-04-03T01:45", "Australia/Lord_Howe", ["04-02 14:45", "04-03 14:45", "04-04 15:15"]),
        ("2027-04-03T22:00", "Australia/Lord_Howe", ["04-03 11:00", "04-04 11:30", "04-05 11:30"]),
        ("2026-10-03T22:00", "Australia/Lord_Howe", ["10-03 11:30", "10-04 11:00", "10-05 11:00"]),
        # Where clocks never change.
        ("2026-10-24T22:00", "Asia/Tokyo", ["10-24 13:00", "10-25 13:00", "10-26 13:00"]),
        ("2027-03-27T22:00", "America/Argentina/Buenos_Aires", ["03-28 01:00", "03-29 01:00", "03-30 01:00"]),
        # Elsewhere clocks change at other hours. 00:30 comes twice in Havana on 2026-11-01: the first counts.
        ("2026-10-31T00:30", "America/Havana", ["10-31 04:30", "11-01 04:30", "11-02 05:30"]),
        # 00:30 is missing there on 2027-03-14: as far from midnight as it says, which is 01:30.
        ("2027-03-13T00:30", "America/Havana", ["03-13 05:30", "03-14 05:30", "03-15 04:30"]),
    ],
)
def test_nights_in_which_clocks_change(first: str, zone: str, expected: list[str]) -> None:
    """One local hour comes twice or not at all; each day has its one deadline all the same."""
    begin = datetime.fromisoformat(first)
    found = deadlines(Schedule(begin.time(), begin, every_days=1), zone, 3)
    assert expected == [one[len("2026-") :] for one in found]


def test_a_deadline_on_a_holiday_is_left_out() -> None:
    """The one after it is the next; the rhythm of the others stays as it was."""
    off = (date(2026, 10, 21), date(2026, 10, 28), date(2026, 11, 1))
    found = deadlines(replace(weekly(2, 6), holidays=off), MADRID, 3)
    assert ["2026-10-18 20:00", "2026-10-25 21:00", "2026-11-04 21:00"] == found
    third = deadlines(replace(every(3), holidays=(date(2026, 10, 21),)), MADRID, 3)
    assert ["2026-10-18 20:00", "2026-10-24 20:00", "2026-10-27 21:00"] == third


def test_a_holiday_is_a_day_where_the_game_is_played() -> None:
    """22:00 in Santiago is the next day already in UTC."""
    off = replace(every(1), holidays=(date(2026, 10, 19),))
    assert ["2026-10-19 01:00", "2026-10-21 01:00"] == deadlines(off, "America/Santiago", 2)


def test_a_deadline_that_was_told_stays(tmp_path: Path) -> None:
    """What was computed is kept in UTC: another zone or hour in the game's file is for the turns to come."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    night.forum.write("2", "[órdenes]\ntirar dado\n[/órdenes]")
    write_folder(night.folder, first="2026-12-06T18:00")
    night.clock.set(DEADLINE - timedelta(minutes=1))
    tick(night.service)
    with night.service.database.read() as connection:
        (turn,) = turns.list_turns(connection, "pequena")
    assert (TurnStatus.OPEN, DEADLINE) == (turn.status, turn.due_at)
    night.clock.set(DEADLINE + timedelta(minutes=2))
    tick(night.service)
    with night.service.database.read() as connection:
        assert TurnStatus.PUBLISHED is turns.list_turns(connection, "pequena")[0].status


@pytest.mark.parametrize("hour", [time(2), time(2, 30), time(2, 59)])
def test_the_hour_of_the_change_is_refused(hour: time) -> None:
    """It is missing one night and comes twice in another."""
    with pytest.raises(BadHour):
        next_deadline(every(1, at=hour), MADRID, datetime(2026, 1, 1, tzinfo=UTC))
    with pytest.raises(BadHour):
        next_deadline(every(1, first=datetime.combine(FIRST, hour)), MADRID, datetime(2026, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("first", "zone", "expected"),
    [
        # Twice on the 25th: the first.
        ("2026-10-24T02:00", MADRID, ["10-24 00:00", "10-25 00:00", "10-26 01:00"]),
        ("2026-10-24T02:30", MADRID, ["10-24 00:30", "10-25 00:30", "10-26 01:30"]),
        ("2026-10-24T02:59", MADRID, ["10-24 00:59", "10-25 00:59", "10-26 01:59"]),
        ("2027-10-30T02:30", MADRID, ["10-30 00:30", "10-31 00:30", "11-01 01:30"]),
        # Missing on the 28th: an hour later, 03:30.
        ("2027-03-27T02:00", MADRID, ["03-27 01:00", "03-28 01:00", "03-29 00:00"]),
        ("2027-03-27T02:30", MADRID, ["03-27 01:30", "03-28 01:30", "03-29 00:30"]),
        # Half an hour, 02:00 to 02:30, is missing on 2026-10-04.
        ("2026-10-03T02:15", "Australia/Lord_Howe", ["10-02 15:45", "10-03 15:45", "10-04 15:15"]),
        ("2026-10-24T02:30", "Asia/Tokyo", ["10-23 17:30", "10-24 17:30", "10-25 17:30"]),
    ],
)
def test_the_hour_of_the_change_is_taken_where_the_director_wants_it(
    first: str, zone: str, expected: list[str]
) -> None:
    """Each day has its one deadline (`night = true`)."""
    begin = datetime.fromisoformat(first)
    found = deadlines(Schedule(begin.time(), begin, every_days=1, night=True), zone, 3)
    assert expected == [one[len("2026-") :] for one in found]


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
    st.sampled_from([MADRID, "America/Santiago", "America/Havana", "Australia/Lord_Howe", "UTC"]),
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
