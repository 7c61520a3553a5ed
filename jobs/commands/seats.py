"""`turnero seats`: the accounts seen in a game's topic, to fill in its seats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from jobs import host
from jobs.commands.carrying import find_inbox_problems, is_carried, read_all_posts
from jobs.commands.files import FAILED, fail_with, make_console
from jobs.commands.seating import change_seats
from jobs.folders import read_game_file
from jobs.speech import catalogue, say
from parsers.files.errors import FileErrors
from parsers.files.toml_text import write_toml
from processor.forum_words import explain_error
from processor.ports import ForumError
from reporters.dates import say_moment
from rules.play.game import Game
from rules.play.posts import Post, Visibility


@dataclass(frozen=True, slots=True)
class SeenAccount:
    """Somebody who wrote in the topic. name: as shown last. last: when, UTC. character: whom they played
    last, where the forum tells.
    """

    account: str
    name: str
    posts: int
    last: datetime
    character: str = ""

    @property
    def shown(self) -> str:
        """The account's name, and behind it the character's."""
        return f"{self.name} ({self.character})" if self.character else self.name


def seats_command(
    folder: Annotated[Path, typer.Argument(metavar="CARPETA", help="La carpeta de la partida.")],
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[absence PUESTO DESDE HASTA | replace PUESTO CUENTA LOGIN | retire PUESTO]",
            help="absence: apunta que alguien falta esos días (2026-12-01), los dos incluidos. "
            "replace: da el puesto a otra cuenta desde ahora. retire: lo deja vacante.",
        ),
    ] = None,
) -> None:
    """Enseña las cuentas que han escrito en el tema, con su número; o apunta ausencias y relevos."""
    console = make_console()
    if words:
        console.print(f"✔ {change_seats(host.find_folder(folder), tuple(words), host.now())}")
        return
    try:
        game = read_game_file(host.find_folder(folder)).game
    except FileErrors as wrong:
        fail_with(wrong.problems)
    for problem in find_inbox_problems(game):
        console.print(f"✘ {problem.say(catalogue())}")
    try:
        seen = _find_accounts(game)
    except ForumError as error:
        console.print(f"✘ {catalogue().text(explain_error(error))}.")
        raise typer.Exit(FAILED) from None
    for line in _table(game, seen) if seen else [say("cli/nobody-wrote")]:
        console.print(line)
    for line in _advise(game, seen):
        console.print(line)


def _find_accounts(game: Game) -> tuple[SeenAccount, ...]:
    if is_carried(game):
        return list_accounts(read_all_posts(game), "")
    forum = host.open_forum(game)
    return list_accounts(forum.read_topic(game.forum.topic).posts, forum.open())


def list_accounts(posts: Sequence[Post], own: str) -> tuple[SeenAccount, ...]:
    """Who wrote in a topic, in the order of their first posts, ourselves left out."""
    found: dict[str, SeenAccount] = {}
    for post in posts:
        if post.author_id is None or post.author_id == own or post.visibility is Visibility.NOTICE:
            continue
        before = found.get(post.author_id)
        count = before.posts + 1 if before is not None else 1
        found[post.author_id] = SeenAccount(
            post.author_id, post.author, count, post.created_at, post.character
        )
    return tuple(found.values())


def _table(game: Game, seen: Sequence[SeenAccount]) -> Iterable[str]:
    heads = ("account", "name", "posts", "last", "seat")
    rows = [tuple(say(f"cli/head-{head}") for head in heads)]
    for one in seen:
        seats = ", ".join(seat.id for seat in game.seats_of(one.account)) or "—"
        last = say_moment(one.last, game.zone, game.language)
        rows.append((one.account, one.shown, str(one.posts), last, seats))
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _advise(game: Game, seen: Sequence[SeenAccount]) -> Iterable[str]:
    """What to write for vacant seats, and what doesn't fit."""
    known = {one.account: one for one in seen}
    for seat in game.seats:
        if seat.account is not None and seat.account not in known:
            yield say("cli/silent-account", seat=seat.id, account=seat.account)
    vacant = [seat.id for seat in game.seats if seat.account is None]
    free = [one for one in seen if not game.seats_of(one.account) and one.name != game.director]
    if vacant and free:
        yield say("cli/give-seat")
        yield f"  {_write_seat(vacant[0], free[0])}"
        yield say("cli/login-is")


def _write_seat(seat: str, seen: SeenAccount) -> str:
    """The seat's line in `[seats]`; some forums know accounts by name, and names stand in quotes."""
    account = int(seen.account) if re.fullmatch("[1-9][0-9]*", seen.account) else seen.account
    told = {"seats": {seat: {"account": account, "login": seen.name}}}
    return write_toml(told).strip().splitlines()[-1]
