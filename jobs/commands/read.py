"""`turnero read`: collect the posts now, or show how a text would be understood."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from jobs import host
from jobs.commands.carrying import describe_carried
from jobs.commands.choosing import find_seat
from jobs.commands.files import FAILED, fail, fail_with, make_console, read_text
from jobs.commands.paper import draw_chapters, paper_setting
from jobs.commands.status_text import describe_game
from jobs.folders import check_folder
from jobs.speech import catalogue, say
from jobs.tick import tick
from processor.pipeline.context import PlayContext, PostVersion
from processor.pipeline.reading import read_turn
from processor.pipeline.schedule import next_deadline
from processor.service.bundle import FolderFault, Service
from processor.service.looking import look_at, play_on_paper
from processor.service.waking import read_soon
from processor.store import games
from reporters.receipts import compose_receipt
from rules.play.game import Seat
from rules.play.posts import Post, Precision
from rules.play.reading import SeatReading
from rules.play.turns import TurnRef

READER = "read-text"
"""Account that the text is given, so that it counts for its seat whoever plays that."""


def read_command(
    folder: Annotated[Path, typer.Argument(metavar="CARPETA", help="La carpeta de la partida.")],
    text: Annotated[
        Path | None, typer.Option("--text", help="Un texto como se publicaría; `-` lo lee de la entrada.")
    ] = None,
    seat: Annotated[str | None, typer.Option("--seat", help="Quién lo escribiría.")] = None,
) -> None:
    """Lee el foro ahora mismo; con --text, enseña cómo se entendería un texto, sin leer ni publicar nada."""
    if text is None:
        if seat is not None:
            fail(say("cli/seat-needs-text"))
        _collect(folder)
    else:
        _try_text(folder, text, seat)


def _collect(folder: Path) -> None:
    console = make_console()
    with host.open_service() as service:
        row = host.require_row(service, folder)
        if not read_soon(service, row.id):
            console.print(say("cli/nothing-open"))
        host.start_logging()
        tick(service, only=(row.id,))
        failed = _print_state(console, service, row.id, folder)
    if failed:
        raise typer.Exit(FAILED)


def _print_state(console: Console, service: Service, game_id: str, folder: Path) -> bool:
    """Where the game stands now; whether it couldn't be read."""
    with service.database.read() as connection:
        row = games.get_game(connection, game_id)
    try:
        look = look_at(service, row)
    except FolderFault as fault:
        console.print(f"✘ {fault.say(catalogue())}")
        return True
    for line in describe_game(service, look, service.clock.now(), str(folder)):
        console.print(line)
    for line in describe_carried(look, service.clock.now(), str(folder)):
        console.print(line)
    return look.turn.failures > 0 or row.failures > 0


def _try_text(folder: Path, file: Path, named: str | None) -> None:
    console = make_console()
    play = _find_play(folder)
    seat = find_seat(play.game, named)
    tried = try_text(play, seat, read_text(file))
    console.print(tried.told)
    if tried.refused:
        raise typer.Exit(FAILED)


def _find_play(folder: Path) -> PlayContext:
    """The turn that the text would be for: the game's open one, before its registration the first."""
    path = host.find_folder(folder)
    with host.open_service() as service:
        row = host.find_row(service, folder)
        if row is not None:
            try:
                return look_at(service, row).play
            except FolderFault as fault:
                fail(fault.say(catalogue()))
    found = check_folder(path)
    if found.loaded is None:
        fail_with(found.problems, found.catalogue)
    game = found.loaded.game
    deadline = next_deadline(game.schedule, game.zone, host.now())
    kind = found.loaded.ruleset.main_kind.name
    return play_on_paper(found.loaded, kind, found.state, TurnRef(game.id, game.first_turn), deadline)


@dataclass(frozen=True, slots=True)
class TriedText:
    """How a text would be understood. told: in a receipt's words. refused: whether some doesn't count."""

    told: str
    refused: bool


def try_text(play: PlayContext, seat: Seat, text: str) -> TriedText:
    """Read a text as if the seat sent it by private message now, and nothing else."""
    game = play.game
    seats = tuple(replace(one, account=READER) if one.id == seat.id else one for one in game.seats)
    trying = replace(play, game=replace(game, seats=seats), opened_at=None)
    at = min(host.now(), play.deadline.at - timedelta(minutes=1))
    post = Post(
        id="1",
        topic="",
        author_id=READER,
        author=seat.shown.text,
        created_at=at,
        precision=Precision.SECOND,
        url="",
        raw=text,
        private=game.forum.secret,
    )
    reading = read_turn(trying, [PostVersion(post, at, at)], "")
    chapters = compose_receipt(paper_setting(trying), reading, seat.id)
    if chapters is None:
        told = say("cli/no-order-seen", turn=str(play.ref.turn))
        return TriedText(told, refused=True)
    shown = [one for one in chapters if one.id != "foot"]  # what a receipt promises, the terminal can't
    return TriedText(draw_chapters(shown), _is_refused(reading.seat(seat.id)))


def _is_refused(own: SeatReading) -> bool:
    return bool(own.rejected) or any(line.order is None for line in own.lines) or own.latest is None
