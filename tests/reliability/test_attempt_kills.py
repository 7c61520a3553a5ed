"""A night whose turn is voided and repeated, killed at every checkpoint behind that and started again, leaves
what the undisturbed one leaves: each text of each attempt once (reliability.md 4, F1).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from processor.checkpoints import Checkpoint
from tests.support.forum_night import ACCOUNTS, TOPICS
from tests.support.night_deaths import Case, EndAfter, Left, deaths, list_cases, look
from tests.support.standin import StandIn
from tests.support.voided_night import VoidedNight

ELSEWHERE = frozenset(
    (Checkpoint.ASKED, Checkpoint.HEARD, Checkpoint.UPLOADED, Checkpoint.ANNOUNCED, Checkpoint.DRAWN)
)
"""Nothing is asked any more: the first attempt's answer isn't needed in the second. Nothing is uploaded, no
beacon is asked.
"""
REACHED = tuple(one for one in Checkpoint if one not in ELSEWHERE)
COMMITTED = (Checkpoint.VOIDED, Checkpoint.OPENED, Checkpoint.POSTED, Checkpoint.LOCKED, Checkpoint.RESOLVED)
"""What another attempt stores otherwise than the first, whose deaths test_kills.py has on both databases."""


@contextmanager
def start_night(folder: Path) -> Iterator[VoidedNight]:
    """A night before its first process."""
    with StandIn(ACCOUNTS, topics=TOPICS, rate_limits=True) as forum:
        yield VoidedNight(folder / "g", forum)


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
def places(whole: tuple[Left, list[Checkpoint]]) -> Mapping[Case, str]:
    """The first time that each checkpoint is reached from the step of the first void on, and the last."""
    passed = whole[1]
    void = passed.index(Checkpoint.VOIDED)
    begin = max(at for at in range(void) if passed[at] is Checkpoint.CLAIMED)
    before, in_all = Counter(passed[:begin]), Counter(passed)
    assert [] == [one for one in REACHED if in_all[one] <= before[one]]
    times = {"first": before + Counter(REACHED), "last": in_all}
    return {(one, which): f"{one}:{counted[one]}" for which, counted in times.items() for one in REACHED}


@pytest.fixture(scope="module")
def end_after(places: Mapping[Case, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[EndAfter]:
    """The nights with a death."""
    with deaths(start_night, frozenset(places.values()), tmp_path_factory.mktemp("killed")) as end:
        yield end


def test_the_undisturbed_night_has_three_attempts(undisturbed: Left) -> None:
    """Two are voided, each by a post of its own; only what is open gets an opening; each has its report."""
    public = [text.split("\n")[-1].split(":") for title, text in undisturbed.posts if "pequeña" in title]
    kinds = sorted(f"{parts[2]} {parts[3]} {parts[4]}" for parts in public)
    opened = ["1.1 open 1/1", "1.1 receipts 1/1", "1.2 open 1/1", "1.2 receipts 1/1"]
    reports = [f"1.{attempt} report {part}/2" for attempt in (1, 2, 3) for part in (1, 2)]
    assert sorted([*opened, *reports, "1.1 void 1/1", "1.2 void 1/1"]) == kinds


@pytest.mark.parametrize("case", list_cases(REACHED, COMMITTED), ids="-".join)
def test_a_killed_night_ends_as_the_undisturbed(
    case: Case, places: Mapping[Case, str], end_after: EndAfter, undisturbed: Left
) -> None:
    """Whoever starts next brings the attempts to the same end, byte for byte."""
    assert undisturbed == end_after(places[case])
