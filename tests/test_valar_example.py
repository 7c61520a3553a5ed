"""The example game of `valar`: as large as promised, right, and the guide's examples are understood in it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from jobs.folders import check_folder
from parsers.orders.lines import block_of, logical_lines
from parsers.orders.reading import read_orders
from rules.engine.audience import DIRECTOR_SEAT
from rules.engine.codec import load_state
from rules.engine.orders import OrderForm
from rules.valar import RULESET
from rules.valar.options import Options
from rules.valar.orders.directing import DIRECTOR_ORDERS
from rules.valar.state import State

ROOT = Path(__file__).resolve().parent.parent
DIRECTING = frozenset(form.name for form in DIRECTOR_ORDERS)
MAY_REFUSE = frozenset(("withdraw", "abandon", "rest"))
"""Orders that need a mission under way, or an option."""


def read_state(language: str) -> State:
    """The starting state of the example in a language."""
    setup = ROOT / "rules" / "valar" / "example" / language / "setup.toml"
    return load_state(State, tomllib.loads(setup.read_text(encoding="utf-8")))


def forms(language: str) -> tuple[OrderForm, ...]:
    """Every order as it is shown in a language."""
    return RULESET.speaking(language).main_kind.orders


def test_the_example_passes_check() -> None:
    """Game, state and corrections are right."""
    found = check_folder(ROOT / "examples" / "valar")

    assert ((), (("overrides/turn-001.toml", 0),)) == (found.problems, found.overrides)


@pytest.mark.parametrize("language", ["es", "en"])
def test_the_example_is_as_large_as_promised(language: str) -> None:
    """Four houses, twelve tokens, ten recipes, clocks of which one is chained, a balance, a hidden memory."""
    state = read_state(language)

    assert () == tuple(RULESET.check(state, Options()))
    assert (4, 10) == (len(state.houses), len(state.recipes))
    assert 12 == sum(len(house.tokens) for house in state.houses.values())
    assert any(clock.chain is not None for clock in state.clocks.values())
    assert any(not clock.event for clock in state.clocks.values())
    assert 1 == len(state.balances) == sum(memory.hidden for memory in state.memories.values())


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("number", range(len(forms("es"))), ids=lambda number: forms("es")[number].name)
def test_each_example_of_the_guide_is_understood(number: int, language: str) -> None:
    """By Aldana, or by the director; some can't be done in the first turn."""
    form, kind = forms(language)[number], RULESET.speaking(language).main_kind
    seat = DIRECTOR_SEAT if form.name in DIRECTING else "Aldana"
    view = RULESET.look(read_state(language), seat, Options(), kind=kind.name, track="", number=1)
    lines = logical_lines(block_of(form.example))

    (read,) = read_orders(lines, kind, kind.plan(view)).lines
    wrong = [one.code for one in read.findings if not one.code.startswith("valar/")]
    assert [] == wrong
    assert (read.order is not None) or form.name in MAY_REFUSE
