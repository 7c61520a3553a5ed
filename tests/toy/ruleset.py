"""`feria` as a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from rules.engine.audience import DIRECTOR, DIRECTOR_SEAT, Audience, only
from rules.engine.messages import Message, Name, Quoted, msg
from rules.engine.questions import Hold, TakeDefault, Wait
from rules.engine.ruleset import Kind, Outcome, Ruleset
from rules.engine.view import View
from tests.toy import bout, steps
from tests.toy.orders import BOUT, CONDITIONS, DAY, TRIGGERS
from tests.toy.plan import BoutPlan, DayPlan
from tests.toy.report import report, template
from tests.toy.state import Options, State, view


def seats(state: State) -> Mapping[str, Name]:
    """Everybody is a seat."""
    return {key: Name(key) for key in state.folk}


def groups(state: State) -> Mapping[str, Audience]:
    """Each thief rolls alone, the director for the queue."""
    return {key: only(key) for key in state.folk} | {DIRECTOR_SEAT: DIRECTOR}


def check(state: State, options: Options) -> Sequence[Message]:
    """Names that would be read as somebody else's, stalls where nobody can play."""
    found = [
        msg("feria/setup-apprentice", who=key, name=Quoted(one.apprentice))
        for key, one in state.folk.items()
        if one.apprentice in state.folk
    ]
    return (
        *found,
        *(msg("feria/setup-places", stall=key) for key, one in state.stalls.items() if one.places < 1),
    )


def outcome(state: State, options: Options) -> Outcome | None:
    """Whoever has prizes enough has won; several may."""
    won = tuple(key for key, one in state.folk.items() if len(one.prizes) >= options.to_win)
    return Outcome((won,), msg("feria/won", prizes=options.to_win)) if won else None


def migrate(data: dict[str, Any], version: str) -> dict[str, Any]:
    """Version 1 called coins `reales`."""
    if version != "1":
        return data
    folk = {
        key: {("coins" if name == "reales" else name): value for name, value in one.items()}
        for key, one in data.get("folk", {}).items()
    }
    return data | {"folk": folk}


def work_by_default(view: View[State]) -> tuple[str, ...]:
    """Who says nothing works."""
    return ("trabajar",)


def hold_by_default(view: View[State]) -> tuple[str, ...]:
    """Who says nothing holds on."""
    return ("aguantar",)


RULESET = Ruleset(
    id="feria",
    version="2",
    title="Feria",
    state=State,
    options=Options,
    kinds={
        "jornada": Kind(
            "jornada",
            orders=DAY,
            steps=steps.STEPS,
            plan=DayPlan,
            report=report,
            template=template,
            conditions=CONDITIONS,
            triggers=TRIGGERS,
            default_orders=work_by_default,
            joint=steps.majority,
        ),
        "pulso": Kind(
            "pulso",
            orders=BOUT,
            steps=bout.STEPS,
            plan=BoutPlan,
            report=report,
            template=template,
            default_orders=hold_by_default,
            open=bout.open_bout,
        ),
    },
    seats=seats,
    groups=groups,
    view=view,
    outcome=outcome,
    check=check,
    questions={
        "segunda": Hold(),
        "oferta": Wait(timedelta(hours=24)),
        "lluvia": Hold(),
        "aplauso": TakeDefault(),
    },
    migrate=migrate,
)
