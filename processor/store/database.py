"""The database: one engine, writing transactions that are alone, no network inside.

A writing transaction sees what all writers before it left and keeps out those after it, on both databases
(docs/adr/0010-postgresql.md), so that code that holds on one holds on the other:

- SQLite runs with WAL (readers don't stop the writer), `BEGIN IMMEDIATE` for writers (an upgrade of a reading
  transaction would fail at once, whatever the time-out) and `synchronous=FULL` (the mark `sending` must be on
  the disk before the request leaves); reliability.md 2.2.
- PostgreSQL has an advisory lock for each game, held to the transaction's end: writers of two games don't
  wait for each other. It is taken before anything is read, and readers read one snapshot.

So only a transaction's beginning can find the database busy, and repeating it repeats the whole transaction.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import StaticPool

from processor.store.urls import POSTGRESQL, SQLITE, is_in_memory, parse_url

BUSY_MS = 10_000
"""How long a transaction waits for another writer before it gives up."""
IDLE_MS = 60_000
"""After this PostgreSQL ends a writing transaction whose process does nothing: others wait for it."""
TRIES = 4
"""How often a writing transaction is begun before the error is passed on."""
_PAUSE_MS = 10

Access = Literal["read", "write"]
_ACCESS = "turnero_access"
_GAME = "turnero_game"
_LOCK = 0x7475726E
"""Number of our advisory locks: any, the same in every process of every version."""
_BUSY_STATES = frozenset({"55P03", "40001", "40P01"})
"""PostgreSQL's lock_not_available, serialization_failure and deadlock_detected."""


class TransactionOpen(AssertionError):
    """A request to a forum would leave while a transaction is open; that is our bug."""


class Database:
    """A database by URL. `read()` and `write()` are transactions; everything else is SQL over them.

    Raises DatabaseFault for a URL that can't be used.
    """

    def __init__(self, url: str) -> None:
        self.url = parse_url(url)
        self.engine = _make_engine(self.url)
        self._open = 0

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that only reads, all of it at one moment."""
        with self._transaction("read", None) as connection:
            yield connection

    @contextmanager
    def write(self, game: str | None = None) -> Iterator[Connection]:
        """A transaction that may write; commits at the end, rolls back on an exception.

        game: whose rows alone it reads and writes; None: anything, and nobody else writes meanwhile.
        """
        with self._transaction("write", game) as connection:
            yield connection

    def assert_idle(self) -> None:
        """Raise TransactionOpen while a transaction of this process is open."""
        if self._open:
            raise TransactionOpen("a transaction is open during network traffic")

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()

    @contextmanager
    def _transaction(self, access: Access, game: str | None) -> Iterator[Connection]:
        with self.engine.connect() as plain:
            connection = plain.execution_options(**self._options(access), **{_ACCESS: access, _GAME: game})
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

    def _options(self, access: Access) -> dict[str, Any]:
        if self.url.get_backend_name() == SQLITE:
            return {}
        # A writer must see what was committed while it waited for its lock, so its snapshot may not be older
        # than its statements; a reader sees one moment, as on SQLite.
        level = "READ COMMITTED" if access == "write" else "REPEATABLE READ"
        return {"isolation_level": level, "postgresql_readonly": access == "read"}


def _begin(connection: Connection) -> None:
    """Begin, more than once if the database is busy: nothing has been done yet that could be lost."""
    for left in reversed(range(TRIES)):
        try:
            connection.begin()
        except OperationalError as error:
            connection.rollback()
            if left == 0 or not _is_busy(error.orig):
                raise
        else:
            return


def _is_busy(error: BaseException | None) -> bool:
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return getattr(error, "sqlstate", None) in _BUSY_STATES


def _make_engine(url: URL) -> Engine:
    if url.get_backend_name() == POSTGRESQL:
        engine = create_engine(url, hide_parameters=True, pool_pre_ping=True)
        event.listen(engine, "begin", _begin_postgresql)
        event.listen(engine, "handle_error", _hide_row)
        return engine
    more: dict[str, Any] = {"poolclass": StaticPool} if is_in_memory(url) else {}
    engine = create_engine(url, hide_parameters=True, **more)
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: object) -> None:
    # Without this the driver begins its own transactions, and not before reading.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={BUSY_MS}")
    _switch_to_wal(connection)
    for pragma in ("synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _switch_to_wal(connection: Any) -> None:
    """Set a new file's mode; where several do at once, SQLite refuses all but one without any waiting."""
    for left in reversed(range(BUSY_MS // _PAUSE_MS)):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if left == 0 or not _is_busy(error):
                raise
            time.sleep(_PAUSE_MS / 1000)
        else:
            return


def _begin_sqlite(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_ACCESS, "write") == "write"
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _begin_postgresql(connection: Connection) -> None:
    options = connection.get_execution_options()
    if options.get(_ACCESS) != "write":
        return
    game = options.get(_GAME)
    # One writer of everything, or one for each game; both kinds keep each other out. The locks end with the
    # transaction, so they neither outlive it in a pool nor get lost behind a proxy that pools transactions.
    mine = (
        "pg_advisory_xact_lock({lock})"
        if game is None
        else ("pg_advisory_xact_lock_shared({lock}), pg_advisory_xact_lock({lock}, {game})")
    )
    limits = f"set_config('lock_timeout', '{BUSY_MS}', true)"
    idle = f"set_config('idle_in_transaction_session_timeout', '{IDLE_MS}', true)"
    locks = mine.format(lock=_LOCK, game=_number_of(game or ""))
    connection.exec_driver_sql(f"SELECT {limits}, {idle}, {locks}")


def _hide_row(context: ExceptionContext) -> None:
    """Leave out the server's details: they quote the row, and errors reach logs and the director."""
    for error in (context.original_exception, context.sqlalchemy_exception):
        if error is not None and error.args:
            error.args = (str(error.args[0]).partition("\nDETAIL:")[0], *error.args[1:])


def _number_of(game: str) -> int:
    """A game's lock: 32 bits of a hash. Two games of one number wait for each other, nothing else."""
    return int.from_bytes(hashlib.sha256(game.encode()).digest()[:4], "big", signed=True)
