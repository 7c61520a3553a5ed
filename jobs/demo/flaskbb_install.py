"""Installs FlaskBB and prepares an empty forum, once per build folder; it needs Python 3.12 or newer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from jobs.demo.environments import (
    Build,
    environment_of,
    locked,
    make_key,
    make_once,
    need_python,
    never_mind,
    pip_of,
    run,
)

OLDEST = (3, 12)
"""Python that FlaskBB 3 needs."""
LOCK = Path(__file__).with_name("flaskbb-requirements.txt")
LAUNCHER = Path(__file__).with_name("flaskbb_launch.py")
# Part of the build's key: a change of the settings below makes a new pristine project.
_SETTINGS = """\
SERVER_NAME = None
TRUSTED_HOSTS = ["127.0.0.1", "localhost"]
PREFERRED_URL_SCHEME = "http"
SECRET_KEY = "of no forum that anybody visits"
WTF_CSRF_SECRET_KEY = "of no form that anybody fills in"
REDIS_ENABLED = False
RATELIMIT_STORAGE_URI = "memory://"
RATELIMIT_ENABLED = False
EMOJI_BASE_URL = None
USE_DEFAULT_LOGGING = False
LOG_DEFAULT_CONF = {"version": 1, "disable_existing_loggers": False}
import os
SQLALCHEMY_DATABASE_URI = "sqlite:///" + os.path.join(os.getcwd(), "forum.sqlite")
"""

_ADMINISTRATOR = ("-u", "administrator", "-e", "administrator@example.org", "-p", "Passw0rd-administrator")
_COMMANDS = (
    ("install", "--force", *_ADMINISTRATOR),
    ("plugins", "enable", "conversations"),
    ("plugins", "install", "conversations"),
)


def install_flaskbb(folder: Path, say: Callable[[str], None] = never_mind) -> Build:
    """Install and set up FlaskBB below `folder`, or find it there; safe when several processes ask at once.

    say: told what is being waited for. Raises ForumBootError with the log's end, or where no Python is new
    enough.
    """
    root = folder.resolve() / f"flaskbb-{make_key(LOCK.read_bytes())}"
    made = make_key(_SETTINGS.encode())
    build = Build(root / "venv" / "bin" / "python", root / f"project-{made}")
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "flaskbb.lock"):
        make_once(root, lambda: _install(root, build, say))
        make_once(build.pristine, lambda: _set_up(root, build, say))
    return build


def _install(root: Path, build: Build, say: Callable[[str], None]) -> None:
    python = need_python("FlaskBB", OLDEST)
    say("FlaskBB")
    env = environment_of(root, build)
    run([python, "-m", "venv", str(root / "venv")], root, env)
    run([*pip_of(build), "install", "--require-hashes", "-r", str(LOCK)], root, env)


def _set_up(root: Path, build: Build, say: Callable[[str], None]) -> None:
    say("FlaskBB: install")
    (build.pristine / "forum.cfg").write_text(_SETTINGS, encoding="utf-8")
    flaskbb = [str(build.python.parent / "flaskbb"), "--config", str(build.pristine / "forum.cfg")]
    for arguments in _COMMANDS:
        run([*flaskbb, *arguments], build.pristine, environment_of(root, build))
