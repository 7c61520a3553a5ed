"""The command line's help speaks the language that is asked for (design.md 5)."""

from __future__ import annotations

import re

import pytest
import typer
from typer.testing import CliRunner

from jobs.cli import app
from jobs.spoken import VARIABLE, list_help, load_help

SAME = frozenset(("N",))
"""Words that are the same in every language."""


def told(*typed: str, asked: str | None = None) -> str:
    """The help on one line, without its frame. asked: the language that the environment names."""
    result = CliRunner().invoke(app, [*typed, "--help"], env={VARIABLE: asked, "COLUMNS": "200"})
    assert 0 == result.exit_code
    return " ".join(re.sub(r"[│╭╮╰╯─]", " ", result.output).split())


def list_texts() -> set[str]:
    """Every text of the help, as it stands in the code."""
    root = typer.main.get_command(app)
    commands = (root, *getattr(root, "commands", {}).values())
    return {text for command in commands for text in list_help(command)}


def test_every_text_of_the_help_is_there_in_english() -> None:
    """A new option without one would be told in Spanish; and none is left of an option that is gone."""
    english, typers = load_help("en"), set(load_help("es"))
    texts = list_texts() - SAME - typers

    assert [] == sorted(texts - english.keys())
    assert [] == sorted(english.keys() - texts)


@pytest.mark.parametrize(
    ("typed", "asked"), [(("--language", "en"), None), (("--language=en",), "es"), ((), "en")]
)
@pytest.mark.parametrize("command", [(), ("check",)])
def test_the_help_is_english_where_that_is_asked_for(
    command: tuple[str, ...], typed: tuple[str, ...], asked: str | None
) -> None:
    """By the option, or by the environment, which the option goes before."""
    help_ = told(*typed, *command, asked=asked)

    assert "Checks all files of a game and, with --forum, that the forum can be read." in help_
    assert "Options" in help_
    assert "Comprueba" not in help_


@pytest.mark.parametrize(("typed", "asked"), [((), None), ((), "xx"), (("--language", "es"), "en")])
def test_the_help_is_spanish_otherwise(typed: tuple[str, ...], asked: str | None) -> None:
    """What Typer says of its own accord too."""
    root = told(*typed, asked=asked)
    check = told(*typed, "check", asked=None if asked == "xx" else asked)

    assert "Comprueba todos los archivos de una partida y, con --forum, que el foro se deja leer." in root
    assert "CARPETA" in check
    assert "Enseña esta ayuda y acaba." in check
    assert "Opciones" in check
    assert "Options" not in check
