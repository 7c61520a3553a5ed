"""What lives for one turn only: what was held at its start, works begun, and which armies have acted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rules.conquista.state import (
    Army,
    Building,
    State,
    by_number,
    count_bonuses,
    free_army,
    neighbours,
    owned,
)
from rules.engine.messages import Code, Message, msg
from rules.engine.orders import Order
from rules.engine.turn import Impossible, Turn


@dataclass(slots=True)
class Ledger:
    """Marks of one turn.

    near: adjacency. start: by faction, cells held at the start of the turn. kept: those of them that it has
    held since without a break. points_at_start: finished fortification points by cell.
    names: ids of armies that orders of this turn may make.
    works, points: begun this turn, by cell. productions: orders to be credited at the end.
    cessions: those that `si no` of an action has come to; they wait for the end like all cessions.
    entered: armies that have entered a cell. parts: split off this turn. receivers: have received troops.
    stood: by cell, armies that have stood in it at some moment of the turn, wherever they are now.
    """

    near: dict[str, frozenset[str]]
    start: dict[str, frozenset[str]]
    kept: dict[str, set[str]]
    points_at_start: dict[str, int]
    names: frozenset[str]
    works: dict[str, Building] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)
    productions: list[Order] = field(default_factory=list)
    cessions: list[Order] = field(default_factory=list)
    entered: set[str] = field(default_factory=set)
    parts: set[str] = field(default_factory=set)
    receivers: set[str] = field(default_factory=set)
    stood: dict[str, set[str]] = field(default_factory=dict)


def open_ledger(turn: Turn) -> None:
    """Note what the end of the turn compares with (IMPORTANTE: results come at the end)."""
    state: State = turn.state
    kept: dict[str, set[str]] = {faction: set() for faction in state.factions}
    for key, cell in state.cells.items():
        if cell.owner is not None:
            kept[cell.owner].add(key)
    bonuses = count_bonuses(state)
    for key, faction in state.factions.items():
        faction.dominions = faction.dominions or (len(kept[key]) + bonuses[key],)
    turn.scratch["ledger"] = Ledger(
        near=neighbours(state.cells),
        start={faction: frozenset(cells) for faction, cells in kept.items()},
        kept=kept,
        points_at_start={key: cell.fortification for key, cell in state.cells.items()},
        names=frozenset(_assigned(turn)),
    )
    for key, army in state.armies.items():
        note_arrival(turn, key, army.cell)


def _assigned(turn: Turn) -> Iterator[str]:
    for orders in turn.orders.values():
        for first in orders:
            order: Order | None = first
            while order is not None:
                yield from order.assigned.values()
                order = order.otherwise


def ledger_of(turn: Turn) -> Ledger:
    """The turn's ledger."""
    ledger: Ledger = turn.scratch["ledger"]
    return ledger


def held_since_start(turn: Turn, seat: str) -> frozenset[str]:
    """Cells held from the start of the turn: without a break, or (option `unbroken`) then and now."""
    ledger = ledger_of(turn)
    if turn.options.unbroken:
        return frozenset(ledger.kept[seat])
    return ledger.start[seat].intersection(owned(turn.state, seat))


def finished_points(turn: Turn, cell: str) -> int:
    """Fortification points of a cell that were finished at the start of the turn and are still there."""
    state: State = turn.state
    return min(ledger_of(turn).points_at_start[cell], state.cells[cell].fortification)


def holds_any(turn: Turn, faction: str) -> bool:
    """Whether a faction still has cells; one that has kept any since the start needs no look at the map."""
    return bool(ledger_of(turn).kept[faction] or owned(turn.state, faction))


def station(turn: Turn, key: str, army: Army) -> None:
    """A new army, in the cell that it names. All new armies come by here, so that `others_in` finds them."""
    turn.state.armies[key] = army
    note_arrival(turn, key, army.cell)


def note_arrival(turn: Turn, key: str, cell: str) -> None:
    """An army stands in a cell from now on."""
    ledger_of(turn).stood.setdefault(cell, set()).add(key)


def others_in(turn: Turn, cell: str, seat: str) -> dict[str, Army]:
    """Armies of somebody else in a cell, in the order of their numbers: entering it is an invasion then."""
    armies: dict[str, Army] = turn.state.armies
    stood = sorted(ledger_of(turn).stood.get(cell, ()), key=by_number)
    there = ((key, army) for key in stood if (army := armies.get(key)) is not None and army.cell == cell)
    return {key: army for key, army in there if army.owner != seat}


def hindrance(turn: Turn, key: str) -> Message | None:
    """Why an army can neither move nor attack for the rest of the turn, None where it can (MOVER)."""
    ledger = ledger_of(turn)
    if key in ledger.receivers:
        return msg("conquista/receiver-stays", army=Code(key))
    if key in ledger.parts and key in ledger.entered:
        return msg("conquista/part-has-moved", army=Code(key))
    return None


def new_name(turn: Turn, faction: str) -> str:
    """An id for an army that no order has named: no army's in this turn, and of no other order of it."""
    state: State = turn.state
    used = ledger_of(turn).names.union(*ledger_of(turn).stood.values())
    return free_army(state.factions[faction].block, used)


def cant_pay(turn: Turn, order: Order, cost: int) -> Impossible | None:
    """What can't be paid in full out of what is held at this moment is cancelled whole."""
    supplies = turn.state.factions[order.seat].supplies
    return Impossible(msg("conquista/cant-pay", cost=cost, supplies=supplies)) if supplies < cost else None


def dice_cost(order: Order, costs: tuple[int, ...]) -> int | Impossible:
    """What the dice of an order cost; more than the table has can only come from a director's force."""
    dice = int(order["dice"])
    if dice > len(costs):
        return Impossible(msg("conquista/too-many-dice", dice=dice, most=len(costs), costs=costs))
    return costs[dice - 1]


def pay(turn: Turn, order: Order, cost: int) -> Impossible | None:
    """Take supplies from what is held at this moment, if there are as many."""
    unpaid = cant_pay(turn, order, cost)
    if unpaid is None:
        turn.state.factions[order.seat].supplies -= cost
    return unpaid
