"""`turnero verify`: the dice of a proof, or of a stored turn, against what was promised (reliability.md 1.5);
with `--replay` the whole turn, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from jobs import host
from jobs.commands.files import FAILED, fail, make_console, read_bytes
from jobs.commands.progress import showing
from jobs.commands.verify_text import MOST_LINES, describe_kept, describe_proven, describe_replayed
from jobs.speech import language, say
from parsers.files.proof import MAX_PROOF_BYTES, parse_proof
from processor.service.replaying import Replayed, replay
from processor.service.verifying import Kept, NoResult, find_kept, verify_kept
from reporters.game_verdict import render_game_verdict
from reporters.verification import render_doubts, render_problems, render_verdict
from rules.engine.closing import doubts_about_closing, is_closing, read_closing, verify_closing
from rules.engine.proofs import read_proof
from rules.engine.verification import doubts_about, verify_proof


def verify_command(
    proof: Annotated[
        Path,
        typer.Argument(
            metavar="PRUEBA|CARPETA",
            help="La prueba (`proof.json`; `-` la lee de la entrada), o la carpeta de una partida.",
        ),
    ],
    turn: Annotated[
        int | None,
        typer.Option("--turn", min=1, help="De una carpeta, el turno; sin él, el último publicado."),
    ] = None,
    attempt: Annotated[
        int | None, typer.Option("--attempt", min=1, help="Un intento del turno; sin él, el que vale.")
    ] = None,
    again: Annotated[
        bool, typer.Option("--replay", help="Juega el turno otra vez y compara todo, byte a byte.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Enseña todas las diferencias, por largas que sean.")
    ] = False,
) -> None:
    """Comprueba los dados de un turno con su prueba, o una partida entera con la de su final; de una carpeta,
    un turno guardado.
    """
    if proof.is_dir():
        _verify_turn(proof, turn, attempt, again=again, most=None if full else MOST_LINES)
    elif turn is not None or attempt is not None or again or full:
        fail(say("cli/verify-needs-folder"))
    else:
        _verify_proof(proof)


def _verify_proof(proof: Path) -> None:
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


def _verify_turn(
    folder: Path, number: int | None, attempt: int | None, *, again: bool, most: int | None
) -> None:
    console = make_console()
    with host.open_service() as service:
        row = host.require_row(service, folder)
        try:
            kept = find_kept(service, row, number, attempt)
        except NoResult as none:
            fail(_say_none(none, number, attempt, service.clock.now()))
        lines, passed = _compare(kept, again=again, most=most)
    for line in lines:
        console.print(line)
    if not passed:
        raise typer.Exit(FAILED)


def _compare(kept: Kept, *, again: bool, most: int | None) -> tuple[list[str], bool]:
    """What was compared, line by line, and whether all is as it should be."""
    checks = verify_kept(kept)
    replayed = _replay(kept) if again else None
    lines = [*describe_kept(kept, checks, most)]
    if replayed is not None:
        lines += describe_replayed(kept, replayed, most)
        checks += replayed.checks
    passed = all(one.passed for one in checks)
    lines += describe_proven(kept, replayed, passed=passed)
    return lines, passed


def _replay(kept: Kept) -> Replayed:
    with showing(say("cli/verify-replaying")):
        return replay(kept)


def _say_none(none: NoResult, number: int | None, attempt: int | None, now: datetime) -> str:
    if none.turn is not None:
        turn, unproven = none.turn, int(none.turn.is_unproven(now))
        return say("cli/verify-unresolved", turn=turn.ref.turn, status=turn.status.value, unproven=unproven)
    if attempt is not None:
        turn_said = None if number is None else str(number)
        return say("cli/verify-no-attempt", turn=turn_said, attempt=attempt)
    if number is None:
        return say("cli/verify-none-published")
    return say("cli/no-such-turn", turn=str(number))
