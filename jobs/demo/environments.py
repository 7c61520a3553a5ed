"""Environments in which forums live apart from ours: made once per build folder, whole or not at all."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


class ForumBootError(RuntimeError):
    """The forum could not be installed or started; the message holds the end of its log."""


@dataclass(frozen=True, slots=True)
class Build:
    """An installed forum: the interpreter of its environment and the prepared project that boots copy."""

    python: Path
    pristine: Path


def never_mind(_: str) -> None:
    """For who doesn't want to be told."""


def find_python(oldest: tuple[int, int], newest: tuple[int, int] | None = None) -> str | None:
    """An interpreter between two versions, both included, None where this machine has none.

    Looked for: ours, `python3.N` on the path, and what pyenv has laid beside ours or at home.
    """
    return next((one for one in _candidates() if _fits(one, oldest, newest)), None)


def need_python(forum: str, oldest: tuple[int, int], newest: tuple[int, int] | None = None) -> str:
    """As `find_python`. Raises ForumBootError where there is none, with what is missing."""
    python = find_python(oldest, newest)
    if python is None:
        least = ".".join(map(str, oldest))
        wanted = f"{least} or newer" if newest is None else f"{least} to {'.'.join(map(str, newest))}"
        raise ForumBootError(f"{forum} needs Python {wanted}, and this machine has none (python{least})")
    return python


def _candidates() -> Iterator[str]:
    yield sys.executable
    for minor in (11, 12, 13, 14):
        if found := shutil.which(f"python3.{minor}"):
            yield found
    home = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    for folder in (Path(sys.base_prefix).resolve().parent, home):
        yield from map(str, sorted(folder.glob("3.*/bin/python3")))


def _fits(python: str, oldest: tuple[int, int], newest: tuple[int, int] | None) -> bool:
    """Whether it runs (a shim of pyenv may not), has `venv`, and is of a version between these."""
    code = f"import sys, venv; sys.exit(not {oldest} <= sys.version_info[:2] <= {newest or (99, 0)})"
    try:
        return subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def make_key(*parts: bytes) -> str:
    """A short name for what depends on these."""
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """One process at a time."""
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def make_once(folder: Path, make: Callable[[], None]) -> None:
    """Make a folder whole; what an earlier attempt left half done is thrown away."""
    ready = folder.with_name(folder.name + ".ready")
    if not ready.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        make()
        ready.touch()


def environment_of(root: Path, build: Build) -> dict[str, str]:
    """The caller's environment, which may say where packages come from, without its Python."""
    foreign = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "DJANGO_SETTINGS_MODULE")
    env = {name: value for name, value in os.environ.items() if name not in foreign}
    path = f"{build.python.parent}{os.pathsep}{env.get('PATH', os.defpath)}"
    return {**env, "HOME": str(root), "PATH": path, "PYTHONNOUSERSITE": "1"}


def pip_of(build: Build) -> tuple[str, ...]:
    """The command that installs into a forum's environment."""
    return (str(build.python), "-m", "pip", "--no-input", "--disable-pip-version-check", "-q")


def run(command: Sequence[str], root: Path, env: Mapping[str, str]) -> None:
    """Run a command to its end. Raises ForumBootError with the end of what it said."""
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
        raise ForumBootError(f"{Path(command[0]).name} {' '.join(command[1:3])} failed:\n{tail}")
