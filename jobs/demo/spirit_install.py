"""Installs django-spirit and prepares an empty forum, once per build folder (half a minute)."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from jobs.demo.environments import Build, environment_of, locked, make_key, make_once, never_mind, pip_of, run

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


def install_spirit(folder: Path, say: Callable[[str], None] = never_mind) -> Build:
    """Install and set up Spirit below `folder`, or find it there; safe when several processes ask at once.

    say: told what is being waited for. Raises ForumBootError with the log's end.
    """
    locks = b"\0".join(lock.read_bytes() for lock in LOCKS)
    root = folder.resolve() / f"spirit-{make_key(locks, str(sys.version_info[:2]).encode())}"
    build = Build(root / "venv" / "bin" / "python", root / f"project-{make_key(_SETTINGS.encode())}")
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "spirit.lock"):
        make_once(root, lambda: _install(root, build, say))
        make_once(build.pristine, lambda: _set_up(root, build, say))
    return build


def _install(root: Path, build: Build, say: Callable[[str], None]) -> None:
    say(f"Instalo {SPIRIT} en un entorno propio; la primera vez tarda un minuto")
    env = environment_of(root, build)
    run([sys.executable, "-m", "venv", str(root / "venv")], root, env)
    for lock in LOCKS:
        run(
            [*pip_of(build), "install", "--require-hashes", "--no-build-isolation", "-r", str(lock)],
            root,
            env,
        )


def _set_up(root: Path, build: Build, say: Callable[[str], None]) -> None:
    say("Preparo un foro vacío")
    env, project = environment_of(root, build), build.pristine
    run([str(build.python.parent / "spirit"), "startproject", "forum", "--path", str(project)], root, env)
    (project / "forum_settings.py").write_text(_SETTINGS, encoding="utf-8")
    manage = [str(build.python), str(project / "manage.py")]
    run([*manage, "spiritinstall", "--settings", "forum_settings"], project, env)
    # Static files are served from the package; the collected copy would only slow every boot down.
    shutil.rmtree(project / "static", ignore_errors=True)
