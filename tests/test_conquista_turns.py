"""All that happens in each golden of `conquista`, as kept in tests/texts/conquista-turns/, and what readers
are told of some of them, in tests/texts/conquista-reports/.

A golden says what matters to it and where that stands in the original. What is kept here is everything else
that comes of it too: each event and die with who knows it, and what is other in the state afterwards.
`TURNERO_WRITE_TEXTS=1 pytest …` writes it anew; a change is for whoever reviews it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from jobs.commands.rehearse import catalogue_of
from parsers.files.scenario import load_scenario
from processor.pipeline.comparing import event_data, roll_data
from processor.pipeline.rehearsal import RehearsedTurn, rehearse
from processor.pipeline.viewing import write_document
from rules.conquista.options import Options
from rules.conquista.state import Army, Cell, Faction, Planet, State
from rules.engine.codec import dump_state
from rules.engine.registry import load_ruleset
from tests.support.conquista_games import accepted, read
from tests.support.conquista_games import play as play_turn
from tests.support.golden_texts import FOLDER

GOLDENS = sorted((FOLDER.parent / "golden" / "conquista").glob("*.toml"))
KEPT = FOLDER / "conquista-turns"


REPORTS = FOLDER / "conquista-reports"
REPORTED = (
    "bombardeo-bajas",
    "bombardeo-fracaso",
    "ceder-casilla",
    "ceder-intercambio",
    "ceder-suministros",
    "dominio-planetas",
    "espionaje-fracaso",
    "explorar-por-tabla",
    "faccion-sin-casillas",
    "fuerza-de-quien-dirige",
    "imperio-turno-3",
    "listas-en-su-orden",
    "meta-empate-por-casillas",
    "mover-parte-cortada",
    "obras-arrasadas",
    "opcion-base-nueva",
    "sabotaje-exito",
    "sabotaje-fracaso",
    "traspasar-tropas",
    "unir-los-que-estan",
    "vista-combate-y-espia",
)
"""Goldens of which the reports are kept too, word by word; together they tell of all that can happen."""


def play(golden: Path) -> tuple[RehearsedTurn, ...]:
    """The turns of a golden."""
    scenario = load_scenario(golden.read_text(encoding="utf-8"), golden.name)
    return rehearse(scenario, load_ruleset, catalogue_of).turns


def _lines(turn: RehearsedTurn) -> Iterator[str]:
    yield f"# turno {turn.turn.number}"
    for one in turn.result.resolution.events:
        data = event_data(one)
        seat, number = data.pop("seat"), data.pop("number")
        by = f" {seat}#{number}" if seat is not None else ""
        known, kind = json.dumps(data.pop("audience"), ensure_ascii=False), data.pop("id")
        yield f"{known} {kind}{by} {json.dumps(data, ensure_ascii=False)}"
    for roll in map(roll_data, turn.result.resolution.rolls):
        yield f"{json.dumps(roll.pop('audience'), ensure_ascii=False)} {json.dumps(roll, ensure_ascii=False)}"
    before = flat(dump_state(turn.play.state, defaults=True))
    after = flat(turn.actual.filled or {})
    for path in sorted(before.keys() | after.keys()):
        if before.get(path) != after.get(path):
            yield f"{path}: {before.get(path, '-')} > {after.get(path, '-')}"


def _parts(turn: RehearsedTurn, reader: str) -> str:
    """The document's title and the ids of its sections."""
    document = write_document(turn.play, turn.result, reader)
    assert document is not None
    title = turn.play.catalogue.text(document.title)
    return f"{title} ({', '.join(section.id for section in document.sections)})"


def flat(data: Mapping[str, Any], above: str = "") -> dict[str, str]:
    """Each value of a table by its path."""
    found: dict[str, str] = {}
    for key, value in data.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{above}{key}/")
        else:
            found[above + key] = json.dumps(value, ensure_ascii=False)
    return found


def kept(path: Path, made: str) -> str:
    """The text that is kept; writes it anew where that is asked for."""
    if os.environ.get("TURNERO_WRITE_TEXTS"):
        path.write_text(made, encoding="utf-8")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.stem)
def test_all_that_comes_of_a_golden(golden: Path) -> None:
    """Every event and every die with its audience, and every value that is other afterwards."""
    made = "".join(f"{line}\n" for turn in play(golden) for line in _lines(turn))

    assert kept(KEPT / f"{golden.stem}.txt", made) == made


@pytest.mark.parametrize("golden", REPORTED)
def test_what_each_reader_is_told_of_a_golden(golden: str) -> None:
    """The public report, that of each faction, and the director's."""
    (turn, *_) = play(GOLDENS[0].with_name(f"{golden}.toml"))
    made = "".join(
        f"## {reader}: {_parts(turn, reader)}\n\n{text.strip()}\n\n" for reader, text in turn.reports.items()
    )

    assert kept(REPORTS / f"{golden}.txt", made) == made


def test_nothing_is_kept_of_goldens_that_are_gone() -> None:
    """One text for each golden."""
    assert {path.stem for path in GOLDENS} >= {path.stem for path in KEPT.glob("*.txt")}


def test_those_who_give_away_their_last_cell_are_out_in_order() -> None:
    """Four factions hand all they have to a fifth: each is told to be out, by name."""
    leaving = ("Ala", "Corona", "Liga", "Orden")
    state = State(
        {"CE": Planet("Ceniza")},
        {f"CE-{n}": Cell(owner) for n, owner in enumerate(("Gremio", *leaving))},
        {owner: Faction(block=n) for n, owner in enumerate(("Gremio", *leaving), 1)},
    )
    orders = {
        seat: accepted(read(state, seat, f"ceder CE-{n} a Gremio")) for n, seat in enumerate(leaving, 1)
    }

    out = [
        one.data["faction"] for one in play_turn(state, orders).events if one.id == "conquista/faction-out"
    ]

    assert list(leaving) == out


def test_an_espionage_that_cant_be_paid_any_more_is_cancelled() -> None:
    """Three supplies are enough for one of two; it shows the armies by their numbers."""
    state = State(
        {"CE": Planet("Ceniza")},
        {"CE-1": Cell("Liga"), "CE-2": Cell("Corona")},
        {"Liga": Faction(supplies=3), "Corona": Faction(block=2)},
        {key: Army("Corona", "CE-2", 1) for key in ("E2001", "E19", "E11")},
    )
    orders = {"Liga": accepted(read(state, "Liga", "espiar Corona\nespiar Corona"))}
    events = play_turn(state, orders, options=Options(actions=(0, 2), espionage_target=1)).events

    assert [2] == [one.number for one in events if one.id == "engine/order-cancelled"]
    (seen,) = (one.data["armies"] for one in events if one.id == "conquista/espionage-succeeded")
    assert (("E11", "CE-2", 1), ("E19", "CE-2", 1), ("E2001", "CE-2", 1)) == seen
