"""`turnero backup`: everything that this host needs to go on, in one file."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from jobs import host
from jobs.commands.files import FAILED, fail, make_console
from jobs.commands.progress import showing
from jobs.speech import catalogue, say
from processor.backup.making import Notes, make_backup
from processor.backup.manifest import BackupError, Manifest
from processor.service.bundle import Service
from processor.service.looking import choose_turn
from processor.store import games, turns


def backup_command(
    file: Annotated[Path, typer.Argument(metavar="ARCHIVO", help="Dónde guardar la copia (un .zip).")],
    *,
    force: Annotated[bool, typer.Option("--force", help="Sustituye el archivo, si ya está.")] = False,
) -> None:
    """Guarda en un archivo la base de datos y las carpetas de las partidas, mientras todo sigue."""
    console = make_console()
    with host.open_service() as service:
        with service.database.read() as connection:
            if not games.list_games(connection):
                fail(say("cli/backup-nothing", database=host.describe_settings()["TURNERO_DATABASE"]))
        manifest = _make(service, file, replace=force)
        standing = describe_standing(service)
    for line in (*describe_backup(file, manifest), *standing, *_describe_left_out(manifest)):
        console.print(line)
    console.print(say("cli/backup-secret"))
    if not all(one.found for one in manifest.games):
        raise typer.Exit(FAILED)


def _make(service: Service, file: Path, *, replace: bool) -> Manifest:
    notes = Notes(service.clock.now(), version("turnero"), host.describe_settings(), host.find_secrets())
    try:
        with showing(say("cli/backup-saving")) as tell:
            return make_backup(service.database, file, notes, replace=replace, tell=tell)
    except BackupError as wrong:
        fail(catalogue().text(wrong.said))


def describe_backup(file: Path, manifest: Manifest) -> Iterable[str]:
    """What a backup is, and how much it holds."""
    games_files = sum(1 for one in manifest.members if one.name.startswith("games/"))
    kilobytes = -(-file.stat().st_size // 1024)
    yield say("cli/backup-file", path=str(file), made=manifest.made_at[:16].replace("T", " "), size=kilobytes)
    rows = sum(manifest.rows.values())
    yield say("cli/backup-holds", games=len(manifest.games), rows=rows, files=games_files)


def describe_standing(service: Service) -> tuple[str, ...]:
    """A line for each game: its turn and where its folder lies."""
    with service.database.read() as connection:
        found = [
            (row, choose_turn(turns.list_turns(connection, row.id))) for row in games.list_games(connection)
        ]
    return tuple(
        say("cli/backup-game", game=row.id, turn=turn.ref.turn, state=turn.status.value, folder=row.folder)
        for row, turn in found
    )


def _describe_left_out(manifest: Manifest) -> Iterable[str]:
    for game in manifest.games:
        if not game.found:
            yield say("cli/backup-no-folder", game=game.id, folder=game.folder)
        for path, reason in game.left_out:
            yield say("cli/backup-left-out", game=game.id, path=path, reason=reason)
