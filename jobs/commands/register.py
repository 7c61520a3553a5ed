"""`turnero register`: make a game known to `tick` and `serve`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from jobs import host
from jobs.commands.files import FAILED, make_console
from jobs.folders import check_folder
from jobs.speech import catalogue, say
from jobs.starting.placeholders import describe_placeholders, has_example_address
from processor.service.bundle import FolderFault
from processor.service.looking import look_at
from processor.service.registering import register_game
from reporters.dates import say_moment_with_utc
from rules.play.game import Game


def register_command(
    folder: Annotated[Path, typer.Argument(metavar="CARPETA", help="La carpeta de la partida.")],
) -> None:
    """Registra una partida: desde entonces `tick` y `serve` la llevan."""
    console = make_console()
    path = host.find_folder(folder)
    found = check_folder(path)
    for problem in found.say():
        console.print(f"✘ {problem}")
    if found.loaded is not None:
        _tell_placeholders(console, found.loaded.game)
    if found.loaded is None or found.problems or has_example_address(found.loaded.game):
        console.print(say("cli/register-not"))
        raise typer.Exit(FAILED)
    with host.open_service() as service:
        known = host.find_row(service, folder)
        try:
            row = register_game(service, path)
        except FolderFault as fault:
            console.print(f"✘ {fault.say(catalogue())}")
            raise typer.Exit(FAILED) from None
        look = look_at(service, row)
    game, turn = look.loaded.game, look.turn
    console.print(say("cli/registered", title=game.title, game=row.id, already=int(known is not None)))
    closing = say_moment_with_utc(turn.due_at, game.zone, game.language)
    console.print(say("cli/turn-closes", turn=turn.ref.turn, moment=closing))
    if known is None:
        console.print(say("cli/who-opens"))


def _tell_placeholders(console: Console, game: Game) -> None:
    """What is still to be filled in; without a forum's address nothing can begin."""
    mark = "✘" if has_example_address(game) else "⚠"
    for line in describe_placeholders(game):
        console.print(f"{mark} {line}")
