"""What the documentation tells a reader to type exists, and its indexes are complete."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from jobs.cli import app

ROOT = Path(__file__).resolve().parent.parent
DECISIONS = ROOT / "docs" / "adr"

pytestmark = pytest.mark.docs

# An ADR tells what was decided on its day and may name what comes later or has gone.
PAGES = sorted(
    path
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]
    if DECISIONS not in path.parents and path.name != "CHANGELOG.md"
)


CATALOGUES = sorted(path for path in ROOT.glob("r*/**/locale/*.po"))


def list_typed(text: str, program: str) -> set[str]:
    """The first argument of each call of a program in code spans and code blocks, options left out."""
    return set(re.findall(rf"(?m)(?:`|^\s*(?:\$ )?)(?:\.venv/bin/)?{program} ([a-z][a-z-]*)", text))


def list_targets() -> set[str]:
    """The targets of the Makefile."""
    return set(re.findall(r"(?m)^([a-z][a-z-]*):(?!=)", (ROOT / "Makefile").read_text()))


@cache
def tells_help(command: str) -> bool:
    """Whether `turnero COMMAND` is a command that can tell its own help."""
    return CliRunner().invoke(app, [command, "--help"]).exit_code == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_make_target_named_on_a_page_exists(page: Path) -> None:
    """`make X` on a page is a target of the Makefile."""
    assert set() == list_typed(page.read_text(), "make") - list_targets()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_named_on_a_page_exists(page: Path) -> None:
    """`turnero X` on a page is a command that can tell its own help."""
    typed = sorted(list_typed(page.read_text(), "turnero"))
    assert [] == [command for command in typed if not tells_help(command)]


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_command_that_a_letter_names_exists(catalogue: Path) -> None:
    """What a director reads at midnight and types has to be there."""
    typed = sorted(set(re.findall(r"<c>turnero ([a-z]+)", catalogue.read_text(encoding="utf-8"))))

    assert [] == [command for command in typed if not tells_help(command)]


def test_some_letters_name_commands() -> None:
    """The check above looks at something."""
    assert any("<c>turnero retry" in path.read_text(encoding="utf-8") for path in CATALOGUES)


def test_commands_are_found_where_readers_type_them() -> None:
    """Code spans, blocks and prompts count; prose and options don't."""
    text = "Run `make demo`:\n\n    $ make check\n    .venv/bin/make test X\n\nThey make sense. `make --help`"
    assert {"demo", "check", "test"} == list_typed(text, "make")


def test_the_index_of_decisions_is_complete() -> None:
    """docs/adr/README.md links every decision and nothing else."""
    linked = re.findall(r"\]\((\d{4}-[a-z0-9-]+\.md)\)", (DECISIONS / "README.md").read_text())
    assert sorted(path.name for path in DECISIONS.glob("[0-9]*.md")) == sorted(linked)


def test_decisions_are_numbered_once() -> None:
    """Two decisions never share a number."""
    numbers = [path.name[:4] for path in DECISIONS.glob("[0-9]*.md")]
    assert sorted(set(numbers)) == sorted(numbers)
