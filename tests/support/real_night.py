"""A night of the demo's game of `conquista`, with the real pipeline, on the stand-in forum."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from shutil import copytree
from string import Template
from typing import Any

from jobs.demo import players
from jobs.demo.forum_server import Account, ForumServer, OpeningPost
from jobs.demo.plays import conquista
from jobs.demo.stage import GAMES
from rules.play.posts import Published
from tests.support.forum_fixtures import enter
from tests.support.forum_night import ForumNight
from tests.support.standin import StandIn
from tests.support.standin_night import EVENING, LATER, StandInNight

ACCOUNTS = tuple(
    Account(name, players.password_of(name), staff=name == players.DIRECTOR, zone="Europe/Madrid")
    for name in (players.DIRECTOR, players.BOT, *(one.name for one in conquista.PLAYERS))
)
TOPICS = (OpeningPost(conquista.TOPIC, conquista.WELCOME, players.DIRECTOR),)
_DRAWN = tempfile.TemporaryDirectory()
SETTINGS = {"lease": "60s", "quiet": "20s", "reading": "15m", "reading_late": "2m"}


@dataclass
class RealNight(StandInNight):
    """The demo's players order as in the demo; the deadline is that of the small game."""

    def write_game(self) -> None:
        """See `ForumNight.write_game`: the demo's files, with the times of the kill tests."""
        write_bruma(self.folder, self.forum)

    def write_settings(self, **told: Any) -> None:
        """See `ForumNight.write_settings`."""
        drawn = {"drawn": _DRAWN.name}
        super().write_settings(pipeline="real", password=players.password_of(players.BOT), **drawn, **told)

    def script(self) -> list[tuple[datetime, Callable[[], object]]]:
        """See `StandInNight.script`."""
        topic = self.forum.topics[conquista.TOPIC]
        early, late = EVENING + timedelta(minutes=20), LATER + timedelta(minutes=20)
        return [
            (early, lambda: self.whisper_text("marta", conquista.MARTA_ORDERS)),
            (early, lambda: self.whisper_text("quique", conquista.QUIQUE_ORDERS)),
            (early, lambda: self.forum.write_post(topic, "ines", conquista.INES_ORDERS)),
            (late, lambda: self.whisper_text("quique", conquista.QUIQUE_AGAIN)),
        ]


@dataclass
class TimedNight(ForumNight):
    """The same on a real forum, whose clock is the night's file: it moves as the processes sleep, and nobody
    waits for anything. told: further settings of the night's processes.
    """

    forum: ForumServer
    told: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.clock = self.folder / "clock"
        self.set_clock(EVENING)
        self.forum.follow_clock(self.clock)

    def write_game(self) -> None:
        """See `ForumNight.write_game`."""
        write_bruma(self.folder, self.forum)

    def write_settings(self, **told: Any) -> None:
        """See `ForumNight.write_settings`."""
        known = {"pipeline": "real", "password": players.password_of(players.BOT), "drawn": _DRAWN.name}
        super().write_settings(**known, **self.told, **told)

    def set_clock(self, moment: datetime) -> None:
        """Move the night on to a moment."""
        self.clock.write_text(moment.isoformat(), encoding="ascii")

    def play_until(self, moment: datetime, kill_at: str | None = None) -> int:
        """Let what is due at a moment be done, and what a forum has put off in the quarter of an hour behind
        it; see `ForumNight.play`.
        """
        moments = [(moment + timedelta(minutes=late)).isoformat() for late in range(0, 16, 3)]
        self.write_settings(clock=str(self.clock), moments=moments)
        return self.play(kill_at)

    def order_early(self) -> None:
        """Two players order in private, one in the topic."""
        self.set_clock(EVENING + timedelta(minutes=20))
        self._whisper("marta", conquista.MARTA_ORDERS)
        self.set_clock(EVENING + timedelta(minutes=21))
        self._whisper("quique", conquista.QUIQUE_ORDERS)
        self.forum.write_post(self.forum.topics[conquista.TOPIC], "ines", conquista.INES_ORDERS)

    def order_late(self) -> None:
        """One of them changes his mind."""
        self.set_clock(LATER + timedelta(minutes=20))
        self._whisper("quique", conquista.QUIQUE_AGAIN)

    def _whisper(self, name: str, text: str) -> None:
        account = next(one for one in ACCOUNTS if one.name == name)
        sent = enter(self.forum, account).send_private(players.BOT, "Mis órdenes", text)
        assert isinstance(sent, Published), sent


def write_bruma(folder: Path, forum: StandIn | ForumServer, settings: Mapping[str, str] = SETTINGS) -> None:
    """The demo's game in a folder, for a forum of any software. settings: instead of the demo's."""
    copytree(GAMES / "conquista", folder)
    known = {one.name: json.dumps(forum.accounts[one.name]) for one in conquista.PLAYERS} | {
        "url": f"{forum.url}/",
        "topic": forum.topics[conquista.TOPIC],
        "zone": "Europe/Madrid",
        "first": "2026-12-06T22:00:00",
    }
    path, ours = folder / "game.toml", {**settings, "software": forum.software}
    lines = Template(path.read_text(encoding="utf-8")).substitute(known).splitlines()
    path.write_text("\n".join(_with(line, ours) for line in lines), encoding="utf-8")


def _with(line: str, settings: Mapping[str, str]) -> str:
    key = line.split(" =", maxsplit=1)[0]
    return f'{key} = "{settings[key]}"' if key in settings else line
