"""Restoring a backup into an empty database, in one transaction: everything, or nothing at all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, MetaData, func, insert, select, update

from processor.backup.archive import Archive, Tell
from processor.backup.folders import Placement, Placing, find_differing, plan_placement
from processor.backup.manifest import BackupError, table_member
from processor.backup.rows import load_rows
from processor.store import migrate
from processor.store.database import Database
from processor.store.tables import games, metadata, switches
from rules.engine.messages import msg

SHOWN = 5
"""So many files are named where more are in the way."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How to restore. into: a folder for all games' folders, None: each where it was.

    overwrite, keep: what becomes of files that are there with another content; neither: that is refused.
    """

    into: Path | None = None
    overwrite: bool = False
    keep: bool = False


def restore_backup(
    database: Database, archive: Archive, wanted: Wanted, tell: Tell = lambda done, total: None
) -> tuple[Placement, ...]:
    """Load a checked backup; where each game lies now. Raises BackupError, and then nothing has changed."""
    manifest = archive.manifest
    if not migrate.is_known(manifest.schema):
        raise BackupError(msg("backup/newer-schema", found=manifest.schema, head=migrate.HEAD))
    placements = _plan(archive, wanted)
    placing = Placing(archive)
    try:
        with database.write() as connection:
            _require_empty(connection)
            _load(connection, archive, tell)
            _move_games(connection, {one.game.id: one.folder for one in placements})
            for one in placements:
                placing.place(one, keep=wanted.keep)
    except BaseException:
        placing.undo()
        raise
    return placements


def _plan(archive: Archive, wanted: Wanted) -> tuple[Placement, ...]:
    into = None if wanted.into is None else wanted.into.resolve()
    placements = tuple(
        plan_placement(archive, one, Path(one.folder) if into is None else into / one.id)
        for one in archive.manifest.games
    )
    differing = find_differing(placements)
    if differing and not (wanted.overwrite or wanted.keep):
        shown = ", ".join(differing[:SHOWN])
        raise BackupError(msg("backup/differing", count=len(differing), files=shown))
    return placements


def _require_empty(connection: Connection) -> None:
    count = connection.execute(select(func.count()).select_from(games)).scalar_one()
    if count:
        raise BackupError(msg("backup/not-empty", count=int(count)))


def _load(connection: Connection, archive: Archive, tell: Tell) -> None:
    """The rows into the tables of their time, and from there to this program's."""
    paused = [dict(row) for row in connection.execute(select(switches)).mappings()]
    _drop_all(connection)
    migrate.migrate(connection, archive.manifest.schema)
    _load_tables(connection, archive, tell)
    migrate.migrate(connection)
    known = set(connection.execute(select(switches.c.name)).scalars())
    here = [row for row in paused if row["name"] not in known]  # a pause of this host stays one
    if here:
        connection.execute(insert(switches), here)


def _drop_all(connection: Connection) -> None:
    """Without its empty tables the database can be brought to any schema."""
    found = MetaData()
    found.reflect(connection)
    ours = [one for one in found.sorted_tables if one.name in metadata.tables or one.name == migrate.VERSION]
    found.drop_all(connection, tables=ours)


def _load_tables(connection: Connection, archive: Archive, tell: Tell) -> None:
    found = MetaData()
    found.reflect(connection)
    counts = archive.manifest.rows
    if {one for one in found.tables if one in metadata.tables or one in counts} != set(counts):
        raise BackupError(msg("backup/odd-tables"))
    total, done = sum(counts.values()), 0
    for table in found.sorted_tables:
        if table.name not in counts:
            continue
        before = done
        for batch in load_rows(connection, table, archive.lines(table_member(table.name))):
            done += batch
            tell(done, total)
        if done - before != counts[table.name]:
            raise BackupError(msg("backup/odd-row", table=table.name))


def _move_games(connection: Connection, folders: Mapping[str, Path]) -> None:
    for game_id, folder in folders.items():
        connection.execute(update(games).where(games.c.id == game_id).values(folder=str(folder)))
