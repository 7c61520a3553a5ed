"""A PostgreSQL server of our own, for tests and forums: on a Unix socket in a folder that goes away with it.

The server refuses to run as root, so it then runs as `postgres` or `nobody`. It may lose everything when the
machine fails (fsync off): nothing in it is worth keeping. It sorts texts as Spanish readers would and keeps
serializable transactions by default, so that whoever leans on the server's settings is found.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

import psycopg

_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "jit": "off",
    "shared_buffers": "64MB",
    "max_connections": "100",
    "lock_timeout": "20s",  # a test that leaves a transaction open fails instead of waiting
    "default_transaction_isolation": "serializable",
}
_ACCOUNT = "turnero"


class NoPostgres(Exception):
    """PostgreSQL's programs are not on this machine."""


class PostgresServer:
    """A running server; `stop` ends it and removes its folder."""

    def __init__(self) -> None:
        self._identity = _find_identity()
        self.folder = Path(tempfile.mkdtemp(prefix="turnero-pg-"))
        if "user" in self._identity:
            shutil.chown(self.folder, self._identity["user"], self._identity["group"])
        try:
            self._make_cluster()
            self._process = self._start()
            self._wait()
        except BaseException:
            shutil.rmtree(self.folder)
            raise

    def stop(self) -> None:
        """End the server, whoever is connected."""
        self._process.send_signal(2)  # SIGINT: fast shutdown
        self._process.wait()
        shutil.rmtree(self.folder)

    def conninfo(self, database: str) -> str:
        """How psycopg finds a database."""
        return conninfo(self.folder, database)

    def run(self, statement: str) -> list[Any]:
        """Run a statement outside of any transaction, as for making a database; its rows."""
        with psycopg.connect(self.conninfo("postgres"), autocommit=True) as connection:
            done = connection.execute(statement.encode())
            return done.fetchall() if done.description else []

    def _make_cluster(self) -> None:
        locale = ("--locale=C", "--locale-provider=icu", "--icu-locale=es", "--encoding=UTF8")
        access = ("--auth=trust", f"--username={_ACCOUNT}")
        made = subprocess.run(
            [find_program("initdb"), "--pgdata", str(self._data), "--no-sync", *locale, *access],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            **self._identity,
        )
        if made.returncode:
            raise RuntimeError(f"initdb failed:\n{made.stderr}")

    def _start(self) -> subprocess.Popen[bytes]:
        settings = {**_SETTINGS, "unix_socket_directories": str(self.folder)}
        given = [word for key, value in settings.items() for word in ("-c", f"{key}={value}")]
        with self._log.open("wb") as log:
            return subprocess.Popen(
                [find_program("postgres"), "-D", str(self._data), *given],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                **self._identity,
            )

    def _wait(self) -> None:
        for _ in range(600):
            try:
                psycopg.connect(conninfo(self.folder, "postgres")).close()
            except psycopg.OperationalError:
                if self._process.poll() is not None:
                    break
                time.sleep(0.05)
            else:
                return
        raise RuntimeError(f"PostgreSQL didn't start:\n{self._log.read_text(encoding='utf-8')}")

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    @property
    def _log(self) -> Path:
        return self.folder / "log"


def conninfo(folder: Path, database: str) -> str:
    """How psycopg finds a database of the server whose socket lies in a folder."""
    return f"host={folder} user={_ACCOUNT} dbname={database}"


def make_url(folder: Path, database: str) -> str:
    """The same as our URL."""
    return f"postgresql://{_ACCOUNT}@/{database}?host={folder}"


@cache
def find_program(name: str) -> str:
    """A program of PostgreSQL, on the path or where Debian has it. Raises NoPostgres."""
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    found = shutil.which(name) or (str(debian[-1]) if debian else None)
    if found is None:
        raise NoPostgres(f"PostgreSQL's {name} is not on this machine: apt-get install postgresql")
    return found


def _find_identity() -> dict[str, Any]:
    """As whom the server runs: who we are, or somebody who isn't root."""
    if os.geteuid() != 0:
        return {}
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = known.get("postgres") or known["nobody"]
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
