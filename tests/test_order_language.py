"""What docs/order-language.md says is in the code and shown by tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "order-language.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
    for line in PAGE.splitlines()
    if line.startswith("|") and not line.startswith("| ---")
]
RULES = [row for row in ROWS if row[2] != "tests"]

pytestmark = pytest.mark.docs


def known_tests() -> set[str]:
    """Names of all test functions."""
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return {name for source in sources for name in re.findall(r"(?m)^def (test_\w+)", source)}


def test_each_rule_names_where_it_is_and_what_shows_it() -> None:
    """Three cells: the rule, modules, tests."""
    assert [] == [row for row in RULES if len(row) != 3 or not all(row)]
    assert len(RULES) > 60


def test_the_modules_named_on_the_page_exist() -> None:
    """A module that moves takes its rows along."""
    named = {path for row in RULES for path in re.findall(r"`([\w/.]+)`", row[1])}

    assert set() == {path for path in named if not (ROOT / path).exists()}
    assert [] == [row[0] for row in RULES if not re.findall(r"`([\w/.]+)`", row[1])]


def test_the_tests_named_on_the_page_exist() -> None:
    """A test that is renamed is renamed here, too."""
    named = set(re.findall(r"\btest_\w+", PAGE)) - {"test_order_language"}

    assert set() == named - known_tests()
    assert [] == [row[0] for row in RULES if "test_" not in row[2]]
