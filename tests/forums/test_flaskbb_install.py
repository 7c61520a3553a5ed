"""Where FlaskBB finds a Python that is new enough, and what is said where there is none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from jobs.demo import flaskbb_install
from jobs.demo.environments import ForumBootError


def test_a_machine_without_a_new_python_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is installed, the version that is needed is named, and the next attempt looks again."""
    monkeypatch.setattr(flaskbb_install, "_candidates", lambda: iter((str(tmp_path / "no-python"),)))
    assert flaskbb_install.find_python() is None
    for _ in range(2):
        with pytest.raises(ForumBootError, match=r"FlaskBB needs Python 3\.12 or newer"):
            flaskbb_install.install_flaskbb(tmp_path / "build")


def test_an_older_python_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is as new as FlaskBB wants is taken."""
    monkeypatch.setattr(flaskbb_install, "_candidates", lambda: iter((sys.executable,)))
    monkeypatch.setattr(flaskbb_install, "OLDEST", (3, 11))
    assert sys.executable == flaskbb_install.find_python()
    monkeypatch.setattr(flaskbb_install, "OLDEST", (99, 0))
    assert flaskbb_install.find_python() is None
