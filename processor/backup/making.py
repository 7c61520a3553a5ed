"""Making a backup: the rows of one moment, while workers go on, then the folders of the games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, select

from processor.backup.archive import Tell, Writer, write_archive
from processor.backup.folders import Secrets, Taken
from processor.backup.manifest import FORMAT, Manifest, SavedGame, file_member, table_member
from processor.backup.rows import count_rows, dump_rows
from processor.store.database import Database
from processor.store.migrate import HEAD
from processor.store.tables import games, metadata


@dataclass(frozen=True, slots=True)
class Notes:
    """What goes into the manifest besides. settings: the host's. secrets: what must stay outside."""

    now: datetime
    program: str
    settings: Mapping[str, str] = field(default_factory=dict)
    secrets: Secrets = field(default_factory=Secrets)


def make_backup(
    database: Database,
    path: Path,
    notes: Notes,
    *,
    replace: bool = False,
    tell: Tell = lambda done, total: None,
) -> Manifest:
    """Write everything into one file; what it holds. Raises BackupError, and then no file is left behind.

    replace: whether a file that is there already may go.
    """
    with write_archive(path, replace=replace) as writer:
        with database.read() as connection:
            rows = _write_tables(connection, writer, tell)
            known = connection.execute(select(games.c.id, games.c.title, games.c.folder).order_by(games.c.id))
            found = [(str(row.id), str(row.title), str(row.folder)) for row in known]
        saved = tuple(_write_folder(writer, *game, notes.secrets) for game in found)
        moment, members = notes.now.isoformat(), tuple(writer.members)
        manifest = Manifest(FORMAT, moment, notes.program, HEAD, rows, saved, members, dict(notes.settings))
        writer.close(manifest)
    return manifest


def _write_tables(connection: Connection, writer: Writer, tell: Tell) -> dict[str, int]:
    counts = {table.name: count_rows(connection, table) for table in metadata.sorted_tables}
    total, done = sum(counts.values()), 0
    for table in metadata.sorted_tables:
        with closing(dump_rows(connection, table)) as lines:  # the database's cursor ends with it
            writer.add(table_member(table.name), _counted(lines, done, total, tell))
        done += counts[table.name]
    return counts


def _counted(lines: Iterable[bytes], done: int, total: int, tell: Tell) -> Iterator[bytes]:
    for count, line in enumerate(lines, done + 1):
        yield line
        tell(count, total)


def _write_folder(writer: Writer, game_id: str, title: str, folder: str, secrets: Secrets) -> SavedGame:
    taken = Taken(Path(folder), secrets)
    for one in taken.files():
        writer.add(file_member(game_id, one.name), (one.data,), one.changed_at)
    return SavedGame(game_id, title, folder, Path(folder).is_dir(), tuple(taken.left_out))
