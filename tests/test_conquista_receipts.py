"""What a player reads of a block of `conquista`, block by block, as kept in tests/texts/conquista-lines.txt.

In that file `#` says what the next blocks show, `@` which options of the game aren't the usual ones, and who
wrote the block if not Liga; `>` is a line as it was written, `+` says that what follows is a block which adds
to the one above. Below stands what the receipt says of each line: how it was understood (`=`), or that it is
refused (`x`), then errors (`!`), warnings (`?`), notes (`.`) and what is offered instead (`->`).
`TURNERO_WRITE_TEXTS=1 pytest …` writes the answers anew.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from jobs.catalogues import load_catalogue
from parsers.orders.lines import block_of, logical_lines
from parsers.orders.reading import read_orders
from parsers.orders.understanding import understand
from rules.conquista.options import Options
from rules.conquista.state import State
from rules.engine.codec import load_state
from rules.engine.diagnostics import Diagnostic
from rules.play.reading import LineRead
from tests.support.conquista_games import KIND, OPTIONS, plan_of, read
from tests.support.golden_texts import FOLDER

FILE = FOLDER / "conquista-lines.txt"
SPANISH = load_catalogue("es", "rules.conquista")
STATE = load_state(
    State,
    {
        "planets": {"CE": {"name": "Ceniza"}, "VA": {"name": "Vado"}},
        "cells": {
            "CE-1": {"owner": "Liga", "feature": "colmena"},
            "CE-2": {"owner": "Liga", "adjacent": ["CE-1"], "building": "puesto avanzado"},
            "CE-3": {"owner": "Liga", "adjacent": ["CE-1"], "fortification": 2, "feature": "manufactorum"},
            **{f"CE-{n}": {"adjacent": ["CE-1"]} for n in (4, 5, 6)},
            "CE-8": {"adjacent": [f"CE-{n}" for n in (2, 3, 4, 5, 6, 10)], "name": "El Puerto"},
            "CE-9": {"owner": "Corona", "adjacent": ["CE-8"]},
            "CE-10": {"adjacent": ["CE-1"]},
            "VA-1": {"owner": "Liga", "feature": "manufactorum"},
            "VA-2": {"owner": "Gremio", "adjacent": ["VA-1"], "building": "generador"},
            **{f"VA-{n}": {"owner": "Gremio", "building": "puesto avanzado"} for n in (3, 4, 5, 6)},
        },
        "factions": {
            "Liga": {"base": "CE-1", "supplies": 9},
            "Corona": {
                "block": 2,
                "supplies": 1,
                "shown": "Corona de Hierro",
                "article": "la",
                "gender": "f",
            },
            "Orden": {"block": 3},
            "Gremio": {"block": 4},
        },
        "armies": {
            "E1": {"owner": "Liga", "cell": "CE-1", "troops": 5},
            "E2": {"owner": "Liga", "cell": "CE-1", "troops": 3},
            "E3": {"owner": "Liga", "cell": "CE-2", "troops": 4},
            "E11": {"owner": "Corona", "cell": "CE-9", "troops": 5},
        },
    },
)


def blocks(text: str) -> list[str]:
    """The blocks of the file, with what is kept below each; empty lines are between them."""
    return text.removesuffix("\n").split("\n\n")


def answered(block: str) -> str:
    """A block with what the receipt says."""
    lines = [line for line in block.splitlines() if line[:1] in "#@>+"]
    given = "\n".join(line[2:] for line in lines if line.startswith("@"))
    changed = {"actions": [0, 9], **tomllib.loads(given)}
    plan = plan_of(STATE, changed.pop("como", "Liga"), load_state(Options, changed))
    receipt: list[LineRead] = []
    for written in "\n".join(line for line in lines if line[:1] in ">+").split("\n+\n"):
        added = logical_lines(block_of(written.replace("> ", "")))
        receipt += read_orders(added, KIND, plan, first=len(receipt) + 1).lines
    return "\n".join((*lines, *(said for line in receipt for said in _said(line))))


def _said(line: LineRead) -> Iterator[str]:
    told = SPANISH.text(line.told) if line.told is not None and line.order is not None else None
    yield f"{line.number} x" if told is None else f"{line.number} = {told}"
    for one in line.findings:
        yield f"  {_mark(one)} {SPANISH.text(one.message)}"
        yield from (f"  -> {other}" for other in one.suggest)


def _mark(finding: Diagnostic) -> str:
    return {"error": "!", "warning": "?", "note": "."}[finding.severity.name.lower()]


KEPT = FILE.read_text(encoding="utf-8")
if os.environ.get("TURNERO_WRITE_TEXTS"):
    KEPT = "\n\n".join(map(answered, blocks(KEPT))) + "\n"
    FILE.write_text(KEPT, encoding="utf-8")


def _title(block: str) -> str:
    return " | ".join(line[2:] for line in block.splitlines() if line[:1] in "@>")


@pytest.mark.parametrize("block", blocks(KEPT), ids=_title)
def test_a_player_reads_how_each_line_was_understood(block: str) -> None:
    """Each line of a block, with its cost, the names it makes, doubts, and what to write instead."""
    assert block == answered(block)


@pytest.mark.parametrize(
    ("line", "fixed"),
    [
        ("mover E1: 2 a CE-4, 3 a CE-5", {"0": "E7", "1": "E8"}),
        ("mover E1: 2 a CE-4, 1 a CE-5", {"0": "E11", "1": "E2"}),
        ("mover E1: 2 a CE-4 como E5, 1 a CE-5", {"0": "E7", "1": "E8"}),
        ("reclutar 1 en CE-1", {"0": "E7"}),
        ("reclutar 1 en CE-1 como E5", {"0": "E2"}),
    ],
)
def test_names_that_a_reading_has_fixed_are_kept(line: str, fixed: dict[str, str]) -> None:
    """An order that was read before is judged again with the names that its player was told."""
    plan = plan_of(STATE, "Liga", Options(actions=(0, 9)))
    order = understand(line, KIND.grammar, plan).order
    assert order is not None

    verdict = plan.accept(replace(order, seat="Liga", assigned=fixed))

    assert ((), fixed) == (verdict.findings, verdict.order.assigned)
    assert set(fixed.values()) <= set(plan.now.armies)


def test_names_are_fixed_by_place() -> None:
    """A part's place, or 0 for recruits, is what an order's names are kept under."""
    lines = read(STATE, "Liga", "mover E1: 2 quedan, 2 a CE-4, 1 a CE-5\nreclutar 1 en CE-1", OPTIONS).lines

    assert [{"1": "E4", "2": "E5"}, {"0": "E6"}] == [line.order.assigned for line in lines if line.order]


def test_names_below_a_condition_are_fixed_too() -> None:
    """What `si no` makes has its name from the reading as well."""
    (line,) = read(STATE, "Liga", "mover E3 a CE-8\nsi no: mover E1: 2 a CE-4, 3 quedan", OPTIONS).lines

    assert line.order is not None
    assert line.order.otherwise is not None
    assert {"0": "E4"} == line.order.otherwise.assigned
