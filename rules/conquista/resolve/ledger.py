"""What lives for one turn only: links held without a break, works, and which armies have acted."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.conquista.state import Building, State, neighbours
from rules.engine.audience import PUBLIC, only
from rules.engine.events import event
from rules.engine.messages import msg
from rules.engine.orders import Order
from rules.engine.turn import Impossible, Turn


@dataclass(slots=True)
class Ledger:
    """Marks of one turn.

    near: adjacency. kept: by faction, cells held since the start of the turn without a break.
    points_at_start: finished fortification points by cell. works, points: begun this turn, by cell.
    moved: armies that have moved. parts: split off this turn. entered: parts that have used their step.
    receivers: armies that have received troops. productions: orders to be credited at the end.
    """

    near: dict[str, frozenset[str]]
    kept: dict[str, set[str]]
    points_at_start: dict[str, int]
    works: dict[str, Building] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)
    moved: set[str] = field(default_factory=set)
    parts: set[str] = field(default_factory=set)
    entered: set[str] = field(default_factory=set)
    receivers: set[str] = field(default_factory=set)
    productions: list[Order] = field(default_factory=list)

    @classmethod
    def of(cls, state: State) -> Ledger:
        """The ledger at the start of a turn."""
        kept: dict[str, set[str]] = {faction: set() for faction in state.factions}
        for key, cell in state.cells.items():
            if cell.owner is not None:
                kept[cell.owner].add(key)
        points = {key: cell.fortification for key, cell in state.cells.items()}
        return cls(neighbours(state.cells), kept, points)


def ledger_of(turn: Turn) -> Ledger:
    """The turn's ledger."""
    ledger: Ledger = turn.scratch["ledger"]
    return ledger


def pay(turn: Turn, order: Order, cost: int) -> Impossible | None:
    """Take supplies from what is held at this moment; what can't be paid in full is cancelled whole."""
    faction = turn.state.factions[order.seat]
    if faction.supplies < cost:
        return Impossible(msg("conquista/cant-pay", cost=cost, supplies=faction.supplies))
    faction.supplies -= cost
    return None


def enter(turn: Turn, order: Order, cell: str) -> None:
    """MOVER: an army occupies what it enters; an enemy's empty cell is conquered."""
    state: State = turn.state
    ledger = ledger_of(turn)
    one, seat = state.cells[cell], order.seat
    before = one.owner
    if before == seat:
        return
    one.owner = seat
    if before is not None:
        _lose(turn, cell, before)
    ledger.works.pop(cell, None)
    ledger.points.pop(cell, None)
    taken = "conquista/cell-conquered" if before is not None else "conquista/cell-occupied"
    turn.tell(event(taken, PUBLIC, order.by, faction=seat, cell=cell, loser=before))
    if one.feature is not None and cell not in state.factions[seat].known:
        state.factions[seat].known = tuple(sorted((*state.factions[seat].known, cell)))
        turn.tell(
            event(
                "conquista/feature-found",
                only(seat),
                order.by,
                faction=seat,
                cell=cell,
                feature=one.feature.value,
            )
        )


def _lose(turn: Turn, cell: str, before: str) -> None:
    """CONSTRUIR: the building is blown up, one fortification point goes; a base is lost with its cell."""
    state: State = turn.state
    ledger = ledger_of(turn)
    one, loser = state.cells[cell], state.factions[before]
    ledger.kept[before].discard(cell)
    work = ledger.works.get(cell)
    if one.building is not None or work is not None:
        lost = one.building or work
        turn.tell(
            event(
                "conquista/building-lost",
                only(before),
                faction=before,
                cell=cell,
                building=lost.value if lost else "",
                unfinished=int(one.building is None),
            )
        )
    one.building = None
    one.fortification = max(0, one.fortification - 1)
    if one.feature is not None:
        loser.known = tuple(sorted({*loser.known, cell}))
    if loser.base == cell:
        loser.base = None
        turn.tell(event("conquista/base-lost", only(before), faction=before, cell=cell))
    if not any(other.owner == before for other in state.cells.values()):
        turn.tell(event("conquista/faction-out", faction=before))
