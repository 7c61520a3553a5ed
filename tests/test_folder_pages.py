"""A game whose director saves the topic's pages from a browser instead of copying posts."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.folder_game import DEADLINE, FolderStage, start_stage
from tests.support.spirit_pages import ShownPost, Viewer, render_markdown, show_topic
from tests.support.umbria_pages import UmbriaPost, show_scene

DIRECTOR = Viewer("9", "elena", "Europe/Madrid")
CLOSED = DEADLINE + timedelta(minutes=5)
SPIRIT = 'dialect = "spirit"\ntopic = 12\nsecret = false'
UMBRIA = 'dialect = "umbria"\nsecret = false'


def begin(folder: Path, monkeypatch: pytest.MonkeyPatch, forum: str) -> FolderStage:
    """An opened game in which accounts are numbers, as pages have them."""
    stage = start_stage(folder, monkeypatch, forum)
    game = stage.folder / "game.toml"
    text = game.read_text(encoding="utf-8").replace('account = "Marina77"', 'account = 2, login = "Marina77"')
    game.write_text(text.replace('account = "luis"', 'account = 3, login = "luis"'), encoding="utf-8")
    stage.run("register", "DIR")
    stage.run("tick", "DIR")
    stage.run("posted", "DIR")
    return stage


def shown(number: int, account: str, order: str, day: int, *, edits: int = 0) -> ShownPost:
    """A post with one order, at noon of a day in December."""
    html = render_markdown(f"[órdenes turno 1]\n{order}\n[/órdenes]")
    at = datetime(2026, 12, day, 12, number, tzinfo=UTC)
    return ShownPost(str(100 + number), number, account, f"cuenta{account}", at, html, edits)


def save(stage: FolderStage, name: str, posts: list[ShownPost], *, page: int = 1, pages: int = 1) -> Path:
    """A page of the topic, saved now."""
    return stage.bring(name, show_topic("12", "Veth", posts, DIRECTOR, page=page, pages=pages))


def is_resolved(stage: FolderStage) -> bool:
    """Whether there is a report to paste."""
    return any("informe" in name for name in stage.pasted())


def test_a_turn_from_saved_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All pages, saved after the deadline, prove that nothing is missing: the turn closes by itself. A page
    that is missing is named, and holds it.
    """
    stage = begin(tmp_path, monkeypatch, SPIRIT)
    stage.clock.set(CLOSED)
    first = [shown(1, "2", "producir", 2), shown(2, "3", "producir", 3)]
    save(stage, "p1.html", first, pages=2)
    told = "\n".join(stage.lines("tick", "DIR"))
    assert "inbox/turn-001/p1.html: falta la página 2 de 2." in told
    assert not is_resolved(stage)
    save(stage, "p2.html", [shown(3, "2", "mover E1 a VE-2", 4)], page=2, pages=2)
    stage.run("tick", "DIR")
    assert is_resolved(stage)
    assert "VE-2" in stage.run("show", "DIR", "--turn", "1").output


def test_pages_saved_before_the_deadline_prove_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody may have posted since: the director says so, or saves the page again."""
    stage = begin(tmp_path, monkeypatch, SPIRIT)
    stage.clock.set(DEADLINE - timedelta(hours=3))
    save(stage, "p1.html", [shown(1, "2", "producir", 2), shown(2, "3", "producir", 3)])
    stage.run("tick", "DIR", at=CLOSED)
    assert not is_resolved(stage)
    stage.run("tick", "DIR", "--inbox-complete")
    assert is_resolved(stage)


def test_an_edit_after_the_deadline_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two saves of a post are two versions: the one that stood there at the deadline counts, and an older
    save that is brought later takes nothing back.
    """
    stage = begin(tmp_path, monkeypatch, SPIRIT)
    stage.clock.set(DEADLINE - timedelta(hours=3))
    other = shown(2, "3", "producir", 3)
    save(stage, "p1 2026-12-06 19.00.html", [shown(1, "2", "mover E1 a VE-2", 2), other])
    stage.clock.set(CLOSED)
    late = save(stage, "p1.html", [shown(1, "2", "producir", 2, edits=1), other])
    stage.run("tick", "DIR")
    assert is_resolved(stage)
    orders = stage.run("show", "DIR", "--turn", "1").output
    assert "VE-2" in orders
    assert late.stat().st_mtime == CLOSED.timestamp()


def test_a_post_that_is_gone_from_a_later_save_is_withdrawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows when the forum lost it, only that the page saved last doesn't show it."""
    stage = begin(tmp_path, monkeypatch, SPIRIT)
    stage.clock.set(DEADLINE - timedelta(hours=3))
    other = shown(2, "3", "producir", 3)
    save(stage, "p1 2026-12-06 19.00.html", [shown(1, "2", "mover E1 a VE-2", 2), other])
    stage.run("tick", "DIR")
    stage.clock.set(DEADLINE - timedelta(minutes=10))
    save(stage, "p1 2026-12-06 21.50.html", [replace(other, number=1)])
    stage.run("tick", "DIR", "--inbox-complete", at=CLOSED)
    for _ in range(3):
        stage.clock.sleep(5)
        stage.run("tick", "DIR")
    assert "VE-2" not in stage.run("show", "DIR", "--turn", "1").output


def test_a_page_of_another_forum_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And so is one of another topic, or of a forum that the game doesn't name."""
    stage = begin(tmp_path, monkeypatch, SPIRIT)
    stage.clock.set(DEADLINE - timedelta(hours=3))
    stage.bring("a.html", '<!DOCTYPE html><html><body data-theme="nodebb"></body></html>')
    stage.bring("b.html", show_topic("13", "Otro", [shown(1, "2", "producir", 2)], DIRECTOR))
    stage.bring("c.html", show_scene([UmbriaPost(7, 2, "Marina77", "02/12/2026, 21:30", "<p>Hola</p>")]))
    told = "\n".join(stage.lines("tick", "DIR"))
    assert (
        "a.html: es una página de NodeBB, que no sé leer. Copia sus mensajes en un archivo de texto." in told
    )
    assert "b.html: es una página del tema 13, y la partida se juega en el 12." in told
    assert "c.html: es una página de «umbria», y la partida dice que su foro es otro." in told


def test_a_turn_in_comunidad_umbria(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the originals were played: pages give the posts, the director's word that none is missing."""
    stage = begin(tmp_path, monkeypatch, UMBRIA)
    stage.clock.set(CLOSED)
    block = "<p>[órdenes turno 1]<br />{}<br />[/órdenes]</p>"
    scene = [
        UmbriaPost(
            7001, 2, "Marina77", "02/12/2026, 21:30", block.format("mover E1 a VE-2"), "<p>¿Puedo?</p>"
        ),
        UmbriaPost(
            7002,
            3,
            "luis",
            "03/12/2026, 21:30",
            f"<blockquote>{block}</blockquote>{block}".format("x", "producir"),
        ),
    ]
    stage.bring("escena.html", show_scene(scene))
    stage.run("tick", "DIR")
    assert not is_resolved(stage)
    stage.run("tick", "DIR", "--inbox-complete")
    assert is_resolved(stage)
    assert "VE-2" in stage.run("show", "DIR", "--turn", "1").output


def test_notes_of_a_scene_are_orders_where_the_game_wants_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With `notes = true` they are private messages of whoever wrote the post; the post itself has none."""
    stage = begin(tmp_path, monkeypatch, 'dialect = "umbria"\nsecret = true\nnotes = true')
    stage.clock.set(CLOSED)
    block = "<h3>Notas de juego</h3><p>[órdenes turno 1]<br />mover E1 a VE-2<br />[/órdenes]</p>"
    scene = [
        UmbriaPost(7001, 2, "Marina77", "02/12/2026, 21:30", "<p>Salgo de noche.</p>", block),
        UmbriaPost(7002, 3, "luis", "03/12/2026, 21:30", "<p>Yo no.</p>"),
    ]
    stage.bring("escena.html", show_scene(scene))
    stage.run("tick", "DIR", "--inbox-complete")
    assert "VE-2" in stage.run("show", "DIR", "--turn", "1").output
