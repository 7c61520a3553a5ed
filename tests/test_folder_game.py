"""A game that a person carries: posts come in as text files, texts go out as files to paste."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jobs.cli import app
from tests.support.folder_game import DEADLINE, OPENED, FolderStage, copied, start_stage

HOUR = timedelta(hours=1)
CLOSED = DEADLINE + timedelta(minutes=5)
TOPIC = "https://foro.example.org/tema/12"


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FolderStage:
    """A game that is right and not yet registered."""
    return start_stage(tmp_path, monkeypatch)


def begin(stage: FolderStage) -> None:
    """Register, open the first turn, and paste what there is to paste."""
    stage.run("register", "DIR")
    stage.run("tick", "DIR")
    stage.run("posted", "DIR", f"{TOPIC}#p1", "--all")


def bring_orders(stage: FolderStage, turn: int, *marina: str) -> None:
    """Both players' private messages of a turn, two days after the one before."""
    date = f"2026-12-{2 + 7 * (turn - 1):02} 21:30"
    stage.bring("marina.txt", copied("Marina77", date, *marina, private=True, turn=turn), turn)
    stage.bring("luis.txt", copied("luis", date, "producir", private=True, turn=turn), turn)


def test_the_first_texts_say_where_they_go(stage: FolderStage) -> None:
    """The opening and each player's own letter lie there as files, with a page that says what goes where."""
    assert 0 == stage.run("register", "DIR").exit_code
    told = stage.lines("tick", "DIR")
    assert "Bandeja inbox/turn-001: ningún mensaje todavía." in told
    marina, luis = "privado/02-marina77-apertura.txt", "privado/03-luis-apertura.txt"
    texts = stage.pasted()
    assert ["01-apertura.txt", "LÉEME.txt", marina, luis] == list(texts)
    assert texts["01-apertura.txt"].splitlines()[-1].startswith("ptd1:veth:1.1:open:1/1:")
    assert texts["LÉEME.txt"].splitlines()[:6] == [
        *("Turno 1: qué pegar y dónde, por orden", ""),
        *("01-apertura.txt", "    En el tema de la partida, como mensaje nuevo.", ""),
        marina,
    ]
    assert "E1" in texts[marina]
    assert "E1 (" not in texts[luis] + texts["01-apertura.txt"]


def test_a_mistyped_order_is_answered_in_private_and_mended(stage: FolderStage) -> None:
    """The player's own receipt says what to write instead; it is written anew once they have."""
    begin(stage)
    bring_orders(stage, 1, "producir", "moveer E1 a VE-2")
    assert 0 == stage.run("tick", "DIR", at=OPENED + 48 * HOUR).exit_code
    receipt = "privado/05-marina77-acuse.txt"
    wrong = stage.pasted()[receipt]
    assert "No conozco `moveer`." in wrong
    assert "ptd1:veth:1.1:receipt-imperio:1/1" == wrong.splitlines()[-1]
    assert "moveer" not in stage.pasted()["04-acuses.txt"]

    stage.run("posted", "DIR")
    mended = copied("Marina77", "2026-12-04 20:00", "producir", "mover E1 a VE-2", private=True)
    stage.bring("marina2.txt", mended)
    told = stage.lines("tick", "DIR", at=OPENED + 96 * HOUR)
    said = "Ya se lo habías enviado a Marina77 y ha cambiado: edita ese mensaje o, si el foro no deja,"
    assert any(line.startswith(f"    {said}") for line in told)
    assert "moveer" not in stage.pasted()[receipt]
    assert "VE-2" in stage.pasted()[receipt]


def test_a_whole_turn_and_the_next_one(stage: FolderStage) -> None:
    """From text files to pasted reports: private letters, `posted`, and the second turn."""
    begin(stage)
    bring_orders(stage, 1, "producir", "mover E1 a VE-2")
    assert 1 == stage.run("tick", "DIR", at=CLOSED).exit_code
    assert not any("informe" in name for name in stage.pasted())
    assert 1 == stage.run("tick", "DIR", "--inbox-complete").exit_code  # the report waits to be pasted
    report, marina, luis = (
        stage.pasted()[name]
        for name in ("07-informe.txt", "privado/08-marina77-informe.txt", "privado/09-luis-informe.txt")
    )
    assert report.splitlines()[-1].startswith("ptd1:veth:1.1:report:1/1:")
    assert (False, True, False) == ("E1" in report, "E1" in marina, "E1" in luis)

    assert "Turno 1: publicándose" in stage.run("status", "DIR").output
    told = stage.lines("posted", "DIR", f"{TOPIC}#p40", "07-informe.txt", at=CLOSED + HOUR)
    assert f"✔ Apuntado como pegado: reports/turn-001/pegar/07-informe.txt ({TOPIC}#p40)." == told[0]
    assert any(line.startswith("Turno 2: abierto · cierre: domingo 13 de diciembre") for line in told)
    assert f"    ✔ Pegado: {TOPIC}#p40." in stage.pasted()["LÉEME.txt"].splitlines()

    bring_orders(stage, 2, "producir")
    stage.run("tick", "DIR", "--inbox-complete", at=CLOSED + 168 * HOUR)
    assert any("informe" in name for name in stage.pasted(2))
    told = stage.lines("posted", "DIR")
    assert any(line.startswith("Turno 3: abierto") for line in told)


def test_the_new_game_can_be_played_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`new --forum folder` gives a folder that is right, with players called like their seats, and an example
    of a copied post.
    """
    machine = start_stage(tmp_path, monkeypatch)
    stage = FolderStage(tmp_path / "nueva", machine.clock)
    assert (
        0 == CliRunner().invoke(app, ["new", "conquista", str(stage.folder), "--forum", "folder"]).exit_code
    )
    assert 0 == stage.run("check", "DIR").exit_code
    assert 0 == stage.run("register", "DIR").exit_code
    example = stage.folder / "inbox" / "turn-001" / "_ejemplo.txt"
    example.rename(example.with_name("kappa.txt"))
    told = stage.lines("tick", "DIR", at=OPENED + 72 * HOUR)
    assert "Bandeja inbox/turn-001: 2 mensajes." in told
    assert "Kappa" in stage.run("seats", "DIR").output


def test_what_cannot_be_read_holds_the_closing(stage: FolderStage) -> None:
    """A file with a mistake is told with its line by tick, status and check, and the turn isn't closed, not
    even if the inbox is said to be complete; nothing needs a retry afterwards.
    """
    begin(stage)
    stage.bring("luis.txt", copied("luis", "2026-12-02 22:10", "producir", private=True))
    broken = stage.bring("marina.txt", "autor: Marina77\nfecha: ayer\n\n[órdenes]\nproducir\n[/órdenes]\n")
    stage.clock.set(CLOSED)
    said = (
        "✘ inbox/turn-001/marina.txt, línea 2: «ayer» no es una fecha con su hora en la zona Europe/Madrid. "
        "Pon cuándo se publicó: fecha: 2026-12-06 21:30 (también 06/12/2026 21:30, con el día delante)."
    )
    assert f"  {said}" in stage.lines("tick", "DIR", "--inbox-complete")
    for _ in range(6):
        stage.clock.sleep(3600)
        assert 1 == stage.run("tick", "DIR").exit_code
    assert f"  {said}" in stage.lines("status", "DIR")
    assert said in stage.lines("check", "DIR")
    assert not any("informe" in name for name in stage.pasted())

    broken.write_text(copied("Marina77", "2026-12-02 20:00", "producir", private=True), encoding="utf-8")
    stage.run("tick", "DIR")
    assert any("informe" in name for name in stage.pasted())


def test_nothing_is_closed_before_the_director_says_so(stage: FolderStage) -> None:
    """An inbox is complete when its director says so after the deadline: an older word doesn't count, and
    nobody waits in vain, for the turn isn't held either.
    """
    begin(stage)
    stage.bring("luis.txt", copied("luis", "2026-12-02 22:10", "producir", private=True))
    early = stage.run("tick", "DIR", "--inbox-complete")
    assert 2 == early.exit_code
    assert "El turno 1 no cierra hasta el domingo 6 de diciembre" in early.output
    word = stage.bring("completo.txt", "")
    told = "\n".join(stage.lines("tick", "DIR", at=CLOSED))
    assert "(lo dijiste antes del cierre)" in told
    stage.run("tick", "DIR", at=CLOSED + 30 * HOUR)
    stage.bring("marina.txt", copied("Marina77", "2026-12-06 21:50", "producir", private=True))
    assert "abierto" in stage.run("status", "DIR").output
    word.unlink()
    stage.bring("COMPLETO", "")
    stage.run("tick", "DIR")
    assert any("informe" in name for name in stage.pasted())


def test_a_text_that_the_director_changed_is_kept(stage: FolderStage) -> None:
    """When a receipt is written anew, what its director had made of it stays beside it, and is named."""
    begin(stage)
    stage.bring("luis.txt", copied("luis", "2026-12-02 22:10", "producir", private=True))
    stage.run("tick", "DIR", at=OPENED + 48 * HOUR)
    receipt = stage.folder / "reports" / "turn-001" / "pegar" / "privado" / "05-luis-acuse.txt"
    mine = receipt.read_text(encoding="utf-8").replace("Producir", "Producir (¡bien!)")
    receipt.write_text(mine, encoding="utf-8")
    stage.bring("luis2.txt", copied("luis", "2026-12-03 22:10", "ninguna", private=True))
    told = stage.lines("tick", "DIR", at=OPENED + 72 * HOUR)
    assert mine == stage.pasted()["privado/05-luis-acuse-tuyo.txt"]
    assert "¡bien!" not in stage.pasted()["privado/05-luis-acuse.txt"]
    assert "    Habías cambiado este archivo: tu versión está en privado/05-luis-acuse-tuyo.txt." in told


def test_published_as_soon_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With `confirm = false` nothing waits for the director's word that it was pasted."""
    stage = start_stage(tmp_path, monkeypatch, "confirm = false")
    stage.run("register", "DIR")
    stage.run("tick", "DIR")
    stage.bring("a.txt", copied("luis", "2026-12-02 22:10", "producir", private=True))
    stage.bring("b.txt", copied("Marina77", "2026-12-02 22:10", "producir", private=True))
    stage.clock.set(CLOSED)
    stage.run("tick", "DIR", "--inbox-complete")
    assert "Turno 2: abierto" in stage.run("status", "DIR").output


def test_a_corrected_copy_counts_whenever_it_is_corrected(stage: FolderStage) -> None:
    """Until the turn is closed the files are what the players wrote: a copy mended after the deadline, even
    its date, replaces the wrong one, and one taken away is none.
    """
    begin(stage)
    path = stage.bring("luis.txt", copied("luis", "2026-12-05 22:10", "construir puesto avanzado en VE-4"))
    stage.bring("m.txt", copied("Marina77", "2026-12-02 22:10", "producir", private=True))
    gone = stage.bring("m2.txt", copied("Marina77", "2026-12-03 22:10", "ninguna", private=True))
    stage.run("tick", "DIR", at=DEADLINE - HOUR)
    stage.run("tick", "DIR", at=CLOSED)
    path.write_text(copied("luis", "2026-12-04 22:10", "producir", private=True), encoding="utf-8")
    gone.unlink()
    stage.run("tick", "DIR", "--inbox-complete", at=CLOSED + HOUR)
    for _ in range(3):
        stage.clock.sleep(5)
        stage.run("tick", "DIR")
    shown = stage.run("show", "DIR", "--turn", "1").output
    assert 2 == shown.count("Producir")


def test_a_date_after_the_deadline_is_late(stage: FolderStage) -> None:
    """A post counts by its own date, and one that was edited too late doesn't count."""
    begin(stage)
    stage.bring("l.txt", copied("luis", "2026-12-06 22:01", "producir", private=True))
    late = copied("Marina77", "2026-12-02 22:10", "producir", private=True)
    stage.bring("m.txt", late.replace("\n\n", "\neditado: 2026-12-06 22:02\n\n", 1))
    stage.clock.set(CLOSED)
    told = "\n".join(stage.lines("tick", "DIR", "--inbox-complete"))
    assert "held" not in told
    assert "ha dado órdenes" not in stage.run("status", "DIR").output
    assert "detenido" in stage.run("status", "DIR").output  # nobody has orders, and that is asked


def test_texts_are_written_once_whoever_dies(stage: FolderStage) -> None:
    """The list beside the texts names each once, with the hash of what we wrote."""
    begin(stage)
    stored = json.loads((stage.folder / "reports/turn-001/pegar/.turnero.json").read_text(encoding="utf-8"))
    names = [one["name"] for one in stored["texts"]]
    assert names == sorted(set(names), key=lambda name: name.rsplit("/", 1)[-1])
    assert [f"{TOPIC}#p1", "", ""] == [one["url"] for one in stored["texts"]]


def test_a_voided_turn_is_brought_and_pasted_again(stage: FolderStage) -> None:
    """The notice is pasted before the new opening, what lay there of the voided attempt isn't any more, and
    new posts count even in files that were there before; the old ones don't.
    """
    begin(stage)
    bring_orders(stage, 1, "producir", "mover E1 a VE-2")
    stage.run("tick", "DIR", "--inbox-complete", at=CLOSED)
    assert 0 == stage.run("void", "DIR", "--reason", "Faltó un mensaje", at=CLOSED + HOUR).exit_code
    told = stage.lines("tick", "DIR")
    public = [name for name in stage.pasted() if name[0] in "01"]
    assert ["10-anulacion.txt", "11-apertura-v2.txt"] == public[-2:]
    assert not any("informe" in line for line in told)
    listed = stage.pasted()["LÉEME.txt"].splitlines()
    at = listed.index("07-informe.txt")
    assert "    Es de un intento anulado: si no lo has pegado, ya no lo pegues." == listed[at + 1]
    stage.run("posted", "DIR")
    assert 3 == sum("sin órdenes" in line for line in stage.lines("status", "DIR"))
    stage.bring("luis.txt", copied("luis", "2026-12-08 20:00", "producir", private=True))
    stage.run("tick", "DIR", at=CLOSED + 72 * HOUR)
    assert 2 == sum("sin órdenes" in line for line in stage.lines("status", "DIR"))


def test_a_post_in_two_files_is_one(stage: FolderStage) -> None:
    """A post is known by its author and date, whichever file it stands in."""
    begin(stage)
    for name in ("a.txt", "b.txt"):
        stage.bring(name, copied("luis", "2026-12-02 22:10", "producir", private=True))
    assert "Bandeja inbox/turn-001: 1 mensaje." in stage.lines("tick", "DIR", at=OPENED + 48 * HOUR)
