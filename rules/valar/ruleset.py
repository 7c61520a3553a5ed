"""`valar` as a value: everything that the engine needs to know of it."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.audience import DIRECTOR, DIRECTOR_SEAT, Audience, only
from rules.engine.messages import Name
from rules.engine.ruleset import Forecast, Kind, Ruleset
from rules.valar.check import check
from rules.valar.forecast import foretell
from rules.valar.options import Options
from rules.valar.orders import ORDERS
from rules.valar.plan import ValarPlan
from rules.valar.questions import POLICIES
from rules.valar.report import report, template
from rules.valar.resolve import STEPS
from rules.valar.state import State, name_of
from rules.valar.view import view


def seats(state: State) -> Mapping[str, Name]:
    """Every house is a seat."""
    return {key: name_of(state, key) for key in sorted(state.houses)}


def groups(state: State) -> Mapping[str, Audience]:
    """One seed for each house, whose missions roll with it, and one for the director."""
    return {key: only(key) for key in sorted(state.houses)} | {DIRECTOR_SEAT: DIRECTOR}


RULESET = Ruleset(
    id="valar",
    version="0.1",
    title="Valar",
    state=State,
    options=Options,
    kinds={
        "turn": Kind(
            "turn",
            orders=ORDERS,
            steps=STEPS,
            plan=ValarPlan,
            report=report,
            template=template,
            forecast=Forecast("rolls", foretell),
            director=True,
        )
    },
    seats=seats,
    groups=groups,
    view=view,
    check=check,
    questions=POLICIES,
)
