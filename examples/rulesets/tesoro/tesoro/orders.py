"""The orders, as declarations: how they are written, what they cost, an example."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.engine.arguments import Pick
from rules.engine.messages import Message, Quoted, msg
from rules.engine.orders import order
from rules.engine.wording import english

if TYPE_CHECKING:
    from tesoro.plan import CrewPlan


def _islands(plan: CrewPlan) -> dict[str, tuple[str, ...]]:
    return {key: (island.name,) for key, island in plan.state.islands.items()}


def _others(plan: CrewPlan) -> dict[str, tuple[str, ...]]:
    return {key: (key,) for key in plan.state.crews if key != plan.seat}


def _no_such_island(plan: CrewPlan, word: str) -> Message:
    return msg("tesoro/no-such-island", word=Quoted(word), islands=tuple(map(plan.shown, plan.state.islands)))


ISLAND = Pick(_islands, "tesoro/an-island", ids=False, otherwise=_no_such_island, fixed=True)
CREW = Pick(_others, "tesoro/a-crew", ids=False, fixed=True)

SAIL = order(
    "sail",
    "navegar a {island}",
    island=ISLAND,
    summary="tesoro/guide-sail",
    cost="tesoro/cost-food",
    example="navegar a Coral",
    en=english("sail to {island}", example="sail to Coral"),
)
FISH = order(
    "fish",
    "pescar",
    summary="tesoro/guide-fish",
    example="pescar",
    en=english("fish", example="fish"),
)
DIG = order(
    "dig",
    "cavar",
    verbs=("excavar",),
    summary="tesoro/guide-dig",
    cost="tesoro/cost-food",
    example="cavar",
    en=english("dig", example="dig"),
)
LISTEN = order(
    "listen",
    "escuchar a {crew}",
    crew=CREW,
    summary="tesoro/guide-listen",
    example="escuchar a Marea",
    en=english("listen to {crew}", example="listen to Marea"),
)

ORDERS = (SAIL, FISH, DIG, LISTEN)
