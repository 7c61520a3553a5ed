"""A game in Comunidad Umbría: Turnero reads the scene, its director pastes the texts and closes the turn."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.folder_game import DEADLINE, FolderStage, start_stage
from tests.support.umbria_site import SCENE, Told, UmbriaSite, serve

CLOSED = DEADLINE + timedelta(minutes=5)
BLOCK = "<p>[órdenes turno 1]<br />{}<br />[/órdenes]</p>"
MOVE, PRODUCE = BLOCK.format("mover E1 a VE-2"), BLOCK.format("producir")


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[FolderStage, UmbriaSite]]:
    """A game that isn't registered yet, and its scene with the director's first post."""
    stage = start_stage(tmp_path, monkeypatch)
    site = UmbriaSite(stage.clock.now)
    with serve(site):
        site.write(9, "elena", "<p>Empieza la cruzada.</p>")
        use(stage, site, "secret = false")
        yield stage, site


def begin(stage: FolderStage) -> None:
    """Open the first turn."""
    for command in ("register", "tick", "posted"):
        stage.run(command, "DIR")


def use(stage: FolderStage, site: UmbriaSite, more: str) -> None:
    """Say in `game.toml` where the scene is; accounts are numbers."""
    path = stage.folder / "game.toml"
    text = path.read_text(encoding="utf-8").replace(
        'software = "folder"', f'software = "umbria"\ntopic_url = "{site.address}"\n{more}'
    )
    text = text.replace('account = "Marina77"', 'account = 2, login = "Marina77"')
    path.write_text(text.replace('account = "luis"', 'account = 3, login = "luis"'), encoding="utf-8")


def at(stage: FolderStage, day: int, hour: int = 12) -> None:
    """Go on to an hour in December."""
    stage.clock.set(datetime(2026, 12, day, hour, tzinfo=UTC))


def is_resolved(stage: FolderStage) -> bool:
    """Whether there is a report to paste."""
    return any("informe" in name for name in stage.pasted())


def orders(stage: FolderStage) -> str:
    """What `show` says of the first turn."""
    return stage.run("show", "DIR", "--turn", "1").output


def test_a_turn_is_read_from_the_scene_and_closed_by_word(stage: tuple[FolderStage, UmbriaSite]) -> None:
    """Nobody copies anything; the hour alone closes nothing, since the pages don't tell how many posts there
    are.
    """
    game, site = stage
    begin(game)
    at(game, 2)
    site.write(2, "Marina77", f"<blockquote>{PRODUCE}</blockquote>{MOVE}")
    at(game, 3)
    site.write(3, "luis", PRODUCE)
    game.run("tick", "DIR")
    assert any("acuse" in name for name in game.pasted())
    # Its posts have no numbers, and are no less public for that.
    assert [True, True] == ["1 orden ✔ · en el tema, " in line for line in game.lines("status", "DIR")[2:4]]
    game.run("tick", "DIR", at=CLOSED)
    assert not is_resolved(game)
    game.run("tick", "DIR", "--inbox-complete")
    assert is_resolved(game)
    assert "VE-2" in orders(game)


def test_a_post_that_is_not_seen_any_more_still_counts(stage: tuple[FolderStage, UmbriaSite]) -> None:
    """It may stand on a page to which no link leads any more: what isn't read isn't gone. A file that its
    director takes away is.
    """
    game, site = stage
    begin(game)
    at(game, 2)
    made = site.write(2, "Marina77", MOVE)
    copied = game.bring(
        "luis.txt", "autor: luis\nfecha: 2026-12-02 12:30\n\n[órdenes]\nproducir\n[/órdenes]\n"
    )
    game.run("tick", "DIR")
    site.delete(made)
    copied.unlink()
    for hour in (13, 14, 15):
        game.run("tick", "DIR", at=datetime(2026, 12, 2, hour, tzinfo=UTC))
    game.run("tick", "DIR", "--inbox-complete", at=CLOSED)
    assert is_resolved(game)
    assert (True, False) == ("VE-2" in orders(game), "Producir" in orders(game))


def test_an_edit_counts_in_time_and_not_behind_the_deadline(stage: tuple[FolderStage, UmbriaSite]) -> None:
    """No mark tells of it; what stood there when it was read last before the deadline counts."""
    game, site = stage
    begin(game)
    at(game, 2)
    made = site.write(2, "Marina77", PRODUCE)
    game.run("tick", "DIR")
    site.rewrite(made, MOVE)
    game.run("tick", "DIR", at=datetime(2026, 12, 3, 12, tzinfo=UTC))
    game.clock.set(CLOSED)
    site.rewrite(made, PRODUCE)
    game.run("tick", "DIR", "--inbox-complete")
    assert "VE-2" in orders(game)


def test_a_page_that_is_no_scene_closes_nothing(stage: tuple[FolderStage, UmbriaSite]) -> None:
    """Also where the director has said that all is there: it is told what came instead."""
    game, site = stage
    begin(game)
    at(game, 2)
    site.write(2, "Marina77", MOVE)
    site.instead[SCENE] = lambda _: Told(body="<!DOCTYPE html><html><body><form></form></body></html>")
    game.run("tick", "DIR", "--inbox-complete", at=CLOSED)
    assert not is_resolved(game)
    told = " ".join(game.lines("status", "DIR"))
    assert "una página en la que no están los mensajes" in told
    site.instead.clear()
    game.run("tick", "DIR", at=CLOSED + timedelta(hours=1))
    assert "VE-2" in orders(game)


@pytest.mark.parametrize(
    ("told", "end"),
    [
        (Told(body="{}", kind="application/json"), " de versión o de aspecto?"),
        (Told(302, location="/entrar"), " o mira si el sitio pide identificarse."),
        (Told(302, location="https://otro.example/a?b=c"), " → https://otro.example/a)."),
    ],
)
def test_check_says_what_came_in_place_of_the_scene(
    stage: tuple[FolderStage, UmbriaSite], told: Told, end: str
) -> None:
    """In whole sentences, each with one mark at its end."""
    game, site = stage
    site.instead[SCENE] = lambda _: told
    assert game.lines("check", "DIR", "--forum")[-1].endswith(end)


def test_orders_in_notes_and_by_private_message(
    stage: tuple[FolderStage, UmbriaSite], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Notes are read with the session that the director lends; a private message is brought as a file."""
    game, site = stage
    use_notes(game, monkeypatch)
    begin(game)
    at(game, 2)
    site.write(2, "Marina77", "<p>Salgo de noche.</p>", f"<h3>Notas de juego</h3>{MOVE}")
    game.bring(
        "luis.txt", "autor: luis\nfecha: 2026-12-02 12:30\nprivado: sí\n\n[órdenes]\nproducir\n[/órdenes]\n"
    )
    game.run("tick", "DIR", "--inbox-complete", at=CLOSED)
    assert is_resolved(game)
    assert "VE-2" in orders(game)
    assert "1. Producir" in orders(game)


def use_notes(game: FolderStage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read notes, with a session that stands in a file."""
    path = game.folder / "game.toml"
    text = path.read_text(encoding="utf-8").replace("secret = false", "secret = true\nnotes = true")
    path.write_text(text, encoding="utf-8")
    cookies = game.folder.parent / "cookies"
    cookies.write_text("sesion=secreta\n", encoding="utf-8")
    cookies.chmod(0o600)
    monkeypatch.setenv("TURNERO_VETH_PASSWORD_FILE", str(cookies))


def test_the_password_of_all_games_is_not_lent(
    stage: tuple[FolderStage, UmbriaSite], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is another forum's."""
    game, site = stage
    monkeypatch.setenv("TURNERO_FORUM_PASSWORD", "a=de-otro-foro")
    game.run("check", "DIR", "--forum")
    assert {""} == {cookies for _, cookies in site.asked}


def test_check_and_seats_show_what_was_read(stage: tuple[FolderStage, UmbriaSite]) -> None:
    """Both names stand there, and the director can compare."""
    game, site = stage
    at(game, 2)
    site.write(2, "Marina77", MOVE)
    told = "\n".join(game.lines("check", "DIR", "--forum"))
    assert f"✔ Leo la escena {site.address}: 2 mensajes de 2 cuentas; notas de juego: 0" in told
    assert "✔ El último es de Marina77 (Alguien), 02/12/2026 13:00" in told
    assert "✔ En la escena aún no ha escrito: 3" in told
    seats = "\n".join(game.lines("seats", "DIR"))
    assert "2       Marina77 (Alguien)" in seats
