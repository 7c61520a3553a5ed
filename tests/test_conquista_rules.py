"""What `rules/conquista/RULES.md` says is in the code, and what is in the code it says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from jobs.commands.rehearse import catalogue_of
from parsers.files.scenario import Scenario, load_scenario
from processor.pipeline.rehearsal import Rehearsal, rehearse
from rules.conquista.options import Options
from rules.engine.codec import dump_state
from rules.engine.dice import Roll
from rules.engine.messages import Message, Param
from rules.engine.registry import load_ruleset

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "rules" / "conquista"
PAGE = (FOLDER / "RULES.md").read_text(encoding="utf-8")
GOLDENS = sorted((ROOT / "tests" / "golden" / "conquista").glob("*.toml"))
THROWN = {"roll": 1, "pool": 2, "draw": 1, "draw_weighted": 1, "order_of": 1}
"""Methods that throw dice, and how many arguments stand before the address."""

pytestmark = pytest.mark.docs


def section(title: str) -> str:
    """The text under a heading of the page."""
    found = re.search(rf"(?ms)^## {re.escape(title)}\n(.*?)(?=^## |\Z)", PAGE)
    assert found is not None, title
    return found[1]


def rows(title: str) -> list[list[str]]:
    """The rows of a section's table, without its head."""
    lines = [line for line in section(title).splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def code_of(folder: str = ".") -> Iterator[tuple[Path, ast.Module]]:
    """The modules of the rule set."""
    for path in sorted((FOLDER / folder).rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


@cache
def played(path: Path) -> Rehearsal:
    """A golden as it is played."""
    return rehearse(scenario_of(path), load_ruleset, catalogue_of)


def scenario_of(path: Path) -> Scenario:
    """A golden's file."""
    return load_scenario(path.read_text(encoding="utf-8"), path.name)


def test_options_are_listed_with_their_defaults() -> None:
    """Each option of the code stands in the table, and nothing else does."""
    listed = {row[0].strip("`"): row[1].strip('"') for row in rows("Options")}
    defaults = dump_state(Options(), defaults=True)
    written = {
        key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in defaults.items()
    }

    assert written == listed
    assert [one.name for one in fields(Options)] == list(listed)


def test_options_named_beside_rules_exist() -> None:
    """An option in a table of rules or readings is one of the code, and each is named at a rule."""
    tables = "\n".join(" ".join(row) for title in HEADINGS for row in rows(title))
    known = {one.name for one in fields(Options)}

    assert known == known & set(re.findall(r"`([a-z_]+)`", tables))


HEADINGS = ("The original, paragraph by paragraph", "Readings (R) of what the original leaves open")


def test_dice_are_listed_with_their_addresses() -> None:
    """Kind and length of each address that is thrown in the code, and no other."""
    listed = {(row[0].strip("`").split("/")[0], row[0].count("/") + 1) for row in rows("Dice")}

    assert set(addresses()) == listed


def addresses() -> Iterator[tuple[str, int]]:
    """First part and number of parts of each address that the code throws."""
    for _, tree in code_of():
        for node in ast.walk(tree):
            name = (
                node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
            )
            if isinstance(node, ast.Call) and name in THROWN:
                first, *rest = node.args[THROWN[name] :]
                assert isinstance(first, ast.Constant)
                yield str(first.value), 1 + len(rest) + (name == "order_of")


def test_dice_that_fall_are_those_listed() -> None:
    """Every address of the goldens fits one of the table with its sides, and each of the table falls."""
    sides = {"d6": 6, "d2": 2, "1 to 2^64": 2**64, "draw": 0}
    forms = {
        re.compile(re.sub(r"[A-Z]+", r"[^/]+", row[0].strip("`"))): sides[row[1]] for row in rows("Dice")
    }
    fallen = {
        (one.roll.label, 0 if one.roll.chosen else _usual_sides(one.roll, scenario_of(path).options))
        for path in GOLDENS
        for turn in played(path).turns
        for one in turn.result.resolution.rolls
    }

    said = {
        (one.roll.label.split("/")[0], one.roll.purpose)
        for path in GOLDENS
        for turn in played(path).turns
        for one in turn.result.resolution.rolls
    }

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
    named = set(re.findall(r"`([\w/]+\.py):(\w+)`", PAGE))
    known = {
        (path.relative_to(FOLDER).as_posix(), node.name)
        for path, tree in code_of()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }

    assert set() == named - known
    assert {"plan/armies.py", "resolve/invasion.py", "view.py"} <= {file for file, _ in named}


def test_goldens_named_on_the_page_are_those_that_exist() -> None:
    """Every golden proves something that the page names."""
    words = set(
        re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", " ".join(row[2] for title in HEADINGS for row in rows(title)))
    )
    words |= set(
        re.findall(r"golden ([a-z0-9-]+)", section("Decisions (D) where original and readings are silent"))
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
    seen: set[str] = set()
    for path in GOLDENS:
        for turn in played(path).turns:
            for one in turn.result.resolution.events:
                seen.add(one.id)
                _collect(tuple(one.data.values()), seen)

    assert set() == _said_in_the_resolution() - seen


def _collect(value: Param, seen: set[str]) -> None:
    if isinstance(value, Message):
        seen.add(value.id)
        _collect(tuple(value.params.values()), seen)
    elif isinstance(value, tuple):
        for one in value:
            _collect(one, seen)


def _said_in_the_resolution() -> set[str]:
    said = {
        node.value
        for _, tree in code_of("resolve")
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.startswith("conquista/")
    }
    return {one for one in said if not one.startswith("conquista/roll-")}


def test_every_option_is_played_in_a_golden() -> None:
    """An option whose other value nobody has tried isn't known to work."""
    tried = {key for path in GOLDENS for key in scenario_of(path).options}

    assert {one.name for one in fields(Options)} == tried
