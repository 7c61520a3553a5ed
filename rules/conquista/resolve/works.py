"""PRODUCCIÓN and CONSTRUIR: what is ordered in a round and comes at the end of the turn."""

from __future__ import annotations

from rules.conquista.options import NewBase
from rules.conquista.resolve.ledger import held_since_start, ledger_of, pay
from rules.conquista.state import Building, Feature, State, by_cell, connected, owned
from rules.engine.audience import only
from rules.engine.events import event
from rules.engine.messages import Code, Message, msg
from rules.engine.orders import Order
from rules.engine.turn import Impossible, Turn


def produce(turn: Turn, order: Order) -> Impossible | None:
    """PRODUCCIÓN: credited at the end; the base has to be there when the action is taken."""
    if turn.state.factions[order.seat].base is None:
        return Impossible(msg("conquista/no-base"))
    ledger_of(turn).productions.append(order)
    return None


def build(turn: Turn, order: Order) -> Impossible | None:
    """CONSTRUIR a Puesto Avanzado or Generador: an own cell without infrastructure, 5 supplies."""
    if order.get("points") is not None:
        return fortify(turn, order)
    cell, building, cost = str(order["cell"]), Building(order["building"]), turn.options.building_cost
    reason = _not_own(turn, order, cell) or _built(turn, cell)
    if reason is not None:
        return Impossible(reason)
    unpaid = pay(turn, order, cost)
    if unpaid is None:
        ledger_of(turn).works[cell] = building
        told = {"faction": order.seat, "cell": cell, "building": building.value, "cost": cost}
        turn.tell(event("conquista/work-started", only(order.seat), order.by, **told))
    return unpaid


def _not_own(turn: Turn, order: Order, cell: str) -> Message | None:
    own = turn.state.cells[cell].owner == order.seat
    return None if own else msg("conquista/not-own", cell=Code(cell))


def _built(turn: Turn, cell: str) -> Message | None:
    """Infrastructure: a building, works begun this turn, or a Base de Mando."""
    state: State = turn.state
    base = any(faction.base == cell for faction in state.factions.values())
    if state.cells[cell].building is None and cell not in ledger_of(turn).works and not base:
        return None
    return msg("conquista/no-room", cell=Code(cell))


def fortify(turn: Turn, order: Order) -> Impossible | None:
    """CONSTRUIR Fortificaciones: 1 supply a point, at most 3 in a cell, counting from the next turn."""
    cell, points, ledger = str(order["cell"]), int(order["points"]), ledger_of(turn)
    begun = ledger.points.get(cell, 0)
    room = max(0, turn.options.most_points - turn.state.cells[cell].fortification - begun)
    reason = _not_own(turn, order, cell)
    if reason is None and points > room:
        reason = msg("conquista/no-room-for-points", cell=Code(cell), room=room)
    if reason is not None:
        return Impossible(reason)
    cost = points * turn.options.fortification_cost
    unpaid = pay(turn, order, cost)
    if unpaid is None:
        ledger.points[cell] = begun + points
        told = {"faction": order.seat, "cell": cell, "points": points, "cost": cost}
        turn.tell(event("conquista/fortification-started", only(order.seat), order.by, **told))
    return unpaid


def wait(turn: Turn, order: Order) -> Impossible | None:
    """Use up an action, so that later ones fall in later rounds."""
    return None


def credit_production(turn: Turn) -> None:
    """PRODUCCIÓN: cells held without a break and joined to the base; each action pays again."""
    state: State = turn.state
    for order in sorted(ledger_of(turn).productions, key=lambda one: one.by):
        faction = state.factions[order.seat]
        cells = _counted(turn, order.seat)
        from_cells = len(cells) // turn.options.cells_per_supply
        found = sum(state.cells[key].feature is Feature.MANUFACTORUM for key in cells)
        from_manufactorums = found * turn.options.manufactorum
        faction.supplies += from_cells + from_manufactorums
        produced = event(
            "conquista/produced",
            only(order.seat),
            order.by,
            faction=order.seat,
            cells=len(cells),
            from_cells=from_cells,
            manufactorums=found,
            from_manufactorums=from_manufactorums,
            supplies=from_cells + from_manufactorums,
        )
        turn.tell(produced)


def _counted(turn: Turn, seat: str) -> frozenset[str]:
    """Cells that count: joined to the Base de Mando through cells of which the same is true."""
    base = turn.state.factions[seat].base
    return connected(base, held_since_start(turn, seat), ledger_of(turn).near)


def finish_works(turn: Turn) -> None:
    """CONSTRUIR: buildings and fortifications begun this turn stand from now on."""
    state: State = turn.state
    ledger = ledger_of(turn)
    for cell in sorted(ledger.works, key=by_cell):
        one = state.cells[cell]
        one.building = building = ledger.works[cell]
        if one.owner is not None:
            told = {"faction": one.owner, "cell": cell, "building": building.value}
            turn.tell(event("conquista/built", only(one.owner), None, **told))
    for cell in sorted(ledger.points, key=by_cell):
        one = state.cells[cell]
        one.fortification = min(turn.options.most_points, one.fortification + ledger.points[cell])
        if one.owner is not None:
            told = {"faction": one.owner, "cell": cell}
            turn.tell(event("conquista/fortified", only(one.owner), None, **told, points=one.fortification))


def move_bases(turn: Turn) -> None:
    """Option `new_base`: a faction that has lost its base makes one of its first Puesto Avanzado."""
    state: State = turn.state
    if turn.options.new_base is not NewBase.OUTPOST:
        return
    for key, faction in sorted(state.factions.items()):
        outposts = [cell for cell in owned(state, key) if state.cells[cell].building is Building.OUTPOST]
        if faction.base is None and outposts:
            faction.base = outposts[0]
            state.cells[outposts[0]].building = None
            turn.tell(event("conquista/base-moved", only(key), faction=key, cell=outposts[0]))
