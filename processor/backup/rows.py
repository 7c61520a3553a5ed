"""Rows as lines of canonical JSON, meaning the same in every database: moments as ISO text in UTC."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from sqlalchemy import Connection, DateTime, Integer, Table, func, insert, select, text

from processor.backup.manifest import BackupError
from processor.store.columns import UtcDateTime
from rules.engine.codec import canonical_json
from rules.engine.messages import msg

BATCH = 500
"""Rows that are read or written at once."""


def count_rows(connection: Connection, table: Table) -> int:
    """How many rows a table has."""
    return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def dump_rows(connection: Connection, table: Table) -> Generator[bytes]:
    """Each row as a line, in the order of the key; a batch at a time, however many there are."""
    ordered = select(table).order_by(*table.primary_key.columns)
    with connection.execute(ordered, execution_options={"yield_per": BATCH}) as found:
        for row in found.mappings():
            yield (canonical_json({name: _dumped(value) for name, value in row.items()}) + "\n").encode()


def _dumped(value: Any) -> Any:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value


def load_rows(connection: Connection, table: Table, lines: Iterable[bytes]) -> Iterator[int]:
    """Insert rows; yields how many after each batch. Raises BackupError for what isn't a row of the table."""
    rows = (_row(table, line) for line in lines)
    while batch := list(islice(rows, BATCH)):
        connection.execute(insert(table), batch)
        yield len(batch)
    _restart_ids(connection, table)


def _row(table: Table, line: bytes) -> dict[str, Any]:
    try:
        values = json.loads(line)
        if set(values) == set(table.columns.keys()):
            return {name: _loaded(table, name, value) for name, value in values.items()}
    except (ValueError, TypeError, RecursionError) as error:
        raise BackupError(msg("backup/odd-row", table=table.name)) from error
    raise BackupError(msg("backup/odd-row", table=table.name))


def _loaded(table: Table, name: str, value: Any) -> Any:
    kind = table.columns[name].type
    if value is None or not isinstance(kind, DateTime | UtcDateTime):
        return value
    return datetime.fromisoformat(value).astimezone(UTC).replace(tzinfo=None)


def _restart_ids(connection: Connection, table: Table) -> None:
    """Let the database number on behind the rows that came with their numbers; SQLite does so by itself."""
    keys = list(table.primary_key.columns)
    if connection.dialect.name != "postgresql" or len(keys) != 1 or not isinstance(keys[0].type, Integer):
        return
    sequence = select(func.pg_get_serial_sequence(table.name, keys[0].name))
    highest = connection.execute(select(func.max(keys[0]))).scalar()
    named = connection.execute(sequence).scalar()
    if named is not None and highest is not None:
        connection.execute(text("SELECT setval(:named, :highest)"), {"named": named, "highest": highest})
