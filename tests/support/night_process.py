"""The small game's night as a process of its own: the real tick, over a real file and a forum on loopback.

The folder holds the game, and `night.json`: database, password, and either `clock` (a file with the forum's
time, which this process turns as it sleeps; one night then takes a second) or `offset` (seconds to the real
clock, where processes have to run at the same time). `moments`: at which a tick is due.
`drawn`: a folder in which drawn pictures are kept.
TURNERO_KILL_AT kills it, TURNERO_STOP_AT freezes it; `reached` is a file that gets each checkpoint's name.
Held at checkpoints, it waits there until it is told to go on.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import processor.folder
from jobs import pipeline as real
from jobs.adapters import ADAPTERS
from jobs.settings import Settings
from jobs.tick import tick
from jobs.wiring import OnlineForums, assemble
from processor.checkpoints import Checkpoint, DieAt, Reach, parse_kill_at
from processor.forums.http import Limits
from processor.gate import Gate
from processor.ports import Clock
from processor.service.bundle import Service
from processor.service.registering import register_game
from processor.store.database import Database
from reporters.pictures.drawing import draw_png
from tests.support import small_game
from tests.support.small_night import IdleForum

PIPELINES = {"small": small_game.PIPELINE, "real": real.PIPELINE}
BUDGET = 200.0
"""Seconds of the night's clock that a tick may take: enough to wait for a lease and the quiet time."""


class FileClock:
    """A clock that a file holds, so that it goes on where a killed process left it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._start = self.now()

    def now(self) -> datetime:
        """Wall clock, UTC."""
        return datetime.fromisoformat(self._path.read_text(encoding="ascii"))

    def monotonic(self) -> float:
        """Seconds since the process began."""
        return (self.now() - self._start).total_seconds()

    def sleep(self, seconds: float) -> None:
        """Move on."""
        self.set(self.now() + timedelta(seconds=seconds))

    def set(self, moment: datetime) -> None:
        """Move on to a moment; never back."""
        draft = self._path.with_suffix(f".{os.getpid()}")
        draft.write_text(max(moment, self.now()).isoformat(), encoding="ascii")
        draft.replace(self._path)


class ShiftedClock:
    """The real clock, some seconds ahead."""

    def __init__(self, offset: float) -> None:
        self._offset = timedelta(seconds=offset)

    def now(self) -> datetime:
        """Wall clock, UTC."""
        return datetime.now(UTC) + self._offset

    def monotonic(self) -> float:
        """Seconds that never jump."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


def _record(inner: Reach, path: Path) -> Reach:
    def reach(checkpoint: Checkpoint) -> None:
        with path.open("a", encoding="ascii") as file:
            file.write(f"{checkpoint}\n")
        inner(checkpoint)

    return reach


def _both(one: Reach, other: Reach) -> Reach:
    def reach(checkpoint: Checkpoint) -> None:
        one(checkpoint)
        other(checkpoint)

    return reach


@dataclass(frozen=True, slots=True)
class Held:
    """Checkpoints, as `name:n`, at which a process says where it is and waits to be told to go on."""

    at: frozenset[str]
    pipe: Connection

    def watch(self, database: Database) -> Reach:
        """What the process does at each checkpoint; no transaction may be open there."""
        seen: Counter[Checkpoint] = Counter()

        def reach(checkpoint: Checkpoint) -> None:
            seen[checkpoint] += 1
            name = f"{checkpoint}:{seen[checkpoint]}"
            if name in self.at:
                database.assert_idle()
                self.pipe.send(name)
                self.pipe.recv()

        return reach


def keep_drawn(folder: Path) -> Callable[[str], bytes]:
    """`draw_png`, which draws each picture once for all nights that share a folder."""

    def draw(svg: str) -> bytes:
        path = folder / hashlib.sha256(svg.encode()).hexdigest()
        if not path.exists():
            draft = path.with_suffix(f".{os.getpid()}")
            draft.write_bytes(draw_png(svg))
            draft.replace(path)
        return path.read_bytes()

    return draw


def make_service(folder: Path, told: dict[str, Any], clock: Clock, held: Held | None = None) -> Service:
    """As `turnero tick` would, with the small game's functions and a constant seed."""
    gate = Gate()
    limits = Limits(deadline=20.0, gap=0.0, retries=0, backoff=0.01, longest=0.05)
    adapters = dict(ADAPTERS)
    if "min_interval" in told:
        interval = told["min_interval"]
        adapters = {
            name: replace(one, capabilities=replace(one.capabilities, min_interval=interval))
            for name, one in ADAPTERS.items()
        }
    forums = OnlineForums(folder / "data", gate, clock, lambda game: str(told["password"]), limits, adapters)
    settings = Settings(told["database"], folder / "data", os.environ.get("TURNERO_KILL_AT"))
    pipeline = PIPELINES[told.get("pipeline", "small")]
    service = assemble(settings, pipeline, forums, gate=gate, clock=clock, random_bytes=lambda n: b"\x07" * n)
    reach = _record(service.reach, Path(told["reached"]))
    if "TURNERO_STOP_AT" in os.environ:
        stop = DieAt(
            *parse_kill_at(os.environ["TURNERO_STOP_AT"]), lambda: os.kill(os.getpid(), signal.SIGSTOP)
        )
        reach = _both(reach, stop)
    if held is not None:
        reach = _both(reach, held.watch(service.database))
    return replace(service, reach=reach, open_forum=lambda game: IdleForum(forums(game), service.database))


def play(folder: Path, environ: dict[str, str], held: Held | None = None) -> None:
    """Play the night from wherever it stands; a traceback goes to a file `errors` in the folder."""
    os.environ.update(environ)
    try:
        _play(folder, held)
    except BaseException:
        with (folder / "errors").open("a", encoding="utf-8") as file:
            traceback.print_exc(file=file)
        raise


def _play(folder: Path, held: Held | None = None) -> None:
    told = json.loads((folder / "night.json").read_text(encoding="utf-8"))
    if "drawn" in told:
        vars(processor.folder)["draw_png"] = keep_drawn(Path(told["drawn"]))
    if "clock" in told:
        clock = FileClock(Path(told["clock"]))
        service = make_service(folder, told, clock, held)
        register_game(service, folder)
        for moment in told["moments"]:
            clock.set(datetime.fromisoformat(moment))
            tick(service, budget=BUDGET, patience=BUDGET)
    else:
        service = make_service(folder, told, ShiftedClock(told["offset"]), held)
        register_game(service, folder)
        tick(service, budget=told["budget"], patience=told["budget"])
