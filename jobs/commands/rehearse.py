"""`turnero rehearse`: play a scenario and say what came of it (design.md 5)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from jobs.catalogues import load_catalogue
from jobs.commands.files import FAILED, fail, fail_with, make_console, read_text
from jobs.commands.rehearsal_text import print_differences, print_rehearsal
from parsers.files.errors import FileErrors
from parsers.files.scenario import load_scenario
from processor.folder import write_files
from processor.pipeline.rehearsal import Rehearsal, rehearse
from processor.pipeline.rehearsed_reports import rehearsed_files
from rules.engine.catalogue import Catalogue
from rules.engine.registry import RulesetError, load_ruleset, ruleset_ids
from rules.engine.ruleset import Ruleset


def rehearse_command(
    file: Annotated[Path, typer.Argument(help="El escenario, un archivo TOML; `-` lo lee de la entrada.")],
    as_json: Annotated[bool, typer.Option("--json", help="Lo que sale, como JSON.")] = False,
    pictures: Annotated[
        Path | None,
        typer.Option(
            metavar="CARPETA",
            file_okay=False,
            help="Escribe ahí los mapas y gráficos de cada turno, y el informe de cada cual como página.",
        ),
    ] = None,
) -> None:
    """Juega un escenario suelto y lo compara con lo que espera."""
    played = play_file(file)
    if as_json:
        data = {"turns": [turn.actual.data() for turn in played.turns]}
        typer.echo(json.dumps(data, ensure_ascii=False, indent=2))
        print_differences(make_console(stderr=True), played)
    else:
        print_rehearsal(make_console(), played)
    if pictures is not None:
        _write_pictures(pictures, played)
    if not played.passed:
        raise typer.Exit(FAILED)


def _write_pictures(folder: Path, played: Rehearsal) -> None:
    """The pictures and pages of the turns that have come to an end, below `[TRACK/]turn-NNN`."""
    for turn in played.turns:
        if not turn.result.held:
            target = folder / turn.play.ref.track / f"turn-{turn.play.ref.turn:03}"
            try:
                write_files(target, rehearsed_files(turn.play, turn.result))
            except OSError as wrong:
                fail(f"{target}: no puedo escribir ahí ({wrong.strerror}).")
            make_console(stderr=True).print(f"Mapas e informes: {target}", soft_wrap=True)


def play_file(file: Path) -> Rehearsal:
    """Play the scenario of a file; ends the command where the file or its rule set can't be used."""
    try:
        return rehearse(load_scenario(read_text(file), str(file)), load_ruleset, catalogue_of)
    except FileErrors as wrong:
        fail_with(wrong.problems)
    except RulesetError as wrong:
        if wrong.code == "unknown":
            fail(f"{file}: no conozco el reglamento «{wrong.ruleset}». Hay: {', '.join(ruleset_ids())}.")
        fail(f"{file}: el reglamento «{wrong.ruleset}» no se puede usar ({wrong.detail}).")


def catalogue_of(ruleset: Ruleset, language: str = "es") -> Catalogue:
    """The texts for a game of a rule set."""
    return load_catalogue(language, ruleset.package)
