"""Brings a database to this program's schema, by itself, at every start.

A new or older database is migrated in one writing transaction, beside which nobody else writes, so that
processes that start together don't migrate twice; a newer one is refused with one line (reliability.md F27).
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect

from processor.store.database import Database
from processor.store.urls import DatabaseFault
from rules.engine.messages import msg

HEAD = "0009"
"""The newest migration. It stands here too so that a start without news doesn't load Alembic."""

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
        _migrate(connection)


def _current(connection: Connection) -> str | None:
    """The schema's number, None for a database without tables."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
    return None if found is None else str(found)


def _migrate(connection: Connection) -> None:
    current = _current(connection)
    if current == HEAD:  # somebody else was faster
        return
    from alembic import command  # noqa: PLC0415 - loading it costs more than the rest of a start
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if current is not None and current not in known:
        raise SchemaTooNew(current)
    command.upgrade(config, "head")
