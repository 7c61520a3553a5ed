"""`conquista` as a value: everything that the engine needs to know of it."""

from __future__ import annotations

from collections.abc import Mapping

from rules.conquista.check import check
from rules.conquista.options import Options
from rules.conquista.orders import ORDERS
from rules.conquista.outcome import out, outcome
from rules.conquista.plan import ConquistaPlan
from rules.conquista.report import report, template
from rules.conquista.resolve import STEPS
from rules.conquista.state import State, name_of
from rules.conquista.view import view
from rules.engine.audience import DIRECTOR, DIRECTOR_SEAT, Audience, only
from rules.engine.messages import Name
from rules.engine.ruleset import Kind, Ruleset


def seats(state: State) -> Mapping[str, Name]:
    """Every faction is a seat."""
    return {key: name_of(state, key) for key in sorted(state.factions)}


def groups(state: State) -> Mapping[str, Audience]:
    """One seed for each faction and one for the director, besides the public one."""
    return {key: only(key) for key in sorted(state.factions)} | {DIRECTOR_SEAT: DIRECTOR}


RULESET = Ruleset(
    id="conquista",
    version="0.1",
    title="Conquista",
    state=State,
    options=Options,
    kinds={
        "turn": Kind(
            "turn",
            orders=ORDERS,
            steps=STEPS,
            plan=ConquistaPlan,
            report=report,
            template=template,
        )
    },
    seats=seats,
    groups=groups,
    view=view,
    outcome=outcome,
    out=out,
    check=check,
)
