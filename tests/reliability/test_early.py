"""A turn closes before its time where everybody has said `listo` (design.md 1)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from jobs.tick import tick
from processor.checkpoints import Checkpoint, DieAt
from processor.service.pausing import pause_all, resume_all
from rules.play.turns import TurnStatus
from tests.reliability.test_clock import AFTER, Crash, crash, go_to, notices, turn_of, write
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import TOPIC
from tests.support.small_night import Night, start_night

READY, MORE = "[órdenes]\ntirar dado\nlisto\n[/órdenes]", "[órdenes]\ntirar otra\n[/órdenes]"
START = DEADLINE - timedelta(hours=2)
COOLING = timedelta(minutes=30)


def begin(folder: Path, early: float | None = 0.5) -> Night:
    """An open turn in which both players are ready."""
    night = start_night(folder / "g", early=early, every_days=1)
    tick(night.service)
    night.forum.write("2", READY)
    night.forum.write("3", READY)
    go_to(night, START + timedelta(minutes=16))
    return night


def test_a_turn_closes_early_where_everybody_is_ready(tmp_path: Path) -> None:
    """After the cooling delay, which is told; the next turn has the deadline that this one didn't need."""
    night = begin(tmp_path)
    due = turn_of(night).due_at
    assert START + timedelta(minutes=16) + COOLING <= due < START + timedelta(minutes=17) + COOLING
    go_to(night, due - timedelta(minutes=1))
    assert TurnStatus.OPEN is turn_of(night).status
    go_to(night, due + AFTER)
    assert (TurnStatus.PUBLISHED, ["deadline-1"]) == (turn_of(night).status, notices(night))
    assert DEADLINE + timedelta(days=1) == turn_of(night, 2).due_at
    assert "Todos han dicho" in "".join(post.text for post in night.forum.by_bot(TOPIC))


def test_without_the_option_a_turn_waits_for_its_deadline(tmp_path: Path) -> None:
    """`listo` alone closes nothing."""
    night = begin(tmp_path, None)
    go_to(night, DEADLINE - timedelta(minutes=1))
    assert (TurnStatus.OPEN, DEADLINE, []) == (turn_of(night).status, turn_of(night).due_at, notices(night))


def test_who_is_not_ready_keeps_the_turn_open(tmp_path: Path) -> None:
    """Everybody means everybody."""
    night = start_night(tmp_path / "g", early=0.5)
    tick(night.service)
    night.forum.write("2", READY)
    night.forum.write("3", MORE)
    go_to(night, DEADLINE - timedelta(minutes=40))
    assert DEADLINE == turn_of(night).due_at


def test_near_the_deadline_nothing_is_gained(tmp_path: Path) -> None:
    """A delay that ends behind the deadline doesn't move it."""
    night = begin(tmp_path, 3)
    assert (DEADLINE, []) == (turn_of(night).due_at, notices(night))


def test_a_block_without_listo_takes_it_back(tmp_path: Path) -> None:
    """The deadline is the old one again, and the players are told so."""
    night = begin(tmp_path)
    night.forum.write("3", MORE)
    go_to(night, START + timedelta(minutes=35))
    assert (DEADLINE, ["deadline-1", "deadline-2"]) == (turn_of(night).due_at, notices(night))
    go_to(night, DEADLINE + AFTER)
    public = "".join(post.text for post in night.forum.by_bot(TOPIC))
    assert (TurnStatus.PUBLISHED, True) == (turn_of(night).status, "otra/sur/1" in public)


def test_a_block_in_the_last_moment_takes_it_back_too(tmp_path: Path) -> None:
    """Only the closing reading sees it: the turn stays open."""
    night = begin(tmp_path)
    due = turn_of(night).due_at
    go_to(night, due - timedelta(minutes=1))
    night.clock.set(due - timedelta(seconds=20))
    night.forum.write("3", MORE)
    go_to(night, due + AFTER)
    assert (TurnStatus.OPEN, DEADLINE) == (turn_of(night).status, turn_of(night).due_at)
    assert ["deadline-1", "deadline-2"] == notices(night)


def test_a_pause_ends_the_delay(tmp_path: Path) -> None:
    """After it the delay begins anew."""
    night = begin(tmp_path)
    write(night, "pause = true")
    go_to(night, START + timedelta(minutes=32))
    go_to(night, DEADLINE)
    assert TurnStatus.OPEN is turn_of(night).status
    write(night, "pause = true", "resume = true")
    go_to(night, DEADLINE + timedelta(minutes=16))
    assert timedelta() < turn_of(night).due_at - (DEADLINE + timedelta(minutes=16)) <= COOLING


def test_a_pause_of_the_host_keeps_what_was_left_of_the_delay(tmp_path: Path) -> None:
    """Everything is later by its length."""
    night = begin(tmp_path)
    due = turn_of(night).due_at
    pause_all(night.service)
    night.clock.sleep(3 * 3600)
    resume_all(night.service)
    tick(night.service)
    assert timedelta() <= turn_of(night).due_at - (due + timedelta(hours=3)) < timedelta(seconds=5)


@pytest.mark.parametrize("where", [Checkpoint.RECEIPTS_QUEUED, Checkpoint.CLAIMED, Checkpoint.MARKED])
def test_a_worker_that_dies_tells_it_once(where: Checkpoint, tmp_path: Path) -> None:
    """Wherever the process dies, the players read once that the turn closes early."""
    night = start_night(tmp_path / "g", early=0.5)
    tick(night.service)
    night.forum.write("2", READY)
    night.forum.write("3", READY)
    night.clock.set(START + timedelta(minutes=16))
    with pytest.raises(Crash):
        tick(night.worker("b", DieAt(where, 1, crash)))
    night.service = night.worker("c")
    go_to(night, START + timedelta(minutes=26))
    go_to(night, START + timedelta(minutes=36))
    assert ["deadline-1"] == notices(night)
