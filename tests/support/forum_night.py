"""The small game's night on a forum of its own, played by real processes that may be killed."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from multiprocessing import forkserver
from multiprocessing.connection import wait
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from typing import Any

from jobs.demo.forum_server import Account, ForumServer, OpeningPost
from processor.checkpoints import Checkpoint
from tests.support.databases import new_url
from tests.support.hand_clock import DEADLINE
from tests.support.night_process import Held, play
from tests.support.small_game import write_folder
from tests.support.standin import StandIn

_ONE_AT_A_TIME = threading.Lock()
ROOT = Path(__file__).resolve().parents[2]
PASSWORD = "Passw0rd-turnero"
ACCOUNTS = (
    Account("gm", "Passw0rd-gm", staff=True),
    Account("alice", "Passw0rd-alice"),
    Account("bob", "Passw0rd-bob"),
    Account("turnero", PASSWORD, zone="Europe/Madrid"),
)
TITLE = "Partida pequeña"
TOPICS = (OpeningPost(TITLE, "Aquí se juega.", "gm"),)


@dataclass
class ForumNight:
    """A game's folder, its database and its forum. settings: of the small game."""

    folder: Path
    forum: StandIn | ForumServer
    settings: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.write_game()
        self.database = new_url(self.folder)

    def write_game(self) -> None:
        """The game's folder."""
        accounts = {
            "norte": [self.forum.accounts["alice"], "alice"],
            "sur": [self.forum.accounts["bob"], "bob"],
        }
        told = {"url": self.forum.url, "topic": self.forum.topics[TITLE], "accounts": accounts}
        write_folder(self.folder, **{"lease": 60, "quiet": 20, **told, **self.settings})

    def turn_clock(self, offset: timedelta) -> None:
        """Set the forum's clock so far ahead of the real one."""
        raise NotImplementedError

    def whisper(self, name: str, word: str) -> None:
        """A block by private message, now."""
        raise NotImplementedError

    def order(self, name: str, word: str) -> str:
        """A block in the topic, now."""
        return self.forum.write_post(self.forum.topics[TITLE], name, block(word))

    def run_free(self, minutes: float, **told: Any) -> None:
        """From now on the night runs by the real clock, shifted: processes may run at the same time.

        minutes: after the deadline, that it is now. told: settings of the night's processes.
        """
        offset = DEADLINE + timedelta(minutes=minutes) - datetime.now(UTC)
        self.turn_clock(offset)
        self.write_settings(**{"offset": offset.total_seconds(), "min_interval": 0.0, "budget": 20.0, **told})

    def write_settings(self, **told: Any) -> None:
        """What the night's processes are told."""
        reached = str(self.folder / "reached")
        whole = {"password": PASSWORD, **told, "database": self.database, "reached": reached}
        (self.folder / "night.json").write_text(json.dumps(whole), encoding="utf-8")

    def start(
        self, kill_at: str | None = None, stop_at: str | None = None, held: Held | None = None
    ) -> ForkServerProcess:
        """A process that plays the night from where it stands.

        stop_at: checkpoint at which it freezes. held: checkpoints at which it waits.
        """
        told = {"TURNERO_KILL_AT": kill_at, "TURNERO_STOP_AT": stop_at}
        environ = {key: value for key, value in told.items() if value}
        with _ONE_AT_A_TIME:
            process = processes().Process(target=play, args=(self.folder, environ, held))
            process.start()
        return process

    def play(self, kill_at: str | None = None) -> int:
        """Play the night to its end, or to where the process is killed; the exit code."""
        return self.wait_for(self.start(kill_at))

    def wait_for(self, process: ForkServerProcess) -> int:
        """Wait until a process has ended, by itself or killed; the exit code."""
        wait([process.sentinel], timeout=120)
        code = exit_code(process)
        assert code in (0, -signal.SIGKILL), f"{code}\n{self.errors()}"
        return code

    def wait_until_stopped(self, process: ForkServerProcess) -> None:
        """Wait for a process to freeze itself."""
        stat = Path(f"/proc/{process.pid}/stat")
        for _ in range(1200):
            assert exit_code(process) is None, self.errors()
            if stat.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[0] == "T":
                return
            time.sleep(0.05)
        raise TimeoutError("the process never came to where it stops")

    def errors(self) -> str:
        """The tracebacks of all processes so far."""
        path = self.folder / "errors"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def passed(self) -> list[Checkpoint]:
        """The checkpoints that all processes have reached so far, in order."""
        return [Checkpoint(name) for name in (self.folder / "reached").read_text(encoding="ascii").split()]

    def reached(self) -> Counter[Checkpoint]:
        """How often each checkpoint was reached by all processes so far."""
        return Counter(self.passed())

    def judged(self) -> list[tuple[str, str]]:
        """The bot's posts as the forum has them, sorted: the topic's title, and the text but for our port."""
        mine = (post for post in self.forum.posts() if post["author"] == "turnero")
        return sorted((post["title"], post["text"].replace(self.forum.url, "FORO")) for post in mine)

    def files(self) -> dict[str, str]:
        """The reports in the folder, by path."""
        lies = self.folder / "reports"
        found = (one for one in lies.rglob("*") if one.is_file())
        return {
            str(one.relative_to(lies)): one.read_bytes()
            .decode("utf-8", "backslashreplace")  # the pictures
            .replace(self.forum.url, "FORO")
            for one in found
        }


@cache
def processes() -> ForkServerContext:
    """Where processes come from: a server that has everything loaded and forks."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.support.night_warm"])
    # The server looks for the module where it is told to, not where we do.
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(ROOT)
    try:
        forkserver.ensure_running()
    finally:
        del os.environ["PYTHONPATH"]
        if before is not None:
            os.environ["PYTHONPATH"] = before
    return context


def exit_code(process: ForkServerProcess) -> int | None:
    """How a process ended; None: it still runs.

    A code can be read once only, and starting a process reads those of all others: never two at a time, or
    one of them takes the code and the other sees 255.
    """
    with _ONE_AT_A_TIME:
        return process.exitcode


def block(word: str) -> str:
    """A block with one order."""
    return f"[órdenes]\ntirar {word}\n[/órdenes]"
