"""The resolution of a turn: a table of steps, and what each action does at its moment.

The original describes one player's turn; here all act in rounds: in round k each faction's k-th action
is carried out, the factions in an order drawn anew. Production, works and dominion wait for the end.
"""

from __future__ import annotations

from collections.abc import Callable

from rules.conquista.resolve.invasion import invade
from rules.conquista.resolve.ledger import Ledger, ledger_of, pay
from rules.conquista.resolve.movement import join, move, split, transfer
from rules.conquista.state import Building, State, actions_for, connected, full_planets, owned
from rules.engine.audience import only
from rules.engine.events import event
from rules.engine.messages import Code, msg
from rules.engine.orders import Order
from rules.engine.ruleset import Step
from rules.engine.turn import Impossible, Turn


def open_ledger(turn: Turn) -> None:
    """Note what the end of the turn compares with: cells, links and points held at the start."""
    turn.scratch["ledger"] = Ledger.of(turn.state)


def play_rounds(turn: Turn) -> None:
    """Action rounds; only factions with a k-th action draw for their order, and the draw stays secret."""
    longest = max((len(orders) for orders in turn.orders.values()), default=0)
    for number in range(longest):
        acting = [seat for seat, orders in turn.orders.items() if len(orders) > number]
        for seat in turn.dice.order_of(acting, "round", str(number + 1), purpose="conquista/roll-round"):
            order = turn.orders[seat][number]
            turn.carry_out(order, ACTS)


def produce(turn: Turn, order: Order) -> Impossible | None:
    """PRODUCCIÓN: credited at the end; the base has to be there when the action is taken."""
    if turn.state.factions[order.seat].base is None:
        return Impossible(msg("conquista/no-base"))
    ledger_of(turn).productions.append(order)
    return None


def build(turn: Turn, order: Order) -> Impossible | None:
    """CONSTRUIR a Puesto Avanzado or Generador: an own cell without infrastructure, 5 supplies."""
    state: State = turn.state
    cell, building, ledger = order["cell"], Building(order["building"]), ledger_of(turn)
    if state.cells[cell].owner != order.seat:
        return Impossible(msg("conquista/not-your-cell", cell=Code(cell)))
    if state.cells[cell].building or cell in ledger.works or _is_base(state, cell):
        return Impossible(msg("conquista/no-room", cell=Code(cell)))
    cost = turn.options.building_cost
    unpaid = pay(turn, order, cost)
    if unpaid is None:
        ledger.works[cell] = building
        turn.tell(
            event(
                "conquista/work-started",
                only(order.seat),
                order.by,
                faction=order.seat,
                cell=cell,
                building=building.value,
                cost=cost,
            )
        )
    return unpaid


def _is_base(state: State, cell: str) -> bool:
    return any(faction.base == cell for faction in state.factions.values())


def fortify(turn: Turn, order: Order) -> Impossible | None:
    """CONSTRUIR Fortificaciones: 1 supply a point, at most 3 in a cell, counting from the next turn."""
    state: State = turn.state
    cell, points, ledger = order["cell"], int(order["points"]), ledger_of(turn)
    if state.cells[cell].owner != order.seat:
        return Impossible(msg("conquista/not-your-cell", cell=Code(cell)))
    room = turn.options.most_points - state.cells[cell].fortification - ledger.points.get(cell, 0)
    if points > room:
        return Impossible(msg("conquista/no-room-for-points", cell=Code(cell), room=room))
    cost = points * turn.options.fortification_cost
    unpaid = pay(turn, order, cost)
    if unpaid is None:
        ledger.points[cell] = ledger.points.get(cell, 0) + points
        turn.tell(
            event(
                "conquista/fortification-started",
                only(order.seat),
                order.by,
                faction=order.seat,
                cell=cell,
                points=points,
                cost=cost,
            )
        )
    return unpaid


def wait(turn: Turn, order: Order) -> Impossible | None:
    """Use up an action, so that later ones fall in later rounds."""
    return None


def spy(turn: Turn, order: Order) -> Impossible | None:
    """ESPIONAJE: 1d6, 4+; the spy alone learns; the target always knows it was spied on."""
    state: State = turn.state
    target, faction = order["faction"], order.seat
    if not owned(state, target):
        return Impossible(msg("conquista/target-out", faction=target))
    cost = turn.options.espionage_cost
    unpaid = pay(turn, order, cost)
    if unpaid is not None:
        return unpaid
    die = turn.dice.roll(
        6, "espionage", target, faction, purpose="conquista/roll-espionage", audience=only(faction)
    )
    if die < turn.options.espionage_target:
        turn.tell(
            event(
                "conquista/espionage-failed", only(faction), order.by, spy=faction, target=target, cost=cost
            )
        )
        turn.tell(event("conquista/spied-on", only(target), target=target, spy=faction))
        return None
    _learn(turn, order, cost)
    turn.tell(event("conquista/spied-on", only(target), target=target, spy=None))
    return None


def _learn(turn: Turn, order: Order, cost: int) -> None:
    """Cells, features, buildings, points and armies of the target, as they are at that moment."""
    state: State = turn.state
    target, spy_faction = order["faction"], state.factions[order.seat]
    cells = owned(state, target)
    spy_faction.known = tuple(sorted({*spy_faction.known, *cells}))
    base = state.factions[target].base
    seen = tuple(
        (key, one.feature, one.building or ("base" if key == base else None), one.fortification)
        for key in cells
        for one in (state.cells[key],)
    )
    armies = tuple(
        (key, army.cell, army.troops) for key, army in sorted(state.armies.items()) if army.owner == target
    )
    turn.tell(
        event(
            "conquista/espionage-succeeded",
            only(order.seat),
            order.by,
            spy=order.seat,
            target=target,
            cost=cost,
            cells=seen,
            armies=armies,
        )
    )


ACTS: dict[str, Callable[[Turn, Order], Impossible | None]] = {
    "produce": produce,
    "build": build,
    "fortify": fortify,
    "move": move,
    "split": split,
    "join": join,
    "transfer": transfer,
    "spy": spy,
    "invade": invade,
    "pass": wait,
}


def credit_production(turn: Turn) -> None:
    """PRODUCCIÓN: cells held without a break and joined to the base; each action pays again."""
    state: State = turn.state
    ledger = ledger_of(turn)
    for order in sorted(ledger.productions, key=lambda one: one.by):
        faction = state.factions[order.seat]
        cells = connected(faction.base, ledger.kept[order.seat], ledger.near)
        from_cells = len(cells) // turn.options.cells_per_supply
        manufactorums = sum(state.cells[key].feature == "manufactorum" for key in cells)
        supplies = from_cells + manufactorums * turn.options.manufactorum
        faction.supplies += supplies
        turn.tell(
            event(
                "conquista/produced",
                only(order.seat),
                order.by,
                faction=order.seat,
                cells=len(cells),
                from_cells=from_cells,
                manufactorums=manufactorums,
                supplies=supplies,
            )
        )


def finish_works(turn: Turn) -> None:
    """Buildings and fortifications begun this turn stand from now on; what was overrun is lost and paid."""
    state: State = turn.state
    ledger = ledger_of(turn)
    for cell, building in sorted(ledger.works.items()):
        owner = state.cells[cell].owner
        state.cells[cell].building = building
        if owner is not None:
            turn.tell(
                event("conquista/built", only(owner), faction=owner, cell=cell, building=building.value)
            )
    for cell, points in sorted(ledger.points.items()):
        one = state.cells[cell]
        one.fortification = min(turn.options.most_points, one.fortification + points)
        if one.owner is not None:
            turn.tell(
                event(
                    "conquista/fortified",
                    only(one.owner),
                    faction=one.owner,
                    cell=cell,
                    points=one.fortification,
                )
            )


def count_dominion(turn: Turn) -> None:
    """Fase final: cells plus the bonuses of fully held planets, and the actions of the next turn."""
    state: State = turn.state
    for key, faction in sorted(state.factions.items()):
        cells = len(owned(state, key))
        bonuses = sum(state.planets[planet].bonus for planet in full_planets(state, key))
        faction.dominion = cells + bonuses
        turn.tell(
            event(
                "conquista/dominion-counted",
                faction=key,
                cells=cells,
                bonuses=bonuses,
                dominion=faction.dominion,
            )
        )
        actions = actions_for(cells, turn.options)
        turn.tell(event("conquista/actions-counted", only(key), faction=key, actions=actions))


STEPS = (
    Step("open_ledger", open_ledger, "003: IMPORTANTE, lo que se tenía al empezar"),
    Step("rounds", play_rounds, "003: EJEMPLO DE TURNO, 1 - Acciones"),
    Step("production", credit_production, "003: PRODUCCIÓN"),
    Step("works", finish_works, "003: CONSTRUIR"),
    Step("dominion", count_dominion, "003: 3. Fase Final"),
)
