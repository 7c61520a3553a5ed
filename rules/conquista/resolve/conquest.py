"""Entering a cell: nobody's is occupied, an enemy's empty one is conquered (MOVER, CONSTRUIR)."""

from __future__ import annotations

from rules.conquista.resolve.exploration import explore
from rules.conquista.resolve.ledger import holds_any, ledger_of, note_arrival
from rules.conquista.state import State
from rules.engine.audience import PUBLIC, only
from rules.engine.events import event
from rules.engine.orders import Order
from rules.engine.turn import Turn


def enter(turn: Turn, order: Order, key: str, cell: str) -> None:
    """MOVER: an army goes into a cell, which is its faction's from now on."""
    state: State = turn.state
    state.armies[key].cell = cell
    note_arrival(turn, key, cell)
    ledger_of(turn).entered.add(key)
    one, seat = state.cells[cell], order.seat
    before = one.owner
    if before == seat:
        return
    one.owner = seat
    taken = "conquista/cell-conquered" if before is not None else "conquista/cell-occupied"
    turn.tell(event(taken, PUBLIC, order.by, faction=seat, cell=cell, loser=before))
    if before is not None:
        _lose(turn, cell, before)
    explore(turn, order, cell)


def _lose(turn: Turn, cell: str, before: str) -> None:
    """CONSTRUIR: building and unfinished works are lost, one fortification point goes; a base falls."""
    state: State = turn.state
    one, loser = state.cells[cell], state.factions[before]
    ledger_of(turn).kept[before].discard(cell)
    _lose_works(turn, cell, before)
    one.fortification = max(0, one.fortification - 1)
    if one.feature is not None:
        loser.known = tuple(sorted({*loser.known, cell}))
    if loser.base == cell:
        loser.base = None
        turn.tell(event("conquista/base-lost", only(before), faction=before, cell=cell))
    if not holds_any(turn, before):
        turn.tell(event("conquista/faction-out", PUBLIC, faction=before))


def _lose_works(turn: Turn, cell: str, before: str) -> None:
    """The building is blown up; what was begun this turn is lost and stays paid."""
    one = turn.state.cells[cell]
    begun, points = ledger_of(turn).works.pop(cell, None), ledger_of(turn).points.pop(cell, 0)
    lost = one.building or begun
    if lost is not None:
        told = event(
            "conquista/building-lost",
            only(before),
            faction=before,
            cell=cell,
            building=lost.value,
            unfinished=int(one.building is None),
        )
        turn.tell(told)
    if points:
        turn.tell(event("conquista/points-lost", only(before), faction=before, cell=cell, points=points))
    one.building = None
