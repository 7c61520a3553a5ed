"""Backups of databases with rows in them, and what two databases have in common."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import insert

from processor.backup.archive import open_archive
from processor.backup.folders import Placement, Secrets
from processor.backup.making import Notes, make_backup
from processor.backup.manifest import Manifest
from processor.backup.restoring import Wanted, restore_backup
from processor.backup.rows import dump_rows
from processor.store.database import Database
from processor.store.migrate import upgrade
from processor.store.tables import games, metadata
from tests.support.databases import new_url, open_database
from tests.support.hand_clock import DEADLINE

NONE = Secrets()
GAME = {
    "id": "veth",
    "title": "Cruzada de Veth",
    "ruleset": "conquista",
    "status": "active",
    "secret": "ab",
    "first_turn": 1,
    "registered_at": DEADLINE,
}


def new_database(folder: Path) -> Database:
    """An empty database, of a machine of its own. folder: where SQLite's file lies."""
    folder.mkdir(exist_ok=True)
    return open_database(new_url(folder))


def new_sqlite(folder: Path) -> Database:
    """The same, on SQLite whatever the tests run on."""
    folder.mkdir(exist_ok=True)
    made = open_database(f"sqlite:///{folder / 'turnero.db'}")
    upgrade(made)
    return made


def add_game(database: Database, folder: Path, game_id: str = "veth") -> None:
    """A game's row, and nothing else of it."""
    with database.write() as connection:
        connection.execute(insert(games).values(**GAME | {"id": game_id, "folder": str(folder)}))


def save(database: Database, path: Path, secrets: Secrets = NONE, *, replace: bool = False) -> Manifest:
    """A backup, at the hour of the small game's deadline."""
    return make_backup(database, path, Notes(DEADLINE, "test", {}, secrets), replace=replace)


def restore(database: Database, path: Path, wanted: Wanted | None = None) -> tuple[Placement, ...]:
    """What `turnero restore` does."""
    with open_archive(path) as archive:
        return restore_backup(database, archive, wanted or Wanted())


def rows_of(database: Database) -> dict[str, list[bytes]]:
    """Every row of every table, as text."""
    with database.read() as connection:
        return {table.name: [*dump_rows(connection, table)] for table in metadata.sorted_tables}
