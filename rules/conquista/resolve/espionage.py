"""ESPIONAJE: 1d6, 4+; the spy alone learns; the target always knows that it was spied on."""

from __future__ import annotations

from rules.conquista.resolve.ledger import holds_any, pay
from rules.conquista.state import BASE, State, armies_of, by_number, name_of, owned
from rules.engine.audience import only
from rules.engine.events import event
from rules.engine.messages import msg
from rules.engine.orders import Order
from rules.engine.turn import Impossible, Turn


def spy(turn: Turn, order: Order) -> Impossible | None:
    """Elige a otro jugador y lanza 1d6; who failed is known to the target."""
    state: State = turn.state
    target, seat, cost = str(order["faction"]), order.seat, turn.options.espionage_cost
    if not holds_any(turn, target):
        return Impossible(msg("conquista/target-gone", faction=name_of(state, target)))
    unpaid = pay(turn, order, cost)
    if unpaid is not None:
        return unpaid
    die = turn.dice.roll(
        6, "espionage", target, seat, purpose="conquista/roll-espionage", audience=only(seat)
    )
    succeeded = die >= turn.options.espionage_target
    if succeeded:
        _learn(turn, order, cost)
    else:
        told = {"spy": seat, "target": target, "cost": cost}
        turn.tell(event("conquista/espionage-failed", only(seat), order.by, **told))
    turn.tell(event("conquista/spied-on", only(target), target=target, spy=None if succeeded else seat))
    return None


def _learn(turn: Turn, order: Order, cost: int) -> None:
    """Cells, features, buildings, points and armies of the target, as they are at that moment."""
    state: State = turn.state
    target, spying = str(order["faction"]), state.factions[order.seat]
    cells = owned(state, target)
    spying.known = tuple(sorted({*spying.known, *cells}))
    base = state.factions[target].base
    seen = tuple(
        (key, one.feature, BASE if key == base else one.building, one.fortification)
        for key in cells
        for one in (state.cells[key],)
    )
    armies = tuple(
        (key, army.cell, army.troops)
        for key, army in sorted(armies_of(state, target).items(), key=lambda one: by_number(one[0]))
    )
    learnt = event(
        "conquista/espionage-succeeded",
        only(order.seat),
        order.by,
        spy=order.seat,
        target=target,
        cost=cost,
        cells=seen,
        armies=armies,
    )
    turn.tell(learnt)
