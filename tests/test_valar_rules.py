"""What `rules/valar/RULES.md` says is in the code, and what is in the code it says."""

from __future__ import annotations

import ast
import re
from dataclasses import fields
from pathlib import Path

import pytest

from rules.engine.codec import dump_state
from rules.valar.options import Options
from rules.valar.questions import POLICIES
from rules.valar.resolve import STEPS
from tests.support.rules_page import RulesPage, played, scenario_of, written_options

PAGE = RulesPage("valar")
GOLDENS = PAGE.goldens
CODE = re.compile(r"`([\w/]+\.py):(\w+)`")
ORIGINAL, READINGS = "The original, section by section", "Readings (R) of what the original leaves open"

pytestmark = pytest.mark.docs


def names_in(path: Path) -> set[str]:
    """What a module defines at its top, and methods."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {one.id for one in targets if isinstance(one, ast.Name)}
    return found


def test_code_that_is_named_exists() -> None:
    """Each `file.py:name`."""
    named = CODE.findall(PAGE.text)

    assert len(named) > 60
    assert [] == [one for one in named if one[1] not in names_in(PAGE.folder / one[0])]


def goldens_of(row: list[str]) -> set[str]:
    """The goldens that a row names."""
    return set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.sub(r"`[^`]*`", "", row[2])))


def test_goldens_named_in_the_readings_exist_and_every_golden_is_named() -> None:
    """Nothing is proved by what isn't there; `tests/test_valar_entries.py` has the catalogues' otherwise."""
    there = {path.stem for path in GOLDENS}
    readings = [goldens_of(row) for row in PAGE.rows(READINGS)]
    words = set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", PAGE.text))

    assert [] == [one - there for one in readings if one - there or not one]
    assert set() == there - words


def test_every_reading_has_its_code_and_an_option_or_a_reason() -> None:
    """No cell of the table is empty."""
    rows = PAGE.rows(READINGS)

    assert len(rows) > 45
    assert [] == [row for row in rows if len(row) != 4 or not all(row) or not CODE.search(row[1])]


def test_options_are_listed_with_their_defaults() -> None:
    """Each option of the code stands in the table, and nothing else does."""
    listed = PAGE.options_listed()

    assert written_options(Options()) == listed
    assert [one.name for one in fields(Options)] == list(listed)


def test_every_option_is_a_reading_played_both_ways() -> None:
    """The goldens of its row have the default and another value."""
    defaults = dump_state(Options(), defaults=True)
    played_with: dict[str, set[str]] = {}
    for row in PAGE.rows(READINGS):
        for option in set(re.findall(r"`([a-z_]+)`", row[3])) & defaults.keys():
            files = [path for path in GOLDENS if path.stem in goldens_of(row)]
            values = {repr(scenario_of(path).options.get(option, defaults[option])) for path in files}
            played_with.setdefault(option, set()).update(values)

    assert defaults.keys() == played_with.keys()
    both = {one for one, values in played_with.items() if {repr(defaults[one])} < values}
    assert set() == defaults.keys() - both


def test_dice_are_listed_with_their_addresses() -> None:
    """Kind and length of each address that is thrown in the code, and no other."""
    assert PAGE.dice_thrown(named={"what": ("improvement", "consequence")}) == PAGE.dice_listed()


def test_dice_that_fall_are_those_listed() -> None:
    """Every address of the goldens fits one of the table with its sides, and each of the table falls."""
    sides = {"d10": 10, "draw": 0}
    forms = {
        re.compile(re.sub(r"[A-Z]+", r"[^/]+", row[0].strip("`"))): sides[row[1]] for row in PAGE.rows("Dice")
    }
    fallen = {(one.label, 0 if one.chosen else one.sides) for _, one in PAGE.fallen()}
    said = {(one.label.split("/")[0], one.purpose) for _, one in PAGE.fallen()}

    assert all(purpose == f"valar/roll-{act}" for act, purpose in said)
    assert {1} == {sum(bool(form.fullmatch(label)) for form in forms) for label, _ in fallen}
    assert set(forms.items()) == {(form, n) for label, n in fallen for form in forms if form.fullmatch(label)}


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_each_golden_passes_and_names_its_sources(path: Path) -> None:
    """What is expected comes from the original, from a reading, or from the page."""
    assert played(path).passed
    assert any(turn.expect is not None and turn.expect.sources for turn in scenario_of(path).turns)


def test_everything_that_can_happen_happens_in_a_golden() -> None:
    """Each event and each reason of a cancellation that the resolution knows."""
    said = PAGE.said_in("resolve", "entries", "clocks.py")

    assert set() == {one for one in said if "/ask-" not in one and one[-1] != "-"} - PAGE.events_and_reasons()


def test_every_question_and_step_is_named() -> None:
    """Kinds of question in code marks, steps in their order."""
    marked = set(re.findall(r"`([\w-]+)`", PAGE.text))

    assert set() == POLICIES.keys() - marked
    assert ", ".join(one.name for one in STEPS) in re.sub(r"\s+", " ", PAGE.text)
