"""A turn waits once more for who has no orders at its deadline (design.md 1, *grace period*)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from jobs.tick import tick
from processor.checkpoints import Checkpoint, DieAt
from rules.play.turns import TurnStatus
from tests.reliability.test_clock import AFTER, DAY, Crash, crash, go_to, notices, turn_of, write
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import TOPIC
from tests.support.small_night import Night, start_night

BLOCK, OTHER = "[órdenes]\ntirar dado\n[/órdenes]", "[órdenes]\ntirar otra\n[/órdenes]"
GRACE = timedelta(hours=12)


def begin(folder: Path, grace: float | None = 12) -> Night:
    """An open turn in which one of two has ordered."""
    night = start_night(folder / "g", grace=grace)
    tick(night.service)
    night.forum.write("2", BLOCK)
    return night


def public(night: Night) -> str:
    """What stands in the topic."""
    return "".join(post.text for post in night.forum.by_bot(TOPIC))


def test_a_turn_waits_once_for_who_has_no_orders(tmp_path: Path) -> None:
    """Twelve hours more, which the topic tells once; whoever orders meanwhile counts."""
    night = begin(tmp_path)
    go_to(night, DEADLINE + AFTER)
    assert (TurnStatus.OPEN, DEADLINE + GRACE) == (turn_of(night).status, turn_of(night).due_at)
    assert "Aún faltan órdenes" in public(night)
    night.forum.write("3", OTHER)
    go_to(night, DEADLINE + timedelta(hours=1))
    go_to(night, DEADLINE + GRACE + AFTER)
    assert (TurnStatus.PUBLISHED, ["deadline-1"]) == (turn_of(night).status, notices(night))
    assert "otra/sur/1" in public(night)


def test_the_second_time_a_turn_is_closed_without_them(tmp_path: Path) -> None:
    """Who hasn't ordered by then has had their chance."""
    night = begin(tmp_path)
    go_to(night, DEADLINE + AFTER)
    go_to(night, DEADLINE + GRACE + AFTER)
    assert (TurnStatus.PUBLISHED, ["deadline-1"]) == (turn_of(night).status, notices(night))


@pytest.mark.parametrize("grace", [None, 12])
def test_some_turns_need_no_grace(grace: float | None, tmp_path: Path) -> None:
    """Where the game gives none, and where nobody is missing."""
    night = begin(tmp_path, grace)
    if grace is not None:
        night.forum.write("3", OTHER)
    go_to(night, DEADLINE + AFTER)
    assert (TurnStatus.PUBLISHED, []) == (turn_of(night).status, notices(night))


def test_the_director_may_give_more_on_top(tmp_path: Path) -> None:
    """An extension counts from the planned deadline, and the grace comes with it."""
    night = begin(tmp_path)
    go_to(night, DEADLINE + AFTER)
    write(night, 'extend = "24h"')
    go_to(night, DEADLINE + timedelta(hours=1))
    assert (DEADLINE + DAY + GRACE, ["deadline-1", "deadline-2"]) == (turn_of(night).due_at, notices(night))


@pytest.mark.parametrize("where", [Checkpoint(one) for one in ("closing-read", "frozen", "marked", "posted")])
def test_a_worker_that_dies_tells_it_once(where: Checkpoint, tmp_path: Path) -> None:
    """Wherever the process dies, there is one grace and one notice."""
    night = begin(tmp_path)
    go_to(night, DEADLINE - timedelta(minutes=1))
    night.clock.set(DEADLINE + AFTER)
    with pytest.raises(Crash):
        tick(night.worker("b", DieAt(where, 1, crash)))
    night.service = night.worker("c")
    go_to(night, DEADLINE + timedelta(minutes=12))
    go_to(night, DEADLINE + timedelta(minutes=24))
    assert (DEADLINE + GRACE, ["deadline-1"]) == (turn_of(night).due_at, notices(night))
