"""Every cell of band × option × position × effect in `valar`, played from its order to what it brings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

import pytest

from jobs.commands.rehearse import catalogue_of
from parsers.files.scenario import load_scenario
from parsers.files.toml_text import write_toml
from processor.pipeline.rehearsal import RehearsedTurn, rehearse
from rules.engine.registry import load_ruleset
from tests.support.valar_cells import offered

MEDIANS = {
    "fracaso mayor": 1,
    "fracaso menor": 2,
    "éxito menor": 5,
    "éxito simple": 8,
    "éxito superior": 10,
}
"""With +6, of a token and an easy task, they come to 1, 8, 11, 14 and 21."""

WRITTEN = {"C": "consecuencia mayor", "c": "menor", "m": "mejora", "3c": "3 menores", "2m": "2 mejoras"}
WRITTEN |= {"2C": "2 mayores", "3m": "3 mejoras", "nothing": "nada"}
"""Parts of an option as a player writes them."""

SIZES = {"mayor": "C", "menor": "c", "mejora": "m"}
"""What events call them."""

Case = tuple[str, str | None, str]
"""Band, the option that the order names, and the one that holds."""


def cases_of(position: str, effect: str) -> Iterator[Case]:
    """Each band with nothing said, and with each of its options named."""
    for band in MEDIANS:
        options = offered(band, position, effect)
        yield band, None, options[0]
        yield from ((band, one, one) for one in options)


def order_of(number: int, band: str, named: str | None) -> str:
    """A mission of its own token that names an option for its band."""
    lines = [f'misión "M{number}": T{number}', "receta: celda"]
    if named is not None:
        lines.append(f"opción {band}: {' y '.join(WRITTEN[part] for part in named.split(' + '))}")
    return "\n".join(lines)


def play(position: str, effect: str, cases: list[Case]) -> RehearsedTurn:
    """One turn in which all cases are rolled."""
    recipe = {"name": "Celda", "difficulty": "fácil", "position": position, "effect": effect}
    tokens: dict[str, dict[str, object]] = {f"T{number}": {} for number in range(len(cases))}
    state = {"houses": {"Aldana": {"tokens": tokens}}, "recipes": {"celda": recipe}}
    orders = "\n".join(order_of(number, band, named) for number, (band, named, _) in enumerate(cases))
    dice = {f"mission/Aldana/m{number}": [MEDIANS[band]] * 3 for number, (band, _, _) in enumerate(cases)}
    scenario = {"title": "Celdas", "ruleset": "valar", "number": 1, "state": state, "dice": dice}
    text = write_toml(scenario | {"orders": {"Aldana": orders}})
    (turn,) = rehearse(load_scenario(text, "celdas.toml"), load_ruleset, catalogue_of).turns
    return turn


def suffered(turn: RehearsedTurn, number: int) -> str:
    """What a mission's result brought, as the table writes it."""
    brought = Counter(
        SIZES[str(one.data["size"])]
        for one in turn.result.resolution.events
        if one.id in ("valar/consequence-suffered", "valar/improvement-gained")
        and one.data["mission"] == f"m{number}"
    )
    parts = ((brought[letter], letter) for letter in "mCc")
    return " + ".join(f"{n if n > 1 else ''}{letter}" for n, letter in parts if n) or "nothing"


@pytest.mark.parametrize(
    ("position", "effect"),
    tuple(product(("controlada", "arriesgada", "desesperada"), ("mayor", "simple", "menor"))),
)
def test_each_band_brings_what_its_cell_says(position: str, effect: str) -> None:
    """Nothing said: the first option; else the one that the order names. Success goes by the band alone."""
    cases = list(cases_of(position, effect))
    turn = play(position, effect, cases)

    assert () == turn.actual.diagnostics
    rolled = [one.data for one in turn.result.resolution.events if one.id == "valar/mission-resolved"]
    assert [(band, band.startswith("éxito")) for band, _, _ in cases] == [
        (one["band"], one["success"]) for one in rolled
    ]
    assert [one[1:] for one in cases] == [
        (named, suffered(turn, number)) for number, (_, named, _) in enumerate(cases)
    ]
