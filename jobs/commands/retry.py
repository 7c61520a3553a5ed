"""`turnero retry`: go on where a turn was held or a game was parked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jobs import host
from jobs.commands.carrying import is_carried
from jobs.commands.files import make_console
from jobs.speech import say
from processor.service.holding import retry, send_again
from processor.service.resting import cut_rest_short
from processor.service.voiding import follow_voids
from rules.play.turns import GameStatus


def retry_command(
    folder: Annotated[Path, typer.Argument(metavar="CARPETA", help="La carpeta de la partida.")],
    again: Annotated[
        bool, typer.Option("--again", help="Publica otra vez lo que un moderador del foro ha rechazado.")
    ] = False,
) -> None:
    """Sigue donde un turno se detuvo, cuando lo que lo detenía está arreglado."""
    console = make_console()
    with host.open_service() as service:
        row = host.require_row(service, folder)
        rejected = send_again(service, row.id) if again else 0
        count = retry(service, row.id)
        loaded = service.pipeline.load_game(Path(row.folder))
        rested = not is_carried(loaded.game) and cut_rest_short(service, loaded.game)
        voided = follow_voids(service, row, loaded)
    if voided is not None:
        console.print(say("cli/attempt-begins", turn=voided.ref.turn, attempt=voided.ref.attempt))
    elif rejected:
        console.print(say("cli/published-again", count=rejected))
    elif count or row.status is GameStatus.PARKED:
        console.print(say("cli/goes-on"))
    elif not rested:
        console.print(say("cli/nothing-held"))
    if rested:
        console.print(say("cli/forum-again", url=loaded.game.forum.url))
