"""Installs django-spirit and prepares an empty forum, once per build folder (half a minute)."""

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

SPIRIT = "django-spirit==0.14.3"
# Locks with hashes: first what builds the source distributions, then the forum itself.
LOCKS = tuple(Path(__file__).with_name(name) for name in ("spirit-build.txt", "spirit-requirements.txt"))
_KEEPER = Path(__file__).with_name("keeper.py")
# Part of the build's key: a change of the settings below makes a new pristine project.
_SETTINGS = """\
import json, os
from forum.settings.dev import *
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
TEMPLATES[0]["OPTIONS"]["debug"] = False
ST_SITE_URL = os.environ.get("FORUM_URL", "http://127.0.0.1/")
DATABASES["default"]["OPTIONS"] = {
    "timeout": 20, "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;",
}
# Nobody searches here, and an index written at each post costs more than the post.
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
HAYSTACK_SIGNAL_PROCESSOR = "haystack.signals.BaseSignalProcessor"
globals().update(json.loads(os.environ.get("FORUM_SETTINGS", "{}")))
MIDDLEWARE = [one for one in MIDDLEWARE if one not in globals().get("FORUM_DROP_MIDDLEWARE", ())]
"""


class ForumBootError(RuntimeError):
    """The forum could not be installed or started; the message holds the end of its log."""


@dataclass(frozen=True, slots=True)
class Build:
    """An installed forum: the interpreter of its environment and the prepared project that boots copy."""

    python: Path
    pristine: Path


def _never_mind(_: str) -> None:
    pass


def install_spirit(folder: Path, say: Callable[[str], None] = _never_mind) -> Build:
    """Install and set up Spirit below `folder`, or find it there; safe when several processes ask at once.

    say: told what is being waited for. Raises ForumBootError with the log's end.
    """
    locks = b"\0".join(lock.read_bytes() for lock in LOCKS)
    root = folder.resolve() / f"spirit-{_key(locks, str(sys.version_info[:2]).encode())}"
    build = Build(root / "venv" / "bin" / "python", root / f"project-{_key(_SETTINGS.encode())}")
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder / "spirit.lock"):
        _make_once(root, lambda: _install(root, build, say))
        _make_once(build.pristine, lambda: _set_up(root, build, say))
    return build


def _key(*parts: bytes) -> str:
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _make_once(folder: Path, make: Callable[[], None]) -> None:
    """Make a folder whole; what an earlier attempt left half done is thrown away."""
    ready = folder.with_name(folder.name + ".ready")
    if not ready.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        make()
        ready.touch()


def _install(root: Path, build: Build, say: Callable[[str], None]) -> None:
    say(f"Instalo {SPIRIT} en un entorno propio; la primera vez tarda un minuto")
    env = _environment(root, build)
    _run([sys.executable, "-m", "venv", str(root / "venv")], root, env)
    pip = [str(build.python), "-m", "pip", "--no-input", "--disable-pip-version-check", "-q"]
    for lock in LOCKS:
        _run([*pip, "install", "--require-hashes", "--no-build-isolation", "-r", str(lock)], root, env)


def _set_up(root: Path, build: Build, say: Callable[[str], None]) -> None:
    say("Preparo un foro vacío")
    env, project = _environment(root, build), build.pristine
    _run([str(build.python.parent / "spirit"), "startproject", "forum", "--path", str(project)], root, env)
    (project / "forum_settings.py").write_text(_SETTINGS, encoding="utf-8")
    manage = [str(build.python), str(project / "manage.py")]
    _run([*manage, "spiritinstall", "--settings", "forum_settings"], project, env)
    # Static files are served from the package; the collected copy would only slow every boot down.
    shutil.rmtree(project / "static", ignore_errors=True)


def _environment(root: Path, build: Build) -> dict[str, str]:
    """The caller's environment, which may say where packages come from, without its Python."""
    foreign = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "DJANGO_SETTINGS_MODULE")
    env = {name: value for name, value in os.environ.items() if name not in foreign}
    path = f"{build.python.parent}{os.pathsep}{env.get('PATH', os.defpath)}"
    return {**env, "HOME": str(root), "PATH": path, "PYTHONNOUSERSITE": "1"}


def _run(command: Sequence[str], root: Path, env: Mapping[str, str]) -> None:
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
        raise ForumBootError(f"{Path(command[0]).name} {' '.join(command[1:3])} failed:\n{tail}")
