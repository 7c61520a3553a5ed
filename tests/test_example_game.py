"""The example game: right, as large as promised, with terrain to find, and played for a turn."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from jobs.catalogues import LANGUAGES
from jobs.commands.rehearse import catalogue_of
from jobs.folders import CheckedFolder, check_folder
from jobs.starting.examples import find_example
from parsers.files.override import load_overrides
from parsers.files.scenario import load_scenario
from parsers.files.toml_text import write_toml
from processor.pipeline.rehearsal import rehearse
from rules.conquista import RULESET
from rules.conquista.state import State, neighbours, odds_of, owned, planet_of
from rules.engine.registry import load_ruleset

EXAMPLE = Path(__file__).resolve().parent.parent / "examples" / "conquista"
FILES = ("game", "setup")


def example() -> CheckedFolder:
    """The example as `check` reads it."""
    return check_folder(EXAMPLE)


def test_the_example_passes_check() -> None:
    """Game, map and corrections are right."""
    assert ((), (("overrides/turn-001.toml", 0),)) == (example().problems, example().overrides)


def test_the_example_is_as_large_as_promised() -> None:
    """Four planets, at least 60 cells, four factions that begin alike, every cell within reach."""
    state: State = example().state
    held = {faction: len(owned(state, faction)) for faction in state.factions}
    assert (4, 4, {8}) == (len(state.planets), len(state.factions), set(held.values()))
    assert len(state.cells) >= 60
    assert set(state.planets) == {planet_of(cell) for cell in state.cells}
    near = neighbours(state.cells)
    reached, waiting = {"CM-1"}, ["CM-1"]
    while waiting:
        new = near[waiting.pop()] - reached
        reached |= new
        waiting += new
    assert set(state.cells) == reached


def test_features_of_the_example_are_hidden() -> None:
    """Both kinds lie in cells of nobody, where no faction knows of them; each faction knows its own."""
    state: State = example().state
    free = {cell: one for cell, one in state.cells.items() if one.feature and one.owner is None}
    hidden = {cell: one.feature for cell, one in free.items() if not one.charted}
    known = {cell for faction in state.factions.values() for cell in faction.known}
    assert {"manufactorum", "colmena"} == {str(feature) for feature in hidden.values()}
    assert {"manufactorum", "colmena"} == {str(one.feature) for one in free.values() if one.charted}
    assert set() == known & free.keys()
    assert known == {cell for cell, one in state.cells.items() if one.feature and one.owner is not None}


def test_much_of_the_example_is_still_to_be_drawn() -> None:
    """A third of the cells and more, on every planet, by the game's table or the planet's own."""
    state: State = example().state
    drawn = [cell for cell, one in state.cells.items() if one.unexplored]
    tables = {planet_of(cell): odds_of(state, cell).weights for cell in drawn}
    assert 3 * len(drawn) > len(state.cells)
    assert set(state.planets) == tables.keys()
    assert {"manufactorum": 1, "nada": 1} == tables["VE"]
    assert {"manufactorum": 2, "colmena": 1, "nada": 7} == tables["CM"]


def test_the_example_is_one_map_in_both_languages() -> None:
    """Only names and what agrees with them differ."""
    maps = []
    for language in LANGUAGES:
        folder = find_example(RULESET, language)
        assert folder is not None
        data = tomllib.loads((folder / "setup.toml").read_text(encoding="utf-8"))
        for table in ("planets", "cells", "factions"):
            for one in data[table].values():
                for key in ("name", "shown", "article", "gender", "plural"):
                    one.pop(key, None)
        maps.append(data)
    assert maps[0] == maps[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_corrections_of_the_example_can_be_turned_on(language: str) -> None:
    """Each with the # in front removed is one that override files know."""
    folder = find_example(RULESET, language)
    assert folder is not None
    text = (folder / "overrides" / "turn-001.toml").read_text(encoding="utf-8")
    turned_on = load_overrides(re.sub(r"(?m)^#(?=\S)", "", text), "overrides/turn-001.toml")
    assert ["Replace", "Cancel", "Add", "SetValue"] == [type(one).__name__ for one in turned_on]


def test_the_example_can_be_played() -> None:
    """Three houses explore in the first turn, by map and by table; each alone learns what it has found.

    The fourth recruits, sabotages and bombards.
    """
    game, setup = (tomllib.loads((EXAMPLE / f"{one}.toml").read_text(encoding="utf-8")) for one in FILES)
    scenario = {
        "title": game["title"],
        "ruleset": game["ruleset"],
        "number": 1,
        "seed": "0" * 64,
        "options": game["options"],
        "state": setup,
        "orders": {
            "Sigma": "producir\nmover E3: 2 a CM-5, 2 a CM-9, 3 quedan\ninvadir CM-40 con E1",
            "Tau": "producir\nmover E13 a TA-6",
            "Kappa": "espiar Tau\nmover E21 a CM-28, CM-29",
            "Omega": "reclutar 2 en VE-1\nsabotear Kappa con 1 en CM-27\nbombardear CM-8 con 2 desde E31",
        },
        "dice": {
            "exploration/CM-5": ["nada"],
            "exploration/CM-28": ["colmena"],
            "sabotage/Kappa/Omega": [4],
            "bombardment/CM-8/Omega/E31": [4],
            "bombardment-damage/CM-8/Omega/E31": [2, 1],
        },
    }
    (turn,) = rehearse(load_scenario(write_toml(scenario), "example"), load_ruleset, catalogue_of).turns
    data = turn.actual.data()
    found = [
        (*one["audience"], one["cell"]) for one in data["events"] if one["id"] == "conquista/feature-found"
    ]
    fought = [one["cell"] for one in data["events"] if one["id"] == "conquista/invasion-fought"]

    assert [("Kappa", "CM-28"), ("Kappa", "CM-29"), ("Sigma", "CM-9"), ("Tau", "TA-6")] == sorted(found)
    assert ["CM-40"] == fought
    armies = data["state"]["armies"]
    assert (("Omega", "VE-1", 3), 3) == (tuple(armies["E34"].values()), armies["E12"]["troops"])
    assert 0 == data["state"]["cells"]["CM-27"].get("fortification", 0)
    assert [] == data["diagnostics"]
