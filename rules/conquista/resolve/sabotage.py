"""SABOTAJE: 1d6, 4+; the target loses supplies and the fortifications of a cell, and learns who it was."""

from __future__ import annotations

from rules.conquista.resolve.ledger import dice_cost, holds_any, pay
from rules.conquista.state import State, name_of
from rules.engine.audience import only
from rules.engine.events import event
from rules.engine.messages import Param, msg
from rules.engine.orders import Order
from rules.engine.turn import Impossible, Turn


def sabotage(turn: Turn, order: Order) -> Impossible | None:
    """Elige a otro jugador y lanza 1d6; of one that fails only who ordered it knows."""
    state: State = turn.state
    target, seat = str(order["faction"]), order.seat
    if not holds_any(turn, target):
        return Impossible(msg("conquista/target-gone", faction=name_of(state, target)))
    cost = dice_cost(order, turn.options.sabotage_costs)
    if isinstance(cost, Impossible):
        return cost
    unpaid = pay(turn, order, cost)
    if unpaid is not None:
        return unpaid
    die = turn.dice.roll(6, "sabotage", target, seat, purpose="conquista/roll-sabotage", audience=only(seat))
    if die >= turn.options.sabotage_target:
        _damage(turn, order, cost)
    else:
        told = {"saboteur": seat, "target": target}
        turn.tell(event("conquista/sabotage-failed", only(seat), order.by, **told, cost=cost))
    return None


def _damage(turn: Turn, order: Order, cost: int) -> None:
    """The dice's sum out of the supplies held now, never of this turn's production.

    Supplies and points are the target's secrets: it alone learns how many are gone.
    """
    state: State = turn.state
    target, cell, damage = str(order["faction"]), order.get("cell"), _roll_damage(turn, order)
    if cell is not None and state.cells[cell].owner != target:
        cell = None
    supplies = min(damage, state.factions[target].supplies)
    state.factions[target].supplies -= supplies
    points = _raze(turn, cell) if cell is not None else 0
    parties: dict[str, Param] = {"saboteur": order.seat, "target": target}
    done: dict[str, Param] = {**parties, "cost": cost, "damage": damage, "cell": cell}
    turn.tell(event("conquista/sabotage-succeeded", only(order.seat), order.by, **done))
    lost: dict[str, Param] = {"supplies": supplies, "points": points, "cell": cell if points else None}
    turn.tell(event("conquista/sabotaged", only(target), None, **parties, **lost))


def _roll_damage(turn: Turn, order: Order) -> int:
    """1, 2 or 3 dice d2, as paid for."""
    dice = turn.dice.pool(
        int(order["dice"]),
        turn.options.sabotage_die,
        "sabotage-damage",
        str(order["faction"]),
        order.seat,
        purpose="conquista/roll-sabotage-damage",
        audience=only(order.seat),
    )
    return sum(dice)


def _raze(turn: Turn, cell: str) -> int:
    """Finished points that are destroyed in a cell; works that were begun go on."""
    one = turn.state.cells[cell]
    points = int(one.fortification if turn.options.sabotage_razes else min(1, one.fortification))
    one.fortification -= points
    return points
