"""A game that a person carries, saved and put back on another machine, by the director's own commands."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.folder_game import DEADLINE, OPENED, FolderStage, copied, start_stage

HOUR = timedelta(hours=1)
CLOSED = DEADLINE + timedelta(minutes=5)
REPORT = "07-informe.txt"


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FolderStage:
    """The first turn is open and both players have orders and receipts."""
    stage = start_stage(tmp_path, monkeypatch)
    for command in (("register", "DIR"), ("tick", "DIR"), ("posted", "DIR")):
        stage.run(*command)
    stage.clock.set(OPENED + 48 * HOUR)
    for name in ("Marina77", "luis"):
        stage.bring(f"{name}.txt", copied(name, "2026-12-02 21:30", "producir", private=True))
    stage.run("tick", "DIR")
    return stage


def save(stage: FolderStage) -> Path:
    """A backup of now."""
    path = stage.folder.with_name("copia.zip")
    result = stage.run("backup", str(path))
    assert 0 == result.exit_code, result.output
    return path


def restore(
    stage: FolderStage, path: Path, monkeypatch: pytest.MonkeyPatch, *options: str
) -> tuple[FolderStage, str]:
    """The backup in an empty database, as on another machine; the game there, and what was said."""
    monkeypatch.setenv("TURNERO_DATA", str(path.with_name("otra-data")))
    result = stage.run("restore", str(path), *options)
    assert 0 == result.exit_code, result.output
    into = Path(options[1]) / "veth" if options[:1] == ("--into",) else stage.folder
    return FolderStage(into, stage.clock), result.output


def reports(stage: FolderStage) -> list[str]:
    """The texts of the first turn's report."""
    return [name for name in stage.pasted() if "informe" in name]


def test_a_game_goes_on_elsewhere(stage: FolderStage, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is there, also the list that stands beside the texts: numbers go on, nothing is written
    twice or taken for the director's own, and the turn is played to its end and followed by the next.
    """
    before = stage.pasted()
    backup = save(stage)
    there, _ = restore(stage, backup, monkeypatch, "--into", str(backup.with_name("partidas")))
    assert before == there.pasted()
    there.run("tick", "DIR", "--inbox-complete", at=CLOSED)
    assert [REPORT, "privado/08-marina77-informe.txt", "privado/09-luis-informe.txt"] == reports(there)
    assert [*before] == [name for name in there.pasted() if name not in reports(there)]
    told = there.lines("posted", "DIR")
    assert any(line.startswith("Turno 2: abierto") for line in told)
    listed = json.loads((there.folder / "reports/turn-001/pegar/.turnero.json").read_text(encoding="utf-8"))
    assert sorted(name for name in there.pasted() if name != "LÉEME.txt") == sorted(
        one["name"] for one in listed["texts"]
    )


def test_a_word_is_as_old_as_it_was(stage: FolderStage, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty `COMPLETO` from before the deadline doesn't count; restored behind it, it doesn't either."""
    stage.bring("COMPLETO", "")
    stage.clock.set(CLOSED)
    backup = save(stage)
    there, _ = restore(stage, backup, monkeypatch, "--into", str(backup.with_name("partidas")))
    word = there.folder / "inbox" / "turn-001" / "COMPLETO"
    assert (OPENED + 48 * HOUR).timestamp() == word.stat().st_mtime
    assert "(lo dijiste antes del cierre)" in "\n".join(there.lines("tick", "DIR"))
    assert [] == reports(there)


@pytest.mark.parametrize("choice", ["--overwrite", "--keep"])
def test_a_database_that_is_older_than_the_texts_writes_nothing(
    stage: FolderStage, monkeypatch: pytest.MonkeyPatch, choice: str
) -> None:
    """The report lies there, and the restored database doesn't know of it: the game is held with the file's
    name, no second report is written, whichever list of texts stands beside them. Once the director has
    taken that report away, which nobody had pasted, the turn is played again.
    """
    backup = save(stage)
    stage.run("tick", "DIR", "--inbox-complete", at=CLOSED)
    written = {name: stage.pasted()[name] for name in reports(stage)}
    there, _ = restore(stage, backup, monkeypatch, choice)
    told = "\n".join(there.lines("tick", "DIR", "--inbox-complete"))
    said = "La base de datos de Turnero es más vieja que los textos de esta partida: "
    assert f"{said}reports/turn-001/pegar/{REPORT} lo escribí yo" in told
    assert written == {name: there.pasted()[name] for name in reports(there)}
    for name in written:
        (there.folder / "reports/turn-001/pegar" / name).unlink()
    there.run("retry", "DIR")
    there.run("tick", "DIR")
    assert 3 == len(reports(there)), there.pasted().keys()
    assert written[REPORT] != there.pasted()[reports(there)[0]]
