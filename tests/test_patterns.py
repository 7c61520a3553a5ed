"""Regular expressions stay clear of what early releases of Python 3.11 get wrong."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted(
    path
    for name in ("rules", "parsers", "reporters", "processor", "jobs")
    for path in (ROOT / name).rglob("*.py")
)
POSSESSIVE = re.compile(r"(?<!\\)[*+?}]\+")


def _patterns(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
            yield from (
                one.value
                for one in ast.walk(node)
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            )


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_pattern_uses_possessive_quantifiers(path: Path) -> None:
    """Python 3.11.0 to 3.11.3 match `a*+` wrongly (gh-106052); atomic groups do the same job."""
    outside_sets = [re.sub(r"\[(?:\\.|[^\]\\])*\]", "x", one) for one in _patterns(path)]

    assert [] == [one for one in outside_sets if POSSESSIVE.search(one)]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [("a*+b", True), ("(?:a|b)++", True), ("a{2}+", True), (r"\++", False), ("(?>a*)b", False)],
)
def test_possessive_quantifiers_are_told_from_others(pattern: str, found: bool) -> None:
    """The check sees what it is for."""
    assert found == bool(POSSESSIVE.search(pattern))
