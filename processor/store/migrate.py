"""Brings a database to this program's schema, by itself, at every start.

A new or older database is migrated in one writing transaction, beside which nobody else writes, so that
processes that start together don't migrate twice; a newer one is refused with one line (reliability.md F27).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect

from processor.store.database import Database
from processor.store.urls import DatabaseFault
from rules.engine.messages import msg

if TYPE_CHECKING:
    from alembic.config import Config

HEAD = "0019"
"""The newest migration. It stands here too so that a start without news doesn't load Alembic."""

VERSION = "alembic_version"
"""The table in which Alembic keeps a database's schema."""

_HERE = Path(__file__).parent / "migrations"


class SchemaTooNew(DatabaseFault):
    """The database was written by a newer program; `said` tells the host."""

    def __init__(self, found: str) -> None:
        super().__init__(msg("database/schema-too-new", found=found, head=HEAD))


def upgrade(database: Database) -> None:
    """Migrate where needed. Raises SchemaTooNew."""
    with database.read() as connection:
        if _current(connection) == HEAD:
            return
    with database.write() as connection:
        migrate(connection)


def is_known(revision: str) -> bool:
    """Whether this program knows a schema: its newest, or one of those before."""
    return revision in _known()


def migrate(connection: Connection, revision: str = HEAD) -> None:
    """Bring a database up to a schema, inside of the caller's transaction. Raises SchemaTooNew."""
    current = _current(connection)
    if current == revision:  # somebody else was faster
        return
    if current is not None and not is_known(current):
        raise SchemaTooNew(current)
    from alembic import command  # noqa: PLC0415 - loading it costs more than the rest of a start

    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _known() -> frozenset[str]:
    from alembic.script import ScriptDirectory  # noqa: PLC0415 - as above

    return frozenset(one.revision for one in ScriptDirectory.from_config(_config()).walk_revisions())


def _config() -> Config:
    from alembic.config import Config  # noqa: PLC0415 - as above

    config = Config()
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    return config


def _current(connection: Connection) -> str | None:
    """The schema's number, None for a database without tables."""
    if not inspect(connection).has_table(VERSION):
        return None
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return None if found is None else str(found)
