"""The night on a real Spirit forum, killed before, during and after the request that publishes the report."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jobs.demo.spirit_server import Build, SpiritServer
from tests.support.forum_night import ACCOUNTS, TOPICS
from tests.support.served_night import ServedNight

REPORT = 3
"""After the deadline two receipts are edited; the third request is the report's first part."""


@contextmanager
def start_night(build: Build, folder: Path) -> Iterator[ServedNight]:
    """A night up to the deadline: opened, ordered in the topic and in private, receipted."""
    with SpiritServer(build, ACCOUNTS, topics=TOPICS, settings={"ST_RATELIMIT_ENABLE": False}) as forum:
        night = ServedNight(folder / "g", forum, {"lease": 3, "quiet": 1})
        night.run_free(-120)
        assert 0 == night.play()
        night.order("alice", "dado")
        night.whisper("bob", "secreto")
        night.run_free(-60)
        assert 0 == night.play()
        night.run_free(2)
        yield night


@pytest.fixture(scope="module")
def undisturbed(spirit_build: Build, tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """What a night leaves that nothing disturbs."""
    with start_night(spirit_build, tmp_path_factory.mktemp("whole")) as night:
        assert 0 == night.play()
        return night.judged()


def test_the_undisturbed_night_is_whole(undisturbed: list[tuple[str, str]]) -> None:
    """Opening, receipts and report in the topic, receipt and report in private, each once."""
    kinds = sorted(":".join(text.split("\n")[-1].split(":")[3:5]) for _, text in undisturbed)
    expected = ["open:1/1", "receipt-sur:1/1", "receipts:1/1", "report-sur:1/1", "report:1/2", "report:2/2"]
    assert expected == kinds


@pytest.mark.parametrize("where", ["leaving", "answered"])
def test_killed_before_and_after_the_request(
    where: str, spirit_build: Build, tmp_path: Path, undisturbed: list[tuple[str, str]]
) -> None:
    """One report, one set of receipts, byte for byte, by the forum's own list of posts."""
    with start_night(spirit_build, tmp_path) as night:
        codes = (night.play(kill_at=f"{where}:{REPORT}"), night.play())
        assert ((-signal.SIGKILL, 0), undisturbed) == (codes, night.judged())


def test_killed_during_the_request(
    spirit_build: Build, tmp_path: Path, undisturbed: list[tuple[str, str]]
) -> None:
    """The forum has the request and hasn't answered when the process dies; the text is stored anyway."""
    with start_night(spirit_build, tmp_path) as night:
        process = night.start(stop_at=f"leaving:{REPORT}")
        night.wait_until_stopped(process)
        with night.frozen_forum():
            os.kill(process.pid or 0, signal.SIGCONT)
            time.sleep(0.5)  # the request goes out; were it to stay, the test would be easier, not wrong
            process.kill()
            killed = night.wait_for(process)
        codes = (killed, night.play())
        assert ((-signal.SIGKILL, 0), undisturbed) == (codes, night.judged())
