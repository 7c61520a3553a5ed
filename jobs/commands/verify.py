"""`turnero verify PROOF`: whether the dice of a turn are those that were promised (reliability.md 1.5)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from jobs.commands.files import FAILED, make_console, read_bytes
from jobs.speech import language
from parsers.files.proof import MAX_PROOF_BYTES, parse_proof
from reporters.game_verdict import render_game_verdict
from reporters.verification import render_doubts, render_problems, render_verdict
from rules.engine.closing import doubts_about_closing, is_closing, read_closing, verify_closing
from rules.engine.proofs import read_proof
from rules.engine.verification import doubts_about, verify_proof


def verify_command(
    proof: Annotated[Path, typer.Argument(help="La prueba (`proof.json`); `-` la lee de la entrada.")],
) -> None:
    """Comprueba los dados de un turno con su prueba, o una partida entera con la de su final."""
    console = make_console()
    data, problems = parse_proof(read_bytes(proof, MAX_PROOF_BYTES))
    whole = is_closing(data)
    problems = problems or (verify_closing(data) if whole else verify_proof(data))
    if problems:
        for line in render_problems(problems, language()):
            console.print(line)
        raise typer.Exit(FAILED)
    for line in _say_whole(data) if whole else _say_turn(data):
        console.print(line)


def _say_turn(data: object) -> Iterable[str]:
    read, _ = read_proof(data)
    assert read is not None  # noqa: S101 - a proof that holds has been read
    yield from (*render_verdict(read, language()), *render_doubts(doubts_about(data), language()))


def _say_whole(data: object) -> Iterable[str]:
    read, _ = read_closing(data)
    assert read is not None  # noqa: S101 - a proof that holds has been read
    yield from (
        *render_game_verdict(read, language()),
        *render_doubts(doubts_about_closing(data), language()),
    )
