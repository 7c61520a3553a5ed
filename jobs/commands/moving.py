"""`turnero extend`, `pause`, `resume`: the director moves a turn's deadline or stops its clock."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from jobs import host
from jobs.commands.files import FAILED, fail, make_console
from jobs.speech import language, say
from processor.pipeline.following import Followed
from processor.service.bundle import Service
from processor.service.directing import TurnClosed, move_deadline
from processor.service.pausing import pause_all, resume_all
from processor.store.rows import GameRow, TurnRow
from reporters.dates import say_moment_with_utc
from rules.play.turns import TurnStatus

_Folder = Annotated[Path, typer.Argument(metavar="CARPETA", help="La carpeta de la partida.")]
_Game = Annotated[Path | None, typer.Argument(metavar="CARPETA", help="La carpeta de la partida.")]
_All = Annotated[bool, typer.Option("--all", help="Todas las partidas de esta máquina.")]
_Reason = Annotated[
    str | None, typer.Option("--reason", metavar="TEXTO", help="El motivo, que verán todos los jugadores.")
]


def extend_command(
    folder: _Folder,
    span: Annotated[str, typer.Argument(metavar="TIEMPO", help="Cuánto más: 24h o 2d.")],
    reason: _Reason = None,
) -> None:
    """Da más tiempo al turno abierto: lo apunta en su archivo de correcciones y avisa en el tema."""
    _move(folder, {"extend": span}, reason)


def pause_command(folder: _Game = None, reason: _Reason = None, *, everything: _All = False) -> None:
    """Deja el turno abierto en pausa: no se cierra hasta que lo reanudes, y los jugadores lo saben."""
    if everything:
        _switch(folder, pause_all_games)
    else:
        _move(_require(folder), {"pause": True}, reason)


def resume_command(folder: _Game = None, reason: _Reason = None, *, everything: _All = False) -> None:
    """Reanuda un turno en pausa: el cierre se corre lo que haya durado."""
    if everything:
        _switch(folder, resume_all_games)
    else:
        _move(_require(folder), {"resume": True}, reason)


def pause_all_games(service: Service) -> str:
    """Stop everything on this host; what to tell."""
    return say("cli/all-paused" if pause_all(service) else "cli/all-paused-already")


def resume_all_games(service: Service) -> str:
    """Let everything go on; what to tell."""
    count = resume_all(service)
    return say("cli/all-not-paused") if count is None else say("cli/all-resumed", count=count)


def _switch(folder: Path | None, switch: Callable[[Service], str]) -> None:
    if folder is not None:
        fail(say("cli/all-or-folder"))
    with host.open_service() as service:
        make_console().print(switch(service))


def _require(folder: Path | None) -> Path:
    if folder is None:
        fail(say("cli/all-or-folder"))
    return folder


def _move(folder: Path, entry: dict[str, Any], reason: str | None) -> None:
    with host.open_service() as service:
        row = host.require_row(service, folder)
        turn, followed = _append(service, row, {**entry, "reason": reason or say("cli/director-decides")})
    console = make_console()
    if followed.problems:
        for problem in followed.problems:
            console.print(f"✘ {problem}")
        console.print(say("cli/nothing-written"))
        raise typer.Exit(FAILED)
    console.print(_describe(turn, followed))
    held = turn.status is TurnStatus.HELD
    console.print(say("cli/to-go-on", folder=str(folder)) if held else say("cli/topic-told"))


def _append(service: Service, row: GameRow, entry: dict[str, Any]) -> tuple[TurnRow, Followed]:
    try:
        return move_deadline(service, row, entry)
    except TurnClosed as closed:
        fail(say("cli/turn-closed", turn=closed.turn.ref.turn))


def _describe(turn: TurnRow, followed: Followed) -> str:
    """The deadline as it is from now on."""
    if followed.clock.paused_at is not None:
        return say("cli/turn-paused", turn=turn.ref.turn)
    return say("cli/new-deadline", turn=turn.ref.turn, moment=_moment(turn, followed))


def _moment(turn: TurnRow, followed: Followed) -> str:
    return say_moment_with_utc(followed.clock.due, turn.zone, language())
