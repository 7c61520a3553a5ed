"""A bad override file holds its game and no other (design.md 2, *Director*)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from processor.service.holding import retry
from processor.service.looking import look_at
from processor.service.registering import register_game
from processor.store import games
from rules.play.turns import GameStatus, TurnStatus
from tests.reliability.test_chosen_posts_night import a_night
from tests.support.conquista_night import CLOSED, LATE, PLAYERS, ConquistaNight, block

OTHER_TOPIC = "8"


@pytest.fixture
def night(tmp_path: Path) -> ConquistaNight:
    """Two games of the same people at one forum, both with orders."""
    made = a_night(tmp_path)
    folder = tmp_path / "h"
    shutil.copytree(made.folder, folder)
    game = folder / "game.toml"
    text = game.read_text(encoding="utf-8").replace('"marcas"', '"costas"').replace("topic = 7", "topic = 8")
    game.write_text(text, encoding="utf-8")
    made.forum.write("9", "Aquí se juega también.", OTHER_TOPIC)
    register_game(made.service, folder)
    made.tick()
    for seat in ("Liga", "Corona", "Gremio"):
        made.forum.write(PLAYERS[seat][0], block("esperar"), OTHER_TOPIC)
    made.post("Liga", "esperar")
    return made


def status(night: ConquistaNight, game: str) -> tuple[GameStatus, TurnStatus]:
    """Where a game and its first turn stand."""
    with night.service.database.read() as connection:
        row = games.find_game(connection, game)
    assert row is not None
    return row.status, look_at(night.service, row, 1).turn.status


@pytest.mark.parametrize(
    "bad",
    ["[[override]\n", '[[override]]\ncancel = "Zoe#1"\nreason = "Prueba"\n', "x" * 300_000, "\x00\x01"],
    ids=["syntax", "no-such-seat", "too-big", "no-toml"],
)
def test_a_bad_file_holds_its_game_and_no_other(night: ConquistaNight, bad: str) -> None:
    """The other is published in time; mended, the held one goes on with the orders it was closed with."""
    path = night.folder / "overrides" / "turn-001.toml"
    path.parent.mkdir()
    path.write_text(bad, encoding="utf-8")
    for at in (LATE, CLOSED, CLOSED.replace(minute=30)):
        night.tick(at=at)

    assert (GameStatus.ACTIVE, TurnStatus.PUBLISHED) == status(night, "costas")
    path.write_text("", encoding="utf-8")
    held, turn = status(night, "marcas")
    assert GameStatus.PARKED is held or TurnStatus.HELD is turn

    retry(night.service, "marcas")
    for minute in (35, 59):
        night.tick(at=CLOSED.replace(minute=minute))
    assert (GameStatus.ACTIVE, TurnStatus.PUBLISHED) == status(night, "marcas")
