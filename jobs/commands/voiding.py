"""`turnero void` and `turnero rollback`: a turn that is played, or resolved, once more."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from jobs import host
from jobs.commands.files import FAILED, fail, make_console
from jobs.speech import catalogue, language, say
from processor.pipeline.override_entries import Refused
from processor.service.bundle import Service
from processor.service.void_commands import Done, NoneLocked, Unfit, void_attempt
from processor.store.rows import GameRow
from reporters.dates import say_moment_with_utc
from rules.play.attempts import Orders

_Folder = Annotated[Path, typer.Argument(metavar="CARPETA", help="La carpeta de la partida.")]
_Turn = Annotated[
    int | None, typer.Option("--turn", min=1, metavar="N", help="El turno; sin él, el de ahora.")
]
_Closed = Annotated[
    int | None, typer.Option("--turn", min=1, metavar="N", help="El turno; sin él, el último que se cerró.")
]
_Reason = Annotated[
    str | None, typer.Option("--reason", metavar="TEXTO", help="El motivo, que verán todos los jugadores.")
]


def void_command(folder: _Folder, turn: _Turn = None, reason: _Reason = None) -> None:
    """Anula un turno y lo abre otra vez: con órdenes nuevas, dados nuevos y otro cierre."""
    _void(folder, Orders.REOPEN, turn, reason)


def rollback_command(folder: _Folder, turn: _Closed = None, reason: _Reason = None) -> None:
    """Resuelve un turno otra vez: las mismas órdenes y los mismos dados, con las correcciones de ahora."""
    _void(folder, Orders.KEEP, turn, reason)


def _void(folder: Path, orders: Orders, turn: int | None, reason: str | None) -> None:
    with host.open_service() as service:
        row = host.require_row(service, folder)
        done = _do(service, row, orders, turn, reason or say("cli/director-decides"))
    for line in _describe(done):
        make_console().print(line)


def _do(service: Service, row: GameRow, orders: Orders, turn: int | None, reason: str) -> Done:
    try:
        return void_attempt(service, row, orders, turn, reason)
    except NoneLocked:
        _refuse(say("cli/none-locked"))
    except Unfit as unfit:
        _refuse("\n✘ ".join((*unfit.problems, say("cli/nothing-written"))))
    except LookupError:
        fail(say("cli/no-such-turn", turn=str(turn)))
    except Refused as refused:
        _refuse(f"{catalogue().text(refused.wrong)}. {catalogue().text(refused.right)}.")


def _refuse(said: str) -> NoReturn:
    make_console(stderr=True).print(f"✘ {said[0].upper()}{said[1:]}")
    raise typer.Exit(FAILED)


def _describe(done: Done) -> Iterable[str]:
    if done.following is None:
        yield say("cli/void-later", file=done.file)
        return
    ref, deadline = done.turn.ref, done.following.deadline
    later = done.later or None
    yield say("cli/voided", turn=ref.turn, attempt=ref.attempt, later=later, count=len(done.later))
    if done.following.redo is not None and done.following.redo.keeps:
        yield say("cli/void-kept", file=done.file)
    else:
        yield say("cli/void-reopened", moment=say_moment_with_utc(deadline.at, deadline.zone, language()))
    if done.unchanged:
        yield say("cli/void-same-file", file=done.file)
