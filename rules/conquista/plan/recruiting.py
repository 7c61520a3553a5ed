"""RECLUTAR: a new army, with a name that later lines of the block can use."""

from __future__ import annotations

from dataclasses import replace

from rules.conquista.plan.holdings import FactionPlan
from rules.conquista.plan.names import name_recruits
from rules.conquista.plan.standing import PlannedArmy, Standing
from rules.conquista.state import Building, free_recruits, recruits_in
from rules.engine.diagnostics import Diagnostic, error, refuses
from rules.engine.messages import Code, msg
from rules.engine.orders import Order
from rules.engine.plan import Verdict

MOST_SITES = 3
"""Cells that are suggested instead of one where nobody is recruited."""


def recruit(plan: FactionPlan, order: Order) -> Verdict:
    """In the Base de Mando or a Puesto Avanzado that stands at the start; new ones come at its end."""
    cell, paid = str(order["cell"]), int(order["troops"])
    free = free_recruits(plan.state, plan.seat, plan.own, plan.near, plan.options)
    findings = _no_barracks(plan, order, cell) or _nobody(paid + free)
    if findings:
        return Verdict(order, findings)
    cost = paid * plan.options.troop_cost
    findings = plan.pay(cost)
    if refuses(findings):
        return Verdict(order, _affordable(plan, order, free, findings[0]))
    name = name_recruits(plan, order)
    if isinstance(name, Diagnostic):
        return Verdict(order, (name,))
    here = Standing(cell)
    likely = () if findings else (here,)
    plan.now.armies[name] = PlannedArmy(paid + free, paid + free, likely, frozenset((here,)))
    told = msg(
        "conquista/told-recruit",
        troops=paid + free,
        free=free,
        cell=Code(cell),
        army=Code(name),
        cost=cost,
        left=plan.left,
    )
    return Verdict(replace(order, assigned={"0": name}), findings, told)


def _no_barracks(plan: FactionPlan, order: Order, cell: str) -> tuple[Diagnostic, ...]:
    """What isn't a place to recruit at the start of the turn becomes none before its end."""
    if recruits_in(plan.state, plan.seat, cell):
        return ()
    sites = [key for key in plan.own if recruits_in(plan.state, plan.seat, key)]
    begun = plan.now.works.get(cell) is Building.OUTPOST
    places = tuple(Code(key) for key in sites)
    found = error("conquista/no-recruiting-there", cell=Code(cell), begun=int(begun), sites=places)
    return (replace(found, suggest=tuple(_line(order, order["troops"], key) for key in sites[:MOST_SITES])),)


def _nobody(troops: int) -> tuple[Diagnostic, ...]:
    """Nobody paid for and nobody for free is no order."""
    return () if troops else (error("conquista/recruits-nobody"),)


def _affordable(plan: FactionPlan, order: Order, free: int, found: Diagnostic) -> tuple[Diagnostic, ...]:
    """More than can be paid at all is refused with the number that can."""
    most = plan.faction.supplies // plan.options.troop_cost
    return (replace(found, suggest=(_line(order, most, str(order["cell"])),)) if most + free else found,)


def _line(order: Order, troops: int, cell: str) -> str:
    """The order with other troops or another cell, as a player writes it."""
    name = order.get("called")
    return f"reclutar {troops} en {cell}" + (f" como {name}" if name is not None else "")
