"""A real forum on loopback, served by a process of its own that is asked by JSON lines.

Each boot copies the prepared project and takes a second or two. Several forums may run at once: each has its
own copy, database and free port.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from jobs.demo.environments import Build, ForumBootError

_KEEPER = Path(__file__).with_name("keeper.py")


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


class ForumServer:
    """A running forum on a free port of 127.0.0.1; a context manager that stops what it started.

    software: as in `game.toml`. launcher: run by the build's interpreter. accounts: what pages tell of an
    account, by its name. categories, topics: ids by title.

    Raises:
        ForumBootError: on start, with the end of the log.
    """

    software: str
    launcher: Path
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
        """Describe the forum; nothing runs before `start`.

        comments_per_page: by how many posts each page of a topic leads on. settings: the software's own.
        port: 0 takes a free one.
        """
        self._build = build
        self._spec: dict[str, Any] = {
            "accounts": [asdict(account) for account in accounts],
            "categories": list(categories),
            "topics": [asdict(topic) for topic in topics],
            "comments_per_page": comments_per_page,
            "topics_per_page": topics_per_page,
            "settings": dict(settings or {}),
            "port": port,
        }
        self._folder: Path | None = None
        self._process: subprocess.Popen[str] | None = None

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
                [str(self._build.python), str(self.launcher)],
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

    def follow_clock(self, path: Path) -> None:
        """Let the forum's clock be what a file says, in ISO 8601 with zone, until the next reset."""
        self._ask({"do": "follow", "path": str(path.resolve())})

    def write_post(self, topic: str, name: str, text: str) -> str:
        """Store a post of an account without any request, through the forum's own form, and return its id."""
        return str(self._ask({"do": "write", "topic": int(topic), "name": name, "text": text})["id"])

    def edit_post(self, post_id: str, text: str) -> None:
        """Edit a post as its author would, without any request."""
        self._ask({"do": "edit", "post": self.number_of(post_id), "text": text})

    def remove_post(self, post_id: str) -> None:
        """Remove a post as a moderator does: its place and number stay."""
        self._ask({"do": "remove", "post": self.number_of(post_id)})

    def delete_post(self, post_id: str) -> None:
        """Delete a post from the database: what stood behind it moves up."""
        self._ask({"do": "delete", "post": self.number_of(post_id)})

    def close_topic(self, topic: str) -> None:
        """Close a topic: nobody can reply any more."""
        self._ask({"do": "close", "topic": int(topic)})

    def number_of(self, post_id: str) -> int:
        """A post's number in the forum's database."""
        return int(post_id)

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
