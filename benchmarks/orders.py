"""Blocks of orders for a made-up game: every kind of order, each one a line that its faction may give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random

from benchmarks.worlds import Size
from rules.conquista.state import State, neighbours

Write = Callable[["_Faction"], str | None]


def write_blocks(state: State, size: Size) -> Mapping[str, tuple[str, ...]]:
    """The order lines of each faction, as many as it has actions."""
    near = neighbours(state.cells)
    return {key: tuple(_write(state, near, key, size)) for key in state.factions}


@dataclass(slots=True)
class _Faction:
    """A faction while its block is written. cells, armies: those without orders so far, its base apart."""

    key: str
    state: State
    near: Mapping[str, frozenset[str]]
    chance: Random
    cells: list[str]
    armies: list[str]

    def pick(self, things: list[str]) -> str:
        """One of the things."""
        return things[int(self.chance.random() * len(things))]

    def ways(self, cell: str) -> list[str]:
        """Neighbours of a cell in which no army of somebody else is known to stand."""
        return sorted(one for one in self.near[cell] if self.state.cells[one].owner in (None, self.key))


def _write(state: State, near: Mapping[str, frozenset[str]], key: str, size: Size) -> Iterator[str]:
    chance = Random(f"{size.seed}/{key}")  # noqa: S311 - a game to measure, nothing to guess
    armies = sorted(name for name, army in state.armies.items() if army.owner == key)
    base = state.factions[key].base
    cells = [cell for cell, one in state.cells.items() if one.owner == key and cell != base]
    one = _Faction(key, state, near, chance, cells, armies)
    for number in range(size.each):
        yield WRITERS[number % len(WRITERS)](one) or _move(one) or "producir"


def _produce(one: _Faction) -> str | None:
    return "producir"


def _build(one: _Faction) -> str | None:
    cell = one.cells.pop(int(one.chance.random() * len(one.cells))) if one.cells else None
    return f"construir puesto avanzado en {cell}" if cell else None


def _fortify(one: _Faction) -> str | None:
    cell = one.cells.pop(int(one.chance.random() * len(one.cells))) if one.cells else None
    return f"fortificar {cell} {1 + int(one.chance.random() * 2)}" if cell else None


def _move(one: _Faction) -> str | None:
    if not one.armies:
        return None
    army = one.armies.pop()
    first = one.ways(one.state.armies[army].cell)
    if not first:
        return None
    step = one.pick(first)
    second = one.ways(step)
    further = f", {one.pick(second)}" if second and one.chance.random() < 0.5 else ""
    return f"mover {army} a {step}{further}"


def _split(one: _Faction) -> str | None:
    if not one.armies:
        return None
    army = one.armies.pop()
    ways = one.ways(one.state.armies[army].cell)
    parts = ", ".join(f"1 a {way}" for way in ways[:3])
    return f"mover {army}: {parts}" if len(ways) > 1 else None


def _invade(one: _Faction) -> str | None:
    """An army beside somebody else's cells against one of those."""
    for place, army in enumerate(one.armies):
        near = sorted(one.near[one.state.armies[army].cell])
        foreign = [cell for cell in near if one.state.cells[cell].owner not in (None, one.key)]
        if foreign:
            del one.armies[place]
            return f"invadir {one.pick(foreign)} con {army}"
    return None


def _spy(one: _Faction) -> str | None:
    others = sorted(key for key in one.state.factions if key != one.key)
    return f"espiar {one.pick(others)}" if others else None


def _join(one: _Faction) -> str | None:
    """Two armies, as a rule apart: it happens only where they stand together."""
    if len(one.armies) < 2:
        return None
    return f"unir {one.armies.pop()} con {one.armies.pop()}"


def _transfer(one: _Faction) -> str | None:
    if len(one.armies) < 2:
        return None
    return f"traspasar 1 de {one.armies.pop()} a {one.armies.pop()}"


def _recruit(one: _Faction) -> str | None:
    base = one.state.factions[one.key].base
    return f"reclutar {1 + int(one.chance.random() * 4)} en {base}" if base else None


def _sabotage(one: _Faction) -> str | None:
    spied = _spy(one)
    return f"sabotear {spied.split()[1]} con {1 + int(one.chance.random() * 3)}" if spied else None


def _bombard(one: _Faction) -> str | None:
    """A cell at most two steps away from an army, be somebody there or not."""
    if not one.armies:
        return None
    army = one.pick(one.armies)
    aim = one.pick(sorted(one.near[one.pick(sorted(one.near[one.state.armies[army].cell]))]))
    return f"bombardear {aim} con 1 desde {army}"


def _cede(one: _Faction) -> str | None:
    """A cell for somebody else; it takes no action."""
    spied = _spy(one)
    cell = one.cells.pop() if one.cells else None
    return f"ceder {cell} a {spied.split()[1]}" if spied and cell else None


WRITERS: tuple[Write, ...] = (
    _produce, _move, _invade, _build, _recruit, _spy, _split, _invade, _fortify, _move,
    _bombard, _move, _split, _build, _sabotage, _invade, _join, _fortify, _move, _split,
    _cede, _invade, _transfer, _spy, _move,
)  # fmt: skip
"""What a faction writes one after the other; where something doesn't fit, it moves an army or produces."""
