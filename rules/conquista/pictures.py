"""Maps of the planets, and dominion over the turns: data of what the viewer can see and of nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from itertools import count, groupby

from rules.conquista.state import (
    BASE,
    Army,
    Building,
    Cell,
    Feature,
    State,
    by_cell,
    by_number,
    name_of,
    neighbours_of,
    planet_of,
)
from rules.engine.document import Align, Picture, Table
from rules.engine.drawing import Chart, Map, Node, Side, Sign
from rules.engine.messages import Message, msg
from rules.engine.view import View

SIGNS: Mapping[str, Sign] = {
    BASE: Sign.STAR,
    Building.OUTPOST: Sign.TOWER,
    Building.SHIELD: Sign.SHIELD,
    Feature.MANUFACTORUM: Sign.WHEEL,
    Feature.HIVE: Sign.HOUSE,
}
"""How what stands in a cell is drawn."""

LARGEST_MAP = 300
"""Cells of a planet up to which a picture of it can be read; larger ones are told by the table alone."""
LONGEST_MARK = 3


def draw_planets(view: View[State]) -> tuple[Picture, ...]:
    """A map of each planet; for a faction only those where it has cells or armies, or knows what lies."""
    state = view.state
    planets = set(state.planets)
    if view.viewer in state.factions:
        planets = set(map(planet_of, _places_of(state, view.viewer)))
    cells = {key: keys for key, keys in _by_planet(state, planets).items() if len(keys) <= LARGEST_MAP}
    near = neighbours_of(state.cells, (key for keys in cells.values() for key in keys))
    sides, armies = sides_of(state), _by_place(state)
    return tuple(
        _draw_planet(state, planet, cells[planet], sides, (near, armies)) for planet in sorted(cells)
    )


def _by_planet(state: State, planets: Container[str]) -> dict[str, list[str]]:
    """Cells of some planets, of each that has any, in the order of their numbers."""
    found: dict[str, list[str]] = {}
    for key in state.cells:
        planet = planet_of(key)
        if planet in planets:
            found.setdefault(planet, []).append(key)
    return {planet: sorted(found[planet], key=by_cell) for planet in sorted(found)}


def _by_place(state: State) -> dict[str, dict[str, Army]]:
    """Armies by cell, in each in the order of their numbers."""
    found: dict[str, dict[str, Army]] = {}
    for key in sorted(state.armies, key=by_number):
        found.setdefault(state.armies[key].cell, {})[key] = state.armies[key]
    return found


def _places_of(state: State, seat: str) -> Iterable[str]:
    yield from (key for key, cell in state.cells.items() if cell.owner == seat)
    yield from (army.cell for army in state.armies.values() if army.owner == seat)
    yield from state.factions[seat].known


def _draw_planet(
    state: State,
    planet: str,
    keys: list[str],
    sides: tuple[Side, ...],
    known: tuple[Mapping[str, set[str]], Mapping[str, Mapping[str, Army]]],
) -> Picture:
    """known: neighbours and armies, both by cell."""
    (near, armies), within = known, frozenset(keys)
    places = {seat: place for place, seat in enumerate(sorted(state.factions))}
    bases = {faction.base for faction in state.factions.values()}
    nodes = tuple(_node(state.cells[key], key, places, key in bases, armies.get(key, {})) for key in keys)
    shown = {sign for node in nodes for sign, _ in node.signs}
    drawing = Map(
        nodes,
        tuple((key, other) for key in keys for other in sorted(near[key] & within) if key < other),
        tuple((key, other) for key in keys for other in sorted(near[key] - within, key=by_cell)),
        sides,
        msg("conquista/map-nobody"),
        tuple((sign, meaning) for sign, meaning in _meanings() if sign in shown),
    )
    name = state.planets[planet].name
    title = msg("conquista/map-title", planet=name, code=planet, bonus=state.planets[planet].bonus)
    return Picture(f"map-{planet}", title, _say_planet(state, planet, keys), drawing, told=True)


def _meanings() -> Iterable[tuple[Sign, Message]]:
    yield from ((sign, msg("conquista/map-sign", sign=sign.value)) for sign in (*SIGNS.values(), Sign.WALL))


def _node(cell: Cell, key: str, places: Mapping[str, int], base: bool, armies: Mapping[str, Army]) -> Node:
    notes = tuple(msg("conquista/map-army", army=army, troops=one.troops) for army, one in armies.items())
    side = places[cell.owner] if cell.owner is not None else None
    at = (cell.at[0], cell.at[1]) if cell.at is not None and len(cell.at) == 2 else None
    return Node(key, side, tuple(_signs(cell, base)), notes, at)


def _signs(cell: Cell, base: bool) -> Iterable[tuple[Sign, int]]:
    if base:
        yield Sign.STAR, 0
    if cell.building is not None:
        yield SIGNS[cell.building], 0
    if cell.feature is not None:
        yield SIGNS[cell.feature], 0
    if cell.fortification:
        yield Sign.WALL, cell.fortification


def _say_planet(state: State, planet: str, keys: list[str]) -> Message:
    """Who holds how much of a planet."""
    holders = Counter(state.cells[key].owner for key in keys)
    held = tuple(
        msg("conquista/map-held", faction=name_of(state, seat), cells=holders[seat])
        for seat in sorted(key for key in holders if key is not None)
    )
    name, free = state.planets[planet].name, holders[None]
    return msg("conquista/map-alternative", planet=name, cells=len(keys), held=held, free=free)


def sides_of(state: State) -> tuple[Side, ...]:
    """All factions with the letters that tell them apart without colour, sorted by id."""
    keys = sorted(state.factions)
    marks = _marks(keys)
    return tuple(Side(marks[key], msg("conquista/cell-faction", faction=name_of(state, key))) for key in keys)


def _marks(keys: list[str]) -> dict[str, str]:
    """The shortest beginning of each id that no other has, up to three letters; else its number."""
    letters = {key: "".join(filter(str.isalnum, key)).upper() for key in keys}
    lengths = range(1, LONGEST_MARK + 1)
    starts = Counter(word[:length] for word in letters.values() for length in lengths if length <= len(word))
    alone = {key: [word[:n] for n in lengths if starts[word[:n]] == 1] for key, word in letters.items()}
    marks = {key: found[0] for key, found in alone.items() if found}
    numbers = (str(number) for number in count(1) if str(number) not in marks.values())
    return {key: marks.get(key) or next(numbers) for key in keys}


def list_owners(state: State) -> Table:
    """Which cells of each planet are whose, as text: rows by planet and owner, those of nobody last."""
    rows = tuple(
        (
            msg("conquista/cell-planet", planet=state.planets[planet].name, code=planet),
            _owner(state, seat),
            msg("conquista/cell-list", numbers=_ranges(numbers)),
        )
        for planet, keys in _by_planet(state, state.planets).items()
        for seat, numbers in _by_owner(state, keys)
    )
    head = tuple(msg(f"conquista/head-{name}") for name in ("planet", "faction", "cells"))
    return Table(head, rows, (Align.LEFT, Align.LEFT, Align.LEFT))


def _owner(state: State, seat: str | None) -> Message:
    if seat is None:
        return msg("conquista/map-nobody")
    return msg("conquista/cell-faction", faction=name_of(state, seat))


def _by_owner(state: State, keys: list[str]) -> Iterable[tuple[str | None, list[str]]]:
    found: dict[str | None, list[str]] = {}
    for key in keys:
        found.setdefault(state.cells[key].owner, []).append(key.rpartition("-")[2])
    yield from sorted(found.items(), key=lambda one: (one[0] is None, one[0] or ""))


def _ranges(numbers: list[str]) -> tuple[str, ...]:
    """Numbers in order as `1–4, 7`; ones that are written with zeros in front stand alone."""
    plain = enumerate(int(one) for one in numbers if str(int(one)) == one)
    runs = [[one for _, one in run] for _, run in groupby(plain, lambda pair: pair[1] - pair[0])]
    odd = [one for one in numbers if str(int(one)) != one]
    return (*(_range(run[0], run[-1]) for run in runs), *odd)


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}, {last}" if last == first + 1 else f"{first}–{last}"


def draw_dominion(view: View[State]) -> tuple[Picture, ...]:
    """Dominion over the turns, once there are two numbers to join."""
    state = view.state
    lines = tuple(state.factions[key].dominions for key in sorted(state.factions))
    if max(map(len, lines), default=0) < 2:
        return ()
    chart = Chart(sides_of(state), lines, view.number, msg("conquista/chart-turns"))
    title = msg("conquista/chart-title")
    return (Picture("dominion", title, msg("conquista/chart-alternative"), chart, told=True),)


TURNS_TOLD = 8
"""Turns of which the table of dominion tells the numbers, the last ones."""


def list_dominion(view: View[State]) -> tuple[Table, ...]:
    """The numbers of the last turns, best first; nothing before there are three, which the standings tell."""
    state = view.state
    known = max((len(one.dominions) for one in state.factions.values()), default=0)
    shown = min(known, TURNS_TOLD)
    if known < 3:
        return ()
    turns = range(view.number - shown + 1, view.number + 1)
    head = (
        msg("conquista/head-faction"),
        *(msg("conquista/head-turn", turn=max(turn, 0)) for turn in turns),
    )
    ranked = sorted(state.factions, key=lambda key: (-state.factions[key].dominion, key))
    rows = tuple(_dominion_row(state, key, shown) for key in ranked)
    return (Table(head, rows, (Align.LEFT, *(Align.RIGHT for _ in turns))),)


def _dominion_row(state: State, key: str, shown: int) -> tuple[Message, ...]:
    numbers: tuple[int | None, ...] = state.factions[key].dominions[-shown:]
    numbers = (*(None for _ in range(shown - len(numbers))), *numbers)
    return (
        msg("conquista/cell-faction", faction=name_of(state, key)),
        *(msg("conquista/cell-number", number=number) for number in numbers),
    )
