"""Services around the small game: clocks that are turned by hand, databases in memory, nights to play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from processor.checkpoints import Reach, pass_by
from processor.folder import DiskFolder
from processor.gate import Gate
from processor.ports import Beacon, BeaconError, Forum
from processor.service.bundle import Service
from processor.service.registering import register_game
from processor.store.database import Database
from rules.play.beacons import Pulse
from tests.support.databases import new_database, open_database
from tests.support.hand_clock import DEADLINE, HandClock
from tests.support.memory_forum import MemoryForum
from tests.support.small_game import PIPELINE, write_folder


class SilentBeacon:
    """A beacon that nobody should ask."""

    def fetch(self, number: int) -> Pulse:
        """See `Beacon.fetch`."""
        raise BeaconError(f"nobody is there to ask for round {number}")


class IdleForum:
    """A forum that refuses to be used while a transaction is open (reliability.md F25)."""

    def __init__(self, forum: Forum, database: Database) -> None:
        self._forum = forum
        self._database = database

    def __getattr__(self, name: str) -> Any:
        held = getattr(self._forum, name)
        if not callable(held):
            return held

        def call(*args: Any, **more: Any) -> Any:
            self._database.assert_idle()
            return held(*args, **more)

        return call


@dataclass
class Night:
    """A game in a folder with its forum in memory."""

    folder: Path
    clock: HandClock
    forum: MemoryForum
    service: Service

    def worker(self, name: str, reach: Reach = pass_by) -> Service:
        """Another worker over the same database and forum."""
        return replace(self.service, owner=name, reach=reach)


def make_service(
    database: Database,
    clock: Any,
    forum: Any,
    *,
    owner: str = "a",
    reach: Reach = pass_by,
    random_bytes: Callable[[int], bytes] = lambda n: b"\x07" * n,
    beacon: Beacon | None = None,
) -> Service:
    """A service over the small game; `random_bytes` is constant so that nights can be compared."""
    gate = forum.gate if isinstance(forum, MemoryForum) else Gate()
    return Service(
        database=database,
        clock=clock,
        pipeline=PIPELINE,
        open_forum=lambda game: IdleForum(forum, database),
        folder=DiskFolder(),
        random_bytes=random_bytes,
        owner=owner,
        gate=gate,
        reach=reach,
        beacon=beacon or SilentBeacon(),
    )


def start_night(
    folder: Path,
    url: str | None = None,
    random_bytes: Callable[[int], bytes] = lambda n: b"\x07" * n,
    now: datetime = DEADLINE - timedelta(hours=2),
    **settings: Any,
) -> Night:
    """A registered game whose topic has an opening post by the director.

    url: of a migrated database, None for a new one. now: when it begins. settings: of the small game.
    """
    write_folder(folder, **settings)
    database = open_database(url) if url else new_database()
    clock = HandClock(now)
    forum = MemoryForum(clock, accounts={"turnero": "1", "alice": "2", "bob": "3", "gm": "9"})
    forum.write("9", "Aquí se juega.")
    service = make_service(database, clock, forum, random_bytes=random_bytes)
    register_game(service, folder)
    return Night(folder, clock, forum, service)
