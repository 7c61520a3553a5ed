"""Sets the scene of a night: a real forum with its people, and the game's folder with a deadline to come."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from string import Template
from zoneinfo import ZoneInfo

from jobs.clock import SystemClock
from jobs.demo.browser import Browser
from jobs.demo.play import Play
from jobs.demo.players import BOT, DIRECTOR, Person, password_of
from jobs.demo.spirit_server import Account, OpeningPost, SpiritServer, install_spirit
from jobs.folders import SETUP
from jobs.pipeline import PIPELINE
from jobs.settings import Settings
from jobs.starting.examples import find_example
from jobs.wiring import assemble
from processor.forums.http import ForumHttp, Limits
from processor.forums.spirit import SPIRIT, SpiritForum
from processor.gate import Gate
from processor.service.bundle import Service
from processor.service.registering import register_game
from rules.engine.registry import load_ruleset
from rules.play.game import Game

GAMES = Path(__file__).with_name("games")
ZONE, OTHER_ZONE = "Europe/Madrid", "America/Argentina/Buenos_Aires"
NIGHT_HOURS = (1, 2)
"""No turn closes between 02:00 and 03:00; who runs the demo about then plays by other clocks."""
LEAST_TIME = 30.0
"""Seconds that the players get at least; a slow machine gives them more."""
PER_LOGIN = 25.0
"""Seconds for each second that a login takes, which is hashing and tells how slow a machine is."""
# Spirit lets five people in within five minutes and one post in ten seconds from each: right for a forum,
# but this one has to fit into a few minutes.
_UNLIMITED = {"ST_RATELIMIT_ENABLE": False}
_PAUSE = 1.0


@dataclass(frozen=True, slots=True)
class Stage:
    """What a night plays on. people: by account name. zone: of the game and all accounts.

    deadline, closes: UTC; the second is when the deadline's minute is over.
    """

    server: SpiritServer
    people: dict[str, Browser]
    folder: Path
    service: Service
    game: str
    topic: str
    zone: str
    deadline: datetime
    closes: datetime

    @property
    def bot(self) -> str:
        """The account id of the game's account."""
        return self.server.accounts[BOT]

    @property
    def topic_url(self) -> str:
        """Where the game is played."""
        return f"{self.server.url}/topic/{self.topic}/"

    @property
    def reports(self) -> Path:
        """Where the first turn's report, proof and texts lie."""
        return self.folder / "reports" / "turn-001"


@contextmanager
def set_stage(play: Play, folder: Path, forum: Path, say: Callable[[str], None]) -> Iterator[Stage]:
    """Boot a forum, let everybody in, write and register the game; the forum ends with the block.

    folder: emptied first. forum: where Spirit is installed, or found installed. Raises ForumBootError.
    """
    build, zone = install_spirit(forum, say), _choose_zone()
    say("Arranco el foro y entran la directora, turnero y cuatro jugadores")
    names = (DIRECTOR, BOT, *(one.name for one in play.people))
    accounts = [Account(name, password_of(name), zone=zone) for name in names]
    opening = OpeningPost(play.title, play.welcome, DIRECTOR)
    with SpiritServer(build, accounts, topics=(opening,), settings=_UNLIMITED) as server:
        people, slowest = _let_in(server, play.people)
        deadline = _choose_deadline(max(LEAST_TIME, PER_LOGIN * slowest))
        path = write_game(play, folder / "partida", server, zone, deadline)
        service = _make_service(folder)
        try:
            game, closes = register_game(service, path).id, deadline + timedelta(minutes=1)
            yield Stage(
                server, people, path, service, game, server.topics[play.title], zone, deadline, closes
            )
        finally:
            service.database.close()


def _choose_zone() -> str:
    return OTHER_ZONE if datetime.now(ZoneInfo(ZONE)).hour in NIGHT_HOURS else ZONE


def _let_in(server: SpiritServer, players: Sequence[Person]) -> tuple[dict[str, Browser], float]:
    """Everybody's browser, logged in, and the seconds that the slowest login took."""
    people, slowest = {}, 0.0
    for name in (DIRECTOR, *(one.name for one in players)):
        began = time.monotonic()
        people[name] = Browser(server.url)
        people[name].log_in(name, password_of(name))
        slowest = max(slowest, time.monotonic() - began)
    return people, slowest


def _choose_deadline(seconds: float) -> datetime:
    """The first full minute that leaves so many seconds to play, UTC."""
    least = datetime.now(UTC) + timedelta(seconds=seconds)
    return least.replace(second=0, microsecond=0) + timedelta(minutes=1)


def copy_game(play: Play, path: Path) -> None:
    """The play's files as they are; where it brings no setup, that of the rule set's example."""
    shutil.copytree(GAMES / play.ruleset, path)
    if not (path / SETUP).exists():
        example = find_example(load_ruleset(play.ruleset))
        if example is None:
            raise FileNotFoundError(f"{play.ruleset} has no example to play")
        (path / SETUP).write_bytes((example / SETUP).read_bytes())


def write_game(play: Play, path: Path, server: SpiritServer, zone: str, deadline: datetime) -> Path:
    """Write the game's folder: the play's files with what only the running forum knows."""
    shutil.rmtree(path, ignore_errors=True)
    copy_game(play, path)
    known = {one.name: server.accounts[one.name] for one in play.people} | {
        "url": f"{server.url}/",
        "topic": server.topics[play.title],
        "zone": zone,
        "first": deadline.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M:%S"),
    }
    file = path / "game.toml"
    file.write_text(Template(file.read_text(encoding="utf-8")).substitute(known), encoding="utf-8")
    return path


def _make_service(folder: Path) -> Service:
    gate = Gate()
    for old in folder.glob("turnero.db*"):
        old.unlink()
    settings = Settings(f"sqlite:///{folder.resolve() / 'turnero.db'}", folder)

    @cache
    def connect(url: str, account: str, zone: str) -> SpiritForum:
        http = ForumHttp(url, limits=Limits(gap=0.0), checkpoint=gate)
        return SpiritForum(
            url, account, password_of(account), zone, http, replace(SPIRIT, min_interval=_PAUSE)
        )

    def open_forum(game: Game) -> SpiritForum:
        return connect(game.forum.url, game.forum.account, game.forum.zone)

    return assemble(settings, PIPELINE, open_forum, gate=gate, clock=SystemClock())
