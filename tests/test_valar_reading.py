"""What reading says to lines of `valar` before any turn is resolved."""

from __future__ import annotations

import pytest

from parsers.orders.lines import block_of, logical_lines
from parsers.orders.reading import read_orders
from rules.engine.audience import DIRECTOR_SEAT
from rules.engine.diagnostics import Diagnostic
from rules.engine.messages import Code
from rules.valar import RULESET
from rules.valar.bands import Band, Effect
from rules.valar.options import Options
from rules.valar.state import House, Mission, Recipe, State, Token

KIND = RULESET.main_kind


def codes_of(state: State, seat: str, text: str) -> list[str]:
    """The codes of everything that reading finds in a block."""
    return [found.code for found in findings_of(state, seat, text)]


def findings_of(state: State, seat: str, text: str) -> list[Diagnostic]:
    """Everything that reading finds in a block."""
    plan = KIND.plan(RULESET.look(state, seat, Options(), kind="turn", track="", number=1))
    reading = read_orders(logical_lines(block_of(text)), KIND, plan)
    return [found for line in reading.lines for found in line.findings]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('crear balanza "La corte" de 5', ["valar/clock-size"]),
        ('crear reloj "El asedio" de 7', ["valar/clock-size"]),
        ('crear balanza "La corte" de 4', []),
        ('crear reloj "El asedio" de 12', []),
    ],
)
def test_clocks_and_balances_have_the_sizes_of_the_original(text: str, expected: list[str]) -> None:
    """004: "(4, 6, 8 o 12)"; balances "por todo lo demás se comportan como relojes"."""
    assert expected == codes_of(State({"Aldana": House()}), DIRECTOR_SEAT, text)


@pytest.mark.parametrize(("can_fail", "expected"), [(False, []), (True, ["valar/option-not-there"])])
def test_a_mission_that_cannot_fail_may_want_improvements_of_a_failing_band(
    can_fail: bool, expected: list[str]
) -> None:
    """004: "una mejora adicional (siempre y cuando la misión tenga éxito)", and it always does."""
    recipe = Recipe("Rito", effect=Effect.GREAT, can_fail=can_fail)
    state = State({"Aldana": House(tokens={"Dama": Token()})}, recipes={"rito": recipe})
    text = 'misión "Velar": Dama\nreceta: rito\nopción fracaso menor: mejora y consecuencia menor'

    assert expected == codes_of(state, "Aldana", text)


@pytest.mark.parametrize(("band", "expected"), [(Band.FAILURE, ["valar/rolled-already"]), (None, [])])
def test_no_token_leaves_a_mission_whose_dice_have_been_thrown(
    band: Band | None, expected: list[str]
) -> None:
    """It may be out on another mission by then, from which this would free it."""
    mission = Mission("Vigilar", tokens=("Dama",), resolves=1, band=band)
    state = State({"Aldana": House(tokens={"Dama": Token()}, missions={"vigilar": mission})})

    assert expected == codes_of(state, "Aldana", 'retirar Dama de "Vigilar"')


@pytest.mark.parametrize(
    ("seat", "own", "others"), [("Aldana", "misión", "enfrentar"), (DIRECTOR_SEAT, "enfrentar", "misión")]
)
def test_a_line_that_says_nothing_is_offered_orders_of_the_seat(seat: str, own: str, others: str) -> None:
    """What only somebody else may order is no help."""
    found = findings_of(State({"Aldana": House()}), seat, "zzz")
    choices = found[0].message.params["choices"]
    offered = {one.text for one in choices if isinstance(one, Code)} if isinstance(choices, tuple) else set()

    assert (True, False) == (own in offered, others in offered)
