"""Several processes at once, and one that freezes and wakes up after its lease (reliability.md F3, F4)."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest

from tests.support.forum_night import ACCOUNTS, TOPICS
from tests.support.standin import StandIn
from tests.support.standin_night import StandInNight

CLOSED, LATER, EVENING = 2, -60, -120


@pytest.fixture
def night(tmp_path: Path) -> Iterator[StandInNight]:
    """A night by the real clock, with a lease of 2 seconds and a quiet time of 1."""
    with StandIn(ACCOUNTS, topics=TOPICS) as forum:
        yield StandInNight(tmp_path / "g", forum, {"lease": 2, "quiet": 1})


def run(night: StandInNight, processes: int, minutes: int) -> None:
    """Let processes do whatever is due at that minute of the night."""
    night.run_free(minutes=minutes)
    finish(night, [night.start() for _ in range(processes)])


def finish(night: StandInNight, processes: list[ForkServerProcess]) -> None:
    """Wait for processes; none may fail."""
    assert [0] * len(processes) == [night.wait_for(process) for process in processes]


def order(night: StandInNight) -> None:
    """A public block and a private one."""
    night.order("alice", "dado")
    night.whisper("bob", "secreto")


def kinds(night: StandInNight) -> list[str]:
    """The markers of the bot's posts, sorted, without hashes."""
    return sorted(":".join(text.split("\n")[-1].split(":")[2:5]) for _, text in night.judged())


WHOLE = [
    "1.1:open:1/1",
    "1.1:receipt-sur:1/1",
    "1.1:receipts:1/1",
    "1.1:report-sur:1/1",
    "1.1:report:1/2",
    "1.1:report:2/2",
]


@pytest.mark.parametrize("processes", [2, 8])
def test_processes_at_once_leave_one_night(processes: int, night: StandInNight) -> None:
    """Whoever comes second finds the lease taken, or nothing left to do."""
    run(night, processes, EVENING)
    order(night)
    run(night, processes, LATER)
    run(night, processes, CLOSED)
    edits = [event.what for event in night.forum.events("edited")]
    assert (WHOLE, 2) == (kinds(night), len(edits))


@pytest.mark.parametrize("where", ["posted:1", "marked:2", "resolved:1", "frozen:1", "edited:1"])
def test_another_process_takes_over_from_a_killed_one(where: str, night: StandInNight) -> None:
    """It waits until the lease is over and, for a text of unknown fate, until the forum would show it."""
    run(night, 1, EVENING)
    order(night)
    run(night, 1, LATER)
    night.run_free(minutes=CLOSED)
    doomed = night.start(kill_at=where)
    doomed.join()
    other = night.start()
    code = night.wait_for(doomed)
    finish(night, [other])
    assert (WHOLE, -signal.SIGKILL) == (kinds(night), code)


@pytest.mark.parametrize("where", ["marked:1", "posted:1", "topic-read:1", "edited:1", "computed:1"])
def test_a_process_that_wakes_up_after_its_lease_changes_nothing(where: str, night: StandInNight) -> None:
    """Before the request its own clock stops it, after the request the fence does."""
    run(night, 1, EVENING)
    order(night)
    run(night, 1, LATER)
    night.run_free(minutes=CLOSED)
    frozen = night.start(stop_at=where)
    night.wait_until_stopped(frozen)
    finish(night, [night.start()])
    before = (night.forum.posts(), night.files())
    os.kill(frozen.pid or 0, signal.SIGCONT)
    night.wait_for(frozen)
    assert (WHOLE, before) == (kinds(night), (night.forum.posts(), night.files()))
