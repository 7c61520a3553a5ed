"""`turnero preview`: the turn resolved now with throw-away dice, nothing stored or posted (design.md 5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from jobs import host
from jobs.commands.choosing import find_seat
from jobs.commands.files import FAILED, fail, make_console
from jobs.commands.paper import draw_chapters, indent
from jobs.speech import catalogue, language, say
from processor.pipeline.context import TurnResult
from processor.pipeline.rehearsed_reports import render_reports
from processor.service.bundle import FolderFault
from processor.service.foretelling import (
    Chance,
    Trial,
    TurnOver,
    count_chances,
    set_trial,
    tell_ahead,
    try_turn,
)
from reporters.dates import say_moment
from reporters.layout import lay_out
from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.document import Document

MOST_RUNS = 1_000


def preview_command(
    folder: Annotated[Path, typer.Argument(metavar="CARPETA", help="La carpeta de la partida.")],
    seat: Annotated[
        str | None, typer.Option("--seat", help="Enseña también el informe de un puesto.")
    ] = None,
    everyone: Annotated[
        bool, typer.Option("--all", help="Enseña también los informes de todos los puestos.")
    ] = False,
    times: Annotated[
        int,
        typer.Option(
            "--times", min=1, max=MOST_RUNS, help="Prueba tantas veces, y dice qué sale en cuántas."
        ),
    ] = 1,
) -> None:
    """Resuelve el turno ahora con dados de mentira, sin guardar ni publicar nada. Sólo para quien dirige."""
    console = make_console()
    with host.open_service() as service:
        row = host.require_row(service, folder)
        try:
            trial = set_trial(service, row, service.clock.now())
        except FolderFault as fault:
            fail(fault.say(catalogue()))
        except TurnOver as over:
            fail(say("cli/preview-over", turn=over.turn))
        named = find_seat(trial.play.game, seat).id if seat is not None else None
        forecast = tell_ahead(service, trial)
        results = [try_turn(service, trial) for _ in range(times)]
    for line in _describe(trial, forecast, results, _choose_readers(trial, named, everyone=everyone)):
        console.print(line)
    if any(one.held for one in results):
        raise typer.Exit(FAILED)


def _choose_readers(trial: Trial, named: str | None, *, everyone: bool) -> tuple[str, ...]:
    if everyone:
        return (EVERYBODY, *trial.play.players, DIRECTOR_SEAT)
    return (EVERYBODY,) if named is None else (EVERYBODY, named)


def _describe(
    trial: Trial, forecast: Document | None, results: Sequence[TurnResult], readers: Sequence[str]
) -> Iterable[str]:
    yield say("cli/preview", turn=trial.play.ref.turn, game=trial.play.game.title)
    yield _say_basis(trial)
    yield ""
    if forecast is not None and forecast.sections:
        yield from _describe_ahead(trial, forecast)
    if len(results) == 1:
        yield from _describe_one(trial, results[0], readers)
    else:
        yield from _describe_many(trial, results)


def _say_basis(trial: Trial) -> str:
    if trial.locked:
        return say("cli/preview-locked")
    at = trial.read_at
    moment = None if at is None else say_moment(at, trial.play.game.zone, language())
    return say("cli/preview-open", moment=moment)


def _describe_ahead(trial: Trial, forecast: Document) -> Iterable[str]:
    """Exact chances, for who directs: nothing of it is ever sent to anybody."""
    yield say("cli/preview-ahead", title=trial.play.say(forecast.title))
    yield indent(draw_chapters(lay_out(forecast, trial.play.catalogue, titled=False)))
    yield ""


def _describe_one(trial: Trial, result: TurnResult, readers: Sequence[str]) -> Iterable[str]:
    if result.problems:
        yield say("cli/preview-problems")
        yield from (f"  ✘ {one}" for one in result.problems)
        return
    if result.held:
        yield from _describe_questions(trial, result)
        return
    reports = render_reports(trial.play, result)
    for reader in readers:
        if reader == EVERYBODY:
            yield say("cli/preview-public")
        else:
            yield say("cli/preview-reader", reader=None if reader == DIRECTOR_SEAT else _name(trial, reader))
        yield indent(reports[reader])
        yield ""


def _describe_questions(trial: Trial, result: TurnResult) -> Iterable[str]:
    yield say("cli/preview-questions")
    for one in result.resolution.open:
        to = None if one.to == DIRECTOR_SEAT else _name(trial, one.to)
        yield f"  {one.id} → {say('cli/preview-to', seat=to)}: {trial.play.say(one.text)}"


def _name(trial: Trial, seat: str) -> str:
    return trial.play.game.seat(seat).shown.text


def _describe_many(trial: Trial, results: Sequence[TurnResult]) -> Iterable[str]:
    held = sum(1 for one in results if one.held)
    yield say("cli/preview-times", times=len(results), held=held)
    chances = count_chances([one for one in results if not one.held])
    if not chances:
        yield f"  {say('cli/preview-sure')}"
    for chance in chances:
        yield f"  {_say_whose(chance)}"
        yield from (
            f"    {times:>{len(str(len(results)))}} · {event}" for event, times in chance.runs.items()
        )


def _say_whose(chance: Chance) -> str:
    if chance.seat is None or not chance.number:
        return say("cli/preview-nobodys", seat=chance.seat)
    text = f": {chance.order.text}" if chance.order is not None else ""
    return f"{chance.seat}#{chance.number}{text}"
