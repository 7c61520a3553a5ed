"""`turnero new`: a game's folder to begin with."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from jobs import host
from jobs.catalogues import load_catalogue
from jobs.commands.choosing import Language, Software, find_ruleset
from jobs.commands.files import FAILED, fail, make_console
from jobs.folders import GAME, SETUP, check_folder
from jobs.speech import say, set_language
from jobs.starting.examples import example_options, find_example, read_example
from jobs.starting.game_file import NewGame, write_copied_example, write_game_file
from jobs.starting.placeholders import describe_placeholders
from parsers.files.setup import parse_setup
from rules.engine.messages import msg
from rules.engine.ruleset import Ruleset


def new_command(
    ruleset: Annotated[str, typer.Argument(metavar="REGLAMENTO", help="El reglamento, p. ej. conquista.")],
    folder: Annotated[
        Path, typer.Argument(metavar="CARPETA", help="La carpeta de la partida, nueva o vacía.")
    ],
    *,
    language: Annotated[
        Language, typer.Option(help="El idioma de la partida y de las explicaciones.")
    ] = Language.SPANISH,
    forum: Annotated[
        Software,
        typer.Option(help="El programa del foro; folder: sin cuenta para el robot, pegas tú los textos."),
    ] = Software.SPIRIT,
) -> None:
    """Prepara la carpeta de una partida nueva, con todos los ajustes explicados y un mapa de ejemplo."""
    set_language(language)
    rules = find_ruleset(ruleset)
    _require_empty(folder)
    written = write_folder(folder, compose_folder(rules, folder.resolve().name, language, forum))
    console = make_console()
    console.print(say("cli/written", folder=str(folder), files=tuple(written)))
    found = check_folder(folder)
    for problem in found.say():  # our bug, or the rule set author's: what is written has to be right
        console.print(f"✘ {problem}")
    if found.loaded is None or found.problems:
        raise typer.Exit(FAILED)
    for line in describe_placeholders(found.loaded.game):
        console.print(f"⚠ {line}")
    asked = int(forum is not Software.FOLDER)  # there is a forum, or a scene, to be tried out
    console.print(say("cli/when-ready", folder=str(folder), asked=asked))


def compose_folder(
    ruleset: Ruleset, name: str, language: str, software: str = Software.SPIRIT
) -> dict[str, str]:
    """The files of a new game by path: its settings, and the rule set's example as the starting state; where
    a person carries the posts, an example of a copied one.

    name: of the game, for its id and title. software: of its forum. Ends the command where the rule set has
    no example.
    """
    source = find_example(ruleset, language)
    if source is None:
        fail(say("cli/no-example", ruleset=ruleset.id))
    texts = read_example(source)
    catalogue = load_catalogue(language, ruleset.package)
    state = parse_setup(texts[SETUP], ruleset, ruleset.options()).state
    game = NewGame(name, tuple(ruleset.seats(state)), host.now().date(), software)
    if software == Software.FOLDER:
        example = catalogue.text(msg("cli/example-file"))
        texts[f"inbox/turn-001/_{example}.txt"] = write_copied_example(game, language)
    return {GAME: write_game_file(game, ruleset, catalogue, example_options(ruleset)), **texts}


def _require_empty(folder: Path) -> None:
    """End the command where something stands in the folder already, or it is none."""
    if folder.is_dir():
        if any(folder.iterdir()):
            fail(say("cli/not-empty", folder=str(folder)))
    elif folder.exists() or folder.is_symlink():
        fail(say("cli/other-name", folder=str(folder)))


def write_folder(folder: Path, texts: Mapping[str, str]) -> list[str]:
    """Write files that aren't there yet; what was written, in that order. Ends the command where it can't."""
    try:
        for name, text in texts.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
    except OSError as fault:
        fail(say("cli/cant-write", folder=str(folder), why=fault.strerror or str(fault)))
    return list(texts)
