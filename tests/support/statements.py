"""What is said to a database, counted, and how it looks after each commit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, event

from processor.store.database import Database

_CONTROL = ("BEGIN", "SELECT set_config(")
"""How a transaction begins on SQLite and on PostgreSQL (its lock); there is one for each."""


@contextmanager
def statements(database: Database) -> Iterator[list[str]]:
    """The SQL statements executed meanwhile, an executemany once, without transactions' beginnings."""
    said: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        if not statement.startswith(_CONTROL):
            said.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        yield said
    finally:
        event.remove(database.engine, "before_cursor_execute", note)


@contextmanager
def commits(database: Database, look: Callable[[Connection], Any]) -> Iterator[list[Any]]:
    """What `look` sees at the end of each transaction that is committed meanwhile."""
    seen: list[Any] = []

    def note(connection: Connection) -> None:
        seen.append(look(connection))

    event.listen(database.engine, "commit", note)
    try:
        yield seen
    finally:
        event.remove(database.engine, "commit", note)
