"""tools/check_goldens.py, with a stand-in for `turnero rehearse`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tools import check_goldens


@pytest.fixture
def turnero(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `turnero` that runs the Python written into the file it is given."""
    program = tmp_path / "turnero"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$2"\n')
    program.chmod(0o755)
    monkeypatch.setattr(check_goldens, "TURNERO", program)
    return program


def write_golden(folder: Path, code: str) -> str:
    """A scenario whose rehearsal does what the code says."""
    golden = folder / "golden.toml"
    golden.write_text(code)
    return str(golden)


@pytest.mark.usefixtures("turnero")
@pytest.mark.parametrize(
    ("code", "status", "said"),
    [
        ("print('{}')", 0, "1 of 1 pass"),
        ("raise SystemExit('supplies: 8, expected 9')", 1, "supplies: 8, expected 9"),
        ("print(set('abcdefgh'))", 1, "output differs between PYTHONHASHSEED 0 and 4242"),
    ],
)
def test_a_golden_must_pass_alike_under_each_hash_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], code: str, status: int, said: str
) -> None:
    """A failed rehearsal fails the check, and so does output that depends on the order of a set."""
    assert status == check_goldens.main([write_golden(tmp_path, code)])
    assert said in "".join(capsys.readouterr())


def test_no_goldens_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A check that found nothing to check has not passed."""
    monkeypatch.setattr(check_goldens, "ROOT", tmp_path)
    assert check_goldens.main([]) == 1
    assert "no goldens found" in capsys.readouterr().err


def test_the_installed_command_is_asked() -> None:
    """What is checked is the command that stands beside the running Python."""
    assert os.access(check_goldens.TURNERO, os.X_OK)
