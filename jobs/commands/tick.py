"""`turnero tick`: do what is due and end."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jobs import host
from jobs.commands.files import FAILED, make_console
from jobs.commands.status_text import describe_switch
from jobs.speech import say
from jobs.tick import tick
from processor.service.bundle import Service
from processor.service.looking import choose_turn
from processor.store import games, turns
from processor.store.rows import GameRow
from rules.play.turns import GameStatus, TurnStatus


def tick_command(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="CARPETA…", help="Carpetas de partidas; sin ninguna, todas las registradas."),
    ] = None,
) -> None:
    """Hace lo que toque ahora mismo: leer, avisar, cerrar, resolver, publicar. No estorba repetirlo."""
    console = make_console()
    with host.open_service() as service:
        rows = host.choose_rows(service, folders or ())
        host.start_logging()
        done = tick(service, only=[row.id for row in rows] if folders else None)
        waiting = [line for row in rows for line in describe_trouble(service, row)]
        paused = tuple(describe_switch(service))
    if done.steps:
        console.print(say("cli/steps", count=done.steps))
    for line in (*paused, *waiting):
        console.print(line)
    if waiting:
        raise typer.Exit(FAILED)


def describe_trouble(service: Service, row: GameRow) -> tuple[str, ...]:
    """One line for a game that waits for its director, none for others."""
    with service.database.read() as connection:
        now = games.get_game(connection, row.id)
        turn = choose_turn(turns.list_turns(connection, row.id))
    if now.status is GameStatus.PARKED:
        return (say("cli/parked-line", game=row.id, note=_first_line(now.note)),)
    if turn.status is TurnStatus.HELD:
        said = _first_line(turn.reason)
        return (say("cli/held-line", game=row.id, turn=turn.ref.turn, reason=said),)
    return ()


def _first_line(text: str | None) -> str:
    return next((line for line in (text or "").splitlines() if line.strip()), "")
