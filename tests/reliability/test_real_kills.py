"""The demo's game of `conquista` killed where its own functions have just worked: the texts stay the same."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from processor.checkpoints import Checkpoint
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
AT_ONCE = 3

Left = tuple[list[tuple[str, str]], dict[str, str]]


@contextmanager
def start_night(folder: Path) -> Iterator[RealNight]:
    """A night before its first process."""
    with StandIn(ACCOUNTS, topics=TOPICS, rate_limits=True) as forum:
        yield RealNight(folder / "g", forum)


def look(night: RealNight) -> Left:
    """Posts by title and text, files by name."""
    return (night.judged(), night.files())


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Left:
    """What a night leaves that nothing disturbs."""
    with start_night(tmp_path_factory.mktemp("whole")) as night:
        assert 0 == night.play()
        return look(night)


def kill_and_restart(folder: Path, kill_at: Checkpoint) -> tuple[int, int, Left]:
    """The exit codes of the killed process and of the next, and what is left."""
    with start_night(folder) as night:
        codes = (night.play(kill_at), night.play())
        return *codes, look(night)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Mapping[Checkpoint, tuple[int, int, Left]]:
    """Every case, a few nights at a time."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        begun = {one: pool.submit(kill_and_restart, tmp_path_factory.mktemp("killed"), one) for one in CASES}
        return {one: future.result() for one, future in begun.items()}


def test_the_undisturbed_night_tells_everybody(undisturbed: Left) -> None:
    """In the topic opening, receipts and report; to each player the same in private; and a digest.

    What is longer than a post of the forum comes in parts, each once.
    """
    topics: dict[str, list[str]] = {}
    for title, text in undisturbed[0]:
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


@pytest.mark.parametrize("checkpoint", CASES)
def test_a_killed_night_ends_as_the_undisturbed(
    checkpoint: Checkpoint, killed: Mapping[Checkpoint, tuple[int, int, Left]], undisturbed: Left
) -> None:
    """The same receipts, reports and proofs, byte for byte, each once."""
    assert (-signal.SIGKILL, 0, undisturbed) == killed[checkpoint]
