"""Big games of `conquista`, made up by numbers alone: equal sizes and seed give the equal game.

Planets are squares of 100 cells; each faction holds a run of cells over the border of two planets, so that
it has neighbours on both sides. Every fifth cell or so is nobody's.
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from rules.conquista.options import Options
from rules.conquista.state import Army, Cell, Faction, Feature, Planet, State, free_army

PLANET_CELLS = 100
SUPPLIES = 400
ARMIES_PER_CELL = 0.7
"""Armies of a faction for each cell of its share: they don't grow with the orders, which give no army two."""


@dataclass(frozen=True, slots=True)
class Size:
    """How big a game is. orders: of all factions together; seed: of everything that is made up."""

    factions: int
    cells: int
    orders: int
    seed: int = 1

    @property
    def each(self) -> int:
        """Orders of one faction."""
        return self.orders // self.factions


def make_options(size: Size) -> Options:
    """Options with an actions table that allows each faction its orders."""
    return Options(actions=(0, size.each))


def make_state(size: Size) -> State:
    """The game's state before the turn."""
    chance = Random(size.seed)  # noqa: S311 - a game to measure, nothing to guess
    ids = [_cell_id(at) for at in range(size.cells)]
    cells = {key: Cell(adjacent=tuple(_behind(ids, at))) for at, key in enumerate(ids)}
    codes = dict.fromkeys(key.rpartition("-")[0] for key in ids)
    state = State(
        planets={code: Planet(f"Planeta {code.title()}", 5) for code in codes}, cells=cells, factions={}
    )
    share = size.cells // size.factions
    for number in range(size.factions):
        own = [ids[(number * share + at - PLANET_CELLS // 2) % size.cells] for at in range(share)]
        _settle(state, f"Liga{_letters(number, 2)}", number + 1, own, chance)
    for key in state.factions:
        _muster(state, key, round(share * ARMIES_PER_CELL), chance)
    return state


def _letters(number: int, count: int) -> str:
    letters = ""
    for _ in range(count):
        number, rest = divmod(number, 26)
        letters = string.ascii_lowercase[rest] + letters
    return letters


def _cell_id(at: int) -> str:
    planet, number = divmod(at, PLANET_CELLS)
    return f"P{_letters(planet, 2).upper()}-{number + 1}"


def _behind(ids: list[str], at: int) -> Iterator[str]:
    """Neighbours that a cell names: to its right and below, and the next planet's from the last row."""
    within = at % PLANET_CELLS
    if within % 10 != 9:
        yield from ids[at + 1 : at + 2]
    yield from ids[at + 10 : at + 11]


def _settle(state: State, key: str, block: int, own: list[str], chance: Random) -> None:
    """A faction with its base in the middle of its cells; some of them stay nobody's."""
    base = own[len(own) // 2]
    state.factions[key] = Faction(supplies=SUPPLIES, base=base, block=block, dominion=len(own))
    for cell in own:
        one = state.cells[cell]
        if cell == base or chance.random() < 0.8:
            one.owner = key
            one.feature = Feature.MANUFACTORUM if chance.random() < 0.05 else None
            one.fortification = int(chance.random() < 0.1)


def _muster(state: State, key: str, count: int, chance: Random) -> None:
    """Armies of 4 to 9 troops; every third stands at a border if there is room."""
    own = [cell for cell, one in state.cells.items() if one.owner == key]
    edge = [cell for cell in own if any(_foreign(state, other, key) for other in state.cells[cell].adjacent)]
    used: set[str] = set()
    for number in range(count):
        places = edge if edge and number % 3 == 0 else own
        name = free_army(state.factions[key].block, used)
        used.add(name)
        cell = places[int(chance.random() * len(places))]
        state.armies[name] = Army(key, cell, 4 + int(chance.random() * 6))


def _foreign(state: State, cell: str, key: str) -> bool:
    return state.cells[cell].owner not in (None, key)
