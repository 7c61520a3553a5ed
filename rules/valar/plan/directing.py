"""The director's orders at reading: what they name may still be ordered, so they are only doubted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rules.engine.diagnostics import Diagnostic, error, note
from rules.engine.messages import Quoted
from rules.engine.orders import Args, Order
from rules.engine.plan import Verdict
from rules.valar.plan.holdings import HousePlan
from rules.valar.state import SIZES, slug_of


def about_mission(plan: HousePlan, order: Order) -> Verdict:
    """Something about missions that are under way, or ordered in this turn."""
    named: tuple[Args, ...] = order.get("missions") or (order["mission"],)
    return Verdict(order, tuple(_unseen(plan, named)))


def _unseen(plan: HousePlan, named: tuple[Args, ...]) -> Iterator[Diagnostic]:
    for one in named:
        slug, house = slug_of(one["title"]), one.get("house")
        houses = plan.state.houses if house is None else (house,)
        if not any(slug in plan.state.houses[key].missions for key in houses):
            yield note("valar/unseen-mission", title=Quoted(one["title"]))


def oppose(plan: HousePlan, order: Order) -> Verdict:
    """Two missions or more."""
    if len(order["missions"]) < 2:
        return Verdict(order, (error("valar/oppose-two"),))
    return about_mission(plan, order)


def make_sized(plan: HousePlan, order: Order) -> Verdict:
    """A clock or a balance of 4, 6, 8 or 12 sections (004: "Además de su tamaño como los relojes")."""
    if order["sections"] not in SIZES:
        sizes = tuple(map(str, SIZES))
        return Verdict(order, (error("valar/clock-size", size=order["sections"], sizes=sizes),))
    return make_named(plan, order)


def make_named(plan: HousePlan, order: Order) -> Verdict:
    """Something whose name makes an id of its own."""
    slug = slug_of(order["title"])
    state = plan.state
    if not slug:
        return Verdict(order, (error("valar/empty-title", title=Quoted(order["title"])),))
    if slug in plan.taken.titles or any(
        slug in table for table in (state.clocks, state.balances, state.memories)
    ):
        return Verdict(order, (error("valar/name-taken", title=Quoted(order["title"])),))
    plan.make(order)
    return Verdict(order)


def fine(plan: HousePlan, order: Order) -> Verdict:
    """Nothing can be wrong with it."""
    return Verdict(order)


CHECKS_OF_DIRECTOR: Mapping[str, Callable[[HousePlan, Order], Verdict]] = {
    "fortune": fine,
    "factor": about_mission,
    "difficulty": about_mission,
    "position": about_mission,
    "effect": about_mission,
    "duration": about_mission,
    "recipe": about_mission,
    "roleo": about_mission,
    "oppose": oppose,
    "advantage": about_mission,
    "mark-clock": fine,
    "make-clock": make_sized,
    "make-balance": make_sized,
    "make-memory": make_named,
    "consequence": about_mission,
}
