"""A night of the demo's game of `conquista`, with the real pipeline, on the stand-in forum."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from shutil import copytree
from string import Template
from typing import Any

from jobs.demo import players
from jobs.demo.forum_server import Account, ForumServer, OpeningPost
from jobs.demo.plays import conquista
from jobs.demo.stage import GAMES
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
