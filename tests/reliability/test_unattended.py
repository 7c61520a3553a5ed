"""Outages, jumps of our clock, and the pulse that a probe looks at (reliability.md F5, F7)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from jobs.commands.health import describe_health
from jobs.tick import tick
from processor.service.holding import park, retry
from processor.service.pausing import pause_all
from processor.service.pulse import ClockWatch
from processor.store import games, heartbeats
from processor.store.health import Health, read_health
from rules.play.turns import TurnStatus
from tests.reliability.test_clock import turn_of, write
from tests.support.hand_clock import DEADLINE, HandClock
from tests.support.memory_forum import Fault
from tests.support.small_night import Night, start_night

AFTER = timedelta(minutes=2)
BLOCK = "[órdenes]\ntirar dado\n[/órdenes]"


def begin(folder: Path, *, hours: float = 2) -> Night:
    """An open turn in which somebody has ordered, so many hours before its deadline."""
    night = start_night(folder / "g", outage=12)
    night.clock.set(DEADLINE - timedelta(hours=2))
    tick(night.service)
    night.forum.write("2", BLOCK)
    night.clock.set(DEADLINE - timedelta(hours=hours))
    tick(night.service)
    return night


def state(night: Night) -> tuple[TurnStatus, str | None]:
    """Where the first turn stands, and why it is held."""
    turn = turn_of(night)
    return turn.status, turn.held_code


def health(night: Night) -> Health:
    """What the probe sees now."""
    with night.service.database.read() as connection:
        return read_health(connection, night.clock.now())


def test_a_turn_whose_machine_was_down_for_three_hours_is_run_once(tmp_path: Path) -> None:
    """Down at the deadline, up three hours later: played, without what came late (F5)."""
    night = begin(tmp_path, hours=1)
    night.forum.write("3", "[órdenes]\ntirar tarde\n[/órdenes]", at=DEADLINE + timedelta(hours=1))
    night.clock.set(DEADLINE + timedelta(hours=3))
    tick(night.service)
    assert (TurnStatus.PUBLISHED, None) == state(night)
    assert "tarde/sur" not in "".join(post.text for post in night.forum.by_bot())


def test_a_turn_that_nobody_read_for_long_before_its_deadline_is_held(tmp_path: Path) -> None:
    """Nobody had a receipt; the director says `retry`, and it is played as it was."""
    night = start_night(tmp_path / "g", first="2026-12-07T22:00", outage=12)
    tick(night.service)
    night.forum.write("2", BLOCK)
    night.clock.set(DEADLINE + timedelta(days=1, minutes=5))
    tick(night.service)
    assert (TurnStatus.HELD, "outage") == state(night)
    assert "25 horas" in (turn_of(night).reason or "")
    retry(night.service, "pequena")
    tick(night.service)
    assert (TurnStatus.PUBLISHED, None) == state(night)


def test_an_outage_that_ends_before_the_deadline_holds_nothing(tmp_path: Path) -> None:
    """There was time for receipts again."""
    night = start_night(tmp_path / "g", first="2026-12-07T22:00", outage=12)
    tick(night.service)
    night.forum.write("2", BLOCK)
    for moment in (timedelta(days=1) - timedelta(minutes=40), timedelta(days=1, minutes=2)):
        night.clock.set(DEADLINE + moment)
        tick(night.service)
    assert (TurnStatus.PUBLISHED, None) == state(night)


def test_a_forum_that_was_gone_for_long_is_an_outage_too(tmp_path: Path) -> None:
    """It doesn't matter who was down."""
    night = start_night(tmp_path / "g", first="2026-12-07T22:00", outage=12)
    tick(night.service)
    night.forum.read_faults.extend([Fault.DOWN] * 60)
    for hours in range(1, 27):
        night.clock.set(DEADLINE - timedelta(hours=2) + timedelta(hours=hours))
        tick(night.service, patience=0)
    night.forum.read_faults.clear()
    night.clock.set(DEADLINE + timedelta(days=1, minutes=20))
    tick(night.service)
    assert (TurnStatus.HELD, "outage") == state(night)


def test_a_clock_set_forward_over_a_deadline_holds_the_turn(tmp_path: Path) -> None:
    """No time has passed, so nothing is resolved; `retry` says that it is all right."""
    night = begin(tmp_path)
    watch = ClockWatch(night.clock)
    night.clock.step(timedelta(hours=2, minutes=5))
    tick(night.service, watch=watch)
    assert (TurnStatus.HELD, "clock") == state(night)
    assert "2026-12-06 19:00" in (turn_of(night).reason or "")
    retry(night.service, "pequena")
    tick(night.service, watch=watch)
    assert (TurnStatus.PUBLISHED, None) == state(night)


def test_more_time_can_be_given_to_a_turn_whose_clock_jumped(tmp_path: Path) -> None:
    """The jump didn't go over the new deadline."""
    night = begin(tmp_path)
    watch = ClockWatch(night.clock)
    night.clock.step(timedelta(hours=2, minutes=5))
    tick(night.service, watch=watch)
    write(night, 'extend = "24h"')
    retry(night.service, "pequena")
    tick(night.service, watch=watch)
    night.clock.set(DEADLINE + timedelta(days=1) - timedelta(minutes=40))
    tick(night.service, watch=watch)
    night.clock.set(DEADLINE + timedelta(days=1, minutes=2))
    tick(night.service, watch=watch)
    assert (TurnStatus.PUBLISHED, None) == state(night)


def test_a_clock_set_forward_before_a_deadline_disturbs_nothing(tmp_path: Path) -> None:
    """The jump ended before it."""
    night = begin(tmp_path)
    watch = ClockWatch(night.clock)
    night.clock.step(timedelta(hours=1))
    tick(night.service, watch=watch)
    night.clock.set(DEADLINE + AFTER)
    tick(night.service, watch=watch)
    assert (TurnStatus.PUBLISHED, None) == state(night)


@pytest.mark.parametrize(("back", "expected"), [(9, TurnStatus.PUBLISHED), (60, TurnStatus.HELD)])
def test_a_clock_set_back_between_two_ticks_holds_what_it_went_over(
    back: int, expected: TurnStatus, tmp_path: Path
) -> None:
    """The last tick lies in the future, which it can't; up to ten minutes are a clock put right."""
    night = begin(tmp_path)
    other = HandClock(DEADLINE + timedelta(minutes=5))
    with night.service.database.write() as connection:
        heartbeats.beat(connection, other.now(), timedelta())
    night.clock.set(DEADLINE + timedelta(minutes=5 - back))
    tick(night.service)
    night.clock.set(DEADLINE + AFTER)
    tick(night.service)
    assert expected is state(night)[0]


def test_putting_a_clock_right_by_a_little_is_no_jump() -> None:
    """Ten minutes either way, and any time that really passes."""
    clock = HandClock()
    watch = ClockWatch(clock)
    found = []
    for minutes in (10, -10, 11, -11):
        clock.sleep(86400)
        clock.step(timedelta(minutes=minutes))
        found.append(watch.look() is not None)
    assert [False, False, True, True] == found


def test_the_probe_sees_a_game_that_goes_well(tmp_path: Path) -> None:
    """One line of pairs whose names stay as they are."""
    night = begin(tmp_path)
    line = describe_health(health(night), night.clock.now())
    numbers = "games=1 open=1 asking=0 held=0 parked=0 late=0 canary=0 paused=0"
    assert f"ok {numbers} last_tick=2026-12-06T19:00:00Z age=0" == line


def test_the_probe_sees_that_nobody_ticks(tmp_path: Path) -> None:
    """After ten minutes without a tick, and at once what was left undone."""
    night = begin(tmp_path)
    told = []
    for minutes in (9, 2, 120):
        night.clock.sleep(60 * minutes)
        seen = health(night)
        told.append((seen.is_well(night.clock.now()), seen.late))
    assert [(True, 0), (False, 0), (False, 1)] == told


def test_the_probe_sees_parked_games_and_leaves_held_turns_to_their_directors(tmp_path: Path) -> None:
    """A parked game is the host's business."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    night.clock.set(DEADLINE + AFTER)
    tick(night.service)
    held = health(night)
    with night.service.database.read() as connection:
        row = games.get_game(connection, "pequena")
    park(night.service, row, "rota")
    parked = health(night)
    assert [(1, 0, True), (1, 1, False)] == [
        (one.held, one.parked, one.is_well(night.clock.now())) for one in (held, parked)
    ]


def test_a_pause_of_all_games_is_no_alarm(tmp_path: Path) -> None:
    """The ticks go on and find nothing to do."""
    night = begin(tmp_path)
    pause_all(night.service)
    night.clock.set(DEADLINE + timedelta(hours=5))
    tick(night.service)
    seen = health(night)
    assert (True, 0, True) == (seen.paused, seen.late, seen.is_well(night.clock.now()))
