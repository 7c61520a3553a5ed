"""The night killed at every checkpoint and started again leaves what the undisturbed night leaves.

The processes are real, the kill is SIGKILL or what it leaves (tests/support/night_deaths.py), the forum is
the stand-in in this process, and its own list of posts is the judge (reliability.md 4, F1).
"""

from __future__ import annotations

import re
import signal
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from processor.checkpoints import Checkpoint
from tests.support.forum_night import ACCOUNTS, TOPICS
from tests.support.night_deaths import (
    Case,
    EndAfter,
    Left,
    deaths,
    keep,
    list_cases,
    look,
    play_and_keep,
    put_back,
)
from tests.support.standin import StandIn
from tests.support.standin_night import StandInNight

POSTS = 8
"""Opening, receipts, two parts of the report; in private a receipt and a report, a question and a note."""
ELSEWHERE = frozenset((Checkpoint.VOIDED, Checkpoint.UPLOADED, Checkpoint.ANNOUNCED, Checkpoint.DRAWN))
"""Only what is voided comes to the first (test_attempt_kills.py), only forums that take pictures come to the
second (test_uploads.py), only who asks the beacon to the others.
"""
REACHED = tuple(one for one in Checkpoint if one not in ELSEWHERE)


@contextmanager
def start_night(folder: Path) -> Iterator[StandInNight]:
    """A night before its first process, with Spirit's own limits on posts and logins."""
    with StandIn(ACCOUNTS, topics=TOPICS, rate_limits=True) as forum:
        yield StandInNight(folder / "g", forum)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Left:
    """What a night leaves that nothing disturbs."""
    with start_night(tmp_path_factory.mktemp("whole")) as night:
        assert 0 == night.play()
        return look(night)


def doubt(night: StandInNight) -> None:
    """Let the forum lose an answer, so that the night has to read back what it sent."""
    night.forum.fail("store-then-drop", "publish")


@pytest.fixture(scope="module")
def reached(tmp_path_factory: pytest.TempPathFactory) -> Mapping[Checkpoint, int]:
    """How often each checkpoint is reached in a night with one lost answer."""
    with start_night(tmp_path_factory.mktemp("counted")) as night:
        doubt(night)
        assert 0 == night.play()
        return night.reached()


@contextmanager
def start_doubtful(folder: Path) -> Iterator[StandInNight]:
    """A night before its first process, with one answer that will be lost."""
    with start_night(folder) as night:
        doubt(night)
        yield night


@pytest.fixture(scope="module")
def places(reached: Mapping[Checkpoint, int]) -> Mapping[Case, str]:
    """The first time that each checkpoint is reached, and the last."""
    times = {"first": Counter(REACHED), "last": reached}
    return {(one, which): f"{one}:{counted[one]}" for which, counted in times.items() for one in REACHED}


@pytest.fixture(scope="module")
def end_after(places: Mapping[Case, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[EndAfter]:
    """The nights with a death."""
    with deaths(start_doubtful, frozenset(places.values()), tmp_path_factory.mktemp("killed")) as end:
        yield end


def test_the_undisturbed_night_is_whole(undisturbed: Left) -> None:
    """What the other nights are measured by: each text once, the report filed."""
    kinds = sorted(":".join(text.split("\n")[-1].split(":")[3:5]) for _, text in undisturbed.posts)
    public = ["open:1/1", "receipts:1/1", "report:1/2", "report:2/2"]
    private = ["answers-norte:1/1", "question-norte-p1:1/1", "receipt-sur:1/1", "report-sur:1/1"]
    expected = sorted(public + private)
    assert (expected, ["turn-001/informe.md", "turn-001/proof.json"]) == (kinds, sorted(undisturbed.files))


@pytest.mark.parametrize("checkpoint", REACHED)
def test_the_night_reaches_every_checkpoint(
    checkpoint: Checkpoint, reached: Mapping[Checkpoint, int]
) -> None:
    """A checkpoint that no night comes to would be a kill that nobody tests."""
    assert checkpoint in reached


@pytest.mark.parametrize("case", list_cases(REACHED), ids="-".join)
def test_a_killed_night_ends_as_the_undisturbed(
    case: Case, places: Mapping[Case, str], end_after: EndAfter, undisturbed: Left
) -> None:
    """One report, one set of receipts, byte for byte, wherever the first process died."""
    assert undisturbed == end_after(places[case])


@pytest.mark.sqlite
@pytest.mark.parametrize("place", ["posted:2", "resolved:1"])
def test_a_copy_is_what_a_kill_leaves(place: str, tmp_path: Path) -> None:
    """Posts, files, checkpoints, and each row of the database."""
    with start_night(tmp_path) as night:
        begin = keep(night, tmp_path / "begin")
        copied = play_and_keep(night, [place], tmp_path / "copied")[place]
        put_back(night, begin)
        assert -signal.SIGKILL == night.play(place)
        killed = (look(night), night.passed(), list_rows(night))
        put_back(night, copied)
        assert killed == (look(night), night.passed(), list_rows(night))


def list_rows(night: StandInNight) -> list[str]:
    """Each row of the night's database, but for the process that has written it."""
    with closing(sqlite3.connect(night.folder / "turnero.db")) as database:
        return [re.sub(r":\d+:[0-9a-f]{8}'", ":PROCESS'", row) for row in database.iterdump()]


@pytest.mark.parametrize(
    ("action", "event", "before"), [("publish", "stored", 7), ("edit", "edited", 0), ("private", "stored", 6)]
)
def test_a_process_killed_while_the_request_is_under_way(
    action: str, event: str, before: int, tmp_path: Path, undisturbed: Left
) -> None:
    """The forum has stored the text and is about to answer when the process dies."""
    with start_night(tmp_path) as night:
        night.forum.fail("slow", action, seconds=3.0)
        process = night.start()
        night.forum.wait_for(event, before + 1)
        process.kill()
        codes = (night.wait_for(process), night.play())
        assert ((-signal.SIGKILL, 0), undisturbed) == (codes, look(night))


@pytest.mark.parametrize("action", ["publish", "edit", "private"])
@pytest.mark.parametrize(
    "fault", ["drop-before-store", "store-then-drop", "error-before", "error-after", "flood", "limited"]
)
def test_a_request_that_goes_wrong_is_settled(
    action: str, fault: str, tmp_path: Path, undisturbed: Left
) -> None:
    """Whatever became of it, the text ends up in the forum once."""
    with start_night(tmp_path) as night:
        night.forum.fail(fault, action, times=2)
        assert (0, undisturbed) == (night.play(), look(night))


def test_every_process_killed_after_each_text(tmp_path: Path, undisturbed: Left) -> None:
    """A night that never gets further than one text at a time ends like any other."""
    with start_night(tmp_path) as night:
        codes = [night.play("settled:2") for _ in range(4)]
        assert ([-signal.SIGKILL] * 4, 0, undisturbed) == (codes, night.play(), look(night))


@pytest.mark.parametrize("seconds", [15.0, 60.0])
def test_a_text_that_shows_up_late_is_found(seconds: float, tmp_path: Path, undisturbed: Left) -> None:
    """The answer is lost and the post is seen later: within the quiet time it is found, and after that
    Spirit's rule against repeated texts leads back to it.
    """
    with start_night(tmp_path) as night:
        night.forum.fail("store-then-drop", "publish", visible_after=seconds)
        assert (0, undisturbed) == (night.play(), look(night))
