"""RECLUTAR: troops for supplies, and free ones for each Ciudad Colmena; they can act at once."""

from __future__ import annotations

from rules.conquista.resolve.ledger import held_since_start, ledger_of, new_name, pay, station
from rules.conquista.state import Army, State, free_recruits, recruits_in
from rules.engine.audience import only
from rules.engine.events import event
from rules.engine.messages import Code, Param, msg
from rules.engine.orders import Order
from rules.engine.turn import Impossible, Turn


def recruit(turn: Turn, order: Order) -> Impossible | None:
    """A new army in the Base de Mando or a finished Puesto Avanzado, even beside another of one's own."""
    state: State = turn.state
    cell, seat, paid = str(order["cell"]), order.seat, int(order["troops"])
    if not recruits_in(state, seat, cell):
        return Impossible(msg("conquista/no-barracks", cell=Code(cell)))
    free = free_recruits(state, seat, held_since_start(turn, seat), ledger_of(turn).near, turn.options)
    if paid + free == 0:
        return Impossible(msg("conquista/no-free-troops"))
    cost = paid * int(turn.options.troop_cost)
    unpaid = pay(turn, order, cost)
    if unpaid is None:
        name = _name(turn, order)
        station(turn, name, Army(seat, cell, paid + free))
        told: dict[str, Param] = {
            "faction": seat,
            "cell": cell,
            "army": name,
            "troops": paid + free,
            "free": free,
        }
        turn.tell(event("conquista/troops-recruited", only(seat), order.by, **told, cost=cost))
    return unpaid


def _name(turn: Turn, order: Order) -> str:
    """The name that reading has fixed; a forced order has none, a corrected one may have another's."""
    name = next(iter(order.assigned.values()), None)
    return new_name(turn, order.seat) if name is None or name in turn.state.armies else name
