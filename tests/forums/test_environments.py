"""Where forums find a Python that fits, and what is said where there is none."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from jobs.demo import environments
from jobs.demo.environments import Build, ForumBootError, find_python
from jobs.demo.flaskbb_install import install_flaskbb
from jobs.demo.misago_install import install_misago

OURS = sys.version_info[:2]


@pytest.mark.parametrize(
    ("install", "said"),
    [
        (install_flaskbb, r"FlaskBB needs Python 3\.12 or newer"),
        (install_misago, r"Misago needs Python 3\.11 to 3\.12"),
    ],
    ids=["flaskbb", "misago"],
)
def test_a_machine_without_a_python_that_fits_is_told_so(
    install: Callable[[Path], Build], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is installed, the version that is needed is named, and the next attempt looks again."""
    monkeypatch.setattr(environments, "_candidates", lambda: iter((str(tmp_path / "no-python"),)))
    for _ in range(2):
        with pytest.raises(ForumBootError, match=said):
            install(tmp_path / "build")


def test_what_doesn_t_fit_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is between the two versions is taken."""
    monkeypatch.setattr(environments, "_candidates", lambda: iter((sys.executable,)))
    assert sys.executable == find_python(OURS) == find_python((3, 11), OURS)
    assert (None, None) == (find_python((99, 0)), find_python((3, 0), (3, 1)))


def test_what_pyenv_has_laid_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python that is neither ours nor on the path."""
    laid = tmp_path / "versions" / "3.0.0" / "bin" / "python3"
    laid.parent.mkdir(parents=True)
    laid.symlink_to(sys.executable)
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    assert str(laid) in list(environments._candidates())
