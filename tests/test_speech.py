"""The terminal's language is a matter of one command, not of the process."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from jobs.cli import app
from jobs.speech import language, set_language, speaking


def test_a_command_in_english_leaves_the_next_one_in_spanish(tmp_path: Path) -> None:
    """A host that runs commands in one process gets each in its own language."""
    missing = str(tmp_path / "none.toml")
    runner = CliRunner()
    english = runner.invoke(app, ["--language", "en", "check", missing])
    spanish = runner.invoke(app, ["check", missing])
    assert english.output != spanish.output
    assert language() == "es"


def test_what_is_set_meanwhile_ends_with_the_command() -> None:
    """A game's own language, found on the way, goes with the command too."""
    with speaking("es"):
        with speaking("en"):
            set_language("en")
        assert language() == "es"
