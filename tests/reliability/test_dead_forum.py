"""Many games on one forum that is down: it is asked by one of them at a time (reliability.md 6.5, F9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from jobs.commands.status_text import describe_rests
from jobs.speech import speaking
from jobs.tick import tick
from processor.ports import NotATopic, Unreachable
from processor.service.bundle import Service
from processor.service.registering import register_game
from processor.service.resting import cut_rest_short
from processor.store import games, rests, turns
from rules.play.game import Game
from rules.play.turns import TurnRef, TurnStatus
from tests.support.databases import new_database
from tests.support.hand_clock import DEADLINE, HandClock
from tests.support.memory_forum import MemoryForum
from tests.support.small_game import PIPELINE, write_folder
from tests.support.small_night import make_service

COUNT = 50
ELSEWHERE = "otra"
BLOCK = "[órdenes]\ntirar dado\n[/órdenes]"
MINUTES = 120


class Host:
    """Games on one forum, and one on another. down: the first doesn't answer. asked: when it was."""

    def __init__(self, root: Path, count: int = 8) -> None:
        self.clock = HandClock()
        accounts = {"turnero": "1", "alice": "2", "bob": "3", "gm": "9"}
        self.forum = MemoryForum(self.clock, accounts=accounts)
        self.down = False
        self.error: Exception = Unreachable("forum/no-connection", "refused")
        self.asked: list[float] = []
        made = make_service(new_database(), self.clock, self.forum)
        pipeline = replace(PIPELINE, load_game=_placing(PIPELINE.load_game))
        self.service = replace(made, pipeline=pipeline, open_forum=self._opener(made))
        self.names = [f"juego-{number}" for number in range(count)] + [ELSEWHERE]
        for number, name in enumerate(self.names):
            self.forum.write("9", "Aquí se juega.", str(100 + number))
            folder = write_folder(root / name, id=name, topic=str(100 + number), director="gm")
            register_game(self.service, folder)

    def _opener(self, made: Service) -> Callable[[Game], Any]:
        def open_forum(game: Game) -> Any:
            dead = self.down and game.id != ELSEWHERE
            return _Dead(self) if dead else made.open_forum(game)

        return open_forum

    def pass_minutes(self, count: int) -> None:
        """A host's ticks, one a minute."""
        for _ in range(count):
            tick(self.service, budget=10_000, patience=0)
            self.clock.sleep(60)

    def published(self) -> set[str]:
        """The games whose first turn is played."""
        with self.service.database.read() as connection:
            found = [turns.find_attempt(connection, TurnRef(name, 1)) for name in self.names]
        return {one.ref.game for one in found if one is not None and one.status is TurnStatus.PUBLISHED}

    def said(self) -> list[str]:
        """What `status` tells of forums."""
        with speaking("es"):
            return [*describe_rests(self.service)]

    def order(self) -> None:
        """Somebody orders in every game."""
        for number in range(len(self.names)):
            self.forum.write("2", BLOCK, str(100 + number))


class _Dead:
    """A forum that counts how often it was asked and never answers."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self.capabilities = host.forum.capabilities

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def refuse(*_: Any, **__: Any) -> Any:
            self._host.asked.append(self._host.clock.monotonic())
            raise self._host.error

        return refuse


def _placing(load: Callable[[Path], Any]) -> Callable[[Path], Any]:
    """Games as their folders say, but one of them on another forum."""

    def load_game(folder: Path) -> Any:
        loaded = load(folder)
        if folder.name != ELSEWHERE:
            return loaded
        forum = replace(loaded.game.forum, url="http://otro.example/")
        return replace(loaded, game=replace(loaded.game, forum=forum))

    return load_game


@pytest.mark.sqlite  # with fewer games all the others here run on both
def test_a_dead_forum_is_asked_by_one_game_at_a_time(tmp_path: Path) -> None:
    """Two hours of ticks make a dozen requests, not six thousand; another forum's game goes on."""
    host = Host(tmp_path, COUNT)
    host.pass_minutes(3)
    host.order()
    host.clock.set(DEADLINE + timedelta(minutes=2))
    host.down = True
    host.pass_minutes(MINUTES)
    waits = [later - one for one, later in zip(host.asked, host.asked[1:], strict=False)]
    assert {ELSEWHERE} == host.published()
    assert 8 <= len(host.asked) <= 14
    assert sorted(waits) == waits
    assert max(waits) <= 16 * 60
    (said,) = host.said()
    assert "no responde desde el 2026-12-06 21:02 UTC" in said
    host.down = False
    host.pass_minutes(20)
    assert (set(host.names), []) == (host.published(), host.said())


def test_whoever_waits_goes_on_as_soon_as_the_forum_answers(tmp_path: Path) -> None:
    """The first game that gets an answer wakes the others: no rest of a quarter of an hour for each."""
    host = Host(tmp_path)
    host.pass_minutes(3)
    host.order()
    host.clock.set(DEADLINE + timedelta(minutes=2))
    host.down = True
    host.pass_minutes(40)
    host.down = False
    with host.service.database.read() as connection:
        (rest,) = rests.list_rests(connection)
    host.clock.set(rest.until)
    host.pass_minutes(2)
    assert len(host.names) - 1 <= len(host.published())


@pytest.mark.parametrize("wait", [5.0, 400.0, 10_000_000.0])
def test_a_forum_that_asks_for_a_pause_gets_it_from_all_games(wait: float, tmp_path: Path) -> None:
    """429 with Retry-After: nobody asks before, and an absurd number is no more than an hour."""
    host = Host(tmp_path)
    host.pass_minutes(3)
    host.clock.set(DEADLINE + timedelta(minutes=2))
    host.down, host.error = True, Unreachable("forum/busy", "429", wait)
    host.pass_minutes(70)
    first, second = host.asked[:2]
    assert min(wait, 3600) - 1 <= second - first <= 3600 + 60


def test_a_page_that_is_no_topic_concerns_its_game_alone(tmp_path: Path) -> None:
    """Every game looks for itself; no forum is left alone for that."""
    host = Host(tmp_path)
    host.pass_minutes(3)
    host.clock.set(DEADLINE + timedelta(minutes=2))
    host.down, host.error = True, NotATopic("forum/missing", "404")
    host.pass_minutes(1)
    assert (len(host.names) - 1, []) == (len(host.asked), host.said())


def let_rest(root: Path) -> Host:
    """Games on a forum that has been down for long enough to be left alone for minutes."""
    host = Host(root, 3)
    host.pass_minutes(3)
    host.order()
    host.clock.set(DEADLINE + timedelta(minutes=2))
    host.down = True
    host.pass_minutes(10)
    return host


def retry_game(host: Host, name: str) -> bool:
    """What `turnero retry` does about the forum."""
    with host.service.database.read() as connection:
        row = games.get_game(connection, name)
    return cut_rest_short(host.service, host.service.pipeline.load_game(Path(row.folder)).game)


def test_the_director_ends_the_rest_of_a_forum(tmp_path: Path) -> None:
    """After `retry` the forum is asked at once, and as it answers all of its games go on."""
    host = let_rest(tmp_path)
    host.down = False
    assert retry_game(host, "juego-1")
    host.pass_minutes(2)
    assert (set(host.names), []) == (host.published(), host.said())
    assert not retry_game(host, "juego-1")


def test_a_forum_that_is_still_down_is_asked_once(tmp_path: Path) -> None:
    """`retry` is one more question by the director's own game, not one by each."""
    host = let_rest(tmp_path)
    before = len(host.asked)
    assert retry_game(host, "juego-1")
    host.pass_minutes(1)
    assert before + 1 == len(host.asked)
    with host.service.database.read() as connection:
        turn = turns.find_attempt(connection, TurnRef("juego-1", 1))
        (rest,) = rests.list_rests(connection)
    assert turn is not None
    assert turn.failures >= 1
    assert rest.until > host.clock.now()


def test_the_director_of_another_forum_s_game_wakes_nobody(tmp_path: Path) -> None:
    """`retry` is about the game's own forum."""
    host = let_rest(tmp_path)
    before = len(host.asked)
    assert not retry_game(host, ELSEWHERE)
    host.pass_minutes(1)
    assert before == len(host.asked)
