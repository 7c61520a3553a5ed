"""Which databases a host may name, and what it is told otherwise; no password in any of it."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from jobs import host
from jobs.cli import app
from jobs.settings import read_settings
from processor.store import urls
from processor.store.database import Database
from processor.store.urls import DatabaseFault, parse_url

PASSWORD = "geheim-7"
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`turnero status` on a machine whose database is at a URL."""

    def status(url: str) -> Result:
        monkeypatch.setenv("TURNERO_DATA", str(tmp_path))
        monkeypatch.setenv("TURNERO_DATABASE", url)
        return CliRunner().invoke(app, ["status"])

    return status


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg2"])
def test_every_way_to_write_postgresql_is_understood(scheme: str) -> None:
    """Hosts copy URLs from elsewhere; the driver is ours."""
    assert "postgresql+psycopg" == parse_url(f"{scheme}://u@h/d").drivername


@pytest.mark.parametrize(
    ("url", "said"),
    [
        (f"mysql://u:{PASSWORD}@h/d", "mysql"),
        (f"postgresql:u:{PASSWORD}", "postgresql://cuenta@servidor/base"),
        (f"postgresql://u:{PASSWORD}@h:puerto/d", "postgresql://cuenta@servidor/base"),
    ],
)
def test_a_url_that_is_none_is_answered_with_one_line(url: str, said: str, run: Run) -> None:
    """What would be right, without what was wrong."""
    _check_one_line(run(url), said)


def test_a_server_that_is_not_there_is_told_in_one_line(run: Run) -> None:
    """What the driver says, its first line."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        _check_one_line(run(f"postgresql://u:{PASSWORD}@127.0.0.1:{port}/d"), str(port))


def test_a_missing_driver_is_told_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """And how to install it."""
    monkeypatch.setattr(urls, "find_spec", lambda name: None)
    _check_one_line(run(f"postgresql://u:{PASSWORD}@h/d"), "turnero[postgres]")


def test_a_folder_that_cannot_be_made_is_told_in_one_line(tmp_path: Path, run: Run) -> None:
    """SQLite's file would lie where a file is already."""
    (tmp_path / "a").write_text("", encoding="ascii")
    _check_one_line(run(f"sqlite:///{tmp_path / 'a' / 'b' / 'turnero.db'}"), str(tmp_path / "a"))


def _check_one_line(result: Result, said: str) -> None:
    assert (2, 1) == (result.exit_code, len(result.output.splitlines())), result.output
    assert said in result.output
    assert PASSWORD not in result.output


def test_the_password_shows_nowhere(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither in the settings, the database or its errors as they are printed, nor in a log."""
    url = f"postgresql://u:{PASSWORD}@h/d"
    monkeypatch.setenv("TURNERO_DATABASE", url)
    monkeypatch.setenv("TURNERO_DATA", "d")
    database = Database(url)
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    try:
        host.start_logging()
        logging.getLogger("turnero").error("url %s", url)
    finally:
        root.handlers[:] = before
        root.setLevel(level)
    with pytest.raises(DatabaseFault) as fault:
        parse_url(f"mysql://u:{PASSWORD}@h/d")
    settings = read_settings({"TURNERO_DATABASE": url, "TURNERO_DATA": "d"})
    shown = f"{settings} {database.url} {database.engine}"
    told = f"{shown} {fault.value} {fault.value.__cause__} {capsys.readouterr().err}"
    assert "url postgresql://u:***@h/d" in told
    assert PASSWORD not in told


def test_the_url_may_stand_in_a_file(tmp_path: Path) -> None:
    """Like every secret."""
    path = tmp_path / "url"
    path.write_text(f"postgresql://u:{PASSWORD}@h/d\n", encoding="ascii")
    path.chmod(0o600)
    settings = read_settings({"TURNERO_DATABASE_FILE": str(path), "TURNERO_DATA": "d"})
    assert f"postgresql://u:{PASSWORD}@h/d" == settings.database
