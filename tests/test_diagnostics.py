"""Every finding of the reading has an example that is its test and its documentation (design.md 8).

Those of a rule set have theirs among its answers (`test_conquista_answers.py`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.diagnostic_examples import Example, load_examples, write_page
from tests.test_catalogues import all_texts

ROOT = Path(__file__).resolve().parent.parent
PAGES = {"es": ROOT / "docs" / "es" / "mensajes.md", "en": ROOT / "docs" / "en" / "messages.md"}
PARTS = ("parse/expected-", "parse/script-")
"""Texts within other findings."""


@pytest.mark.parametrize("example", load_examples(), ids=lambda one: one.code)
@pytest.mark.parametrize("language", ["es", "en"])
def test_an_example_shows_what_it_is_for(example: Example, language: str) -> None:
    """One mistake gives one finding; a note about a name stands below the line that it is about."""
    above = ["parse/unknown-order"] if example.code == "parse/known-later" else []

    assert [*above, example.code] == [one.code for one in example.findings(language)]


def test_every_finding_of_the_reading_has_an_example() -> None:
    """Those of lines, blocks and posts: each text of the catalogue, and none that doesn't exist."""
    texts = {
        one for one in all_texts("es") if one.startswith(("parse/", "block/")) and not one.startswith(PARTS)
    }

    assert texts == {example.code for example in load_examples()}


@pytest.mark.docs
@pytest.mark.parametrize("language", ["es", "en"])
def test_the_page_of_messages_is_made_of_the_examples(language: str) -> None:
    """`make guide` writes it anew."""
    assert write_page(language) == PAGES[language].read_text(encoding="utf-8")
