"""A rule set's `RULES.md` beside its code and its goldens, for the tests that hold them together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jobs.commands.rehearse import catalogue_of
from parsers.files.scenario import Scenario, load_scenario
from processor.pipeline.rehearsal import Rehearsal, rehearse
from rules.engine.codec import dump_state
from rules.engine.dice import Roll
from rules.engine.messages import Message, Param
from rules.engine.registry import load_ruleset

ROOT = Path(__file__).resolve().parents[2]
THROWN = {"roll": 1, "pool": 2, "draw": 1, "draw_weighted": 1, "order_of": 1}
"""Methods that throw dice, and how many arguments stand before the address."""


@cache
def played(path: Path) -> Rehearsal:
    """A golden as it is played."""
    return rehearse(scenario_of(path), load_ruleset, catalogue_of)


@cache
def scenario_of(path: Path) -> Scenario:
    """A golden's file."""
    return load_scenario(path.read_text(encoding="utf-8"), path.name)


@dataclass(frozen=True)
class RulesPage:
    """The page of a rule set. ruleset: its id, which its folders are called by."""

    ruleset: str

    @property
    def folder(self) -> Path:
        """The rule set's code."""
        return ROOT / "rules" / self.ruleset

    @property
    def text(self) -> str:
        """The page as it stands."""
        return (self.folder / "RULES.md").read_text(encoding="utf-8")

    @property
    def goldens(self) -> list[Path]:
        """The rule set's scenarios."""
        return sorted((ROOT / "tests" / "golden" / self.ruleset).glob("*.toml"))

    def section(self, title: str) -> str:
        """The text under a heading of the page."""
        found = re.search(rf"(?ms)^## {re.escape(title)}\n(.*?)(?=^## |\Z)", self.text)
        assert found is not None, title
        return found[1]

    def rows(self, title: str) -> list[list[str]]:
        """The rows of a section's table, without its head."""
        lines = [line for line in self.section(title).splitlines() if line.startswith("|")]
        return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]

    def code(self, folder: str = ".") -> Iterator[tuple[Path, ast.Module]]:
        """The modules of the rule set, of a folder of it, or one alone."""
        root = self.folder / folder
        for path in [root] if root.is_file() else sorted(root.rglob("*.py")):
            yield path, ast.parse(path.read_text(encoding="utf-8"))

    def options_listed(self) -> dict[str, str]:
        """Options of the page with their defaults."""
        return {row[0].strip("`"): row[1].strip('"') for row in self.rows("Options")}

    def dice_listed(self) -> set[tuple[str, int]]:
        """First part and number of parts of each address of the page."""
        return {(row[0].strip("`").split("/")[0], row[0].count("/") + 1) for row in self.rows("Dice")}

    def dice_thrown(self, *, named: Mapping[str, tuple[str, ...]] | None = None) -> set[tuple[str, int]]:
        """The same of the code. named: texts that a name can stand for with which an
        address begins.
        """
        return {one for _, tree in self.code() for one in _thrown(tree, named or {})}

    def fallen(self) -> Iterator[tuple[Path, Roll]]:
        """Each die of the goldens."""
        for path in self.goldens:
            for turn in played(path).turns:
                yield from ((path, one.roll) for one in turn.result.resolution.rolls)

    def events_and_reasons(self) -> set[str]:
        """Ids of everything that is told in the goldens, with the messages inside."""
        seen: set[str] = set()
        for path in self.goldens:
            for turn in played(path).turns:
                for one in turn.result.resolution.events:
                    seen.add(one.id)
                    _collect(tuple(one.data.values()), seen)
        return seen

    def said_in(self, *folders: str) -> set[str]:
        """Ids of the rule set that stand in its code, without those of rolls."""
        own = f"{self.ruleset}/"
        said = {
            node.value
            for folder in folders
            for _, tree in self.code(folder)
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(own)
        }
        return {one for one in said if not one.startswith(f"{own}roll-")}


def written_options(options: Any) -> dict[str, str]:
    """Options as the page writes them."""
    return {
        key: str(value).lower() if isinstance(value, bool) else str(value)
        for key, value in dump_state(options, defaults=True).items()
    }


def _thrown(tree: ast.Module, named: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        name = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
        if isinstance(node, ast.Call) and name in THROWN:
            first, *rest = node.args[THROWN[name] :]
            for text in named[first.id] if isinstance(first, ast.Name) else (_constant(first),):
                yield text, 1 + len(rest) + (name == "order_of")


def _constant(first: ast.expr) -> str:
    assert isinstance(first, ast.Constant)
    return str(first.value)


def _collect(value: Param, seen: set[str]) -> None:
    if isinstance(value, Message):
        seen.add(value.id)
        _collect(tuple(value.params.values()), seen)
    elif isinstance(value, tuple):
        for one in value:
            _collect(one, seen)
