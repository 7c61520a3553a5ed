"""How many override files a step reads: those that have changed, however many turns a game has had."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update

from jobs.tick import tick
from processor.folder import SETTLED, DiskFolder
from processor.service.bundle import Service
from processor.service.voiding import follow_voids
from processor.store import games
from processor.store.tables import states, turns
from rules.play.turns import TurnRef
from tests.support.small_night import Night, start_night

TURNS = 50
NOTHING = "# nada que corregir\n"
OTHER = '[[override]]\nvoid = 1\norders = "reopen"\nreason = "No"\n'


class CountingFolder(DiskFolder):
    """Notes which turns' override files are read. ahead: nanoseconds by which files seem older."""

    def __init__(self, ahead: int = 2 * SETTLED) -> None:
        super().__init__(lambda: time.time_ns() + ahead)
        self.read: list[int] = []
        self.check: Callable[[], None] = lambda: None

    def read_overrides(self, folder: Path, ref: TurnRef) -> str:
        """See `Folder.read_overrides`."""
        self.check()
        self.read.append(ref.turn)
        return super().read_overrides(folder, ref)


@dataclass
class Long:
    """A game that has had fifty turns, each with an override file that corrects nothing."""

    night: Night
    folder: CountingFolder = field(default_factory=CountingFolder)

    @property
    def service(self) -> Service:
        """A process's service."""
        return replace(self.night.service, folder=self.folder)

    def path(self, number: int) -> Path:
        """A turn's override file."""
        return self.night.folder / "overrides" / f"turn-{number:03}.toml"

    def look(self) -> list[int]:
        """What a step reads to learn whether anything is to be voided."""
        self.folder.read.clear()
        self.folder.check = self.night.service.database.assert_idle  # no transaction is open meanwhile
        with self.night.service.database.read() as connection:
            row = games.get_game(connection, "pequena")
        follow_voids(self.service, row, self.service.pipeline.load_game(self.night.folder))
        return self.folder.read

    def attempts(self, number: int) -> list[tuple[int, str]]:
        """The attempts at a turn and how they stand."""
        found = select(turns.c.attempt, turns.c.status).where(turns.c.number == number)
        with self.night.service.database.read() as connection:
            return [(row.attempt, row.status) for row in connection.execute(found.order_by(turns.c.attempt))]


@pytest.fixture
def long(tmp_path: Path) -> Long:
    """The game, whose files were all looked at once."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    _add_turns(night)
    made = Long(night)
    made.path(1).parent.mkdir()
    for number in range(1, TURNS + 1):
        made.path(number).write_text(NOTHING, encoding="utf-8")
    assert list(range(1, TURNS + 1)) == sorted(made.look())
    return made


def _add_turns(night: Night) -> None:
    """Turns like the first behind it, all but the last of them published."""
    with night.service.database.write() as connection:
        turn = {**connection.execute(select(turns)).mappings().one()}
        state = {**connection.execute(select(states)).mappings().one()}
        first = turn.pop("id")
        ids = {number: first + number - 1 for number in range(2, TURNS + 1)}
        connection.execute(insert(turns), [turn | {"number": one} for one in ids])
        connection.execute(insert(states), [state | {"turn_id": ids[one]} for one in ids])
        over = {"status": "published", "next_at": None}
        connection.execute(update(turns).where(turns.c.number < TURNS).values(**over))


def test_a_step_reads_its_own_file_alone(long: Long) -> None:
    """Nor does a new process read what has not changed: what was looked at stands in the database."""
    assert [] == long.look()
    again = replace(long, folder=CountingFolder())
    assert [] == again.look()
    again.night.clock.sleep(3600)
    assert tick(again.service, budget=0.5, patience=0).steps
    assert {TURNS} == set(again.folder.read)


def test_what_has_changed_is_read(long: Long) -> None:
    """Also where the file is as long as before and says that it is as old: nobody can set all its times."""
    before = long.path(17).stat()
    long.path(17).write_text(NOTHING.replace("nada", "algo"), encoding="utf-8")
    os.utime(long.path(17), ns=(before.st_atime_ns, before.st_mtime_ns))
    assert [17] == long.look()
    assert [] == long.look()


def test_a_file_that_was_just_written_is_read_until_it_has_settled(long: Long) -> None:
    """Two changes within one tick of the file system's clock can't be told apart."""
    for number in range(1, TURNS + 1):
        long.path(number).unlink()
    long.path(17).write_text(NOTHING, encoding="utf-8")
    fresh = replace(long, folder=CountingFolder(0))
    assert ([17], [17]) == ([*fresh.look()], [*fresh.look()])
    assert ([17], []) == ([*long.look()], [*long.look()])


def test_a_file_that_voids_a_turn_is_followed_once(long: Long) -> None:
    """With the earliest go those behind it; what was voided stays so, and then nothing is read again."""
    for number in (45, 40):
        long.path(number).write_text(OTHER, encoding="utf-8")
    long.look()
    assert [[(1, "published")], [(1, "void"), (2, "planned")]] == [long.attempts(n) for n in (39, 40)]
    assert [(1, "void")] == long.attempts(45)
    assert [40] == long.look()
    assert [] == long.look()
    assert [(1, "void"), (2, "planned")] == long.attempts(40)


def test_an_entry_for_the_next_attempt_is_not_overlooked(long: Long) -> None:
    """The stamp is of an attempt: what stood there when the first was looked at may be about the second."""
    long.path(TURNS).write_text(OTHER.replace("void = 1", "void = 2"), encoding="utf-8")
    assert [TURNS] == long.look()
    long.path(TURNS).write_text(OTHER + OTHER.replace("void = 1", "void = 2"), encoding="utf-8")
    long.look()
    assert [(1, "void"), (2, "planned")] == long.attempts(TURNS)
    long.look()
    assert [TURNS] == long.look()
