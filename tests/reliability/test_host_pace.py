"""A night of fifty games on one forum keeps the host's pace, and the director sees until when it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from jobs.adapters import tempo_of
from jobs.commands.status_text import describe_backlog
from jobs.demo.forum_server import Account, OpeningPost
from jobs.tick import tick
from jobs.wiring import OnlineForums
from processor.forums.http import Limits
from processor.gate import Gate
from processor.service.backlog import Backlog, Tempo, measure_backlogs
from processor.service.bundle import Service
from processor.service.looking import look_at
from processor.service.registering import register_game
from processor.store import games, outbox_rows
from processor.store.outbox_rows import Waiting
from rules.play.game import ForumSettings
from tests.support.databases import new_database
from tests.support.forum_night import ACCOUNTS
from tests.support.hand_clock import DEADLINE, HandClock
from tests.support.small_game import write_folder
from tests.support.small_night import make_service, start_night
from tests.support.standin import StandIn

GAMES = 50
GAP, FLOOD = 1.0, 10.0
BOTS = (Account("turnero", "Passw0rd-turnero"), Account("relojero", "Passw0rd-relojero"))


@dataclass
class Host:
    """Fifty games on one forum, half of them by another account of ours, and what the forum saw."""

    forum: StandIn
    service: Service
    clock: HandClock

    def backlog(self) -> Backlog:
        """What is still to be sent, as `status` measures it."""
        return next(iter(measure_backlogs(self.service, tempo_of).values()))

    def moments(self, kind: str, account: str = "") -> list[datetime]:
        """When something happened."""
        return [datetime.fromisoformat(e.at) for e in self.forum.events(kind) if account in ("", e.account)]


@contextmanager
def crowded(folder: Path, count: int) -> Iterator[Host]:
    """So many games, none of them opened; the forum takes a post of each account in ten seconds."""
    clock = HandClock(DEADLINE - timedelta(hours=100))
    players = tuple(one for one in ACCOUNTS if one.name in ("gm", "alice", "bob"))
    topics = tuple(OpeningPost(f"Partida {n}", "Aquí se juega.", "gm") for n in range(count))
    with StandIn((*players, *BOTS), topics=topics, rate_limits=True) as forum:
        forum.follow_clock(clock.now)
        passwords = {one.name: one.password for one in BOTS}
        limits = Limits(gap=GAP)
        opener = OnlineForums(folder, Gate(), clock, lambda game: passwords[game.forum.account], limits)
        service = replace(make_service(new_database(), clock, None), open_forum=opener)
        people = {"norte": [forum.accounts["alice"], "alice"], "sur": [forum.accounts["bob"], "bob"]}
        for n in range(count):
            told: dict[str, Any] = {
                "url": forum.url,
                "topic": forum.topics[f"Partida {n}"],
                "accounts": people,
            }
            told |= {"id": f"p{n:02}", "account": BOTS[n % 2].name, "forum_zone": "UTC", "reminder": None}
            register_game(service, write_folder(folder / f"p{n:02}", **told))
        yield Host(forum, service, clock)


def least(moments: list[datetime]) -> float:
    """The shortest time between two of them, in seconds."""
    return min((b - a).total_seconds() for a, b in pairwise(moments))


def test_fifty_games_keep_the_pace_and_are_all_published(tmp_path: Path) -> None:
    """Requests of all accounts a second apart, posts of each account ten; and `status` was about right."""
    with crowded(tmp_path, GAMES) as host:
        tick(host.service, budget=90.0, patience=0)
        promised, begun = host.backlog(), host.clock.now()
        while tick(host.service, budget=600.0, patience=60.0).steps:
            pass
        left = measure_backlogs(host.service, tempo_of)
        published = Counter(post["topic"] for post in host.forum.posts() if ":open:" in post["text"])
    assert ({str(n): 1 for n in range(1, GAMES + 1)}, {}) == (dict(published), left)
    assert GAP <= least(host.moments("request"))
    assert [True, True] == [FLOOD <= least(host.moments("stored", bot.name)) for bot in BOTS]
    took = max(host.moments("stored")) - begun
    assert 0.7 < (promised.until - begun) / took < 1.5
    assert 40 < promised.games <= promised.texts <= GAMES


def test_the_director_is_told_until_when(tmp_path: Path) -> None:
    """Below the texts that wait: how many games share the forum, and the hour in the game's zone."""
    with crowded(tmp_path, 10) as host:
        tick(host.service, budget=35.0, patience=0)
        with host.service.database.read() as connection:
            row = games.get_game(connection, "p09")
        look, backlog, now = look_at(host.service, row), host.backlog(), host.clock.now()
    ends = f"{backlog.until.astimezone(ZoneInfo('Europe/Madrid')):%H:%M}"
    waits = f"En su foro esperan {backlog.texts} textos de {backlog.games} partidas"
    until = f"al paso que pide el foro habré acabado hacia el miércoles 2 de diciembre, {ends} (Madrid)"
    assert [f"  {waits}: {until}."] == list(describe_backlog(look, backlog, now))
    assert [] == list(describe_backlog(look, replace(backlog, until=now), now))
    assert [] == list(describe_backlog(look, None, now))


def test_what_takes_longest_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An account's distance between posts, the requests of all, or what the forum has put off."""
    night = start_night(tmp_path / "a")
    folders = [write_folder(tmp_path / name, id=name, account=name) for name in ("b", "c")]
    now = night.clock.now()

    def until(tempo: Tempo | None, first: int, second: int, put_off: datetime | None = None) -> float:
        texts = zip(("b", "c"), folders, (first, second), (None, put_off), strict=True)
        waiting = tuple(Waiting(name, str(folder), count, at) for name, folder, count, at in texts)
        monkeypatch.setattr(outbox_rows, "list_waiting", lambda _connection: waiting)
        found = measure_backlogs(night.service, lambda _forum: tempo)
        return (found["b"].until - now).total_seconds() if found else -1.0

    assert 60 == until(Tempo(10.0, 1.0), 6, 5)
    assert 44 == until(Tempo(3.0, 4.0), 6, 5)
    assert 600 == until(Tempo(10.0, 1.0), 6, 5, now + timedelta(minutes=10))
    assert 60 == until(Tempo(10.0, 1.0), 6, 5, now - timedelta(minutes=10))
    assert -1 == until(None, 6, 5)


def test_a_carried_game_has_no_pace() -> None:
    """A person pastes as fast as a person pastes."""
    forum = ForumSettings("folder", "http://foro.example", "1", "", "UTC")
    spirit = replace(forum, software="spirit")
    assert (None, Tempo(10.0, 10.0)) == (tempo_of(forum), tempo_of(spirit))
    assert Tempo(90.0, 10.0) == tempo_of(replace(spirit, interval=timedelta(seconds=90)))
