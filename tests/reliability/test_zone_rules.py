"""A government moves its clocks while a turn is open: its deadline stays, its director learns of it (F6)."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from processor.service.zones import find_moved_hour
from processor.store import turns
from rules.play.turns import TurnStatus
from tests.reliability.test_clock import begin, go_to, notices, turn_of, write
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import TOPIC
from tests.support.small_night import Night, start_night
from tests.support.zones import other_rules

MADRID = "Europe/Madrid"
AFTER = timedelta(minutes=2)


@pytest.fixture
def rules(tmp_path: Path) -> Iterator[ExitStack]:
    """What undoes a change of rules behind the test."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def night(tmp_path: Path) -> Night:
    """An open turn that closes at 22:00 in Madrid, which is 21:00 UTC."""
    made = start_night(tmp_path / "g", director="gm")
    begin(made)
    return made


def stay_in_summer(rules: ExitStack, tmp_path: Path) -> None:
    """Madrid keeps its summer time: 21:00 UTC is 23:00."""
    rules.enter_context(other_rules(tmp_path / "zones", MADRID, timedelta(hours=2)))


def pass_minutes(night: Night, *minutes: int) -> None:
    """Time passes, and what is due is done each time: the topic is read every 15 minutes."""
    for one in minutes:
        go_to(night, night.clock.now() + timedelta(minutes=one))


def warnings(night: Night) -> list[str]:
    """The letters about it."""
    letters = [post.text for post in night.forum.by_bot() if post.topic != TOPIC]
    return [one.split("\n")[0] for one in letters if ":zone" in one.split("\n")[-1]]


def test_a_deadline_that_was_told_holds(night: Night, rules: ExitStack, tmp_path: Path) -> None:
    """Its moment is kept in UTC; the turn closes once, and the next is planned by the new rules."""
    stay_in_summer(rules, tmp_path)
    go_to(night, DEADLINE - timedelta(minutes=1))
    assert (TurnStatus.OPEN, DEADLINE) == (turn_of(night).status, turn_of(night).due_at)
    go_to(night, DEADLINE + AFTER)
    assert TurnStatus.PUBLISHED is turn_of(night).status
    next_turn = turn_of(night, 2)
    assert DEADLINE + timedelta(days=7, hours=-1) == next_turn.due_at
    assert find_moved_hour(next_turn) is None


def test_a_correction_that_was_told_holds(night: Night, rules: ExitStack, tmp_path: Path) -> None:
    """Local times of the override file were computed once; only what is written now goes by the new rules."""
    lines = ["deadline = 2026-12-07T22:00:00", 'extend = "1d"']
    write(night, *lines)
    pass_minutes(night, 16)
    assert DEADLINE + timedelta(days=2) == turn_of(night).due_at
    stay_in_summer(rules, tmp_path)
    pass_minutes(night, 16)
    assert (DEADLINE + timedelta(days=2), ["deadline-1"]) == (turn_of(night).due_at, notices(night))
    write(night, *lines, "deadline = 2026-12-09T22:00:00")
    pass_minutes(night, 16)
    assert DEADLINE + timedelta(days=3, hours=-1) == turn_of(night).due_at
    assert find_moved_hour(turn_of(night)) is None


def test_the_director_is_told_once(
    night: Night, rules: ExitStack, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """In private and in the log, with what the players read, what it is now, and what to write."""
    stay_in_summer(rules, tmp_path)
    with caplog.at_level(logging.WARNING, "turnero.zones"):
        for minutes in (20, 40, 60):
            go_to(night, DEADLINE - timedelta(minutes=100 - minutes))
    (logged,) = caplog.messages
    assert 1 == len(warnings(night))
    for words in ("22:00 (Europe/Madrid)", "23:00", "21:00", "deadline = 2026-12-06T22:00:00"):
        assert words in logged


def test_the_director_moves_it_back(night: Night, rules: ExitStack, tmp_path: Path) -> None:
    """The line of the letter gives the hour that was announced, and nothing is left to warn of."""
    stay_in_summer(rules, tmp_path)
    pass_minutes(night, 16)
    write(night, "deadline = 2026-12-06T22:00:00")
    pass_minutes(night, 16)
    assert (DEADLINE - timedelta(hours=1), None) == (turn_of(night).due_at, find_moved_hour(turn_of(night)))


def test_nothing_is_said_while_the_rules_are_the_same(night: Night) -> None:
    """Also where the deadline moves over a change of clocks."""
    write(night, 'extend = "200d"')
    pass_minutes(night, 16, 16)
    assert ([], None) == (warnings(night), find_moved_hour(turn_of(night)))


def test_of_a_turn_from_before_nobody_knows(night: Night, rules: ExitStack, tmp_path: Path) -> None:
    """What was stored by an older program says nothing of the hour that was told, so nothing is claimed."""
    turn = turn_of(night)
    with night.service.database.write() as connection:
        turns.change_turn(connection, turn.id, due_offset=None)
    stay_in_summer(rules, tmp_path)
    assert find_moved_hour(turn_of(night)) is None
