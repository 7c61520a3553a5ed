"""What a faction has while the lines of its block are read: armies, cells, supplies, actions.

Only what no outcome of earlier rounds could make possible is refused; everything else is accepted,
with a warning where it looks hopeless. So an army has places where it may be, not one place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rules.conquista.options import Options
from rules.conquista.state import (
    Building,
    State,
    actions_for,
    armies_of,
    free_army,
    neighbours,
    owned,
)
from rules.engine.diagnostics import Diagnostic, error, warning
from rules.engine.orders import Order
from rules.engine.plan import Plan
from rules.engine.view import View

_NAMED = re.compile(r"\bcomo\s+(E[0-9]{1,6})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PlannedArmy:
    """An own army as the block has it so far.

    cell, troops: if everything goes as ordered. places: every cell where it may be by then.
    moved: whether it has moved. part: split off this turn, `entered` once such a part has entered its cell.
    joined: received troops, so that it can neither move nor attack for the rest of the turn.
    """

    cell: str
    troops: int
    places: frozenset[str]
    moved: bool = False
    part: bool = False
    entered: bool = False
    joined: bool = False


class FactionPlan(Plan[State]):
    """Armies, supplies and works of a faction while the lines of its block are read."""

    def __init__(self, view: View[State]) -> None:
        super().__init__(view)
        self.state = view.state
        self.options: Options = view.options
        self.near = neighbours(self.state.cells)
        self.armies = {
            key: PlannedArmy(army.cell, army.troops, frozenset((army.cell,)))
            for key, army in armies_of(self.state, self.seat).items()
        }
        self.cells = set(owned(self.state, self.seat))
        self.presumed: set[str] = set()
        self.supplies = self.state.factions[self.seat].supplies
        self.spent = 0
        self.actions = actions_for(len(self.cells), self.options)
        self.taken = 0
        self.works: dict[str, Building] = {}
        self.points: dict[str, int] = {}

    def cell_names(self, key: str) -> tuple[str, ...]:
        """Names of a cell: its own, and "33 de Corvus Majoris" as the original writes it."""
        planet, _, number = key.rpartition("-")
        known = self.state.planets.get(planet)
        long = (f"{number} de {known.name}", f"{number} del planeta {known.name}") if known else ()
        name = self.state.cells[key].name
        return (name, *long) if name else long

    def refused(self, order: Order | None, text: str) -> None:
        """Army names that a refused split would have made count as known below it."""
        wanted = [word.upper() for word in _NAMED.findall(text)]
        if order is not None and order.name == "split":
            used = {*self.armies, *wanted}
            for _ in range(len(order["parts"]) - len(wanted)):
                wanted.append(free_army(self.state.factions[self.seat].block, used))
                used.add(wanted[-1])
        self.presumed.update(key for key in wanted if key not in self.armies)
        self.changed()

    def pay(self, cost: int) -> tuple[Diagnostic, ...]:
        """Costs are paid from what was held at the start of the turn, earlier lines first."""
        if cost > self.supplies:
            return (error("conquista/too-dear", cost=cost, supplies=self.supplies),)
        self.spent += cost
        if self.spent > self.supplies:
            return (warning("conquista/overspent", spent=self.spent, supplies=self.supplies),)
        return ()

    @property
    def left(self) -> int:
        """Supplies left after the lines so far, from 0."""
        return max(0, self.supplies - self.spent)
