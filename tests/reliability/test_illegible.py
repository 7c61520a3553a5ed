"""Characters that no database takes, from whoever writes them: no step fails of them, no order is lost
(reliability.md F31).
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from jobs.catalogues import load_catalogue
from jobs.tick import tick
from processor.service.bundle import FolderFault
from processor.service.registering import register_game
from processor.store import tables, turns
from processor.store.turns import change_turn, find_turn
from rules.engine.legible import is_legible, make_legible
from rules.play.posts import Post, Precision
from rules.play.turns import TurnStatus
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import TOPIC
from tests.support.small_game import write_folder
from tests.support.small_night import Night, start_night

NUL, HALF = "\x00", "\ud83d"
ILLEGIBLE = [NUL, HALF, "\udfff"]
BLOCK = "[órdenes]\ntirar dado\n[/órdenes]"


def begin(folder: Path) -> Night:
    """A game whose first turn is open."""
    night = start_night(folder / "g")
    tick(night.service)
    return night


def close(night: Night) -> TurnStatus:
    """The turn's deadline passes; what it is then."""
    night.clock.set(DEADLINE + timedelta(minutes=2))
    tick(night.service)
    with night.service.database.read() as connection:
        return turns.list_turns(connection, "pequena")[0].status


@pytest.mark.parametrize("char", ILLEGIBLE)
def test_a_post_with_such_a_character_is_read_like_others(char: str, tmp_path: Path) -> None:
    """Its author's other lines and everybody else's orders count, and the turn is published."""
    night = begin(tmp_path)
    night.forum.write("2", f"[órdenes]\ntirar dado\ntirar{char} dado\n[/órdenes] y {char}")
    night.forum.write("3", BLOCK)
    night.forum.write("9", f"Hola {char}")
    assert TurnStatus.PUBLISHED is close(night)
    with night.service.database.read() as connection:
        kept = select(tables.orders.c.seat, tables.orders.c.text, tables.orders.c.accepted)
        orders = [tuple(row) for row in connection.execute(kept.order_by(tables.orders.c.seat))]
    assert [
        ("norte", "tirar dado", True),
        ("norte", "tirar\ufffd dado", False),
        ("sur", "tirar dado", True),
    ] == [*orders]


@pytest.mark.parametrize("char", ILLEGIBLE)
def test_such_a_post_is_stored_once(char: str, tmp_path: Path) -> None:
    """What is read again is what was stored: no new version of it, and no second receipt."""
    night = begin(tmp_path)
    night.forum.write("2", f"{BLOCK}{char}")
    for minutes in (1, 20, 40):
        night.clock.set(DEADLINE - timedelta(hours=1) + timedelta(minutes=minutes))
        tick(night.service)
    with night.service.database.read() as connection:
        assert [1] == [*connection.execute(select(tables.post_versions.c.version)).scalars()][1:]


@pytest.mark.parametrize("field", ["id", "topic", "author_id", "author", "url", "html", "raw"])
def test_every_text_of_a_post_is_legible(field: str) -> None:
    """Names and addresses too: a forum's page is not to be trusted with any."""
    told = {"id": "1", "topic": TOPIC, "author_id": "2", "author": "Ana", "url": "u", "html": "h", "raw": "r"}
    given: Any = told | {field: f"a{NUL}b{HALF}c"}
    post = Post(**given, created_at=DEADLINE, precision=Precision.MINUTE)
    assert "a\ufffdb\ufffdc" == getattr(post, field)
    assert told == {name: getattr(post, name) for name in told} | {field: told[field]}


@pytest.mark.parametrize("char", ILLEGIBLE)
def test_what_is_said_of_a_failure_is_stored(char: str, tmp_path: Path) -> None:
    """A forum's error page, or a file's name, may hold anything."""
    night = begin(tmp_path)
    with night.service.database.write() as connection:
        change_turn(connection, 1, reason=f"404: {char}")
        assert "404: \ufffd" == find_turn(connection, 1).reason


def test_a_folder_whose_name_cannot_be_stored_is_not_registered(tmp_path: Path) -> None:
    """It would not be found again; its director is told to rename it."""
    night = start_night(tmp_path / "g")
    with pytest.raises(FolderFault) as raised:
        register_game(night.service, write_folder(tmp_path / "b\udcff", id="otra"))
    assert "b\ufffd tiene letras que no son UTF-8" in raised.value.say(load_catalogue("es"))


@pytest.mark.parametrize(
    ("text", "legible"),
    [
        ("Ñandú 🎲 \t\r\n\u200b\x1b\x7f", "Ñandú 🎲 \t\r\n\u200b\x1b\x7f"),
        ("a\x00b", "a\ufffdb"),
        ("a\ud83d\udc80", "a\ufffd\ufffd"),
    ],
)
def test_which_characters_are_meant(text: str, legible: str) -> None:
    """Only what can't be stored is replaced; what is merely odd stays."""
    assert (legible, text == legible) == (make_legible(text), is_legible(text))
