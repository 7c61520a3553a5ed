"""Nights of the toy fair with the real pipeline on the forum in memory, for what a turn asks its players."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any

from jobs.catalogues import load_catalogue
from jobs.pipeline import PIPELINE
from jobs.tick import tick
from parsers.files.toml_text import write_toml
from processor.checkpoints import Reach
from processor.ports import Beacon
from processor.service.bundle import LoadedGame, Service
from processor.service.looking import Look, look_at
from processor.service.registering import register_game
from processor.store import games, turns
from rules.engine.codec import load_state
from rules.engine.messages import Name
from rules.play.game import ForumSettings, Game, NmrPolicy, Policies, Schedule, Seat
from rules.play.posts import Post
from rules.play.turns import TurnRef, TurnStatus
from tests.support.databases import new_database
from tests.support.hand_clock import DEADLINE, HandClock
from tests.support.memory_forum import BOT, TOPIC, Kept, MemoryForum
from tests.support.small_night import make_service
from tests.toy.ruleset import RULESET
from tests.toy.state import Options, State

PLAYERS = {"Ana": ("2", "ana"), "Bea": ("3", "bea"), "Ciro": ("4", "ciro")}
DIRECTOR = ("9", "gm")
CLOSED = DEADLINE + timedelta(minutes=2)
SETUP: dict[str, Any] = {
    "folk": {
        "Ana": {"coins": 5, "prizes": ["peluche"]},
        "Bea": {"coins": 5, "prizes": ["botijo"]},
        "Ciro": {"coins": 5},
    },
    "stalls": {
        "tombola": {"name": "Tómbola", "price": 1, "prizes": ["abanico"], "places": 3},
        "tiro": {"name": "Tiro al blanco", "price": 1, "prizes": ["gorra"], "outdoor": True},
    },
}


class PageForum(MemoryForum):
    """A forum that shows its authors' line breaks, as real ones do."""

    def _shown(self, post: Kept) -> Post:
        shown = super()._shown(post)
        return replace(shown, html=(shown.html or "").replace("\n", "<br>"))


@dataclass
class FairNight:
    """A registered fair. folder: of the game."""

    folder: Path
    clock: HandClock
    forum: PageForum
    service: Service

    def tick(self, *, at: datetime | None = None, after: timedelta | None = None) -> None:
        """Do what is due, at a moment, or some time from now."""
        if at is not None:
            self.clock.set(at)
        if after is not None:
            self.clock.sleep(after.total_seconds())
        tick(self.service)

    def post(self, seat: str, *lines: str) -> Kept:
        """A block in the topic."""
        return self.forum.write(PLAYERS[seat][0], block(*lines))

    def whisper(self, seat: str, *lines: str) -> Kept:
        """A block by private message."""
        return self.forum.whisper(PLAYERS[seat][0], block(*lines))

    def correct(self, *entries: dict[str, Any]) -> None:
        """The override file of the first turn."""
        path = self.folder / "overrides" / "turn-001.toml"
        path.parent.mkdir(exist_ok=True)
        tables = ("[[override]]\n" + write_toml(one) for one in entries)
        path.write_text("\n".join(tables), encoding="utf-8")

    def status(self, number: int = 1) -> TurnStatus:
        """Where a turn is."""
        with self.service.database.read() as connection:
            turn = turns.find_attempt(connection, TurnRef("feria", number))
        assert turn is not None
        return turn.status

    def worker(self, name: str, reach: Reach) -> Service:
        """Another worker over the same database and forum."""
        return replace(self.service, owner=name, reach=reach)

    def look(self) -> Look:
        """The game as `status` sees it."""
        with self.service.database.read() as connection:
            row = games.get_game(connection, "feria")
        return look_at(self.service, row)

    def told(self, seat: str) -> str:
        """What we have written to a seat (or the director) in private, as it stands now."""
        account = DIRECTOR[0] if seat == "director" else PLAYERS[seat][0]
        own = [key for key, (_, people) in self.forum.conversations.items() if account in people]
        return "\n".join(post.text for key in own for post in self.forum.by_bot(key))

    def public(self) -> str:
        """What we have written in the topic, as it stands now."""
        return "\n".join(post.text for post in self.forum.by_bot(TOPIC))

    def kinds(self, topic: str | None = None) -> list[str]:
        """Our posts by kind, in the order in which they were written."""
        return [post.text.split("\n")[-1].strip("`").split(":")[3] for post in self.forum.by_bot(topic)]


def block(*lines: str) -> str:
    """A block as players write it."""
    return "\n".join(("[órdenes]", *lines, "[/órdenes]"))


def start_night(
    folder: Path,
    *,
    secret: bool = False,
    policies: Policies | None = None,
    proof: str = "seed",
    beacon: Beacon | None = None,
) -> FairNight:
    """A fair whose topic has an opening post by the director."""
    folder.mkdir()
    loaded = _load(secret, policies or Policies(nmr=NmrPolicy.DEFAULT, breaker=2.0))
    loaded = replace(loaded, game=replace(loaded.game, proof=proof))
    database, clock = new_database(), HandClock()
    accounts = {login: account for account, login in (*PLAYERS.values(), DIRECTOR)}
    forum = PageForum(clock, accounts={"turnero": BOT, **accounts})
    forum.write(DIRECTOR[0], "Aquí se juega.")
    pipeline = replace(
        PIPELINE,
        load_game=lambda folder: loaded,
        load_setup=lambda folder, loaded: load_state(State, SETUP),
    )
    service = replace(make_service(database, clock, forum, beacon=beacon), pipeline=pipeline)
    register_game(service, folder)
    return FairNight(folder, clock, forum, service)


def _load(secret: bool, policies: Policies) -> LoadedGame:
    seats = tuple(Seat(seat, account, login, Name(seat)) for seat, (account, login) in PLAYERS.items())
    game = Game(
        id="feria",
        title="La feria",
        ruleset="feria",
        language="es",
        zone="Europe/Madrid",
        forum=ForumSettings("spirit", "http://foro.example", TOPIC, "turnero", "Europe/Madrid", secret),
        schedule=Schedule(time(22), datetime(2026, 12, 6, 22), every_days=7),  # noqa: DTZ001 - local time
        seats=seats,
        policies=policies,
        options=Options(),
        director=DIRECTOR[1],
    )
    return LoadedGame(game, RULESET, load_catalogue("es", RULESET.package), "http://foro.example/tema")
