"""`turnero rehearse`: play a scenario and say what came of it (design.md 5)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from jobs.catalogues import load_catalogue
from jobs.commands.choosing import Language
from jobs.commands.files import FAILED, fail, fail_with, make_console, read_text
from jobs.commands.progress import showing
from jobs.commands.rehearsal_text import print_differences, print_rehearsal, print_verdict
from jobs.speech import catalogue, say, set_language
from jobs.speech import language as spoken
from parsers.files.errors import FileErrors
from parsers.files.scenario import load_scenario
from processor.folder import write_files
from processor.pipeline.rehearsal import Rehearsal, rehearse
from processor.pipeline.rehearsed_reports import rehearsed_files
from rules.engine.catalogue import Catalogue
from rules.engine.registry import RulesetError, load_ruleset, ruleset_ids
from rules.engine.ruleset import Ruleset


def rehearse_command(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="ARCHIVO…",
            help="El escenario, un archivo TOML; `-` lo lee de la entrada. De varios, una línea de cada uno.",
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Lo que sale, como JSON.")] = False,
    pictures: Annotated[
        Path | None,
        typer.Option(
            metavar="CARPETA",
            file_okay=False,
            help="Escribe ahí los mapas y gráficos de cada turno, y el informe de cada cual como página.",
        ),
    ] = None,
    language: Annotated[Language | None, typer.Option(help="El idioma del escenario.")] = None,
) -> None:
    """Juega escenarios sueltos y los compara con lo que esperan."""
    if language is not None:
        set_language(language)
    if len(files) > 1:
        _play_all(files, alone=as_json or pictures is not None)
        return
    played = play_file(files[0])
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


def _play_all(files: Sequence[Path], *, alone: bool) -> None:
    """Play scenario after scenario, and say of each what differs. alone: whether something was asked for that
    makes sense for a single one.
    """
    if alone:
        fail(say("cli/rehearse-one"))
    played: list[tuple[Path, Rehearsal]] = []
    with showing(say("cli/rehearsing")) as tell:
        for file in files:
            tell(len(played), len(files))
            played.append((file, play_file(file)))
    console = make_console()
    for file, one in played:
        print_verdict(console, str(file), one)
    failed = sum(not one.passed for _, one in played)
    console.print(say("cli/rehearsed-all", count=len(played), failed=failed))
    if failed:
        raise typer.Exit(FAILED)


def _write_pictures(folder: Path, played: Rehearsal) -> None:
    """The pictures and pages of the turns that have come to an end, below `[TRACK/]turn-NNN`."""
    for turn in played.turns:
        if not turn.result.held:
            target = folder / turn.play.ref.track / f"turn-{turn.play.ref.turn:03}"
            try:
                write_files(target, rehearsed_files(turn.play, turn.result))
            except OSError as wrong:
                fail(say("cli/cant-write", folder=str(target), why=wrong.strerror or str(wrong)))
            make_console(stderr=True).print(say("cli/pictures", folder=str(target)), soft_wrap=True)


def play_file(file: Path) -> Rehearsal:
    """Play the scenario of a file; ends the command where the file or its rule set can't be used."""
    texts = [catalogue()]

    def find_texts(ruleset: Ruleset) -> Catalogue:
        texts.append(catalogue_of(ruleset))
        return texts[-1]

    try:
        return rehearse(load_scenario(read_text(file), str(file)), load_ruleset, find_texts)
    except FileErrors as wrong:
        fail_with(wrong.problems, texts[-1])
    except RulesetError as wrong:
        if wrong.code == "unknown":
            facts = {"file": str(file), "ruleset": wrong.ruleset}
            fail(say("cli/scenario-ruleset-unknown", **facts, known=tuple(ruleset_ids())))
        detail = wrong.detail
        fail(say("cli/scenario-ruleset-broken", file=str(file), ruleset=wrong.ruleset, detail=detail))


def catalogue_of(ruleset: Ruleset) -> Catalogue:
    """The texts for a game of a rule set, in the language that is spoken."""
    return load_catalogue(spoken(), ruleset.package)
