"""`turnero demo`: a whole night on this machine, against a real forum."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jobs.commands.files import FAILED, USAGE, make_console
from jobs.demo.browser import BrowserError
from jobs.demo.night import NightFailed
from jobs.demo.plays import PLAYS
from jobs.demo.show import run_night
from jobs.demo.spirit_server import ForumBootError
from jobs.demo.telling import Teller


def demo_command(
    *,
    keep: Annotated[bool, typer.Option("--keep", help="Deja el foro en marcha al terminar.")] = False,
    game: Annotated[str, typer.Option(help="El reglamento de la partida de ejemplo.")] = "conquista",
    folder: Annotated[Path, typer.Option(help="Dónde dejar la partida, las páginas y la prueba.")] = Path(
        "build/demo"
    ),
    forum: Annotated[Path, typer.Option(help="Dónde instalar el foro, o dónde está ya instalado.")] = Path(
        "build/forum"
    ),
) -> None:
    """Juega una noche entera en esta máquina, contra un foro de verdad."""
    console = make_console()
    if game not in PLAYS:
        known = ", ".join(PLAYS)
        make_console(stderr=True).print(f"✘ No hay ejemplo de «{game}». Los que hay: {known}.")
        raise typer.Exit(USAGE)
    try:
        code = run_night(PLAYS[game], folder, forum, Teller(console), keep=keep)
    except (ForumBootError, BrowserError, NightFailed) as fault:
        make_console(stderr=True).print(f"✘ La noche no ha llegado a su fin: {fault}")
        raise typer.Exit(FAILED) from fault
    except KeyboardInterrupt:
        make_console(stderr=True).print("Interrumpido. El foro está parado y no queda nada en marcha.")
        raise typer.Exit(130) from None
    raise typer.Exit(code)
