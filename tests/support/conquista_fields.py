"""Each field of a game's state by who may know it, and how another value of a secret one is made.

A new field stands nowhere here, so that tests fail until somebody has decided.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from rules.conquista.state import Army, Building, Cell, Faction, Feature, Odds, Planet, State

Field = tuple[type[Any], str]

PUBLIC: frozenset[Field] = frozenset(
    (owner, name)
    for owner, names in {
        State: "planets cells factions exploration",
        Planet: "name bonus exploration",
        Odds: "manufactorum colmena nada",
        Cell: "owner adjacent name at charted",
        Faction: "block dominion dominions shown article gender plural",
    }.items()
    for name in names.split()
)
"""Fields that everybody sees, of everything."""


def change_secrets(random: Random, state: State, seat: str) -> set[Field]:
    """Give every secret field of what isn't a seat's another value where it can; which have changed."""
    before = {(id(one), name): getattr(one, name) for one, name in _things(state)}
    for change in SECRET.values():
        change(random, state, seat)
    gone = {(State, "armies"), *((Army, one.name) for one in dataclasses.fields(Army))}
    changed = {
        (type(one), name)
        for one, name in _things(state)
        if (id(one), name) in before and before[id(one), name] != getattr(one, name)
    }
    return changed | (gone if (State, "armies") in changed else set())


def _things(state: State) -> Iterator[tuple[Any, str]]:
    for table in (state.planets, state.cells, state.factions):
        for one in table.values():
            yield from ((one, field.name) for field in dataclasses.fields(one))
    yield from ((state, field.name) for field in dataclasses.fields(state))


def _cells(state: State, seat: str) -> Iterator[tuple[str, Cell]]:
    """Cells of which a seat doesn't know what they hold; in what nobody owns nothing is built."""
    known = state.factions[seat].known
    for key, cell in state.cells.items():
        if cell.owner != seat and key not in known and not cell.charted:
            yield key, cell


def _owned(state: State, seat: str) -> Iterator[Cell]:
    bases = {faction.base for faction in state.factions.values()}
    for key, cell in state.cells.items():
        if cell.owner not in (None, seat) and key not in bases:
            yield cell


def _features(random: Random, state: State, seat: str) -> None:
    for _, cell in _cells(state, seat):
        cell.feature = None if cell.unexplored else random.choice((None, *Feature))


def _unexplored(random: Random, state: State, seat: str) -> None:
    learnt = {cell for faction in state.factions.values() for cell in faction.known}
    for key, cell in _cells(state, seat):
        if cell.owner is None and key not in learnt:
            cell.unexplored = random.random() < 0.5
            cell.feature = None if cell.unexplored else cell.feature


def _buildings(random: Random, state: State, seat: str) -> None:
    for cell in _owned(state, seat):
        cell.building = random.choice((None, *Building))


def _points(random: Random, state: State, seat: str) -> None:
    for cell in _owned(state, seat):
        cell.fortification = random.randint(0, 3)


def _others(state: State, seat: str) -> Iterator[tuple[str, Faction]]:
    return ((key, one) for key, one in state.factions.items() if key != seat)


def _supplies(random: Random, state: State, seat: str) -> None:
    for _, faction in _others(state, seat):
        faction.supplies = random.randint(0, 20)


def _bases(random: Random, state: State, seat: str) -> None:
    for key, faction in _others(state, seat):
        own = [one for one, cell in state.cells.items() if cell.owner == key and cell.building is None]
        faction.base = random.choice((None, *own))


def _known(random: Random, state: State, seat: str) -> None:
    explored = sorted(key for key, cell in state.cells.items() if not cell.unexplored)
    for _, faction in _others(state, seat):
        faction.known = tuple(random.sample(explored, min(2, len(explored))))


def _armies(random: Random, state: State, seat: str) -> None:
    """Foreign armies go, or stand elsewhere with other troops: nothing of them is known."""
    armies = {key: one for key, one in state.armies.items() if one.owner == seat}
    for key, one in state.armies.items():
        own = [cell for cell, held in state.cells.items() if held.owner == one.owner]
        if key not in armies and random.random() < 0.5:
            armies[key] = Army(one.owner, random.choice(own), random.randint(1, 9))
    state.armies = armies


SECRET: Mapping[Field, Callable[[Random, State, str], None]] = {
    (Cell, "unexplored"): _unexplored,
    (Cell, "feature"): _features,
    (Cell, "building"): _buildings,
    (Cell, "fortification"): _points,
    (Faction, "supplies"): _supplies,
    (Faction, "base"): _bases,
    (Faction, "known"): _known,
    (State, "armies"): _armies,
    (Army, "owner"): _armies,
    (Army, "cell"): _armies,
    (Army, "troops"): _armies,
}
"""Fields that only some know, each with what gives another value to those that a seat can't see."""


def fields_of(cls: type[Any]) -> Iterator[Field]:
    """Every field of a dataclass and of all dataclasses inside it."""
    for name, hint in typing.get_type_hints(cls).items():
        yield cls, name
        for inner in (hint, *typing.get_args(hint)):
            if dataclasses.is_dataclass(inner) and isinstance(inner, type):
                yield from fields_of(inner)
