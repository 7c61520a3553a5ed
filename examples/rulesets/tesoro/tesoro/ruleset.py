"""`tesoro` as a value: everything that Turnero needs to know of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from rules.engine.audience import Audience, only
from rules.engine.messages import Name, msg
from rules.engine.questions import Wait
from rules.engine.ruleset import Forecast, Kind, Outcome, Ruleset
from tesoro.check import check
from tesoro.forecast import foretell
from tesoro.options import Options
from tesoro.orders import ORDERS
from tesoro.plan import CrewPlan
from tesoro.report import report, template
from tesoro.resolve import STEPS
from tesoro.state import State, name_of
from tesoro.view import view


def seats(state: State) -> Mapping[str, Name]:
    """Every crew is a seat."""
    return {key: name_of(state, key) for key in sorted(state.crews)}


def groups(state: State) -> Mapping[str, Audience]:
    """Each crew digs with dice of its own, besides the public ones."""
    return {key: only(key) for key in sorted(state.crews)}


def outcome(state: State, options: Options) -> Outcome | None:
    """Who has found the chest has won; None while nobody has."""
    if not state.finders:
        return None
    others = tuple(key for key in sorted(state.crews) if key not in state.finders)
    names = tuple(name_of(state, key) for key in state.finders)
    return Outcome((state.finders, others), msg("tesoro/ended", crews=names))


RULESET = Ruleset(
    id="tesoro",
    version="1",
    title="Tesoro",
    state=State,
    options=Options,
    kinds={
        "turn": Kind(
            "turn",
            orders=ORDERS,
            steps=STEPS,
            plan=CrewPlan,
            report=report,
            template=template,
            forecast=Forecast("acts", foretell),
        )
    },
    seats=seats,
    groups=groups,
    view=view,
    outcome=outcome,
    check=check,
    questions={"noche": Wait(timedelta(hours=24))},
)
