"""`turnero restore`: a backup into an empty database, and the games' folders to their place."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jobs import host
from jobs.commands.backup import describe_backup, describe_standing
from jobs.commands.files import fail, make_console
from jobs.commands.progress import showing
from jobs.speech import catalogue, say
from processor.backup.archive import open_archive
from processor.backup.manifest import BackupError, Manifest
from processor.backup.restoring import Wanted, restore_backup
from processor.service.bundle import Service


def restore_command(
    file: Annotated[Path, typer.Argument(metavar="ARCHIVO", help="La copia que guardó `turnero backup`.")],
    *,
    into: Annotated[
        Path | None,
        typer.Option(metavar="CARPETA", help="Pon aquí las carpetas de las partidas, y no donde estaban."),
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Los archivos que ya estén y sean otros se quedan como están.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Los archivos que ya estén y sean otros se sustituyen.")
    ] = False,
) -> None:
    """Recupera una copia en una base de datos vacía, y las carpetas de las partidas en su sitio."""
    if keep and overwrite:
        fail(say("cli/restore-either"))
    console = make_console()
    with host.open_service() as service:
        manifest = _restore(service, file, Wanted(into, overwrite, keep))
        standing = describe_standing(service)
    for line in (*describe_backup(file, manifest), *standing):
        console.print(line)
    for variable in host.list_missing_passwords(one.id for one in manifest.games):
        console.print(say("cli/restore-password", variable=variable))
    console.print(say("cli/restored"))


def _restore(service: Service, file: Path, wanted: Wanted) -> Manifest:
    try:
        with showing(say("cli/restore-checking")) as tell, open_archive(file, tell) as archive:
            with showing(say("cli/restore-loading")) as tell_rows:
                restore_backup(service.database, archive, wanted, tell_rows)
            return archive.manifest
    except BackupError as wrong:
        fail(catalogue().text(wrong.said))
