"""`turnero tick`: do what is due and end."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated

import typer

from jobs import host
from jobs.commands.carrying import LISTENING, describe_carried, is_carried, waits_for_hand
from jobs.commands.files import FAILED, fail, make_console
from jobs.commands.progress import showing
from jobs.commands.status_text import describe_rests, describe_switch
from jobs.speech import catalogue, say
from jobs.tick import Ticked, tick
from processor.forum_words import explain_error
from processor.ports import Unready
from processor.service.bundle import FolderFault, Service
from processor.service.looking import choose_turn, look_at
from processor.service.posting import TooEarly, say_complete
from processor.service.voiding import follow_voids
from processor.service.waking import read_soon
from processor.store import games, outbox_rows, turns
from processor.store.rows import GameRow, SendState, TurnRow
from reporters.dates import say_moment_with_utc
from rules.play.turns import GameStatus, TurnStatus


def tick_command(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="CARPETA…", help="Carpetas de partidas; sin ninguna, todas las registradas."),
    ] = None,
    *,
    complete: Annotated[
        bool,
        typer.Option(
            "--inbox-complete",
            help="Sin cuenta para el robot: ya está en la bandeja todo lo que se escribió antes del cierre.",
        ),
    ] = False,
) -> None:
    """Hace lo que toque ahora mismo: leer, avisar, cerrar, resolver, publicar. No estorba repetirlo."""
    console = make_console()
    with host.open_service() as service:
        rows = host.choose_rows(service, folders or ())
        host.start_logging()
        if complete:
            _say_complete(service, rows if folders else ())
        followed = [line for row in rows if folders for line in wake_named(service, row)]
        done = _tick(service, [row.id for row in rows] if folders else None)
        waiting = [line for row in rows for line in describe_trouble(service, row)]
        carried = [_describe_carried(service, row, folders) for row in rows] if folders else []
        hosted = (*describe_switch(service), *describe_rests(service))
    if done.steps:
        console.print(say("cli/steps", count=done.steps))
    elif not rows:
        console.print(say("cli/no-games"))
    for line in (*followed, *(line for _, lines in carried for line in lines), *hosted, *waiting):
        console.print(line)
    if waiting or any(by_hand for by_hand, _ in carried):
        raise typer.Exit(FAILED)


def _tick(service: Service, only: Collection[str] | None) -> Ticked:
    """Do what is due, and show of how many games."""
    with service.database.read() as connection:
        count = turns.count_due(connection, service.clock.now(), only)
    seen: set[str] = set()
    with showing(say("cli/ticking")) as show:

        def tell(due: TurnRow) -> None:
            seen.add(due.ref.game)
            show(len(seen) - 1, max(count, len(seen)))

        return tick(service, only=only, tell=tell)


def wake_named(service: Service, row: GameRow) -> tuple[str, ...]:
    """Look now at what the director of a named game may just have put there; what comes of it at once.

    That is the inbox where a person carries the posts, and entries that void a turn: a game that is over, or
    held, has nothing due by itself at which they would be seen.
    """
    try:
        loaded = service.pipeline.load_game(Path(row.folder))
        following = follow_voids(service, row, loaded)
    except FolderFault:
        return ()  # the tick says so
    if is_carried(loaded.game):
        read_soon(service, row.id)
    if following is None:
        return ()
    return (say("cli/attempt-begun", turn=following.ref.turn, attempt=following.ref.attempt),)


def _say_complete(service: Service, rows: Sequence[GameRow]) -> None:
    """Say for the named games that their inboxes are complete; ends the command where that can't be."""
    if not rows:
        fail(say("cli/complete-which"))
    for row in rows:
        look = look_at(service, row)
        game = look.loaded.game
        if not is_carried(game):
            fail(say("cli/not-carried"))
        if look.turn.status not in LISTENING:
            fail(say("cli/complete-closed", turn=look.turn.ref.turn))
        try:
            say_complete(service, game, look.turn, look.loaded.catalogue)
        except TooEarly:
            moment = say_moment_with_utc(look.turn.due_at, game.zone, game.language)
            fail(say("cli/complete-early", turn=look.turn.ref.turn, moment=moment))
        except Unready as fault:
            fail(f"{catalogue().text(explain_error(fault))}.")


def _describe_carried(
    service: Service, row: GameRow, folders: Sequence[Path]
) -> tuple[bool, tuple[str, ...]]:
    """Whether a named game waits for its director's hand, and what there is to do by hand."""
    typed = next((str(one) for one in folders if str(one.resolve()) == row.folder), row.folder)
    try:
        look = look_at(service, row)
    except FolderFault:
        return False, ()
    now = service.clock.now()
    return waits_for_hand(look, now), tuple(describe_carried(look, now, typed))


def describe_trouble(service: Service, row: GameRow) -> tuple[str, ...]:
    """A line for what waits for a game's director, none where nothing does."""
    with service.database.read() as connection:
        now = games.get_game(connection, row.id)
        turn = choose_turn(turns.list_turns(connection, row.id))
        refused = outbox_rows.list_rows(connection, turn.id, SendState.HELD)
    if now.status is GameStatus.PARKED:
        return (say("cli/parked-line", game=row.id, note=_first_line(now.note)),)
    if turn.status is TurnStatus.HELD:
        said = _first_line(turn.reason)
        return (say("cli/held-line", game=row.id, turn=turn.ref.turn, reason=said),)
    return tuple(
        say("cli/refused-line", game=row.id, marker=one.marker, reason=_first_line(one.reason))
        for one in refused
    )


def _first_line(text: str | None) -> str:
    return next((line for line in (text or "").splitlines() if line.strip()), "")
