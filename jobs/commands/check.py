"""`turnero check`: everything about a game that can be found wrong before it matters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from jobs import host
from jobs.adapters import ADAPTERS
from jobs.commands.asking_forum import Traces, ask_forum
from jobs.commands.carrying import find_inbox_problems
from jobs.commands.files import FAILED, make_console
from jobs.commands.overrides_text import describe_preview, describe_void, is_wrong
from jobs.folders import CheckedFolder, check_folder
from jobs.speech import say
from jobs.starting.placeholders import describe_placeholders
from processor.pipeline.given import override_name
from processor.pipeline.schedule import next_deadline
from processor.service.previewing import find_unused_changes, preview_overrides
from processor.service.voiding import list_voids
from reporters.dates import say_moment_with_utc
from rules.play.game import Game
from rules.play.turns import TurnRef


def check_command(
    folder: Annotated[Path, typer.Argument(metavar="CARPETA", help="La carpeta de la partida.")],
    forum: Annotated[
        bool,
        typer.Option(
            "--forum",
            help="También entra en el foro, lee el tema y mira qué le dejan hacer, sin dejar rastro.",
        ),
    ] = False,
    post: Annotated[
        bool,
        typer.Option(
            "--post",
            help="Con rastro: publica en el tema una línea de prueba y la edita para que diga que lo era.",
        ),
    ] = False,
    test_topic: Annotated[
        str | None,
        typer.Option(
            "--test-topic", metavar="N", help="Lo mismo en otro tema del foro, que los jugadores no miran."
        ),
    ] = None,
    private: Annotated[
        bool, typer.Option("--private", help="Con rastro: te escribe un mensaje privado de prueba.")
    ] = False,
) -> None:
    """Comprueba todos los archivos de una partida y, con --forum, que el foro se deja leer."""
    console = make_console()
    found = check_folder(host.find_folder(folder))
    for problem in found.say():
        console.print(f"✘ {problem}")
    for line in _describe_files(found):
        console.print(f"✔ {line}")
    inbox = find_inbox_problems(found.loaded.game) if found.loaded is not None else ()
    for one in inbox:
        console.print(f"✘ {one.say(found.catalogue)}")
    failed = bool(found.problems or inbox)
    if found.loaded is not None and not failed:
        console.print(f"✔ {_describe_deadline(found.loaded.game)}")
        for line in _warn(found.loaded.game):
            console.print(f"⚠ {line}")
        untold = list(_find_untold(found.loaded.game))
        for line in untold:
            console.print(f"✘ {line}")
        told = list(_preview(folder, found.overrides))
        for _, line in told:
            console.print(line)
        failed = bool(untold) or any(wrong for wrong, _ in told)
        traces = Traces(test_topic or (found.loaded.game.forum.topic if post else None), private)
        if forum or traces:
            failed = not ask_forum(console, found.loaded, traces) or failed
    if failed:
        raise typer.Exit(FAILED)


def _preview(folder: Path, files: Sequence[tuple[str, int]]) -> Iterable[tuple[bool, str]]:
    """What the override file would change in the game's turn, line by line, and whether that is wrong.

    Without such a file the database isn't looked at: a folder can be checked on any machine.
    files: the override files with their numbers of entries.
    """
    if not files:
        return
    unseen = [f"⚠ {say('cli/overrides-unseen')}"] if any(count for _, count in files) else []
    if not host.has_database():  # looking makes none: the folder may lie on another machine than its game
        yield from ((False, line) for line in unseen)
        return
    with host.open_service() as service:
        row = host.find_row(service, folder)
        if row is None:
            yield from ((False, line) for line in unseen)
            return
        loaded = service.pipeline.load_game(Path(row.folder))
        found = list(list_voids(service, row, loaded))
        voids = [describe_void(one) for one in found]
        yield from voids
        voided = {one.turn.id for one in found}
        unused = [one for one in find_unused_changes(service, row) if one.id not in voided]
        yield from ((False, f"⚠ {_describe_unused(one.ref, folder)}") for one in unused)
        preview = preview_overrides(service, row, service.clock.now())
        if preview is not None:
            told = {line for _, line in voids}
            lines = (one for one in describe_preview(preview) if one.strip() not in told)
            yield from ((is_wrong(preview), one) for one in lines)


def _describe_unused(ref: TurnRef, folder: Path) -> str:
    """What to do with corrections to a turn that is over."""
    return say("cli/override-unused", file=override_name(ref), turn=ref.turn, folder=str(folder))


def _describe_files(found: CheckedFolder) -> Iterable[str]:
    loaded = found.loaded
    if loaded is not None:
        game = loaded.game
        vacant = sum(1 for seat in game.seats if seat.account is None)
        yield say("cli/game-file", title=game.title, seats=len(game.seats), vacant=vacant)
        yield say("cli/setup-file", title=loaded.ruleset.title, turn=game.first_turn)
    for name, count in found.overrides:
        yield say("cli/override-file", name=name, count=count)


def _describe_deadline(game: Game) -> str:
    now = host.now()
    deadline = next_deadline(game.schedule, game.zone, now)
    return say("cli/next-deadline", moment=say_moment_with_utc(deadline.at, game.zone, game.language))


def _find_untold(game: Game) -> Iterable[str]:
    """That a game's secrets couldn't be sent: registering refuses it, too."""
    adapter = ADAPTERS.get(game.forum.software)
    if adapter is not None and game.forum.secret and not adapter.capabilities.private:
        yield say("folder/no-private", software=game.forum.software)


def _warn(game: Game) -> Iterable[str]:
    """What is right and yet not what the director may expect."""
    yield from describe_placeholders(game)
    if game.director is None:
        yield say("cli/no-director")
