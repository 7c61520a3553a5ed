"""What keeps a game from beginning."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jobs.adapters import ADAPTERS
from jobs.catalogues import load_catalogue
from jobs.wiring import OnlineForums
from processor.gate import Gate
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


@pytest.mark.parametrize("secret", [True, False])
@pytest.mark.parametrize("software", ADAPTERS)
def test_each_adapter_without_private_messages_refuses_secrets(
    software: str, secret: bool, tmp_path: Path
) -> None:
    """Whatever the forum's program; with them, or without secrets, a game begins. No forum is asked."""
    adapter = ADAPTERS[software]
    without = replace(adapter, capabilities=replace(adapter.capabilities, private=False))
    for made, private in ((adapter, adapter.capabilities.private), (without, False)):
        night = start_night(tmp_path / f"first-{private}")
        forums = OnlineForums(tmp_path, Gate(), night.clock, lambda _game: "clave", adapters={software: made})
        service = replace(night.service, open_forum=forums)
        told = {"id": "otra", "software": software, "url": "http://127.0.0.1:9/", "secret": secret}
        folder = write_folder(tmp_path / f"second-{private}", **told)
        if private or not secret:
            assert "otra" == register_game(service, folder).id
            continue
        with pytest.raises(FolderFault, match="no-private") as refused:
            register_game(service, folder)
        assert f'software = "{software}"' in refused.value.say(load_catalogue("es"))


def test_a_folder_holds_one_game(tmp_path: Path) -> None:
    """Whoever changes the id of a game that is registered is told whose folder it is; nothing is stored."""
    night = start_night(tmp_path / "first")
    write_folder(night.folder, id="otra")
    with pytest.raises(FolderFault, match="folder/other-game"):
        register_game(night.service, night.folder)
    with night.service.database.read() as connection:
        assert ["pequena"] == [row.id for row in games.list_games(connection)]


def test_open_orders_need_none(tmp_path: Path) -> None:
    """A game that is ordered in the topic begins anywhere."""
    night, folder = without_private(tmp_path, secret=False)
    assert "otra" == register_game(night.service, folder).id
