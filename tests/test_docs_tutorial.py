"""The tutorial for rule authors shows the sample package as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "examples" / "rulesets" / "tesoro"
PAGES = ("docs/es/autores.md", "docs/en/rule-authors.md")

pytestmark = pytest.mark.docs


def blocks_of(page: str) -> list[tuple[str, str]]:
    """The fenced blocks of a page, each with the file named on the line above it, "" for none."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.findall(r"(?ms)^(?:`([^`\n]+)`\n\n)?```\w*\n(.*?)^```$", text)
    return [(path, code) for path, code in found]


@pytest.mark.parametrize("page", PAGES)
def test_every_block_of_code_stands_in_the_file_above_it(page: str) -> None:
    """Line for line: what a reader copies has been installed and played."""
    strange = [
        path or code
        for path, code in blocks_of(page)
        if not path or code not in (SAMPLE / path).read_text(encoding="utf-8")
    ]

    assert [] == strange


def test_both_pages_show_the_same_code() -> None:
    """A step that one language lacks would be a step that its readers can't take."""
    spanish, english = map(blocks_of, PAGES)

    assert spanish == english


def test_the_tutorial_shows_every_file_of_the_package() -> None:
    """But for the checks of a setup, which are plain, and the lines that only import."""
    shown = {path for path, _ in blocks_of(PAGES[0])}
    modules = {f"tesoro/{path.name}" for path in (SAMPLE / "tesoro").glob("*.py")}

    assert {"tesoro/__init__.py", "tesoro/check.py"} == modules - shown
