"""Boots a real Misago forum on loopback, in a virtual environment and with databases of its own.

Installing and setting up happen once per build folder (`misago_install`).
"""

from __future__ import annotations

import itertools
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jobs.demo.environments import Build, ForumBootError
from jobs.demo.forum_server import Account, ForumServer
from jobs.demo.misago_install import DUMP
from jobs.demo.postgres import PostgresServer, find_program

_TEMPLATE = "misago_prepared"
_numbers = itertools.count(1)


class MisagoServer(ForumServer):
    """A running Misago; see `ForumServer`.

    settings: Misago's own, such as {"hourly_post_limit": 3}; {"flood_protection": False}, without which a
        member waits three seconds between two posts; {"approval": True}: a moderator has to let replies and
        edits of members through; {"max_attachment_size": 1}: in kilobytes, of a file of a member, 0: none.
        Posts may be as short as one character here (Misago's default is five).
    """

    software = "misago"
    launcher = Path(__file__).with_name("misago_launch.py")

    def __init__(
        self, build: Build, accounts: Sequence[Account], *, cluster: PostgresServer, **told: Any
    ) -> None:
        """Describe the forum; nothing runs before `start`. cluster: where its databases are made."""
        super().__init__(build, accounts, **told)
        self._cluster = cluster
        self._database = f"misago_{os.getpid()}_{next(_numbers)}"
        self._spec |= {"cluster": str(cluster.folder), "database": self._database}

    def start(self) -> None:
        """See `ForumServer.start`."""
        self._prepare()
        self._cluster.run(f"CREATE DATABASE {self._database} TEMPLATE {_TEMPLATE} STRATEGY file_copy")
        super().start()

    def stop(self) -> None:
        """See `ForumServer.stop`."""
        super().stop()
        for name in (self._database, f"{self._database}_filled"):
            self._cluster.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def number_of(self, post_id: str) -> int:
        """See `ForumServer.number_of`: ids name the thread, too."""
        return int(post_id.rpartition("-")[2])

    def forget_account(self, name: str) -> None:
        """Delete an account; its posts stay, under another name and nobody's."""
        self._ask({"do": "forget", "name": name})

    def clear_files(self) -> None:
        """Delete what no post has taken in time, as its host's timetable does."""
        self._ask({"do": "clear"})

    def _prepare(self) -> None:
        """Have the empty forum in the cluster, from which all others are copied."""
        if self._cluster.run(f"SELECT 1 FROM pg_database WHERE datname = '{_TEMPLATE}'"):  # noqa: S608 - ours
            return
        self._cluster.run(f"CREATE DATABASE {_TEMPLATE}")
        restoring = [find_program("psql"), "--quiet", "--no-psqlrc", "--single-transaction"]
        restoring += ["--set=ON_ERROR_STOP=1", f"--file={self._build.pristine / DUMP}"]
        done = subprocess.run(
            [*restoring, self._cluster.conninfo(_TEMPLATE)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise ForumBootError(f"Misago's database can't be restored:\n{done.stderr}")
