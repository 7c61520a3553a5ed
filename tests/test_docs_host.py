"""The files for hosts name what is there, and start what can be started."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from jobs.cli import app
from jobs.settings import DATA, DATABASE

ROOT = Path(__file__).resolve().parent.parent
HOST = ROOT / "examples" / "host"
UNITS = sorted([*HOST.glob("*.service"), *HOST.glob("*.timer")])
PAGES = [ROOT / "docs/es/anfitriones.md", ROOT / "docs/en/hosting.md"]
COMMANDS = {command.name for command in app.registered_commands}
SECTIONS = {"Unit", "Service", "Timer", "Install"}
KNOWN = {DATA, f"{DATABASE}_FILE", "TURNERO_FORUM_PASSWORD_FILE", "TURNERO_LOG_FORMAT"}

pytestmark = pytest.mark.docs


def read_unit(path: Path) -> list[tuple[str, str, str]]:
    """Section, key and value of each setting, comments left out."""
    found, section = [], ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if head := re.fullmatch(r"\[(\w+)\]", line):
            section = head[1]
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.append((section, key, value))
    return found


def analyze(path: Path) -> Iterator[str]:
    """What systemd has against a unit, where there is a systemd to ask; the program's path is the host's."""
    program = shutil.which("systemd-analyze")
    if program is not None:
        done = subprocess.run([program, "verify", str(path)], capture_output=True, check=False, text=True)
        said = (line for line in done.stderr.splitlines() if "turnero" in line)
        yield from (line for line in said if "is not executable" not in line)


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_units_can_be_read(path: Path) -> None:
    """Each setting has a section, a name and a value; units that are named are there; systemd agrees."""
    settings = read_unit(path)

    assert SECTIONS >= {section for section, _, _ in settings}
    assert [] == [one for one in settings if not re.fullmatch(r"[A-Z]\w+", one[1]) or not one[2]]
    assert [] == [value for _, key, value in settings if key == "Unit" and not (HOST / value).is_file()]
    assert [] == list(analyze(path))


@pytest.mark.parametrize("path", sorted(HOST.iterdir()), ids=lambda path: path.name)
def test_what_the_files_start_and_set_exists(path: Path) -> None:
    """Commands are ours, and so are the settings."""
    text = path.read_text(encoding="utf-8")

    assert set(re.findall(r"bin/turnero (\w+)", text)) <= COMMANDS
    assert set(re.findall(r"(TURNERO_\w+)=", text)) <= KNOWN


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_page_names_every_file(page: Path) -> None:
    """But for the service that its timer starts."""
    text = page.read_text(encoding="utf-8")

    assert [] == [one.name for one in HOST.iterdir() if one.suffix != ".service" and one.name not in text]
    assert "turnero.service" in text
