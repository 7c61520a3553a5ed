"""A file in the inbox that can't be read stops the closing of its own turn, and nothing else."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from jobs.tick import tick
from processor.checkpoints import Checkpoint, DieAt
from processor.service.registering import register_game
from processor.store.turns import list_turns
from rules.play.turns import TurnStatus
from tests.reliability.test_folder_kills import Carried, Killed, die, first_orders, paste
from tests.support.folder_game import DEADLINE, FolderStage, copied, start_stage

CLOSED = DEADLINE + timedelta(minutes=5)
BAD = "autor: Marina77\nfecha: ayer\n\n[órdenes]\nproducir\n[/órdenes]\n"
SAID = "inbox/turn-001/mal.txt, línea 2: «ayer» no es una fecha"


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FolderStage:
    """A game that is registered and has a bad file in its inbox before its first texts are written."""
    stage = start_stage(tmp_path, monkeypatch)
    stage.run("register", "DIR")
    stage.bring("mal.txt", BAD)
    return stage


def bring_orders(stage: FolderStage) -> None:
    """Both players produce."""
    for name in ("Marina77", "luis"):
        stage.bring(f"{name}.txt", copied(name, "2026-12-02 21:30", "producir", private=True))


def test_a_bad_file_stops_no_text_of_ours(stage: FolderStage) -> None:
    """The opening is written, and a report that is out is finished and followed by the next turn, whatever
    lies in the inbox: the bad file is named with what to do, and only the closing waits for it.
    """
    told = "\n".join(stage.lines("tick", "DIR"))
    assert SAID in told
    assert "Pon cuándo se publicó" in told
    assert "01-apertura.txt" in stage.pasted()
    stage.run("posted", "DIR")
    (stage.folder / "inbox" / "turn-001" / "mal.txt").unlink()
    bring_orders(stage)
    stage.run("tick", "DIR", "--inbox-complete", at=CLOSED)
    stage.bring("mal.txt", BAD)
    assert "Turno 2: abierto" in "\n".join(stage.lines("posted", "DIR"))
    assert SAID in "\n".join(stage.lines("check", "DIR"))


def test_a_bad_file_keeps_nothing_back_at_the_closing(tmp_path: Path) -> None:
    """Receipts that were still to be written when the turn closes are, though its inbox can't be read."""
    carried = Carried(tmp_path / "veth")
    first = carried.worker(DieAt(Checkpoint.RECEIPTS_QUEUED, 2, die))
    register_game(first, carried.folder)
    tick(first, patience=0.0)
    paste(carried, first)
    first_orders(carried, first)
    with pytest.raises(Killed):
        tick(first, patience=0.0)
    first.database.close()
    carried.bring("mal.txt", BAD)
    carried.wait_for(CLOSED)
    second = carried.worker(name="b")
    assert not any("acuse" in name for name in carried.left())
    tick(second, patience=0.0)
    assert ["acuses", "marina77-acuse", "luis-acuse"] == [
        Path(name).stem.partition("-")[2] for name in carried.left() if "acuse" in name
    ]
    with second.database.read() as connection:
        (turn,) = list_turns(connection, "veth")
    assert (TurnStatus.OPEN, True) == (turn.status, SAID in (turn.reason or ""))
    second.database.close()


def test_a_bad_file_concerns_its_game_alone(stage: FolderStage) -> None:
    """Another game, ticked along with it, is opened too."""
    other = FolderStage(stage.folder.with_name("otra"), stage.clock)
    other.folder.mkdir()
    for name in ("game.toml", "setup.toml"):
        text = (stage.folder / name).read_text(encoding="utf-8").replace('id = "veth"', 'id = "otra"')
        (other.folder / name).write_text(text, encoding="utf-8")
    other.run("register", "DIR")
    other.run("tick")
    assert ["01-apertura.txt"] == [name for name in other.pasted() if name[0] == "0"]
    assert "01-apertura.txt" in stage.pasted()
