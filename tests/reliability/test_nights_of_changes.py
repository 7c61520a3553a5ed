"""Whole turns over nights in which clocks change: each closes once, at its moment (reliability.md 3, F6)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from jobs.tick import tick
from processor.store import tables, turns
from processor.store.rows import TurnRow
from tests.support.memory_forum import TOPIC
from tests.support.small_night import Night, start_night

MADRID = "Europe/Madrid"
BLOCK = "[órdenes]\ntirar dado\n[/órdenes]"


def begin(folder: Path, first: str, zone: str, **settings: Any) -> Night:
    """A daily game, a day before its first deadline."""
    now = datetime.fromisoformat(first).replace(tzinfo=UTC) - timedelta(hours=26)
    at = first.partition("T")[2]
    return start_night(folder / "g", now=now, first=first, at=at, zone=zone, every_days=1, **settings)


def play(night: Night, *closings: datetime) -> None:
    """Somebody orders in each turn; the host ticks around each closing, and an hour from it."""
    for closing in closings:
        tick(night.service)
        night.forum.write("2", BLOCK)
        for minutes in (-61, -60, -1, 0, 1, 59, 60, 61):
            night.clock.set(closing + timedelta(minutes=minutes))
            tick(night.service)


def known(night: Night) -> tuple[TurnRow, ...]:
    """All turns as stored."""
    with night.service.database.read() as connection:
        return turns.list_turns(connection, "pequena")


def closed(night: Night) -> list[str]:
    """When the turns were locked, to the minute, UTC."""
    with night.service.database.read() as connection:
        moments = connection.execute(select(tables.locks.c.locked_at).order_by(tables.locks.c.turn_id))
        return [f"{moment:%m-%d %H:%M}" for moment in moments.scalars()]


def reports(night: Night) -> list[str]:
    """The markers of the public reports, as they stand in the forum."""
    markers = (post.text.split("\n")[-1] for post in night.forum.by_bot(TOPIC))
    return [":".join(one.split(":")[1:4]) for one in markers if ":report:1/" in one]


@pytest.mark.parametrize(
    ("first", "zone", "settings", "expected"),
    [
        # An hour comes twice on 2026-10-25 and on 2027-10-31, and is missing on 2027-03-28.
        ("2026-10-24T22:00", MADRID, {}, ["10-24 20:01", "10-25 21:01", "10-26 21:01"]),
        ("2027-03-27T22:00", MADRID, {}, ["03-27 21:01", "03-28 20:01", "03-29 20:01"]),
        ("2027-10-30T22:00", MADRID, {}, ["10-30 20:01", "10-31 21:01", "11-01 21:01"]),
        # In the middle of the change, where the director wants it: the first of two, or an hour later.
        ("2026-10-24T02:30", MADRID, {"night": True}, ["10-24 00:31", "10-25 00:31", "10-26 01:31"]),
        ("2027-03-27T02:30", MADRID, {"night": True}, ["03-27 01:31", "03-28 01:31", "03-29 00:31"]),
        ("2027-10-30T02:30", MADRID, {"night": True}, ["10-30 00:31", "10-31 00:31", "11-01 01:31"]),
        # Half an hour, and never.
        ("2027-04-03T01:45", "Australia/Lord_Howe", {}, ["04-02 14:46", "04-03 14:46", "04-04 15:16"]),
        ("2026-10-24T22:00", "Asia/Tokyo", {}, ["10-24 13:01", "10-25 13:01", "10-26 13:01"]),
    ],
)
def test_a_turn_over_a_change_closes_once(
    first: str, zone: str, settings: dict[str, Any], expected: list[str], tmp_path: Path
) -> None:
    """A daily game stays daily, though one day has 23 or 25 hours; each turn has one report."""
    night = begin(tmp_path, first, zone, **settings)
    play(night, *(datetime.fromisoformat(f"{first[:4]}-{one}").replace(tzinfo=UTC) for one in expected))
    assert expected == closed(night)
    assert [f"pequena:{turn}.1:report" for turn in (1, 2, 3)] == reports(night)


def test_what_is_posted_in_the_second_of_two_hours_is_late(tmp_path: Path) -> None:
    """02:20 after 02:30: by the forum's clock it is an hour later, and the closed turn stays as it was."""
    night = begin(tmp_path, "2026-10-25T02:30", MADRID, night=True)
    tick(night.service)
    night.forum.write("2", BLOCK, at=datetime(2026, 10, 25, 0, 20, tzinfo=UTC))
    night.forum.write("3", BLOCK, at=datetime(2026, 10, 25, 1, 20, tzinfo=UTC))
    night.clock.set(datetime(2026, 10, 25, 1, 25, tzinfo=UTC))
    tick(night.service)
    first = known(night)[0].id
    with night.service.database.read() as connection:
        mine = tables.submissions.c.turn_id == first
        assert ["norte"] == [*connection.execute(select(tables.submissions.c.seat).where(mine)).scalars()]


@pytest.mark.parametrize(
    ("hours", "expected"), [(0, "12-07 21:00"), (1, "12-07 21:00"), (2, "12-08 21:00"), (5, "12-08 21:00")]
)
def test_a_daily_game_is_daily(hours: int, expected: str, tmp_path: Path) -> None:
    """A turn on time is followed by one that closes at the same hour the next day, though a report takes its
    minutes; after a late one there is a day at least.
    """
    night = begin(tmp_path, "2026-12-06T22:00", MADRID)
    tick(night.service)
    night.forum.write("2", BLOCK)
    night.clock.set(datetime(2026, 12, 6, 21, tzinfo=UTC) + timedelta(hours=hours))
    tick(night.service)
    night.clock.sleep(60)
    tick(night.service)
    assert [f"{turn.due_at:%m-%d %H:%M}" for turn in known(night)[1:]] == [expected]
