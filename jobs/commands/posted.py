"""`turnero posted`: the director has pasted texts into the forum."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from jobs import host
from jobs.commands.carrying import describe_carried, is_carried
from jobs.commands.files import FAILED, fail, make_console
from jobs.commands.status_text import describe_turn
from jobs.speech import catalogue, say
from jobs.tick import tick
from parsers.files.values import check_link
from processor.forum_words import explain_error
from processor.ports import Unready
from processor.service.looking import look_at
from processor.service.posting import find_unposted, list_unposted, note_posted
from processor.store.rows import OutboxRow
from rules.play.outgoing import TOPIC


def posted_command(
    folder: Annotated[Path, typer.Argument(metavar="CARPETA", help="La carpeta de la partida.")],
    url: Annotated[
        str | None, typer.Argument(metavar="[DIRECCIÓN]", help="Dónde ha quedado el mensaje; no hace falta.")
    ] = None,
    file: Annotated[
        str | None,
        typer.Argument(metavar="[ARCHIVO]", help="Cuál has pegado, por su nombre o su número."),
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Has pegado todo lo que había.")] = False,
) -> None:
    """Apunta que has pegado en el foro lo que Turnero te dejó escrito: desde entonces está publicado."""
    console = make_console()
    with host.open_service() as service:
        row = host.require_row(service, folder)
        game = look_at(service, row).loaded.game
        if not is_carried(game):
            fail(say("cli/not-carried"))
        waiting = list_unposted(service, row.id)
        if not waiting:
            console.print(say("cli/nothing-to-paste"))
            return
        address, name = _sort_out(url, file)
        chosen = _choose(waiting, address, name, every=every)
        try:
            note_posted(service, game, chosen, address)
        except Unready as fault:
            console.print(f"✘ {catalogue().text(explain_error(fault))}.")
            raise typer.Exit(FAILED) from None
        names = tuple(f"reports/{one.forum_post_id}" for one in chosen)
        console.print(say("cli/noted", files=names, url=address or None))
        tick(service, only=(row.id,), patience=0.0)
        look = look_at(service, row)
        console.print(describe_turn(look, service.clock.now()))
        for line in describe_carried(look, service.clock.now(), str(folder)):
            console.print(line)


def _sort_out(url: str | None, file: str | None) -> tuple[str, str | None]:
    """Address and file; a director may give the file alone. Ends the command where the address is none."""
    if url is None or url.startswith(("http://", "https://")):
        try:
            return check_link(url) if url else "", file
        except ValueError:
            fail(say("cli/no-address", text=url or ""))
    if file is not None:
        fail(say("cli/no-address", text=url))
    return "", url


def _choose(
    waiting: Sequence[OutboxRow], address: str, name: str | None, *, every: bool
) -> Sequence[OutboxRow]:
    """What was pasted: the file that is named; the next one, if it has an address; else everything."""
    if name is not None:
        found = find_unposted(waiting, name)
        if found is None:
            listed = tuple(f"reports/{one.forum_post_id}" for one in waiting)
            fail(say("cli/not-waiting", file=name, files=listed))
        return [found]
    public = [one for one in waiting if one.recipient == TOPIC and not one.editable]  # a report, an opening
    first = (public or list(waiting))[0]
    if every or not address:
        return [first, *(one for one in waiting if one is not first)]
    return [first]
