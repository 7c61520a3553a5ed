"""The databases of the tests: SQLite, or with `--database postgres` PostgreSQL's, each test one of its own.

What a test makes here is gone after it (`close_newer`, called by tests/conftest.py).
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import tempfile
import threading
from functools import cache
from pathlib import Path
from typing import Any

import psycopg

from jobs.demo.postgres import PostgresServer, conninfo, make_url
from processor.store.database import Database
from processor.store.migrate import upgrade
from processor.store.tables import metadata

SERVER = "TURNERO_TEST_POSTGRES"
"""Where the server's socket lies; set in this process and those that it starts."""
ROOT = Path(__file__).resolve().parents[2]
_IMPORT = re.compile(r"^from (tests\.[\w.]+) import", re.MULTILINE)
_TEMPLATE = "migrated"
_FROM_TEMPLATE = f"TEMPLATE {_TEMPLATE} STRATEGY file_copy"
_made: list[Database] = []
_own: list[Database] = []
"""Of those, the ones that nobody else opens."""
_spare: list[Database] = []
"""Those of tests that are over, empty: used again, since each new one would compile all statements anew."""
_names: list[str] = []
_numbers = itertools.count(1)
_lock = threading.Lock()
_scratch = tempfile.TemporaryDirectory()


def start_server() -> PostgresServer:
    """Have the tests use PostgreSQL from now on."""
    server = PostgresServer()
    os.environ[SERVER] = str(server.folder)
    _run(f"CREATE DATABASE {_TEMPLATE}")
    template = Database(make_url(server.folder, _TEMPLATE))
    upgrade(template)
    template.close()
    return server


def on_postgres() -> bool:
    """Whether the tests use PostgreSQL."""
    return SERVER in os.environ


def new_database() -> Database:
    """A database of the newest schema, for this process alone; on SQLite it lies in memory."""
    made = _spare.pop() if _spare else Database(_own_url())
    _made.append(made)
    _own.append(made)
    if not on_postgres():
        _copy_schema(made)
    return made


def _own_url() -> str:
    return make_url(_socket(), _make_name(_FROM_TEMPLATE)) if on_postgres() else "sqlite://"


def new_url(folder: Path, *, migrated: bool = True) -> str:
    """The URL of a new database that several may open. folder: where SQLite's file lies.

    migrated: whether it has the newest schema; without it is empty.
    """
    if not on_postgres():
        path = folder / "turnero.db"
        if migrated:
            with _lock:
                shutil.copy(_migrated_file(), path)
        return f"sqlite:///{path}"
    name = _make_name(_FROM_TEMPLATE if migrated else "")
    _names.append(name)
    return make_url(_socket(), name)


def _make_name(template: str) -> str:
    name = f"test_{os.getpid()}_{next(_numbers)}"
    _run(f"CREATE DATABASE {name} {template}")
    return name


def open_database(url: str) -> Database:
    """A database by URL, closed after the test."""
    made = Database(url)
    _made.append(made)
    return made


def count_open() -> tuple[int, int]:
    """How many were opened and made so far, for `close_newer`."""
    return len(_made), len(_names)


def close_newer(than: tuple[int, int] = (0, 0)) -> None:
    """Close what was opened since, and remove what was made since."""
    opened, named = than
    while len(_made) > opened:
        _close(_made.pop())
    while len(_names) > named:
        _run(f"DROP DATABASE {_names.pop()} WITH (FORCE)")


def _close(database: Database) -> None:
    own = database in _own
    if own and on_postgres():
        with database.engine.begin() as connection:
            connection.exec_driver_sql(_emptying())
    database.close()
    if own:
        _own.remove(database)
        _spare.append(database)


@cache
def _emptying() -> str:
    """The statements that bring a database back to how it was made, quicker than making another."""
    tables = [*reversed(metadata.sorted_tables)]
    counters = [
        (one.name, one.autoincrement_column.name) for one in tables if one.autoincrement_column is not None
    ]
    emptied = [f"DELETE FROM {table.name}" for table in tables]  # noqa: S608 - our own tables
    return "; ".join(
        (*emptied, *(f"ALTER SEQUENCE {table}_{column}_seq RESTART" for table, column in counters))
    )


@cache
def are_used_by(path: Path) -> bool:
    """Whether a module of the tests makes databases, itself or through others that it imports."""
    imported = _IMPORT.findall(path.read_text(encoding="utf-8"))
    if "tests.support.databases" in imported:
        return True
    files = (ROOT.joinpath(*name.split(".")).with_suffix(".py") for name in imported)
    return any(are_used_by(file) for file in files if file.is_file())


def _socket() -> Path:
    return Path(os.environ[SERVER])


def _run(statement: str) -> None:
    with _lock:
        _admin().execute(statement.encode())


@cache
def _admin() -> psycopg.Connection[Any]:
    return psycopg.connect(conninfo(_socket(), "postgres"), autocommit=True)


@cache
def _migrated_file() -> Path:
    """A migrated file, made once: migrating takes longer than a night."""
    path = Path(_scratch.name) / "turnero.db"
    database = Database(f"sqlite:///{path}")
    upgrade(database)
    database.close()
    return path


@cache
def _template() -> Database:
    """The same in memory."""
    database = Database("sqlite://")
    upgrade(database)
    return database


def _copy_schema(database: Database) -> None:
    with _template().engine.connect() as source, database.engine.connect() as target:
        from_here: Any = source.connection.driver_connection
        from_here.backup(target.connection.driver_connection)
