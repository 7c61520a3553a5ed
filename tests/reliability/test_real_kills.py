"""The demo's game of `conquista` killed where its own functions have just worked: the texts stay the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from processor.checkpoints import Checkpoint
from tests.support.night_deaths import EndAfter, Left, deaths, look
from tests.support.real_night import ACCOUNTS, TOPICS, RealNight
from tests.support.standin import StandIn

CASES = (
    Checkpoint.OPENED,
    Checkpoint.RECEIPTS_QUEUED,
    Checkpoint.EDITED,
    Checkpoint.FROZEN,
    Checkpoint.LOCKED,
    Checkpoint.COMPUTED,
    Checkpoint.RESOLVED,
    Checkpoint.VERIFIED,
)
PLACES = {one: f"{one}:1" for one in CASES}


@contextmanager
def start_night(folder: Path) -> Iterator[RealNight]:
    """A night before its first process."""
    with StandIn(ACCOUNTS, topics=TOPICS, rate_limits=True) as forum:
        yield RealNight(folder / "g", forum)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Left:
    """What a night leaves that nothing disturbs."""
    with start_night(tmp_path_factory.mktemp("whole")) as night:
        assert 0 == night.play()
        return look(night)


@pytest.fixture(scope="module")
def end_after(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EndAfter]:
    """The nights with a death."""
    with deaths(start_night, PLACES.values(), tmp_path_factory.mktemp("killed")) as end:
        yield end


def test_the_undisturbed_night_tells_everybody(undisturbed: Left) -> None:
    """In the topic opening, receipts and report; to each player the same in private; and a digest.

    What is longer than a post of the forum comes in parts, each once.
    """
    topics: dict[str, list[str]] = {}
    for title, text in undisturbed.posts:
        kind, part = text.split("\n")[-1].split(":")[3:5]
        topics.setdefault(title.removeprefix("Bruma sobre Nácar").removeprefix(" — "), []).append(
            f"{kind.split('-')[0]} {part}"
        )
    private = ["open 1/1", "receipt 1/1", "report 1/1"]
    expected = {
        "": ["open 1/1", "receipts 1/1", "report 1/2", "report 2/2"],
        "Alianza del Faro": private,
        "Corsarios": private,
        "Hermandad": private,
        "Sindicato": ["open 1/1", "report 1/1"],
        "director": ["digest 1/2", "digest 2/2"],
    }
    assert expected == {title: sorted(kinds) for title, kinds in topics.items()}


@pytest.mark.parametrize(
    "checkpoint",
    # On PostgreSQL what the real functions make is stored and read once; test_kills.py dies everywhere there.
    [pytest.param(one, marks=() if one is Checkpoint.RESOLVED else pytest.mark.sqlite) for one in CASES],
)
def test_a_killed_night_ends_as_the_undisturbed(
    checkpoint: Checkpoint, end_after: EndAfter, undisturbed: Left
) -> None:
    """The same receipts, reports and proofs, byte for byte, each once."""
    assert undisturbed == end_after(PLACES[checkpoint])
