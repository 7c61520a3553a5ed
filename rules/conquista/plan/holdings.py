"""What a faction has while the lines of its block are read: armies, cells, supplies, actions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from rules.conquista.options import Options
from rules.conquista.plan.standing import PlannedArmy, Standing
from rules.conquista.state import (
    Building,
    State,
    actions_for,
    armies_of,
    free_army,
    name_of,
    neighbours,
    owned,
)
from rules.engine.diagnostics import Diagnostic, error, warning
from rules.engine.orders import Order
from rules.engine.plan import Plan
from rules.engine.view import View

_NAMED = re.compile(r"\b(?:como|as)\s+(E[0-9]{1,9})\b", re.IGNORECASE)
_SPLIT = re.compile(r"\s*(?:m|spl)\w+[^:]*:(.*)", re.IGNORECASE)
_RECRUITING = re.compile(r"\s*r\w+\s+[0-9]+\b", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;]|\b(?:y|and)\b", re.IGNORECASE)


@dataclass(slots=True)
class Holdings:
    """What changes from line to line.

    held: cells that are the faction's if all goes as ordered. cells: those that may be its own by then.
    entered: those that an army of its own may enter, so that what stands in them may be gone by then.
    spent: supplies. works, points: begun, by cell.
    """

    armies: dict[str, PlannedArmy]
    held: set[str]
    cells: set[str]
    entered: set[str] = field(default_factory=set)
    spent: int = 0
    works: dict[str, Building] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)

    def copy(self) -> Holdings:
        """A copy that changes on its own."""
        return Holdings(
            dict(self.armies),
            set(self.held),
            set(self.cells),
            set(self.entered),
            self.spent,
            dict(self.works),
            dict(self.points),
        )

    def widen(self, other: Holdings) -> None:
        """Take in what may also come true, though it isn't what is ordered first (`si no`)."""
        self.cells |= other.cells
        self.entered |= other.entered
        for key, army in other.armies.items():
            own = self.armies.get(key)
            if own is None:
                self.armies[key] = replace(army, likely=())
            else:
                most, possible = max(own.most, army.most), own.possible | army.possible
                self.armies[key] = replace(own, most=most, possible=possible)


@dataclass(frozen=True, slots=True)
class Cession:
    """A cession of the block. below: whether it is what `si no` names."""

    order: Order
    below: bool


class FactionPlan(Plan[State]):
    """Armies, supplies and works of a faction while the lines of its block are read."""

    def __init__(self, view: View[State]) -> None:
        super().__init__(view)
        self.state = view.state
        self.options: Options = view.options
        self.faction = self.state.factions[self.seat]
        self.near = neighbours(self.state.cells)
        self.own = own = owned(self.state, self.seat)
        armies = armies_of(self.state, self.seat)
        self.now = Holdings(
            {key: _as_it_stands(army.troops, army.cell) for key, army in armies.items()}, set(own), set(own)
        )
        self.actions = actions_for(len(self.now.cells), self.options)
        self.taken = 0
        self.productions = 0
        self.cessions: list[Cession] = []
        self.presumed: set[str] = set()
        self.names = set(self.now.armies)

    def cell_names(self, key: str) -> tuple[str, ...]:
        """Names of a cell: its own, and "33 de Corvus Majoris" as the original writes it."""
        planet, _, number = key.rpartition("-")
        shown = self.state.planets[planet].name
        long = (f"{number} de {shown}", f"{number} del planeta {shown}")
        name = self.state.cells[key].name
        return (name, *long) if name else long

    def refused(self, order: Order | None, text: str) -> None:
        """Army names that a refused split or recruiting would have made count as known below it."""
        wanted = [word.upper() for word in _NAMED.findall(text)]
        parts = _made_by(order, text)
        used = {*self.names, *wanted}
        for _ in range(parts - len(wanted)):
            wanted.append(self.free_name(used))
            used.add(wanted[-1])
        self.presumed.update(wanted)
        self.changed()

    def reserve(self, names: Iterable[str]) -> None:
        """Army ids that other lines have fixed."""
        self.names.update(names)

    def free_name(self, used: Iterable[str]) -> str:
        """The next id of the faction's block that isn't used."""
        return free_army(self.faction.block, frozenset(used))

    def target(self, faction: str) -> tuple[Diagnostic, ...]:
        """What is wrong with an order about another faction: it is out for good, or the lines take its last
        cells.
        """
        cells, shown = owned(self.state, faction), name_of(self.state, faction)
        if not cells:
            return (error("conquista/target-out", faction=shown),)
        return (warning("conquista/target-going", faction=shown),) if self.now.held.issuperset(cells) else ()

    def holds(self, faction: str, cell: str) -> bool:
        """Whether another faction holds a cell now and no line above takes it."""
        return self.state.cells[cell].owner == faction and cell not in self.now.held

    def enter(self, cells: Iterable[str], *, expected: bool) -> None:
        """Note cells that an army may occupy. expected: whether it does if all goes as ordered."""
        for cell in cells:
            self.now.cells.add(cell)
            self.now.entered.add(cell)
            if expected:
                self.now.held.add(cell)

    def pay(self, cost: int, least: int | None = None, *, expected: bool = True) -> tuple[Diagnostic, ...]:
        """Costs are paid from what was held at the start of the turn, earlier lines first.

        least: what it may come to cost in the best case, None for the same. expected: whether the order
        happens if all goes as ordered; nothing is spent by one that is going to be cancelled.
        """
        supplies, before = self.faction.supplies, self.now.spent
        if (cost if least is None else least) > supplies:
            return (error("conquista/too-dear", cost=cost, supplies=supplies),)
        if expected and before + cost > supplies:
            return (warning("conquista/overspent", spent=before + cost, before=before, supplies=supplies),)
        self.now.spent += cost if expected else 0
        return ()

    @property
    def left(self) -> int:
        """Supplies left after the lines so far, from 0."""
        return self.faction.supplies - self.now.spent


def _as_it_stands(troops: int, cell: str) -> PlannedArmy:
    one = Standing(cell)
    return PlannedArmy(troops, troops, (one,), frozenset((one,)))


def _made_by(order: Order | None, text: str) -> int:
    """How many armies with names a refused line would have made: parts of a split, recruits."""
    if order is not None:
        return len(order["parts"]) if order.name == "split" else int(order.name == "recruit")
    if _RECRUITING.match(text):
        return 1
    split = _SPLIT.match(text)
    return len([part for part in _BETWEEN.split(split[1]) if part.strip()]) if split else 0
