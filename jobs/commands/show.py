"""`turnero show`: everything that is stored of one turn."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from jobs import host
from jobs.commands.files import fail, make_console
from jobs.commands.show_text import show_corrections, show_events, show_files, show_orders, show_rolls
from jobs.commands.status_text import describe_attempts, describe_turn
from jobs.speech import catalogue, say
from processor.pipeline.given import override_file
from processor.service.bundle import FolderFault, Service
from processor.service.looking import Look, look_at, read_overrides_of
from processor.store import history, results
from processor.store.rows import GameRow


def show_command(
    folder: Annotated[Path, typer.Argument(metavar="CARPETA", help="La carpeta de la partida.")],
    turn: Annotated[int | None, typer.Option("--turn", min=1, help="El turno; sin él, el de ahora.")] = None,
    attempt: Annotated[
        int | None, typer.Option("--attempt", min=1, help="Un intento del turno; sin él, el que vale.")
    ] = None,
) -> None:
    """Enseña las órdenes, las correcciones, los dados, lo que pasó y los informes de un turno."""
    console = make_console()
    with host.open_service() as service:
        row = host.require_row(service, folder)
        lines = [*_show(service, _look(service, row, turn, attempt))]
    for line in lines:
        console.print(line)


def _look(service: Service, row: GameRow, number: int | None, attempt: int | None) -> Look:
    try:
        if attempt is not None and number is None:
            number = look_at(service, row).turn.ref.turn
        return look_at(service, row, number, attempt)
    except FolderFault as fault:
        fail(fault.say(catalogue()))
    except LookupError:
        if attempt is not None:
            fail(say("cli/no-attempt", turn=number, attempt=attempt))
        fail(say("cli/no-such-turn", turn=str(number)))


def _show(service: Service, look: Look) -> Iterable[str]:
    name = override_file(look.play)
    with service.database.read() as connection:
        rolls = history.list_rolls(connection, look.turn.id)
        events = history.list_events(connection, look.turn.id)
        files = results.load_report_files(connection, look.turn.id)
    yield look.loaded.game.title
    yield describe_turn(look, service.clock.now())
    yield from describe_attempts(service, look)
    yield ""
    yield from show_orders(look)
    overrides = read_overrides_of(service, look.row, look.turn)
    yield from show_corrections(overrides, name, look.turn.ref.attempt)
    yield from show_rolls(look.play, rolls)
    yield from show_events(events)
    yield from show_files(_find_reports(look), files)


def _find_reports(look: Look) -> str:
    """Where an attempt's reports lie: aside, once a later one was published."""
    lies = f"reports/turn-{look.turn.ref.turn:03}"
    aside = f"{lies}/attempt-{look.turn.ref.attempt}"
    return aside if (Path(look.row.folder) / aside).exists() else lies
