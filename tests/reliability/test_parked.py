"""One poisonous game out of fifty (reliability.md F42): the others are played in the same night."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from jobs.tick import tick
from processor.ports import Unreachable
from processor.service.bundle import LoadedGame, Pipeline, Service
from processor.service.holding import retry
from processor.service.registering import register_game
from processor.store import games, turns
from processor.store.rows import GameRow, TurnRow
from rules.play.game import Game
from rules.play.turns import GameStatus, TurnRef, TurnStatus
from tests.support.databases import new_database
from tests.support.hand_clock import DEADLINE, HandClock
from tests.support.memory_forum import MemoryForum
from tests.support.small_game import PIPELINE, write_folder
from tests.support.small_night import make_service

COUNT = 50
BAD = "juego-25"
BLOCK = "[órdenes]\ntirar dado\n[/órdenes]"


class Host:
    """Fifty games in fifty topics of one forum. sick: the poison works."""

    def __init__(self, root: Path) -> None:
        self.root, self.clock = root, HandClock()
        accounts = {"turnero": "1", "alice": "2", "bob": "3", "gm": "9"}
        self.forum = MemoryForum(self.clock, accounts=accounts)
        self.service = make_service(new_database(), self.clock, self.forum)
        self.sick = False
        for number in range(COUNT):
            topic, name = str(100 + number), f"juego-{number}"
            self.forum.write("9", "Aquí se juega.", topic)
            register_game(self.service, write_folder(root / name, id=name, topic=topic, director="gm"))

    def tick(self, service: Service | None = None) -> None:
        """As often as a host would in some minutes."""
        for _ in range(3):
            tick(service or self.service, budget=10_000, patience=0)
            self.clock.sleep(30)

    def order(self, *, bad: bool = True) -> None:
        """Somebody orders in every game. bad: in the poisonous one too."""
        for number in range(COUNT):
            if bad or f"juego-{number}" != BAD:
                self.forum.write("2", BLOCK, str(100 + number))

    def row(self) -> GameRow:
        """The poisonous game."""
        with self.service.database.read() as connection:
            return games.get_game(connection, BAD)

    def turn(self, game: str) -> TurnRow:
        """A game's first turn."""
        with self.service.database.read() as connection:
            found = turns.find_attempt(connection, TurnRef(game, 1))
        assert found is not None
        return found

    def published(self) -> set[str]:
        """The games whose first turn is played."""
        names = [f"juego-{number}" for number in range(COUNT)]
        return {name for name in names if self.turn(name).status is TurnStatus.PUBLISHED}

    @property
    def others(self) -> set[str]:
        """All games but the poisonous one."""
        return {f"juego-{number}" for number in range(COUNT)} - {BAD}


def _with(host: Host, **functions: Callable[..., Any]) -> Service:
    pipeline: Pipeline = replace(PIPELINE, **functions)
    return replace(host.service, pipeline=pipeline)


def missing_folder(host: Host) -> Service:
    """Somebody has moved its folder away."""
    shutil.move(host.root / BAD, host.root / "fuera")
    return host.service


def broken_file(host: Host) -> Service:
    """Its file has a mistake."""
    (host.root / BAD / "broken").touch()
    return host.service


def failing_rules(host: Host) -> Service:
    """Its rule set fails on what it is given."""

    def resolve(play: Any, *more: Any) -> Any:
        if play.game.id == BAD and host.sick:
            raise ZeroDivisionError("division by zero")
        return PIPELINE.resolve_turn(play, *more)

    return _with(host, resolve_turn=resolve)


def failing_load(host: Host) -> Service:
    """Its rule set can't even be loaded."""

    def load(folder: Path) -> LoadedGame:
        if folder.name == BAD and host.sick:
            raise ImportError("no module named conquista")
        return PIPELINE.load_game(folder)

    return _with(host, load_game=load)


def gone_forum(host: Host) -> Service:
    """Its forum doesn't answer any more."""

    class Gone:
        capabilities = host.forum.capabilities

        def __getattr__(self, name: str) -> Callable[..., Any]:
            def refuse(*_: Any, **__: Any) -> Any:
                raise Unreachable("forum/no-connection", "refused")

            return refuse

    def open_forum(game: Game) -> Any:
        return Gone() if game.id == BAD and host.sick else host.service.open_forum(game)

    return replace(host.service, open_forum=open_forum)


def mend(host: Host) -> None:
    """What was wrong is put right."""
    host.sick = False
    (host.root / BAD / "broken").unlink(missing_ok=True)
    if (host.root / "fuera").exists():
        shutil.move(host.root / "fuera", host.root / BAD)


@pytest.mark.parametrize(
    "poison",
    [
        failing_rules,
        # What is stored about a parked game is the same whatever has parked it.
        *(
            pytest.param(one, marks=pytest.mark.sqlite)
            for one in (missing_folder, broken_file, failing_load, gone_forum)
        ),
    ],
    ids=lambda one: one.__name__,
)
def test_one_bad_game_leaves_forty_nine_alone(poison: Callable[[Host], Service], tmp_path: Path) -> None:
    """They are all published; the bad one waits, each time longer, says why, and comes back by `retry`."""
    host = Host(tmp_path)
    host.tick()
    host.order()
    host.sick = True
    service = poison(host)
    host.clock.set(DEADLINE + timedelta(minutes=2))
    host.tick(service)
    assert host.others == host.published()
    host.clock.sleep(600)
    before = len(host.forum.log)
    host.tick(service)
    assert before == len(host.forum.log)
    row, turn = host.row(), host.turn(BAD)
    if poison is gone_forum:
        assert (GameStatus.ACTIVE, True) == (row.status, turn.failures > 1)
        assert "No hay conexión con el foro" in (turn.reason or "")
    else:
        assert (GameStatus.PARKED, True, True) == (row.status, row.failures > 1, bool(row.note))
        assert row.not_before is not None
        assert row.not_before > host.clock.now() - timedelta(minutes=1)
    mend(host)
    retry(service, BAD)
    host.clock.sleep(900)
    host.tick(service)
    assert host.others | {BAD} == host.published()
    assert GameStatus.ACTIVE is host.row().status
