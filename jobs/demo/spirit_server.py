"""Boots a real django-spirit forum on loopback, in a virtual environment of its own.

Installing and setting up happen once per build folder (half a minute); each boot then copies the prepared
project and takes a second or two. Several forums may run at once: each has its own copy, database and free
port.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

SPIRIT = "django-spirit==0.14.3"
# Locks with hashes: first what builds the source distributions, then the forum itself.
LOCKS = tuple(Path(__file__).with_name(name) for name in ("spirit-build.txt", "spirit-requirements.txt"))
_LAUNCHER = Path(__file__).with_name("spirit_launch.py")
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
"""


class ForumBootError(RuntimeError):
    """The forum could not be installed or started; the message holds the end of its log."""


@dataclass(frozen=True, slots=True)
class Account:
    """A forum account. zone: the zone in which the forum shows it times. staff: administrator."""

    name: str
    password: str
    staff: bool = False
    zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class OpeningPost:
    """A topic that stands in the forum from the start."""

    title: str
    text: str
    author: str
    category: str = "Partidas"


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
    key = _build_key()
    root = folder.resolve() / f"spirit-{key}"
    build = Build(root / "venv" / "bin" / "python", root / "pristine")
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder / "spirit.lock"):
        if not (root / "ready").exists():
            shutil.rmtree(root, ignore_errors=True)
            root.mkdir()
            _install(root, build, say)
            (root / "ready").touch()
    return build


def _build_key() -> str:
    locks = (lock.read_bytes() for lock in LOCKS)
    parts = (*locks, _SETTINGS.encode(), str(sys.version_info[:2]).encode())
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:12]


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _install(root: Path, build: Build, say: Callable[[str], None]) -> None:
    home = root / "home"
    home.mkdir()
    env = {**os.environ, "HOME": str(home), "PYTHONNOUSERSITE": "1"}
    for name in ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "DJANGO_SETTINGS_MODULE"):
        env.pop(name, None)
    env["PATH"] = f"{build.python.parent}{os.pathsep}{env.get('PATH', os.defpath)}"
    say(f"installing {SPIRIT} into its own environment")
    _run([sys.executable, "-m", "venv", str(root / "venv")], root, env)
    pip = [str(build.python), "-m", "pip", "--no-input", "--disable-pip-version-check", "-q"]
    for lock in LOCKS:
        _run([*pip, "install", "--require-hashes", "--no-build-isolation", "-r", str(lock)], root, env)
    say("setting up an empty forum")
    build.pristine.mkdir()
    _run(
        [str(build.python.parent / "spirit"), "startproject", "forum", "--path", str(build.pristine)],
        root,
        env,
    )
    (build.pristine / "forum_settings.py").write_text(_SETTINGS, encoding="utf-8")
    manage = [
        str(build.python),
        str(build.pristine / "manage.py"),
        "spiritinstall",
        "--settings",
        "forum_settings",
    ]
    _run(manage, build.pristine, env)
    # Static files are served from the package; the collected copy would only slow every boot down.
    shutil.rmtree(build.pristine / "static", ignore_errors=True)


def _run(command: Sequence[str], root: Path, env: Mapping[str, str]) -> None:
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
        raise ForumBootError(f"{Path(command[0]).name} {' '.join(command[1:3])} failed:\n{tail}")


class SpiritServer:
    """A running Spirit on a free port of 127.0.0.1; a context manager that stops what it started.

    Raises:
        ForumBootError: on start, with the end of the log.
    """

    url: str
    accounts: dict[str, str]
    categories: dict[str, str]
    topics: dict[str, str]

    def __init__(  # noqa: PLR0913 - a forum is described by many independent things
        self,
        build: Build,
        accounts: Sequence[Account],
        *,
        categories: Sequence[str] = ("Partidas",),
        topics: Sequence[OpeningPost] = (),
        comments_per_page: int = 20,
        topics_per_page: int = 20,
        settings: Mapping[str, Any] | None = None,
        port: int = 0,
    ) -> None:
        """settings: Django or Spirit settings, e.g. {"ST_RATELIMIT_ENABLE": False}. port: 0 takes a free
        one.
        """
        self._build = build
        self._folder: Path | None = None
        self._process: subprocess.Popen[str] | None = None
        self._spec: dict[str, Any] = {
            "accounts": [asdict(account) for account in accounts],
            "categories": list(categories),
            "topics": [asdict(topic) for topic in topics],
            "comments_per_page": comments_per_page,
            "topics_per_page": topics_per_page,
            "settings": dict(settings or {}),
            "port": port,
        }

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Copy the prepared project, boot the forum and wait until it serves."""
        self._folder = Path(tempfile.mkdtemp(prefix="forum-", dir=self._build.pristine.parent))
        project = self._folder / "project"
        shutil.copytree(self._build.pristine, project)
        with (self._folder / "log").open("w") as log:
            self._process = subprocess.Popen(
                [str(self._build.python), str(_LAUNCHER)],
                cwd=project,
                env=_server_environment(self._folder),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,  # whoever presses Ctrl-C ends us, and we end the forum
            )
        made = self._ask({**self._spec, "project": str(project)})
        self.url, self.accounts = made["url"], made["accounts"]
        self.categories, self.topics = made["categories"], made["topics"]

    def stop(self) -> None:
        """End the forum and remove its copy; does nothing where it isn't running."""
        if self._process is not None:
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            try:
                self._process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def leave_running(self) -> int:
        """Hand the forum over to a process of its own, which ends it when it is told to; that process's id.

        From then on `stop` does nothing.
        """
        if self._process is None or self._process.stdin is None or self._process.stdout is None:
            raise ForumBootError("the forum is not running")
        pipes = (self._process.stdin.fileno(), self._process.stdout.fileno())
        keeper = subprocess.Popen(
            [sys.executable, "-I", str(_KEEPER), *map(str, pipes), str(self._folder)],
            pass_fds=pipes,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for pipe in (self._process.stdin, self._process.stdout):
            pipe.close()
        # Both live on after us; without this Popen would complain of a child that nobody waited for.
        keeper.returncode = self._process.returncode = 0
        self._process = self._folder = None
        return keeper.pid

    def posts(self) -> list[dict[str, Any]]:
        """Every post as the forum's database holds it, ascending by id: the judge of what was published.

        Keys: id, topic, title, private, author_id, author, text, edits, removed, action (0: a comment), date.
        """
        posts: list[dict[str, Any]] = self._ask({"do": "posts"})["posts"]
        return posts

    def reset(self) -> None:
        """Bring the forum back to how it started, clock and sessions too; takes milliseconds."""
        self._ask({"do": "reset"})

    def shift_clock(self, seconds: float) -> None:
        """Move the forum's clock (posts, limits, Date header) forward, or back."""
        self._ask({"do": "shift", "seconds": seconds})

    def write_post(self, topic: str, name: str, text: str) -> str:
        """Store a post of an account without any request, through the forum's own form, and return its id."""
        return str(self._ask({"do": "write", "topic": int(topic), "name": name, "text": text})["id"])

    def edit_post(self, post_id: str, text: str) -> None:
        """Edit a post as its author would, without any request."""
        self._ask({"do": "edit", "post": int(post_id), "text": text})

    def remove_post(self, post_id: str) -> None:
        """Remove a post as a moderator does: its place and number stay."""
        self._ask({"do": "remove", "post": int(post_id)})

    def delete_post(self, post_id: str) -> None:
        """Delete a post from the database: what stood behind it moves up."""
        self._ask({"do": "delete", "post": int(post_id)})

    def close_topic(self, topic: str) -> None:
        """Close a topic: nobody can reply any more."""
        self._ask({"do": "close", "topic": int(topic)})

    def _ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        if self._process is None or self._process.stdin is None or self._process.stdout is None:
            raise ForumBootError("the forum is not running")
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise ForumBootError(f"the forum died:\n{self._log_end()}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise ForumBootError(answer["error"])
        return answer

    def _log_end(self) -> str:
        if self._folder is None:
            return ""
        return "\n".join((self._folder / "log").read_text(errors="replace").splitlines()[-20:])


def _server_environment(folder: Path) -> dict[str, str]:
    """Nothing of the caller's environment reaches the forum: it may hold credentials."""
    return {"HOME": str(folder), "PATH": os.defpath, "LANG": "C.UTF-8", "PYTHONNOUSERSITE": "1"}
