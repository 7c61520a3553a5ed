"""Nights whose first process dies at a checkpoint, and what the next process makes of what is left.

On SQLite one night is played, and at each checkpoint that is asked for a copy is made of all that a process
leaves that dies there: the folder with the database's files as they lie, the clock, the forum. The night goes
on from the copy, so what comes before a death is played once for all of them. On PostgreSQL each death is
a SIGKILL, since there the server has to notice that a session has died.
"""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import pytest

from processor.checkpoints import Checkpoint
from tests.support.databases import on_postgres
from tests.support.night_process import Held
from tests.support.standin import Kept
from tests.support.standin_night import StandInNight


@dataclass(frozen=True, slots=True)
class Left:
    """What a night left behind: posts by title and text, files by name."""

    posts: list[tuple[str, str]]
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class Moment:
    """What a process leaves that dies. folder: a copy. script: what people are yet to do."""

    folder: Path
    forum: Kept
    script: tuple[tuple[datetime, Callable[[], object]], ...]


Case = tuple[Checkpoint, str]
"""A checkpoint, and which time it is reached: `first` or `last`."""
Start = Callable[[Path], AbstractContextManager[StandInNight]]
"""A night before its first process, in a folder."""
EndAfter = Callable[[str], Left]
"""What a night leaves whose first process dies at a checkpoint, `name:n`; each is played once."""


def list_cases(checkpoints: Collection[Checkpoint], on_both: Collection[Checkpoint] = ()) -> tuple[Any, ...]:
    """The parameters of a test about each checkpoint's first time and last.

    On PostgreSQL the first ones are enough: they show that each state of a night outlives its session, and
    what the next process makes of a state is the same code on both. on_both: those tried there, () for all.
    """
    both = frozenset(on_both or checkpoints)
    return tuple(
        pytest.param((one, which), marks=() if which == "first" and one in both else pytest.mark.sqlite)
        for one in checkpoints
        for which in ("first", "last")
    )


def look(night: StandInNight) -> Left:
    """What is left."""
    return Left(night.judged(), night.files())


@contextmanager
def deaths(start: Start, at: Collection[str], folder: Path) -> Iterator[EndAfter]:
    """Nights with deaths at checkpoints of which each is one of `at`."""
    if on_postgres():
        yield cache(lambda where: _kill(start, where, folder / where))
        return
    with start(folder) as night:
        moments = play_and_keep(night, at, folder / "moments")
        yield cache(lambda where: _go_on(night, moments[where]))


def _kill(start: Start, where: str, folder: Path) -> Left:
    folder.mkdir()
    with start(folder) as night:
        assert (-signal.SIGKILL, 0) == (night.play(where), night.play()), night.errors()
        return look(night)


def _go_on(night: StandInNight, moment: Moment) -> Left:
    put_back(night, moment)
    assert 0 == night.play(), night.errors()
    return look(night)


def play_and_keep(night: StandInNight, at: Collection[str], folder: Path) -> Mapping[str, Moment]:
    """Play a night to its end, and keep each of these moments of it, in a folder."""
    ours, its = Pipe()
    process = night.start(held=Held(frozenset(at), its))
    its.close()
    moments: dict[str, Moment] = {}
    with ours, suppress(EOFError):  # the process has ended
        while True:
            where = ours.recv()
            moments[where] = keep(night, folder / where)
            ours.send(None)
    assert (0, set(at)) == (night.wait_for(process), set(moments)), night.errors()
    return moments


def keep(night: StandInNight, folder: Path) -> Moment:
    """Copy what is there. No process of the night may be doing anything."""
    shutil.copytree(night.folder, folder)
    return Moment(folder, night.forum.keep(), tuple(night.people.script))


def put_back(night: StandInNight, moment: Moment) -> None:
    """Make everything as it was, in the same places."""
    shutil.rmtree(night.folder)
    shutil.copytree(moment.folder, night.folder)
    night.forum.put_back(moment.forum)
    night.people.script[:] = moment.script
