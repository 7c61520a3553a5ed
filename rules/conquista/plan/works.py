"""Orders without an army: producing, building, fortifying, spying, waiting."""

from __future__ import annotations

from dataclasses import replace

from rules.conquista.plan.holdings import FactionPlan
from rules.conquista.state import Building
from rules.engine.diagnostics import Diagnostic, error, refuses, warning
from rules.engine.messages import Code, Message, msg
from rules.engine.orders import Order
from rules.engine.plan import Verdict


def produce(plan: FactionPlan, order: Order) -> Verdict:
    """PRODUCCIÓN: hopeless without a base."""
    base = plan.state.factions[plan.seat].base
    hopeless = (warning("conquista/no-base"),) if base is None else ()
    return Verdict(order, hopeless, msg("conquista/told-produce"))


def wait(plan: FactionPlan, order: Order) -> Verdict:
    """Use up an action."""
    return Verdict(order, (), msg("conquista/told-pass"))


def spy(plan: FactionPlan, order: Order) -> Verdict:
    """ESPIONAJE of another faction."""
    findings = plan.pay(plan.options.espionage_cost)
    told = msg(
        "conquista/told-spy", faction=order["faction"], cost=plan.options.espionage_cost, left=plan.left
    )
    return Verdict(order, findings, told)


def build(plan: FactionPlan, order: Order) -> Verdict:
    """CONSTRUIR on an own cell without infrastructure."""
    cell, building = order["cell"], Building(order["building"])
    findings = _own(plan, cell)
    there = _infrastructure(plan, cell)
    if not findings and there is not None:
        findings = (error("conquista/already-built", cell=Code(cell), there=there),)
    if not refuses(findings):
        findings = (*findings, *plan.pay(plan.options.building_cost))
    if not refuses(findings):
        plan.works[cell] = building
    told = msg(
        "conquista/told-build",
        building=building,
        cell=Code(cell),
        cost=plan.options.building_cost,
        left=plan.left,
    )
    return Verdict(order, findings, told)


def _infrastructure(plan: FactionPlan, cell: str) -> Message | None:
    """What of infrastructure stands or is begun in a cell, as far as the faction knows."""
    if plan.state.factions[plan.seat].base == cell:
        return msg("conquista/the-base")
    standing = plan.state.cells[cell].building or plan.works.get(cell)
    return msg("conquista/the-building", building=standing) if standing is not None else None


def fortify(plan: FactionPlan, order: Order) -> Verdict:
    """CONSTRUIR Fortificaciones up to the most that a cell may have."""
    cell, points = order["cell"], int(order["points"])
    findings = _own(plan, cell)
    there = plan.state.cells[cell].fortification + plan.points.get(cell, 0)
    room = plan.options.most_points - there
    if not findings and points > room:
        findings = (_too_many(plan, cell, there, room),)
    cost = points * plan.options.fortification_cost
    if not refuses(findings):
        findings = (*findings, *plan.pay(cost))
    if not refuses(findings):
        plan.points[cell] = plan.points.get(cell, 0) + points
    told = msg("conquista/told-fortify", cell=Code(cell), points=points, cost=cost, left=plan.left)
    return Verdict(order, findings, told)


def _too_many(plan: FactionPlan, cell: str, there: int, room: int) -> Diagnostic:
    most = plan.options.most_points
    found = error("conquista/too-many-points", cell=Code(cell), there=there, most=most, room=max(0, room))
    return replace(found, suggest=(f"fortificar {cell} {room}",)) if room > 0 else found


def _own(plan: FactionPlan, cell: str) -> tuple[Diagnostic, ...]:
    return () if cell in plan.cells else (error("conquista/not-your-cell", cell=Code(cell)),)
