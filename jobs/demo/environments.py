"""Environments in which forums live apart from ours: made once per build folder, whole or not at all."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
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


def run(command: Sequence[str], root: Path, env: Mapping[str, str]) -> None:
    """Run a command to its end. Raises ForumBootError with the end of what it said."""
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
        raise ForumBootError(f"{Path(command[0]).name} {' '.join(command[1:3])} failed:\n{tail}")
