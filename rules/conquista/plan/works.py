"""Orders without an army: producing, building, fortifying, spying, waiting."""

from __future__ import annotations

from dataclasses import replace

from rules.conquista.plan.holdings import FactionPlan
from rules.conquista.plan.standing import only_if
from rules.conquista.state import Building, name_of
from rules.engine.diagnostics import Diagnostic, error, refuses, warning
from rules.engine.messages import Code, msg
from rules.engine.orders import Order
from rules.engine.plan import Verdict


def produce(plan: FactionPlan, order: Order) -> Verdict:
    """PRODUCCIÓN: never without a base, since none is founded during a turn."""
    lost = (error("conquista/no-base"),) if plan.faction.base is None else ()
    return Verdict(order, lost, msg("conquista/told-produce"))


def wait(plan: FactionPlan, order: Order) -> Verdict:
    """Use up an action."""
    return Verdict(order, (), msg("conquista/told-pass"))


def spy(plan: FactionPlan, order: Order) -> Verdict:
    """ESPIONAJE of another faction; one without cells is out of the game for good."""
    faction, cost = str(order["faction"]), plan.options.espionage_cost
    shown = name_of(plan.state, faction)
    doubts = plan.target(faction)
    findings = doubts if refuses(doubts) else plan.pay(cost, expected=not doubts)
    if not refuses(findings):
        findings = (*doubts, *findings)
    return Verdict(order, findings, msg("conquista/told-spy", faction=shown, cost=cost, left=plan.left))


def build(plan: FactionPlan, order: Order) -> Verdict:
    """CONSTRUIR on an own cell without infrastructure; fortifications, which it names too: see `fortify`."""
    if order.get("points") is not None:
        return fortify(plan, order)
    cell, building = str(order["cell"]), Building(order["building"])
    cost = plan.options.building_cost
    findings = _first(_own(plan, cell), _already_built(plan, cell))
    if not refuses(findings):
        findings = plan.pay(cost, expected=not findings) or findings
    if not findings:
        plan.now.works[cell] = building
        plan.now.entered.discard(cell)
    told = msg("conquista/told-build", building=building, cell=Code(cell), cost=cost, left=plan.left)
    return Verdict(order, findings, told)


def _first(*found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """What refuses the line, else the first doubt: one mistake gives one answer."""
    every = [finding for findings in found for finding in findings]
    return tuple(sorted(every, key=lambda one: not refuses([one]))[:1])


def _already_built(plan: FactionPlan, cell: str) -> tuple[Diagnostic, ...]:
    """Infrastructure that stands or is begun; it is gone only if the cell is lost and taken back."""
    base = plan.faction.base == cell
    standing = plan.state.cells[cell].building or plan.now.works.get(cell)
    if not base and standing is None:
        return ()
    reason = msg("conquista/already-built", cell=Code(cell), base=int(base), building=standing)
    if cell in plan.now.entered:
        return (warning("conquista/only-if-retaken", reason=reason),)
    return (Diagnostic(reason),)


def fortify(plan: FactionPlan, order: Order) -> Verdict:
    """CONSTRUIR Fortificaciones up to the most that a cell may have."""
    cell, points = str(order["cell"]), int(order["points"])
    cost = points * plan.options.fortification_cost
    findings = _first(_own(plan, cell), _too_many(plan, cell, points))
    if not refuses(findings):
        findings = plan.pay(cost, expected=not findings) or findings
    if not findings:
        plan.now.points[cell] = plan.now.points.get(cell, 0) + points
    told = msg("conquista/told-fortify", cell=Code(cell), points=points, cost=cost, left=plan.left)
    return Verdict(order, findings, told)


def _too_many(plan: FactionPlan, cell: str, points: int) -> tuple[Diagnostic, ...]:
    """More than the most is refused with the legal number, whatever may happen to the points till then."""
    begun = plan.now.points.get(cell, 0)
    there, most = plan.state.cells[cell].fortification + begun, plan.options.most_points
    room = max(0, most - there)
    if points <= room:
        return ()
    found = error(
        "conquista/too-many-points", cell=Code(cell), there=there, begun=begun, most=most, room=room
    )
    return (replace(found, suggest=(f"fortificar {cell} {room}",)) if room else found,)


def _own(plan: FactionPlan, cell: str) -> tuple[Diagnostic, ...]:
    """An own cell, or one that an earlier line takes."""
    if cell in plan.now.held:
        return ()
    reason = msg("conquista/not-your-cell", cell=Code(cell))
    return (only_if(reason) if cell in plan.now.cells else Diagnostic(reason),)
