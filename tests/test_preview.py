"""`turnero preview`: the turn resolved now with throw-away dice; nothing stored, posted or given away."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from typer.testing import CliRunner, Result

from jobs import host
from jobs.cli import app
from processor.pipeline.context import Frozen, PlayContext, Secrets, TurnResult
from processor.service.bundle import Service
from processor.service.foretelling import TurnOver, count_chances, set_trial, try_turn
from processor.store import games
from processor.store.rows import GameRow
from processor.store.tables import metadata
from rules.conquista.state import Army, Cell, Faction, Planet, State
from rules.engine.ptd1 import SEED as NO_ENTROPY
from rules.engine.ptd1 import roll, turn_key
from tests.support import fair_night
from tests.support.conquista_night import CLOSED, EARLY, LATE, ConquistaNight, start_night


@pytest.fixture
def night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ConquistaNight:
    """An open turn: the Liga invades the Corona by private message, the Gremio writes nothing."""
    cells = {
        "CE-1": Cell("Liga"),
        "CE-2": Cell("Corona", ("CE-1",)),
        "CE-3": Cell("Gremio", ("CE-2",)),
    }
    factions = {"Liga": Faction(9, "CE-1", 1), "Corona": Faction(5, None, 2), "Gremio": Faction(5, None, 3)}
    armies = {"E1": Army("Liga", "CE-1", 3), "E11": Army("Corona", "CE-2", 3)}
    made = start_night(tmp_path / "g", State({"CE": Planet("Ceniza")}, cells, factions, armies))
    made.tick()
    made.whisper("Liga", "invadir CE-2 con E1")
    made.post("Corona", "esperar")
    made.tick(at=EARLY)

    @contextmanager
    def open_service() -> Iterator[Service]:
        yield made.service

    monkeypatch.setattr(host, "open_service", open_service)
    return made


def run(night: ConquistaNight, *more: str) -> Result:
    """Type the command."""
    return CliRunner().invoke(app, ["preview", str(night.folder), *more])


def row_of(service: Service, game: str) -> GameRow:
    """The registered game."""
    with service.database.read() as connection:
        return games.get_game(connection, game)


def everything(service: Service) -> list[Any]:
    """All rows."""
    with service.database.read() as connection:
        return [list(connection.execute(select(one))) for one in metadata.sorted_tables]


def test_it_says_first_that_the_dice_are_none(night: ConquistaNight) -> None:
    """What it rests on, then the public report; other reports only where they are asked for."""
    result = run(night)
    lines = result.output.splitlines()

    assert 0 == result.exit_code
    assert "Ensayo del turno 1 de «Las marcas», con dados de mentira" in lines[0]
    assert "El turno sigue abierto" in lines[1]
    assert "── Informe público" in lines
    assert "── Informe de quien dirige" not in lines
    assert [True, True] == [
        f"── Informe {of}" in run(night, "--all").output for of in ("de quien dirige", "de Gremio")
    ]
    assert ["── Informe de Liga"] == [
        one for one in run(night, "--seat", "liga").output.splitlines() if one.startswith("── Informe de")
    ]


def test_nothing_is_stored_posted_or_written(night: ConquistaNight) -> None:
    """Database, forum and folder are the same behind it."""
    before = everything(night.service), list(night.forum.written), sorted(night.folder.rglob("*"))
    run(night, "--all")
    run(night, "--times", "5")

    assert before == (everything(night.service), list(night.forum.written), sorted(night.folder.rglob("*")))


def test_the_real_seed_never_enters(night: ConquistaNight) -> None:
    """Neither S nor H is given to the resolution: the director can't learn the dice to come."""
    used: list[Secrets] = []
    pipeline = night.service.pipeline

    def resolve(play: PlayContext, frozen: Frozen, secrets: Secrets) -> TurnResult:
        used.append(secrets)
        return pipeline.resolve_turn(play, frozen, secrets)

    def freeze(play: Any, versions: Any, own: Any, text: Any, secrets: Secrets) -> Frozen:
        used.append(secrets)
        return pipeline.freeze(play, versions, own, text, secrets)

    service = replace(night.service, pipeline=replace(pipeline, resolve_turn=resolve, freeze=freeze))
    with service.database.read() as connection:
        seed = bytes.fromhex(connection.execute(select(metadata.tables["turns"].c.seed)).scalar_one())
    row = row_of(service, "marcas")
    trial = set_trial(service, row, service.clock.now())
    rolls = [one.roll for _ in range(2) for one in try_turn(service, trial).resolution.rolls]

    real = turn_key("marcas", 1, seed, NO_ENTROPY)
    assert (3, 6) == (
        len(used),
        len({one for secrets in used for one in (secrets.seed, secrets.game_secret)}),
    )
    assert {seed, row.secret}.isdisjoint(
        one for secrets in used for one in (secrets.seed, secrets.game_secret)
    )
    rounds = [one for one in rolls if one.sides > 1_000]
    assert rounds
    assert all(one.true_value != roll(real, one.label, one.index, one.sides) for one in rounds)


def test_the_override_file_counts(night: ConquistaNight) -> None:
    """A correction is applied; a wrong one is told as what would hold the turn, with exit code 1."""
    night.correct({"cancel": "Liga#1", "reason": "Se arrepintió"})
    kept = run(night, "--all")
    night.correct({"cancel": "Liga#7", "reason": "Se arrepintió"})
    wrong = run(night)

    assert (0, True) == (kept.exit_code, "Se arrepintió" in kept.output)
    assert (1, True) == (wrong.exit_code, "el turno se detendría" in wrong.output)
    assert "Liga no tiene ninguna orden número 7" in wrong.output


def test_several_runs_tell_how_often_each_thing_happens(night: ConquistaNight) -> None:
    """An invasion that may come off or not: both are counted, and they are all the runs."""
    service = night.service
    trial = set_trial(service, row_of(service, "marcas"), service.clock.now())
    results = [try_turn(service, trial) for _ in range(30)]
    own = next(one for one in count_chances(results) if (one.seat, one.number) == ("Liga", 1))

    assert own.order is not None
    assert "invadir CE-2 con E1" == own.order.text
    assert all(0 < runs < 30 for runs in own.runs.values())
    taken = sum(1 for one in results if one.resolution.state.cells["CE-2"].owner == "Liga")
    assert taken in own.runs.values()
    printed = run(night, "--times", "30").output
    assert "30 veces" in printed
    assert "  Liga#1: invadir CE-2 con E1" in printed.splitlines()


def test_a_turn_that_is_over_is_no_turn_to_try(night: ConquistaNight) -> None:
    """At the next turn it goes on; a game that is resolved and not yet published says so."""
    night.tick(at=LATE)
    night.tick(at=CLOSED)
    night.tick(at=CLOSED + timedelta(minutes=30))
    assert "Ensayo del turno 2" in run(night).output

    with night.service.database.write() as connection:
        table = metadata.tables["turns"]
        connection.execute(table.update().where(table.c.number == 2).values(status="resolved"))
    result = run(night)
    assert (2, True) == (result.exit_code, "El turno 2 ya está resuelto" in result.output)
    with pytest.raises(TurnOver):
        set_trial(night.service, row_of(night.service, "marcas"), night.clock.now())


def test_the_questions_that_would_be_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the deadline and behind the lock, the director sees what would be asked, and whom."""
    fair = fair_night.start_night(tmp_path / "g")
    numbers = count(50)
    service = replace(fair.service, random_bytes=lambda size: next(numbers).to_bytes(1, "big") * size)

    @contextmanager
    def open_service() -> Iterator[Service]:
        yield service

    monkeypatch.setattr(host, "open_service", open_service)
    monkeypatch.setattr(host, "require_row", lambda service, folder: row_of(service, "feria"))
    fair.tick()
    fair.post("Ana", "vender peluche en Tómbola")
    fair.tick(at=fair_night.CLOSED - timedelta(minutes=40))
    early = CliRunner().invoke(app, ["preview", str(fair.folder)])
    fair.tick(at=fair_night.CLOSED)
    late = CliRunner().invoke(app, ["preview", str(fair.folder)])

    assert (1, 1) == (early.exit_code, late.exit_code)
    assert ("El turno sigue abierto" in early.output, "ya están cerradas" in late.output) == (True, True)
    assert [True, True] == ["  oferta/Ana → Ana: " in one.output for one in (early, late)]
