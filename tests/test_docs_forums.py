"""The tables of forums in the documentation say what the adapters say of themselves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jobs.adapters import ADAPTERS
from rules.play.posts import Capabilities, Precision

ROOT = Path(__file__).resolve().parents[1]
REAL = {"spirit", "flaskbb", "misago"}
"""Software that `make test` and `make test-forums` run."""
WORDS = {
    "es": ("es/foros.md", "sí", "no", "segundo", "minuto", "."),
    "en": ("en/forums.md", "yes", "no", "second", "minute", ","),
}

pytestmark = pytest.mark.docs


def describe(software: str, can: Capabilities, language: str) -> list[str]:
    """A row of the table, but for the forum's name."""
    _, yes, no, second, minute, point = WORDS[language]
    return [
        f"`{software}`",
        yes if can.private else no,
        second if can.precision is Precision.SECOND else minute,
        f"{can.max_chars:,}".replace(",", point),
        f"{can.min_interval:g} s" if can.min_interval else "—",
        yes if can.uploads else no,
        yes if software in REAL else no,
    ]


@pytest.mark.parametrize("language", WORDS)
def test_the_table_of_forums_is_true(language: str) -> None:
    """Each forum that is reached has its row, with what its adapter states, and a section of its own."""
    page = (ROOT / "docs" / WORDS[language][0]).read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.splitlines()
        if re.match(r"\| \[", line)
    ]
    assert [describe(name, one.capabilities, language) for name, one in ADAPTERS.items()] == [
        row[1:] for row in rows
    ]
    linked = [re.fullmatch(r"\[(.+)\]\(#(.+)\)", row[0]) for row in rows]
    titles = re.findall(r"^## (.+)$", page, re.MULTILINE)
    assert {found[1] for found in linked if found} <= set(titles)
    assert [found[1].lower() for found in linked if found] == [found[2] for found in linked if found]
