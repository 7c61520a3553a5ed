"""BOMBARDEO: 1d6, 4+; an army spots for it, and a foreign army at most two cells away loses troops.

Where foreign armies and generators are is secret: whatever hides the mark has one answer, and what can be
known without looking (costs, distances on the map) is answered first.
"""

from __future__ import annotations

from rules.conquista.resolve.casualties import spread
from rules.conquista.resolve.ledger import cant_pay, dice_cost, finished_points, ledger_of, others_in, pay
from rules.conquista.resolve.movement import own_army
from rules.conquista.state import Army, Building, State, within
from rules.engine.audience import only
from rules.engine.events import event
from rules.engine.messages import Code, Param, msg
from rules.engine.orders import Order
from rules.engine.turn import Impossible, Turn

NOTHING = {"cell": "conquista/no-army-to-hit", "army": "conquista/not-in-sight"}
"""Why nothing is hit, by what the order names: one reason for all that may hide it."""


def bombard(turn: Turn, order: Order) -> Impossible | None:
    """The armies in a cell, or one army by its number; who spots may have moved or received troops."""
    kind, mark = order["mark"]
    spotter = own_army(turn, order, str(order["army"]))
    if isinstance(spotter, Impossible):
        return spotter
    cost = dice_cost(order, turn.options.bombardment_costs)
    if isinstance(cost, Impossible):
        return cost
    unpaid = cant_pay(turn, order, cost)
    if unpaid is not None:
        return unpaid
    reach = within(spotter.cell, turn.options.bombardment_reach, ledger_of(turn).near)
    if kind == "cell" and mark not in reach:
        told = {"cell": Code(mark), "here": Code(spotter.cell), "steps": turn.options.bombardment_reach}
        return Impossible(msg("conquista/too-far", **told))
    marked = {key: army for key, army in _marked(turn, order).items() if _is_open(turn, army.cell, reach)}
    if not marked:
        return Impossible(msg(NOTHING[kind], mark=Code(mark)))
    pay(turn, order, cost)
    _fire(turn, order, marked, cost)
    return None


def _marked(turn: Turn, order: Order) -> dict[str, Army]:
    """The foreign armies that the order means, wherever they are now."""
    state: State = turn.state
    kind, mark = order["mark"]
    if kind == "cell":
        return others_in(turn, mark, order.seat)
    army = state.armies.get(mark)
    return {mark: army} if army is not None and army.owner != order.seat else {}


def _is_open(turn: Turn, cell: str, reach: frozenset[str]) -> bool:
    """Within reach, and not under a finished Generador de Escudos."""
    shielded = turn.state.cells[cell].building is Building.SHIELD
    return cell in reach and not (shielded and turn.options.shield_stops_bombardment)


def _fire(turn: Turn, order: Order, marked: dict[str, Army], cost: int) -> None:
    """The attacker's own dice: no seed but its own may open what only two sides know."""
    seat, options, first = order.seat, turn.options, next(iter(marked.values()))
    (kind, mark), own, spotter = order["mark"], only(seat), str(order["army"])
    purpose, points = "conquista/roll-bombardment", finished_points(turn, first.cell)
    die = turn.dice.roll(6, "bombardment", mark, seat, spotter, purpose=purpose, audience=own)
    both = {"attacker": seat, "defender": first.owner}
    mine: dict[str, Param] = {**both, "cost": cost, kind: mark}
    if die - points * options.bombardment_malus < options.bombardment_target:
        turn.tell(event("conquista/bombardment-failed", own, order.by, **mine))
        turn.tell(event("conquista/bombarded-in-vain", only(first.owner), None, **both, cell=first.cell))
        return
    losses = _losses(turn, order, marked, points)
    hit = spread(turn.state, marked, losses)
    turn.tell(event("conquista/bombardment-hit", own, order.by, **mine, losses=losses))
    suffered: dict[str, Param] = {"cell": first.cell, "losses": losses, "armies": hit}
    turn.tell(event("conquista/bombarded", only(first.owner), None, **both, **suffered))


def _losses(turn: Turn, order: Order, marked: dict[str, Army], points: int) -> int:
    """1, 2 or 3 dice d2, minus 1 for each fortification point; from 0 to as many troops as there are."""
    dice = turn.dice.pool(
        int(order["dice"]),
        turn.options.bombardment_die,
        "bombardment-damage",
        order["mark"][1],
        order.seat,
        str(order["army"]),
        purpose="conquista/roll-bombardment-damage",
        audience=only(order.seat),
    )
    left = sum(dice) - points * int(turn.options.bombardment_shelter)
    return min(max(0, left), sum(army.troops for army in marked.values()))
