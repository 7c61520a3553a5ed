"""`turnero backup` and `turnero restore`, as the host types them."""

from __future__ import annotations

import re
import shutil
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from jobs.cli import app
from tests.test_commands import GAME, SETUP

VARIES = re.compile(r"\d+ (KB|filas)|\d{4}-\d\d-\d\d \d\d:\d\d")
SECRET = (
    "Guárdala donde sólo la abras tú: lleva las semillas de los dados y las órdenes secretas. "
    "Contraseñas no lleva ninguna."
)
PASSWORD = "canario-de-contraseña-1"


def run(*typed: str) -> Result:
    """Type a command."""
    return CliRunner().invoke(app, typed)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with a registered game in `veth`."""
    for name, text in {"game.toml": GAME, "setup.toml": SETUP, "overrides/turn-001.toml": "# nada\n"}.items():
        path = tmp_path / "veth" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "secret").write_text(PASSWORD, encoding="utf-8")
    (tmp_path / "secret").chmod(0o600)
    monkeypatch.setenv("TURNERO_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("TURNERO_DATABASE", raising=False)
    monkeypatch.setenv("TURNERO_FORUM_PASSWORD_FILE", str(tmp_path / "secret"))
    assert 0 == run("register", str(tmp_path / "veth")).exit_code
    return tmp_path


def test_a_lost_machine_comes_back(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Saved, lost, restored; each command says what it holds and what comes next."""
    made = run("backup", str(machine / "copia.zip"))
    shutil.rmtree(machine / "data")
    shutil.rmtree(machine / "veth")
    monkeypatch.delenv("TURNERO_FORUM_PASSWORD_FILE")
    restored = run("restore", str(machine / "copia.zip"))
    assert (0, 0) == (made.exit_code, restored.exit_code)
    lines = [VARIES.sub("…", one) for one in made.output.splitlines()]
    assert [
        f"✔ {machine / 'copia.zip'}: copia del … UTC, …",
        "  1 partida, … de la base de datos, 3 archivos de sus carpetas",
        f"  veth: turno 1, por abrir · {machine / 'veth'}",
        SECRET,
    ] == lines
    assert "⚠ Las contraseñas no van en la copia: pon TURNERO_VETH_PASSWORD" in restored.output
    assert "Antes de hacer nada, cada partida se compara con su foro" in restored.output
    assert "Turno 1: por abrir" in run("status", str(machine / "veth")).output


def test_no_password_of_this_machine_is_saved(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The forum's and the database's stay in the environment, also one that was noted in an override file."""
    (machine / "veth" / "overrides" / "turn-001.toml").write_text(f"# {PASSWORD}\n", encoding="utf-8")
    monkeypatch.setenv("TURNERO_FORUM_PASSWORD", "otro-canario-2")
    made = run("backup", str(machine / "copia.zip"))
    with zipfile.ZipFile(machine / "copia.zip") as opened:
        everything = b"".join(opened.read(name) for name in opened.namelist())
    assert (b'"TURNERO_DATA"' in everything, b"canario" in everything) == (True, False)
    assert "⚠ veth: se queda fuera overrides/turn-001.toml: lleva una contraseña" in made.output


def test_what_cant_be_done_is_said_in_one_line(machine: Path) -> None:
    """A usage error, with what to do instead."""
    copy = str(machine / "copia.zip")
    assert 0 == run("backup", copy).exit_code
    again, full, both = (
        run("backup", copy),
        run("restore", copy),
        run("restore", copy, "--keep", "--overwrite"),
    )
    assert [2, 2, 2] == [one.exit_code for one in (again, full, both)]
    assert "sustitúyelo con --force" in again.output
    assert "ya tiene 1 partida" in full.output
    assert 0 == run("backup", copy, "--force").exit_code


def test_a_machine_without_games_has_nothing_to_save(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most likely the command looks at another database than the games are in."""
    monkeypatch.setenv("TURNERO_DATA", str(machine / "elsewhere"))
    made = run("--language", "en", "backup", str(machine / "copia.zip"))
    assert (2, True) == (made.exit_code, "There is no game to save in sqlite:///" in made.output)
    assert not (machine / "copia.zip").exists()


def test_a_game_without_its_folder_is_told(machine: Path) -> None:
    """The rest is saved; the exit code says that something is missing."""
    shutil.rmtree(machine / "veth")
    made = run("backup", str(machine / "copia.zip"))
    assert (1, True) == (made.exit_code, "✘ veth: su carpeta no está" in made.output)
