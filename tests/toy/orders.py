"""The orders of a fair's day and of a bout, its condition and its triggers."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.arguments import Count, Held, Moment, Pick
from rules.engine.events import Event
from rules.engine.orders import Args, Order, clause, condition, order, trigger
from rules.engine.plan import Plan
from rules.engine.turn import Turn
from rules.engine.view import View
from tests.toy.state import State


def _others(plan: Plan[State]) -> Mapping[str, tuple[str, ...]]:
    return {key: (key,) for key in plan.view.state.folk if key != plan.seat}


def _stalls(plan: Plan[State]) -> Mapping[str, tuple[str, ...]]:
    return {key: (stall.name,) for key, stall in plan.view.state.stalls.items()}


def _prizes(plan: Plan[State]) -> Mapping[str, tuple[str, ...]]:
    return {prize: (prize,) for prize in plan.view.state.folk[plan.seat].prizes}


def _hands(plan: Plan[State]) -> Mapping[str, tuple[str, ...]]:
    apprentice = plan.view.state.folk[plan.seat].apprentice
    return {key: (key,) for key in (plan.seat, apprentice) if key}


def _self(view: View[State]) -> str:
    return view.viewer


def _has_prizes(view: View[State]) -> bool:
    return bool(view.state.folk[view.viewer].prizes)


WHO = Pick(_others, "feria/a-person", ids=False, fixed=True)
STALL = Pick(_stalls, "feria/a-stall", ids=False, fixed=True)
PRIZE = Pick(_prizes, "feria/a-prize", ids=False)
HANDS = Pick(_hands, "feria/a-person", ids=False, fixed=True)

DAY = (
    order(
        "play",
        "jugar en {stall}",
        stall=STALL,
        verbs=("juego", "juega", "juegue"),
        clauses=(clause("almost", "casi", forms=("tirar", "dejar")),),
        marks={"charm": ("con amuleto",)},
        summary="feria/guide-play",
        example="jugar en Tómbola",
    ),
    order("sell", "vender {prize} en {stall}", prize=PRIZE, stall=STALL, who=_has_prizes),
    order("work", "trabajar", actors=HANDS, acting=_self),
    order("cry", "pregonar", actors=HANDS, acting=_self),
    order("filch", "hurtar a {victim}", victim=WHO),
    order("wait", "esperar {moment}: {act}", moment=Moment(), act=Held(only=("play",))),
    order("challenge", "retar a {rival} por {stake}", rival=WHO, stake=Count(1, 5)),
    order("band", "contratar orquesta", joint=True, free=True),
)

BOUT = (order("press", "apretar"), order("hold", "aguantar"), order("yield", "rendirse", verbs=("rindo",)))


def _rains(turn: Turn, order: Order, args: Args) -> bool:
    return bool(turn.scratch["weather"] == "lluvia")


def _has_played(turn: Turn, order: Order, args: Args, event: Event) -> bool:
    return event.id == "feria/played" and event.seat == args["who"]


def _will_play(turn: Turn, order: Order, args: Args, event: Event) -> bool:
    return event.id == "feria/about-to-play" and event.seat == args["who"]


CONDITIONS = (condition("rains", "llueve", test=_rains),)
TRIGGERS = (
    trigger("plays", "a que {who} juegue", test=_has_played, who=WHO),
    trigger("before-plays", "antes de que {who} juegue", test=_will_play, who=WHO),
)
