"""`turnero status`: where games stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from jobs import host
from jobs.adapters import tempo_of
from jobs.commands.carrying import describe_carried, waits_for_hand
from jobs.commands.files import FAILED, make_console
from jobs.commands.health import describe_health
from jobs.commands.status_text import (
    describe_backlog,
    describe_game,
    describe_parked,
    describe_rests,
    describe_switch,
    needs_director,
)
from jobs.speech import catalogue, say, set_language
from processor.service.backlog import Backlog, measure_backlogs
from processor.service.bundle import FolderFault, Service
from processor.service.looking import look_at
from processor.store.health import read_health
from processor.store.rows import GameRow


def status_command(
    folder: Annotated[
        Path | None, typer.Argument(metavar="CARPETA", help="La carpeta de una partida; sin ella, todas.")
    ] = None,
    health: Annotated[
        bool, typer.Option("--health", help="Una sola línea para un vigilante: acaba con 0 o con 1.")
    ] = False,
) -> None:
    """Dice por dónde va cada partida, quién ha dado órdenes, qué falta y por qué espera."""
    if health:
        _print_health()
        return
    console = make_console()
    with host.open_service() as service:
        rows = host.choose_rows(service, (folder,) if folder is not None else ())
        if not rows:
            console.print(say("cli/no-games"))
        for line in (*describe_switch(service), *describe_rests(service)):
            console.print(line)
        printer = _Printer(console, service, measure_backlogs(service, tempo_of))
        waiting = [printer.print(row, folder, first=row is rows[0]) for row in rows]
    if any(waiting):
        raise typer.Exit(FAILED)


def _print_health() -> None:
    with host.open_service() as service:
        now = service.clock.now()
        with service.database.read() as connection:
            found = read_health(connection, now)
    make_console().print(describe_health(found, now))
    if not found.is_well(now):
        raise typer.Exit(FAILED)


@dataclass(frozen=True, slots=True)
class _Printer:
    """Prints games. backlogs: what their forums have still to be sent, by game."""

    console: Console
    service: Service
    backlogs: Mapping[str, Backlog]

    def print(self, row: GameRow, folder: Path | None, *, first: bool) -> bool:
        """Print a game; whether it waits for its director."""
        typed = str(folder) if folder is not None else row.folder
        if not first:
            self.console.print()
        try:
            look = look_at(self.service, row)
        except FolderFault as fault:
            self._say(say("cli/folder-unreadable", game=row.id, folder=row.folder))
            self._say(*fault.say(catalogue()).splitlines(), *describe_parked(row, typed))
            return True
        set_language(look.loaded.game.language)
        now = self.service.clock.now()
        self._say(*describe_game(self.service, look, now, typed))
        self._say(*describe_backlog(look, self.backlogs.get(row.id), now))
        self._say(*describe_carried(look, now, typed))
        return needs_director(row, look) or waits_for_hand(look, now)

    def _say(self, *lines: str) -> None:
        for line in lines:
            self.console.print(line)
