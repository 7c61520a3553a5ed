"""Leases and fences: one worker acts, an overtaken one can write nothing (reliability.md 2.2)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from processor import leases
from processor.leases import Lease, LeaseLost
from processor.store import turns
from processor.store.tables import turns as table
from rules.play.turns import TurnStatus
from tests.support.small_night import Night, start_night

LENGTH = timedelta(minutes=5)


@pytest.fixture
def night(tmp_path: Path) -> Night:
    """A planned turn."""
    return start_night(tmp_path / "g")


def claim(night: Night, owner: str = "a", seen: TurnStatus = TurnStatus.PLANNED) -> Lease | None:
    """Try to take the turn, as it was seen."""
    with night.service.database.read() as connection:
        turn = replace(turns.find_turn(connection, 1), status=seen)
    return leases.claim(night.service.database, night.clock, turn, owner, LENGTH)


def take(night: Night, owner: str = "a") -> Lease:
    """Take the turn, which must be free."""
    lease = claim(night, owner)
    assert lease is not None
    return lease


def rename(night: Night, lease: Lease, reason: str) -> None:
    """Write something as the lease's holder."""
    with leases.fenced(night.service.database, lease) as connection:
        turns.change_turn(connection, 1, reason=reason)


def fail_half_way(night: Night, lease: Lease) -> None:
    """Write, then fail before the commit."""
    with leases.fenced(night.service.database, lease) as connection:
        turns.change_turn(connection, 1, reason="a medias")
        raise RuntimeError


def reason(night: Night) -> str | None:
    """What was written."""
    with night.service.database.read() as connection:
        told: str | None = connection.execute(select(table.c.reason)).scalar_one()
    return told


def test_a_held_turn_is_not_given_twice(night: Night) -> None:
    """Until its time is over, or it was given back."""
    first = take(night)
    assert None is claim(night, "b")
    leases.release(night.service.database, first)
    assert 2 == take(night, "b").fence


def test_a_lease_ends(night: Night) -> None:
    """One that isn't renewed is free after its length, not before."""
    take(night)
    night.clock.sleep(LENGTH.total_seconds())
    assert None is claim(night, "b")
    night.clock.sleep(1)
    assert 2 == take(night, "b").fence


def test_a_turn_in_another_state_is_not_given(night: Night) -> None:
    """Who looked before somebody else finished the step comes too late."""
    assert None is claim(night, seen=TurnStatus.OPEN)


def test_who_was_overtaken_writes_nothing(night: Night) -> None:
    """The fence has risen: the write is refused before anything happens."""
    old = take(night)
    night.clock.sleep(LENGTH.total_seconds() + 1)
    new = take(night, "b")
    rename(night, new, "nuevo")
    with pytest.raises(LeaseLost):
        rename(night, old, "viejo")
    assert "nuevo" == reason(night)


def test_who_was_overtaken_gives_nothing_back(night: Night) -> None:
    """A late release doesn't free what another worker holds."""
    old = take(night)
    night.clock.sleep(LENGTH.total_seconds() + 1)
    take(night, "b")
    leases.release(night.service.database, old)
    assert None is claim(night, "c")


def test_a_renewed_lease_runs_anew(night: Night) -> None:
    """For the holder's clock and for the others'."""
    lease = take(night)
    night.clock.sleep(200)
    lease = leases.renew(night.service.database, night.clock, lease)
    night.clock.sleep(200)
    leases.require_time(night.clock, lease)
    assert None is claim(night, "b")


def test_who_was_overtaken_cannot_renew(night: Night) -> None:
    """The lease is somebody else's."""
    old = take(night)
    night.clock.sleep(LENGTH.total_seconds() + 1)
    take(night, "b")
    with pytest.raises(LeaseLost):
        leases.renew(night.service.database, night.clock, old)


def test_the_holder_looks_at_the_monotonic_clock(night: Night) -> None:
    """A wall clock that steps back makes no lease longer."""
    lease = take(night)
    night.clock.sleep(LENGTH.total_seconds())
    night.clock.step(timedelta(hours=-1))
    with pytest.raises(LeaseLost):
        leases.require_time(night.clock, lease)


def test_a_failed_write_is_undone(night: Night) -> None:
    """An exception inside leaves nothing behind."""
    lease = take(night)
    with pytest.raises(RuntimeError):
        fail_half_way(night, lease)
    assert None is reason(night)
