"""`turnero check`: everything about a game that can be found wrong before it matters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from jobs import host
from jobs.commands.files import FAILED, make_console
from jobs.commands.overrides_text import describe_preview, describe_void, is_wrong
from jobs.folders import CheckedFolder, check_folder
from jobs.speech import catalogue, say
from jobs.starting.placeholders import describe_placeholders
from processor.forum_words import explain_error
from processor.pipeline.schedule import next_deadline
from processor.ports import Forum, ForumError
from processor.service.bundle import LoadedGame
from processor.service.previewing import preview_overrides
from processor.service.voiding import list_voids
from reporters.dates import say_moment_with_utc
from rules.play.game import Game


def check_command(
    folder: Annotated[Path, typer.Argument(metavar="CARPETA", help="La carpeta de la partida.")],
    forum: Annotated[bool, typer.Option("--forum", help="También entra en el foro y lee el tema.")] = False,
) -> None:
    """Comprueba todos los archivos de una partida y, con --forum, que el foro se deja leer."""
    console = make_console()
    found = check_folder(host.find_folder(folder))
    for problem in found.say():
        console.print(f"✘ {problem}")
    for line in _describe_files(found):
        console.print(f"✔ {line}")
    failed = bool(found.problems)
    if found.loaded is not None and not failed:
        console.print(f"✔ {_describe_deadline(found.loaded.game)}")
        for line in _warn(found.loaded.game):
            console.print(f"⚠ {line}")
        told = list(_preview(folder, bool(found.overrides)))
        for _, line in told:
            console.print(line)
        failed = any(wrong for wrong, _ in told)
        if forum:
            seen = [_tell(console, good, line) for good, line in _ask_forum(found.loaded)]
            failed = failed or not all(seen)
    if failed:
        raise typer.Exit(FAILED)


def _preview(folder: Path, corrected: bool) -> Iterable[tuple[bool, str]]:
    """What the override file would change in the game's turn, line by line, and whether that is wrong.

    Without corrections the database isn't looked at: a folder can be checked on any machine.
    """
    if not corrected:
        return
    with host.open_service() as service:
        row = host.find_row(service, folder)
        if row is None:
            yield False, f"⚠ {say('cli/overrides-unseen')}"
            return
        loaded = service.pipeline.load_game(Path(row.folder))
        voids = [describe_void(one) for one in list_voids(service, row, loaded)]
        yield from voids
        preview = preview_overrides(service, row, service.clock.now())
        if preview is not None:
            told = {line for _, line in voids}
            lines = (one for one in describe_preview(preview) if one.strip() not in told)
            yield from ((is_wrong(preview), one) for one in lines)


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


def _warn(game: Game) -> Iterable[str]:
    """What is right and yet not what the director may expect."""
    yield from describe_placeholders(game)
    if game.director is None:
        yield say("cli/no-director")


def _tell(console: Console, good: bool, line: str) -> bool:
    console.print(f"{'✔' if good else '✘'} {line}")
    return good


def _ask_forum(loaded: LoadedGame) -> Iterable[tuple[bool, str]]:
    """What the forum lets us do, look after look; behind the first that fails the rest makes no sense."""
    game = loaded.game
    forum = host.open_forum(game)
    looks: list[Callable[[Game, Forum], Iterable[tuple[bool, str]]]] = [_log_in, _read_topic]
    if any(seat.login is not None for seat in game.seats):
        looks.append(_read_private)
    for look in looks:
        try:
            yield from look(game, forum)
        except ForumError as error:
            yield False, f"{catalogue().text(explain_error(error))}."
            return
    yield True, say("cli/cant-know")


def _log_in(game: Game, forum: Forum) -> Iterable[tuple[bool, str]]:
    account = forum.open()
    yield True, say("cli/log-in", url=game.forum.url, name=game.forum.account, account=account)
    own = [seat.id for seat in game.seats if seat.account == account]
    if own:
        yield False, say("cli/own-account-plays", account=account, seats=tuple(own))


def _read_topic(game: Game, forum: Forum) -> Iterable[tuple[bool, str]]:
    reading = forum.read_topic(game.forum.topic)
    topic = {"topic": game.forum.topic, "title": reading.title or None}
    yield True, say("cli/read-topic", count=len(reading.posts), **topic)
    yield _compare_clocks(game, reading.server_time, host.now())


def _compare_clocks(game: Game, theirs: datetime, ours: datetime) -> tuple[bool, str]:
    apart = abs(theirs - ours)
    if apart <= game.policies.clock_skew:
        return True, say("cli/clocks-agree", seconds=int(apart.total_seconds()))
    return False, say("cli/clocks-differ", theirs=f"{theirs:%H:%M}", ours=f"{ours:%H:%M}")


def _read_private(_game: Game, forum: Forum) -> Iterable[tuple[bool, str]]:
    if not forum.capabilities.private:
        yield False, say("cli/no-private")
        return
    yield True, say("cli/read-private", count=len(forum.read_private()))
