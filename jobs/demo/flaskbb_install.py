"""Installs FlaskBB and prepares an empty forum, once per build folder; it needs Python 3.12 or newer."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from jobs.demo.environments import Build, ForumBootError, environment_of, locked, make_key, make_once, run

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


def find_python() -> str | None:
    """An interpreter that FlaskBB runs on, None where this machine has none.

    Looked for: ours, `python3.N` on the path, and other versions beside ours, as pyenv lays them.
    """
    return next((one for one in _candidates() if _is_new_enough(one)), None)


def _candidates() -> Iterator[str]:
    yield sys.executable
    for minor in (12, 13, 14):
        if found := shutil.which(f"python3.{minor}"):
            yield found
    beside = Path(sys.base_prefix).resolve().parent
    yield from map(str, sorted(beside.glob("3.*/bin/python3")))


def _is_new_enough(python: str) -> bool:
    code = f"import sys, venv; sys.exit(sys.version_info < {OLDEST})"
    try:
        return subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _never_mind(_: str) -> None:
    pass


def install_flaskbb(folder: Path, say: Callable[[str], None] = _never_mind) -> Build:
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
    python = find_python()
    if python is None:
        wanted = ".".join(map(str, OLDEST))
        raise ForumBootError(
            f"FlaskBB needs Python {wanted} or newer, and this machine has none (python{wanted})"
        )
    say("FlaskBB")
    env = environment_of(root, build)
    run([python, "-m", "venv", str(root / "venv")], root, env)
    pip = [str(build.python), "-m", "pip", "--no-input", "--disable-pip-version-check", "-q"]
    run([*pip, "install", "--require-hashes", "-r", str(LOCK)], root, env)


def _set_up(root: Path, build: Build, say: Callable[[str], None]) -> None:
    say("FlaskBB: install")
    (build.pristine / "forum.cfg").write_text(_SETTINGS, encoding="utf-8")
    flaskbb = [str(build.python.parent / "flaskbb"), "--config", str(build.pristine / "forum.cfg")]
    for arguments in _COMMANDS:
        run([*flaskbb, *arguments], build.pristine, environment_of(root, build))
