"""A seed that isn't shown within 48 hours: its turn counts as unproven (reliability.md 1.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from jobs.commands.status_text import describe_game
from jobs.commands.verify_text import describe_kept
from processor.checkpoints import Checkpoint, DieAt
from processor.service.holding import retry
from processor.service.verifying import find_kept
from processor.store import attempts, games, turns
from processor.store.rows import TurnRow
from rules.play.attempts import Tally, is_unproven
from rules.play.turns import TurnStatus
from tests.support.fair_night import CLOSED, FairNight, start_night
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import TOPIC, Fault

SAID = re.compile(r"cuenta como sin probar")
TWO_DAYS = timedelta(hours=48)


@pytest.fixture
def stuck(tmp_path: Path) -> FairNight:
    """A fair whose report the forum refuses: it is resolved, and its seed isn't shown."""
    night = start_night(tmp_path / "g")
    night.tick()
    night.post("Ana", "trabajar")
    refuse = partial(night.forum.post_faults.extend, [Fault.REFUSE] * 9)
    night.service = night.worker("a", DieAt(Checkpoint.PUBLISHING, 1, refuse))
    night.tick(at=CLOSED)
    assert TurnStatus.HELD is night.status()
    return night


def lines(night: FairNight) -> tuple[Sequence[str], Sequence[str]]:
    """What `status` and `verify DIR --turn 1` say of an unproven turn."""
    with night.service.database.read() as connection:
        row = games.get_game(connection, "feria")
    status = describe_game(night.service, night.look(), night.clock.now(), "feria")
    verify = describe_kept(find_kept(night.service, row, 1), (), None)
    return [one for one in status if SAID.search(one)], [one for one in verify if SAID.search(one)]


def test_two_days_without_a_seed_are_said(stuck: FairNight) -> None:
    """Up to the 48th hour nothing is said; then `status` and `verify` say that the turn is unproven."""
    stuck.clock.set(DEADLINE + TWO_DAYS)
    assert ([], []) == lines(stuck)
    stuck.clock.sleep(1)
    assert [1, 1] == [len(one) for one in lines(stuck)]


def test_a_pause_or_a_published_report_isn_t_late(tmp_path: Path) -> None:
    """A turn that is published, and one that is open, are no seeds that somebody keeps back."""
    night = start_night(tmp_path / "g")
    night.tick()
    night.post("Ana", "trabajar")
    night.tick(at=CLOSED)
    night.clock.set(DEADLINE + timedelta(days=3))
    assert ([], []) == lines(night)


@pytest.mark.parametrize(("after", "late"), [(timedelta(hours=47), False), (timedelta(hours=49), True)])
def test_a_report_that_comes_late_says_so(after: timedelta, late: bool, tmp_path: Path) -> None:
    """Its own seed is shown, so the turn is proven; that it took more than 48 hours stays in sight."""
    night = start_night(tmp_path / "g")
    night.tick()
    night.post("Bea", "jugar en Tómbola")
    night.service.folder.write_overrides(night.folder, turn_of(night).ref, "[[override]]\nmal = 1\n")
    night.tick(at=CLOSED)
    night.service.folder.write_overrides(night.folder, turn_of(night).ref, "")
    night.clock.set(DEADLINE + after)
    for _ in range(4):
        retry(night.service, "feria")
        night.tick(after=timedelta(minutes=1))
    report = next(one.text for one in night.forum.by_bot(TOPIC) if ":report:" in one.text)
    assert late == ("1 con la semilla más de 48 horas después de cerrar" in report)


def turn_of(night: FairNight, number: int = 1) -> TurnRow:
    """A turn as stored."""
    with night.service.database.read() as connection:
        found = turns.find_valid(connection, "feria", "", number)
    assert found is not None
    return found


def test_the_footer_counts_turns_whose_seed_was_never_shown(stuck: FairNight) -> None:
    """As the report of a later turn would: unproven after 48 hours, neither proven nor unproven before."""
    turn = turn_of(stuck, 2)
    with stuck.service.database.read() as connection:
        early, later = (
            attempts.count_seeds(connection, turn, DEADLINE + TWO_DAYS + timedelta(seconds=more))
            for more in (0, 1)
        )
    assert (Tally(1, 0, 0), Tally(1, 0, 1)) == (early, later)


def test_the_limit_is_48_hours() -> None:
    """To the second."""
    due = datetime(2027, 1, 1, tzinfo=UTC)
    assert [False, True] == [is_unproven(due, due + TWO_DAYS + timedelta(seconds=more)) for more in (0, 1)]
