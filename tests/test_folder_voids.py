"""What a director who pastes by hand reads beside the texts when turns are voided."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.folder_game import DEADLINE, OPENED, FolderStage, copied, start_stage

HOUR = timedelta(hours=1)
CLOSED = DEADLINE + timedelta(minutes=5)
VOID = "    Es de un intento anulado: si no lo has pegado, ya no lo pegues."


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FolderStage:
    """The first turn is published, the second has receipts that nobody has pasted."""
    stage = start_stage(tmp_path, monkeypatch)
    for command in (("register", "DIR"), ("tick", "DIR"), ("posted", "DIR")):
        stage.run(*command)
    bring_orders(stage, 1, "2026-12-02 21:30")
    stage.run("tick", "DIR", "--inbox-complete", at=CLOSED)
    stage.run("posted", "DIR", at=CLOSED + HOUR)
    bring_orders(stage, 2, "2026-12-08 21:30")
    stage.run("tick", "DIR", at=OPENED + timedelta(days=8))
    return stage


def bring_orders(stage: FolderStage, turn: int, date: str) -> None:
    """Both players produce."""
    for name in ("Marina77", "luis"):
        stage.bring(f"{name}.txt", copied(name, date, "producir", private=True, turn=turn), turn)


def told(stage: FolderStage, turn: int) -> dict[str, list[str]]:
    """What the page beside a turn's texts says of each."""
    found: dict[str, list[str]] = {}
    for line in stage.pasted(turn)["LÉEME.txt"].splitlines()[2:]:
        if line.endswith(".txt") and not line.startswith(" "):
            found[line] = []
        elif line.startswith("    "):
            found[list(found)[-1]].append(line)
    return found


def void_texts(stage: FolderStage, turn: int) -> list[str]:
    """The texts that aren't to be pasted any more."""
    return [name for name, lines in told(stage, turn).items() if lines == [VOID]]


def test_texts_of_turns_that_are_voided_along_are_not_to_be_pasted(stage: FolderStage) -> None:
    """The second turn goes with the first: its receipts are marked in its own page, too. What was pasted
    before stays as it is.
    """
    receipts = ["01-acuses.txt", "privado/02-marina77-acuse.txt", "privado/03-luis-acuse.txt"]
    before = told(stage, 1)
    assert receipts == list(told(stage, 2))
    assert [] == void_texts(stage, 2)
    stage.run("rollback", "DIR", "--turn", "1", "--reason", "Faltó un mensaje")
    stage.run("tick", "DIR")
    assert receipts == void_texts(stage, 2)
    assert before == {name: lines for name, lines in told(stage, 1).items() if name in before}
    assert any("anulacion" in name for name in told(stage, 1))


def test_what_comes_after_is_to_be_pasted(stage: FolderStage) -> None:
    """The next attempt's texts stand beside those of the voided one, and only these are marked."""
    stage.run("void", "DIR", "--reason", "Faltó un mensaje")
    stage.run("tick", "DIR")
    bring_orders(stage, 2, "2026-12-10 21:30")
    stage.run("tick", "DIR", at=OPENED + timedelta(days=10))
    new = [name for name in told(stage, 2) if name not in void_texts(stage, 2)]
    assert ["04-anulacion.txt", "05-apertura-v2.txt"] == [name for name in new if "privado" not in name][:2]
    assert any("acuse" in name for name in new)
    assert 3 == len(void_texts(stage, 2))
