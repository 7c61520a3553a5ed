"""What keeps a game from beginning."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jobs.catalogues import load_catalogue
from processor.service.bundle import FolderFault
from processor.service.registering import register_game
from processor.store import games
from tests.support.small_game import write_folder
from tests.support.small_night import Night, start_night


def without_private(folder: Path, *, secret: bool) -> tuple[Night, Path]:
    """A service whose forum has no private messages, and the folder of a second game."""
    night = start_night(folder / "first")
    night.forum.capabilities = replace(night.forum.capabilities, private=False)
    return night, write_folder(folder / "second", id="otra", secret=secret)


def test_secret_orders_need_private_messages(tmp_path: Path) -> None:
    """The game is refused with the reason and with what would be right, and nothing of it is stored."""
    night, folder = without_private(tmp_path, secret=True)
    with pytest.raises(FolderFault) as refused:
        register_game(night.service, folder)
    said = refused.value.say(load_catalogue("es"))
    assert "secret = true" in said
    assert "pon secret = false o elige otro foro" in said
    with night.service.database.read() as connection:
        assert games.find_game(connection, "otra") is None


def test_open_orders_need_none(tmp_path: Path) -> None:
    """A game that is ordered in the topic begins anywhere."""
    night, folder = without_private(tmp_path, secret=False)
    assert "otra" == register_game(night.service, folder).id
