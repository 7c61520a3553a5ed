"""Many games of the small kind on one host, each with its topic in a forum that lies in a file: so several
processes can play them, and fifty cost little without HTTP and pages.
"""

from __future__ import annotations

import fcntl
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from jobs.tick import tick
from processor.gate import Gate
from processor.service.bundle import Service
from processor.service.registering import register_game
from processor.store.database import Database
from rules.play.game import Game
from tests.support.databases import new_url, open_database
from tests.support.forum_night import processes
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import MemoryForum
from tests.support.night_process import ShiftedClock
from tests.support.small_game import write_folder
from tests.support.small_night import IdleForum, make_service

ACCOUNTS = {"turnero": "1", "alice": "2", "bob": "3", "gm": "9"}


@dataclass(frozen=True, slots=True)
class FileForum:
    """One game's forum in a file: each request loads it, and stores it again, while all others wait."""

    path: Path
    clock: ShiftedClock
    gate: Gate

    @contextmanager
    def use(self) -> Iterator[MemoryForum]:
        """The forum as it is, for one request."""
        with self.path.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            forum: MemoryForum = pickle.load(file)  # noqa: S301 - we wrote it
            forum.clock, forum.gate = self.clock, self.gate
            try:
                yield forum
            finally:
                forum.clock, forum.gate = ShiftedClock(0), Gate()
                file.seek(0)
                file.truncate()
                pickle.dump(forum, file)

    def __getattr__(self, name: str) -> Any:
        if name == "capabilities":
            with self.use() as forum:
                return forum.capabilities

        def call(*args: Any, **more: Any) -> Any:
            with self.use() as forum:
                return getattr(forum, name)(*args, **more)

        return call


@dataclass(frozen=True, slots=True)
class ManyNights:
    """So many games on one host. folder: holds theirs, and their forums."""

    folder: Path
    count: int
    database: str

    @classmethod
    def begin(cls, folder: Path, count: int) -> ManyNights:
        """Registered games in whose topics everybody has ordered."""
        nights = cls(folder, count, new_url(folder))
        database, clock = open_database(nights.database), nights.clock(-120)
        for name in nights.games():
            nights._begin(database, clock, name)
        return nights

    def games(self) -> list[str]:
        """Their ids."""
        return [f"partida-{number:02}" for number in range(self.count)]

    def forum(self, name: str, clock: ShiftedClock, gate: Gate | None = None) -> FileForum:
        """A game's."""
        return FileForum(self.folder / f"{name}.forum", clock, gate or Gate())

    def clock(self, minutes: float) -> ShiftedClock:
        """The real clock, shifted so that it is so many minutes after the deadline now."""
        return ShiftedClock((DEADLINE + timedelta(minutes=minutes) - datetime.now(UTC)).total_seconds())

    def start(self, clock: ShiftedClock, number: int) -> ForkServerProcess:
        """A process that does what is due. clock: the same for all that work at once."""
        process = processes().Process(target=work, args=(self, clock, f"w{number}"))
        process.start()
        return process

    def service(self, database: Database, clock: ShiftedClock, owner: str) -> Service:
        """A worker over all games."""
        gate = Gate()
        service = make_service(database, clock, None, owner=owner)
        return replace(service, gate=gate, open_forum=lambda game: self._open(game, database, clock, gate))

    def _open(self, game: Game, database: Database, clock: ShiftedClock, gate: Gate) -> Any:
        return IdleForum(self.forum(game.id, clock, gate), database)

    def _begin(self, database: Database, clock: ShiftedClock, name: str) -> None:
        forum = MemoryForum(clock, accounts=ACCOUNTS)
        forum.write("9", "Aquí se juega.")
        forum.write("2", "[órdenes]\ntirar dado\n[/órdenes]")
        forum.write("3", "[órdenes]\ntirar otro\n[/órdenes]")
        (self.folder / f"{name}.forum").write_bytes(pickle.dumps(forum))
        folder = write_folder(self.folder / name, id=name, lease=60, quiet=1)
        register_game(self.service(database, clock, "a"), folder)


def work(nights: ManyNights, clock: ShiftedClock, owner: str) -> None:
    """What each process does."""
    database = Database(nights.database)
    tick(nights.service(database, clock, owner), budget=300.0, patience=2.0)
    database.close()
