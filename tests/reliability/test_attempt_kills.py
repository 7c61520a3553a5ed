"""A night whose turn is voided and repeated, killed at every checkpoint behind that and started again, leaves
what the undisturbed one leaves: each text of each attempt once (reliability.md 4, F1).
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from processor.checkpoints import Checkpoint
from tests.support.forum_night import ACCOUNTS, TOPICS
from tests.support.standin import StandIn
from tests.support.voided_night import VoidedNight

AT_ONCE = 3
BEFORE = frozenset((Checkpoint.ASKED, Checkpoint.HEARD, Checkpoint.ANNOUNCED, Checkpoint.DRAWN))
"""Nothing is asked any more: the first attempt's answer isn't needed in the second. No beacon is asked."""
REACHED = tuple(one for one in Checkpoint if one not in BEFORE)
Case = tuple[Checkpoint, str]
CASES: tuple[Case, ...] = tuple((one, which) for one in REACHED for which in ("first", "last"))

Left = tuple[list[tuple[str, str]], dict[str, str]]
"""Posts by title and text, files by name."""


@contextmanager
def start_night(folder: Path) -> Iterator[VoidedNight]:
    """A night before its first process."""
    with StandIn(ACCOUNTS, topics=TOPICS, rate_limits=True) as forum:
        yield VoidedNight(folder / "g", forum)


def look(night: VoidedNight) -> Left:
    """What is left."""
    return night.judged(), night.files()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Left, list[Checkpoint]]:
    """What the night leaves that nothing disturbs but a lost answer behind each void, and what it reached."""
    with start_night(tmp_path_factory.mktemp("whole")) as night:
        assert 0 == night.play()
        return look(night), night.passed()


@pytest.fixture(scope="module")
def undisturbed(whole: tuple[Left, list[Checkpoint]]) -> Left:
    """What the undisturbed night leaves."""
    return whole[0]


@pytest.fixture(scope="module")
def occurrences(whole: tuple[Left, list[Checkpoint]]) -> Mapping[Case, int]:
    """The first time that each checkpoint is reached from the step of the first void on, and the last."""
    passed = whole[1]
    void = passed.index(Checkpoint.VOIDED)
    begin = max(at for at in range(void) if passed[at] is Checkpoint.CLAIMED)
    before, in_all = Counter(passed[:begin]), Counter(passed)
    assert [] == [one for one in REACHED if in_all[one] <= before[one]]
    return {(one, which): before[one] + 1 if which == "first" else in_all[one] for one, which in CASES}


def kill_and_restart(folder: Path, kill_at: str) -> tuple[int, int, Left]:
    """The exit codes of the killed process and of the next, and what is left."""
    with start_night(folder) as night:
        return night.play(kill_at), night.play(), look(night)


@pytest.fixture(scope="module")
def killed(
    occurrences: Mapping[Case, int], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Mapping[Case, tuple[int, int, Left]]]:
    """Every case, a few nights at a time: most of a night is waiting for a process to start."""
    wanted = {case: f"{case[0]}:{occurrences[case]}" for case in CASES}
    places = {at: tmp_path_factory.mktemp("killed") for at in dict.fromkeys(wanted.values())}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        begun = {at: pool.submit(kill_and_restart, place, at) for at, place in places.items()}
        yield {case: begun[at].result() for case, at in wanted.items()}


def test_the_undisturbed_night_has_three_attempts(undisturbed: Left) -> None:
    """Two are voided, each by a post of its own; only what is open gets an opening; each has its report."""
    public = [text.split("\n")[-1].split(":") for title, text in undisturbed[0] if "pequeña" in title]
    kinds = sorted(f"{parts[2]} {parts[3]} {parts[4]}" for parts in public)
    opened = ["1.1 open 1/1", "1.1 receipts 1/1", "1.2 open 1/1", "1.2 receipts 1/1"]
    reports = [f"1.{attempt} report {part}/2" for attempt in (1, 2, 3) for part in (1, 2)]
    assert sorted([*opened, *reports, "1.1 void 1/1", "1.2 void 1/1"]) == kinds


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_a_killed_night_ends_as_the_undisturbed(
    case: Case, killed: Mapping[Case, tuple[int, int, Left]], undisturbed: Left
) -> None:
    """Whoever starts next brings the attempts to the same end, byte for byte."""
    assert (-signal.SIGKILL, 0, undisturbed) == killed[case]
