"""What `rules/conquista/RULES.md` says is in the code, and what is in the code it says."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from rules.conquista.options import Options
from rules.engine.dice import Roll
from tests.support.rules_page import RulesPage, played, scenario_of, written_options

PAGE = RulesPage("conquista")
GOLDENS = PAGE.goldens

pytestmark = pytest.mark.docs


def test_options_are_listed_with_their_defaults() -> None:
    """Each option of the code stands in the table, and nothing else does."""
    listed = PAGE.options_listed()

    assert written_options(Options()) == listed
    assert [one.name for one in fields(Options)] == list(listed)


def test_options_named_beside_rules_exist() -> None:
    """An option in a table of rules or readings is one of the code, and each is named at a rule."""
    tables = "\n".join(" ".join(row) for title in HEADINGS for row in PAGE.rows(title))
    known = {one.name for one in fields(Options)}

    assert known == known & set(re.findall(r"`([a-z_]+)`", tables))


HEADINGS = ("The original, paragraph by paragraph", "Readings (R) of what the original leaves open")


def test_dice_are_listed_with_their_addresses() -> None:
    """Kind and length of each address that is thrown in the code, and no other."""
    assert PAGE.dice_thrown() == PAGE.dice_listed()


def test_dice_that_fall_are_those_listed() -> None:
    """Every address of the goldens fits one of the table with its sides, and each of the table falls."""
    sides = {"d6": 6, "d2": 2, "1 to 2^64": 2**64, "draw": 0}
    forms = {
        re.compile(re.sub(r"[A-Z]+", r"[^/]+", row[0].strip("`"))): sides[row[1]] for row in PAGE.rows("Dice")
    }
    fallen = {
        (one.label, 0 if one.chosen else _usual_sides(one, scenario_of(path).options))
        for path, one in PAGE.fallen()
    }

    said = {(one.label.split("/")[0], one.purpose) for _, one in PAGE.fallen()}

    assert all(purpose == f"conquista/roll-{act}" for act, purpose in said)
    assert {1} == {sum(bool(form.fullmatch(label)) for form in forms) for label, _ in fallen}
    assert set(forms.items()) == {(form, n) for label, n in fallen for form in forms if form.fullmatch(label)}


def _usual_sides(roll: Roll, options: Mapping[str, Any]) -> int:
    """A die's sides; for dice of damage that are as large as the game's option says, those of its default."""
    act, damage, _ = roll.label.partition("-damage/")
    if damage and roll.sides == options.get(f"{act}_die"):
        return 2
    return roll.sides


def test_functions_named_on_the_page_exist() -> None:
    """`file.py:function` is a function, or a method, of that file."""
    named = set(re.findall(r"`([\w/]+\.py):(\w+)`", PAGE.text))
    known = {
        (path.relative_to(PAGE.folder).as_posix(), node.name)
        for path, tree in PAGE.code()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }

    assert set() == named - known
    assert {"plan/armies.py", "resolve/invasion.py", "view.py"} <= {file for file, _ in named}


def test_goldens_named_on_the_page_are_those_that_exist() -> None:
    """Every golden proves something that the page names."""
    words = set(
        re.findall(
            r"[a-z0-9]+(?:-[a-z0-9]+)*", " ".join(row[2] for title in HEADINGS for row in PAGE.rows(title))
        )
    )
    words |= set(
        re.findall(
            r"golden ([a-z0-9-]+)", PAGE.section("Decisions (D) where original and readings are silent")
        )
    )

    assert {path.stem for path in GOLDENS} == words


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_each_golden_passes_and_names_its_source(path: Path) -> None:
    """What is expected comes from the original, from a reading, or from the page."""
    assert played(path).passed
    for turn in scenario_of(path).turns:
        assert turn.expect is not None
        assert turn.expect.sources or all(one.source for one in turn.expect.events or ())


def test_everything_that_can_happen_happens_in_a_golden() -> None:
    """Each event and each reason of a cancellation that the resolution knows."""
    assert set() == PAGE.said_in("resolve") - PAGE.events_and_reasons()


def test_every_option_is_played_in_a_golden() -> None:
    """An option whose other value nobody has tried isn't known to work."""
    tried = {key for path in GOLDENS for key in scenario_of(path).options}

    assert {one.name for one in fields(Options)} == tried
