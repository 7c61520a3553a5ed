"""Secrets and where data lies; what logs don't say (reliability.md 5)."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from jobs.catalogues import load_catalogue
from jobs.logs import RedactingFormatter
from jobs.sessions import SessionFile
from jobs.settings import SettingsError, read_secret, read_settings
from jobs.wiring import make_reach
from processor.checkpoints import Checkpoint, pass_by


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"TURNERO_DATA": "d"}, "sqlite:///d/turnero.db"),
        ({"XDG_DATA_HOME": "x"}, "sqlite:///x/turnero/turnero.db"),
        ({"HOME": "h"}, "sqlite:///h/.local/share/turnero/turnero.db"),
        ({"HOME": "h", "TURNERO_DATABASE": "postgresql://u@h/d"}, "postgresql://u@h/d"),
    ],
)
def test_where_the_database_lies(environ: dict[str, str], expected: str) -> None:
    """By name, else in the user's data folder."""
    assert expected == read_settings(environ).database


def test_no_place_for_data_is_an_error() -> None:
    """A service without a home is told what to set."""
    with pytest.raises(SettingsError, match="TURNERO_DATA"):
        read_settings({})


def write_secret(path: Path, text: str, mode: int = 0o600) -> dict[str, str]:
    """A secret in a file, and the environment that names it."""
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return {"X_FILE": str(path), "X": "otro"}


def test_a_file_goes_before_the_environment(tmp_path: Path) -> None:
    """Its last line end isn't part of the secret."""
    assert "s3creto" == read_secret(write_secret(tmp_path / "x", "s3creto\n"), "X")


def test_the_environment_serves_too() -> None:
    """Or nothing does, and there is no secret."""
    assert ("otro", None) == (read_secret({"X": "otro"}, "X"), read_secret({}, "X"))


def test_a_credential_of_systemd_may_show_its_group(tmp_path: Path) -> None:
    """An ACL gives it to the service alone, and looks like a right of the group; others never may."""
    environ = write_secret(tmp_path / "x", "s3creto", 0o440)

    assert "s3creto" == read_secret({**environ, "CREDENTIALS_DIRECTORY": str(tmp_path)}, "X")
    (tmp_path / "x").chmod(0o444)
    with pytest.raises(SettingsError):
        read_secret({**environ, "CREDENTIALS_DIRECTORY": str(tmp_path)}, "X")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_file_that_others_can_open_is_refused(mode: int, tmp_path: Path) -> None:
    """The message tells how to close it, and not what stands in it."""
    environ = write_secret(tmp_path / "x", "s3creto", mode)
    with pytest.raises(SettingsError) as refused:
        read_secret(environ, "X")
    said = refused.value.say(load_catalogue("es"))
    assert "chmod 600" in said
    assert "s3creto" not in said + str(refused.value)


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_file_is_refused(text: str, tmp_path: Path) -> None:
    """It is never taken for an empty password."""
    with pytest.raises(SettingsError, match="secret-empty"):
        read_secret(write_secret(tmp_path / "x", text), "X")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """Rather than falling back to the environment in silence."""
    with pytest.raises(SettingsError, match="secret-unreadable"):
        read_secret({"X_FILE": str(tmp_path / "none"), "X": "otro"}, "X")


def format_log(message: str, *args: object, error: BaseException | None = None) -> str:
    """A log line as it would be written, where `s3creto` is a password."""
    told = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord("turnero", logging.INFO, "", 1, message, args, told)
    return RedactingFormatter(["s3creto"]).format(record)


SEED = "0f" * 32


@pytest.mark.parametrize("text", ["clave s3creto", f"semilla {SEED}", f"semilla {SEED.upper()}."])
def test_secrets_do_not_reach_a_log(text: str) -> None:
    """Neither known ones nor what looks like a seed."""
    line = format_log("%s", text)
    assert (False, False, True) == ("s3creto" in line, SEED in line.lower(), "***" in line)


def test_secrets_do_not_reach_a_traceback() -> None:
    """An exception that quotes a secret is cut as well."""
    line = format_log("falló", error=ValueError("la clave es s3creto"))
    assert ("la clave es ***" in line, "s3creto" in line) == (True, False)


@pytest.mark.parametrize("text", ["a\nb", "a\x1b[31mb", "a\u202eb", "a\x00b"])
def test_what_others_wrote_is_one_line(text: str) -> None:
    """Control characters are shown, not obeyed (log injection)."""
    assert [] == [one for one in format_log("%s", text) if not one.isprintable()]


def test_a_session_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    """What is saved comes back; nobody else can open it."""
    file = SessionFile(tmp_path / "sessions", "http://foro.example", "turnero")
    assert None is file.load()
    file.save("galletas")
    assert ("galletas", 0o600, 1) == (
        file.load(),
        file.path.stat().st_mode & 0o777,
        len([*file.path.parent.iterdir()]),
    )


def test_sessions_of_other_accounts_are_others(tmp_path: Path) -> None:
    """Forum and account name the file."""
    names = {SessionFile(tmp_path, url, account).path for url in ("a", "b") for account in ("c", "d")}
    assert 4 == len(names)


def test_nothing_happens_at_checkpoints_in_play() -> None:
    """Without the setting of the kill tests."""
    assert pass_by is make_reach(None)
    for checkpoint in Checkpoint:
        pass_by(checkpoint)


@pytest.mark.parametrize("text", ["nowhere", "posted:0", "posted:x"])
def test_a_kill_at_nowhere_is_an_error(text: str) -> None:
    """A test that would kill nothing must not pass."""
    with pytest.raises(SettingsError, match="TURNERO_KILL_AT"):
        make_reach(text)
