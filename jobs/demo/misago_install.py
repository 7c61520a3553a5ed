"""Installs Misago and prepares an empty forum, once per build folder (a minute or two).

Misago keeps everything in PostgreSQL, so what is prepared is a dump of its database.
"""

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
from jobs.demo.postgres import PostgresServer, find_program

OLDEST, NEWEST = (3, 11), (3, 12)
"""Python that Misago 0.39 and what it pins run on."""
LOCKS = tuple(Path(__file__).with_name(name) for name in ("misago-build.txt", "misago-requirements.txt"))
DUMP = "forum.sql"
_DATABASE = "prepared"
# Part of the build's key: a change of the settings below makes a new pristine project.
_SETTINGS = """\
import json, os
os.environ.setdefault("MISAGO_PLUGINS", os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugins"))
from devproject.settings import *
DEBUG = False
SECRET_KEY = "of no forum that anybody visits"
MISAGO_ADDRESS = os.environ.get("FORUM_URL", "http://127.0.0.1/")
DATABASES["default"].update(
    NAME=os.environ["FORUM_DATABASE"], HOST=os.environ["FORUM_CLUSTER"], USER="turnero", PASSWORD="", PORT="",
    # Whatever the cluster's own default is.
    OPTIONS={"options": "-c default_transaction_isolation=read\\\\ committed"},
)
MIDDLEWARE = [one for one in MIDDLEWARE if "debug_toolbar" not in one]
INSTALLED_APPS = [one for one in INSTALLED_APPS if one != "debug_toolbar"]
MEDIA_ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "media")
ROOT_URLCONF = "forum_urls"
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
CELERY_TASK_ALWAYS_EAGER = True
CELERY_BROKER_URL = "memory://"
# Passwords of an hour need not be hard to guess.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LOGGING = {"version": 1, "disable_existing_loggers": False}
"""
# What members upload is for another server to show, which stands before others' forums; this one has none.
_URLS = """\
from django.conf import settings
from django.urls import path
from django.views.static import serve
from devproject.urls import *
urlpatterns = [*urlpatterns, path("media/<path:path>", serve, {"document_root": settings.MEDIA_ROOT})]
"""


def install_misago(folder: Path, say: Callable[[str], None] = never_mind) -> Build:
    """Install and set up Misago below `folder`, or find it there; safe when several processes ask at once.

    say: told what is being waited for. Raises ForumBootError with the log's end, or where no Python fits;
    NoPostgres.
    """
    locks = b"\0".join(lock.read_bytes() for lock in LOCKS)
    root = folder.resolve() / f"misago-{make_key(locks)}"
    project = root / f"project-{make_key(_SETTINGS.encode(), _URLS.encode())}"
    build = Build(root / "venv" / "bin" / "python", project)
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder / "misago.lock"):
        make_once(root, lambda: _install(root, build, say))
        make_once(build.pristine, lambda: _set_up(root, build, say))
    return build


def _install(root: Path, build: Build, say: Callable[[str], None]) -> None:
    python = need_python("Misago", OLDEST, NEWEST)
    say("Misago")
    env = environment_of(root, build)
    run([python, "-m", "venv", str(root / "venv")], root, env)
    for lock in LOCKS:
        run(
            [*pip_of(build), "install", "--require-hashes", "--no-build-isolation", "-r", str(lock)],
            root,
            env,
        )


def _set_up(root: Path, build: Build, say: Callable[[str], None]) -> None:
    say("Misago: migrate")
    project = build.pristine
    (project / "forum_settings.py").write_text(_SETTINGS, encoding="utf-8")
    (project / "forum_urls.py").write_text(_URLS, encoding="utf-8")
    (project / "plugins").mkdir()
    cluster = PostgresServer()
    try:
        cluster.run(f"CREATE DATABASE {_DATABASE}")
        told = {
            "DJANGO_SETTINGS_MODULE": "forum_settings",
            "PYTHONPATH": str(project),
            "FORUM_DATABASE": _DATABASE,
            "FORUM_CLUSTER": str(cluster.folder),
        }
        env = environment_of(root, build) | told
        run([str(build.python), "-m", "django", "migrate", "--verbosity", "0"], project, env)
        dump = [find_program("pg_dump"), "--no-owner", "--file", str(project / DUMP)]
        run([*dump, cluster.conninfo(_DATABASE)], project, env)
    finally:
        cluster.stop()
