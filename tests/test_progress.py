"""Long work shows how far it is, on a terminal and nowhere else."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from jobs import host
from jobs.cli import app
from jobs.commands import progress
from jobs.logs import LogFormat, choose_format
from processor.service.bundle import Service
from processor.service.registering import register_game
from processor.store.turns import count_due
from tests.support.hand_clock import DEADLINE
from tests.support.small_game import write_folder
from tests.support.small_night import Night, start_night

GOLDENS = Path(__file__).parent / "golden" / "conquista"
SCENARIOS = [GOLDENS / f"{name}.toml" for name in ("dominio-planetas", "meta-dominio", "rondas-y-esperar")]
_CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """What stands on a terminal while commands work."""
    shown = io.StringIO()

    def make_console(*, stderr: bool = False) -> Console:
        assert stderr  # what a command prints is not mixed with it
        return Console(file=shown, force_terminal=True, width=100)

    monkeypatch.setattr(progress, "make_console", make_console)
    yield shown
    choose_format(LogFormat.TEXT)


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Night:
    """Three games whose first turn is to be opened."""
    night = start_night(tmp_path / "a")
    for name in ("b", "c"):
        register_game(night.service, write_folder(tmp_path / name, id=f"pequena-{name}"))

    @contextmanager
    def open_service() -> Iterator[Service]:
        yield night.service

    monkeypatch.setattr(host, "open_service", open_service)
    monkeypatch.setattr(host, "start_logging", lambda: None)
    return night


def run(*typed: str | Path) -> Result:
    """Type a command."""
    return CliRunner().invoke(app, list(map(str, typed)))


def words(terminal: io.StringIO) -> str:
    """What was shown, without colours."""
    return _CONTROLS.sub("", terminal.getvalue())


def test_a_tick_shows_of_how_many_games(games: Night, terminal: io.StringIO) -> None:
    """The bar goes when all is done; what the command prints is the same as without."""
    result = run("tick")
    assert "Partidas" in words(terminal)
    assert "67%" in words(terminal)  # two of three are behind it when the last begins
    assert "Partidas" not in result.output
    assert result.output.endswith(" pasos.\n")


def test_a_program_that_reads_the_log_sees_no_bar(games: Night, terminal: io.StringIO) -> None:
    """With `--log-format json` standard error holds objects alone."""
    assert 0 == run("--log-format", "json", "tick").exit_code
    assert "" == terminal.getvalue()


def test_no_bar_is_shown_where_nobody_looks(games: Night) -> None:
    """Standard error of a cron job stays empty."""
    assert "" == run("tick").stderr


def test_games_are_counted_that_have_something_to_do(games: Night) -> None:
    """Those of the named ones that are due, each once, whatever else is to come."""
    now = games.clock.now()

    def count(*only: str) -> int:
        with games.service.database.read() as connection:
            return count_due(connection, now, only or None)

    assert (3, 1, 0) == (count(), count("pequena-b"), count("otra"))
    run("tick")
    now = games.clock.now()
    assert 0 == count()
    now = DEADLINE
    assert 3 == count()


def test_a_rehearsal_of_several_shows_how_far_it_is(terminal: io.StringIO) -> None:
    """One line for each scenario, and how many came as expected."""
    result = run("rehearse", *SCENARIOS)
    assert "Jugando" in words(terminal)
    lines = result.output.splitlines()
    for file, line in zip(SCENARIOS, lines[:-1], strict=True):
        assert line.startswith(f"✔ {file}: ")
    assert "3 escenarios: todo sale como se esperaba." == lines[-1]
    assert 0 == result.exit_code


def test_what_differs_in_one_of_several_is_told(tmp_path: Path) -> None:
    """Below its line, and the command fails."""
    changed = tmp_path / "otro.toml"
    text = SCENARIOS[0].read_text(encoding="utf-8")
    expected = text.index("[expect]") + len("[expect]")
    changed.write_text(text[:expected] + '\nabsent = ["factions"]' + text[expected:], encoding="utf-8")
    result = run("rehearse", SCENARIOS[1], changed, SCENARIOS[2])
    lines = result.output.splitlines()
    assert 1 == result.exit_code
    assert ["✔", "✘", "✘", "✔"] == [one[0] for one in lines if one[0] in "✔✘"]
    assert "3 escenarios: 1 sale distinto." == lines[-1]


@pytest.mark.parametrize("more", [("--json",), ("--pictures", "mapas")])
def test_json_and_pictures_are_of_one_scenario(more: tuple[str, ...]) -> None:
    """Those of several would be mixed up."""
    result = run("rehearse", *SCENARIOS, *more)
    assert (2, True) == (result.exit_code, "un escenario cada vez" in result.stderr)


def test_work_of_unknown_length_says_what_it_is(terminal: io.StringIO) -> None:
    """Such as playing a stored turn again."""
    with progress.showing("Jugando el turno otra vez"):
        pass
    assert "Jugando el turno otra vez" in words(terminal)
