"""Orders against others from a distance: sabotage and bombardment.

What they aim at is mostly hidden, so a line is refused only for what is public: who holds which cells, which
numbers are whose, how far away a cell is.
"""

from __future__ import annotations

from rules.conquista.plan.armies import unknown
from rules.conquista.plan.holdings import FactionPlan
from rules.conquista.plan.standing import Standing, judge
from rules.conquista.state import in_block, name_of, within
from rules.engine.diagnostics import Diagnostic, error, refuses, warning
from rules.engine.messages import Code, Message, Param, msg
from rules.engine.orders import Order
from rules.engine.plan import Verdict


def sabotage(plan: FactionPlan, order: Order) -> Verdict:
    """SABOTAJE of another faction, and of the fortifications of one cell if it is that faction's by then."""
    faction, cell, dice = str(order["faction"]), order.get("cell"), int(order["dice"])
    shown = name_of(plan.state, faction)
    findings = _too_many_dice(dice, plan.options.sabotage_costs) or plan.target(faction)
    if refuses(findings):
        return Verdict(order, findings)
    cost = plan.options.sabotage_costs[dice - 1]
    unpaid = plan.pay(cost, expected=not findings)
    if refuses(unpaid):
        return Verdict(order, unpaid)
    doubts = findings or _not_theirs(plan, cell, faction)
    told = msg(
        "conquista/told-sabotage",
        faction=shown,
        dice=dice,
        cell=Code(cell) if cell is not None else None,
        cost=cost,
        left=plan.left,
    )
    return Verdict(order, (*unpaid, *doubts), told)


def _too_many_dice(dice: int, costs: tuple[int, ...]) -> tuple[Diagnostic, ...]:
    """As many dice as the table of costs has entries."""
    if dice <= len(costs):
        return ()
    return (error("conquista/too-many-dice", dice=dice, most=len(costs), costs=costs),)


def _not_theirs(plan: FactionPlan, cell: str | None, faction: str) -> tuple[Diagnostic, ...]:
    """Owners are public; the target may take the cell by then, and the supplies are lost in any case."""
    if cell is None or plan.holds(faction, cell):
        return ()
    taken = int(plan.state.cells[cell].owner == faction)
    shown = name_of(plan.state, faction)
    return (warning("conquista/not-of-target", cell=Code(cell), faction=shown, taken=taken),)


def bombard(plan: FactionPlan, order: Order) -> Verdict:
    """BOMBARDEO of a cell or of a foreign army, whether that exists or not: the player can't see it."""
    (kind, mark), key, dice = order["mark"], str(order["army"]), int(order["dice"])
    doubts = _too_many_dice(dice, plan.options.bombardment_costs) or _doubts(plan, kind, mark)
    if refuses(doubts):
        return Verdict(order, doubts)
    told: dict[str, Param] = {"mark": Code(mark), "dice": dice, "army": Code(key)}
    army = plan.now.armies.get(key)
    if army is None:
        return unknown(order, key, msg("conquista/told-bombard-unknown", **told))
    reach = plan.options.bombardment_reach

    def why(one: Standing) -> Message | None:
        if kind == "army" or mark in within(one.cell, reach, plan.near):
            return None
        there: dict[str, Param] = {"cell": Code(mark), "here": Code(one.cell), "moved": int(one.entered)}
        return msg("conquista/out-of-reach", army=Code(key), steps=reach, **there)

    cost = plan.options.bombardment_costs[dice - 1]
    findings = judge(key, army, why)
    if not refuses(findings):
        unpaid = plan.pay(cost, expected=not findings)
        findings = unpaid if refuses(unpaid) else (*findings, *unpaid, *doubts)
    paid: dict[str, Param] = {"cost": cost, "left": plan.left}
    return Verdict(order, findings, msg("conquista/told-bombard", **told, **paid))


def _doubts(plan: FactionPlan, kind: str, mark: str) -> tuple[Diagnostic, ...]:
    """What can be said of a mark without seeing what is there."""
    return _nobody_to_hit(plan, mark) if kind == "cell" else _nobodys(plan, mark)


def _nobodys(plan: FactionPlan, army: str) -> tuple[Diagnostic, ...]:
    """Numbers tell whose an army is, and so which can't be a foreign one."""
    if in_block(army, plan.faction.block):
        return (error("conquista/your-own-number", army=Code(army)),)
    theirs = (key for key, one in plan.state.factions.items() if in_block(army, one.block))
    faction = next(theirs, None)
    if faction is None:
        return (error("conquista/nobodys-number", army=Code(army)),)
    return plan.target(faction)


def _nobody_to_hit(plan: FactionPlan, cell: str) -> tuple[Diagnostic, ...]:
    """A bombardment that finds nobody is cancelled; armies stand in cells of their faction."""
    owner = plan.state.cells[cell].owner
    if owner is not None and owner != plan.seat:
        return ()
    return (warning("conquista/nobody-to-hit", cell=Code(cell), own=int(owner is not None)),)
