"""The database: one engine, writing transactions that never have to be upgraded, no network inside.

SQLite runs with WAL (readers don't stop the writer), `BEGIN IMMEDIATE` for writers (an upgrade of a
reading transaction would fail at once, whatever the time-out) and `synchronous=FULL` (the mark
`sending` must be on the disk before the request leaves); reliability.md 2.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import StaticPool

BUSY_MS = 10_000
"""How long SQLite waits for another writer before it gives up."""
TRIES = 4
"""How often a writing transaction is begun before the error is passed on."""

_WRITES = "turnero_writes"


class TransactionOpen(AssertionError):
    """A request to a forum would leave while a transaction is open; that is our bug."""


class Database:
    """A database by URL. `read()` and `write()` are transactions; everything else is SQL over them."""

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        self.engine = _make_engine(url)
        self._open = 0

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads."""
        with self._transaction(writes=False) as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that may write; commits at the end, rolls back on an exception."""
        with self._transaction(writes=True) as connection:
            yield connection

    def assert_idle(self) -> None:
        """Raise TransactionOpen while a transaction of this process is open."""
        if self._open:
            raise TransactionOpen("a transaction is open during network traffic")

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()

    @contextmanager
    def _transaction(self, *, writes: bool) -> Iterator[Connection]:
        with self.engine.connect() as plain:
            connection = plain.execution_options(**{_WRITES: writes})
            _begin(connection)
            self._open += 1
            try:
                yield connection
                connection.commit()
            except BaseException:
                connection.rollback()
                raise
            finally:
                self._open -= 1


def _begin(connection: Connection) -> None:
    """Begin, more than once if the database is busy: nothing has been done yet that could be lost."""
    for left in reversed(range(TRIES)):
        try:
            connection.begin()
        except OperationalError as error:
            connection.rollback()
            if left == 0 or "locked" not in str(error.orig):
                raise
        else:
            return


def _make_engine(url: str) -> Engine:
    if make_url(url).get_backend_name() != "sqlite":
        return create_engine(url, hide_parameters=True, pool_pre_ping=True)
    more: dict[str, Any] = {}
    if make_url(url).database in (None, "", ":memory:"):
        more["poolclass"] = StaticPool
    engine = create_engine(url, hide_parameters=True, **more)
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: object) -> None:
    # Without this the driver begins its own transactions, and not before reading.
    connection.isolation_level = None
    for pragma in (f"busy_timeout={BUSY_MS}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, True)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
