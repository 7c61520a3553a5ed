"""The state of a game of `conquista`: a map of planets and cells, factions and their armies.

Dicts by id; None and defaults are omitted when dumped, so a dumped state is a valid setup.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.conquista.options import Options
from rules.engine.messages import Name
from rules.engine.orders import Args, Order


class Feature(StrEnum):
    """What a cell holds by nature; not infrastructure, survives conquest (EJEMPLO DE TURNO)."""

    MANUFACTORUM = "manufactorum"
    HIVE = "colmena"


NOTHING = "nada"
"""What a drawn cell holds when it holds nothing; beside the features, an id of the draw."""

BASE = "base"
"""How lists of what stands in a cell name a Base de Mando."""


class Building(StrEnum):
    """Infrastructure of a cell besides the Base de Mando (CONSTRUIR)."""

    OUTPOST = "puesto avanzado"
    SHIELD = "generador"


@dataclass(slots=True)
class Odds:
    """A table by which it is drawn what an unexplored cell holds: a weight for each find, from 0.

    As every rule by which a die is read it is public: without it nobody could check a find.
    """

    manufactorum: int = 0
    colmena: int = 0
    nada: int = 0

    @property
    def weights(self) -> dict[str, int]:
        """The table by find, without what can't come."""
        every = {
            Feature.MANUFACTORUM.value: self.manufactorum,
            Feature.HIVE.value: self.colmena,
            NOTHING: self.nada,
        }
        return {find: weight for find, weight in every.items() if weight}


@dataclass(slots=True)
class Planet:
    """A planet. bonus: dominion for who holds all of its cells.

    exploration: its own table of finds, None for the game's.
    """

    name: str
    bonus: int = 0
    exploration: Odds | None = None


@dataclass(slots=True)
class Cell:
    """A casilla. Its id is the planet's code and a number (`CM-33`).

    owner: faction, None for nobody. adjacent: neighbours; one of the two cells has to name the other.
    fortification: finished points, 0 to the option `most_points`. name: a name of its own, "" for none.
    at: where it is drawn on its planet's map: columns to the right, rows down. A planet's cells have it all
    or none; without it they are laid out by who is whose neighbour.

    feature: fixed by the map, or as it was drawn. It is its owner's knowledge, and that of who has found or
    spied it. charted: all know it from the start. unexplored: it is still to be drawn, at the first entry;
    nobody's cells only, for an owner has been there.
    """

    owner: str | None = None
    adjacent: tuple[str, ...] = ()
    feature: Feature | None = None
    building: Building | None = None
    fortification: int = 0
    name: str = ""
    at: tuple[int, ...] | None = None
    charted: bool = False
    unexplored: bool = False


@dataclass(slots=True)
class Faction:
    """A faction. supplies: suministros held, from 0. base: cell of the Base de Mando, None when lost.

    block: which army numbers are its own (1: E1–E9, 2: E11–E19, …), 1 to 100.
    dominion: as counted at the end of the last turn. dominions: what was counted at the end of each turn up
    to then, in front of them what the game began with; public, drawn in the report.
    known: cells whose features it has learnt. shown, article, gender, plural: its name in texts.
    """

    supplies: int = 0
    base: str | None = None
    block: int = 1
    dominion: int = 0
    dominions: tuple[int, ...] = ()
    known: tuple[str, ...] = ()
    shown: str = ""
    article: str = ""
    gender: str = ""
    plural: bool = False


@dataclass(slots=True)
class Army:
    """An army. troops: from 1; an army without troops is removed."""

    owner: str
    cell: str
    troops: int


@dataclass(slots=True)
class State:
    """Everything that `setup.toml` says. exploration: what unexplored cells may hold, see `Odds`."""

    planets: dict[str, Planet]
    cells: dict[str, Cell]
    factions: dict[str, Faction]
    armies: dict[str, Army] = field(default_factory=dict)
    exploration: Odds = field(default_factory=Odds)


def planet_of(cell: str) -> str:
    """The planet's code of a cell id."""
    return cell.rpartition("-")[0]


def odds_of(state: State, cell: str) -> Odds:
    """The table by which a cell is explored: its planet's, else the game's."""
    own = state.planets[planet_of(cell)].exploration
    return own if own is not None else state.exploration


def by_cell(cell: str) -> tuple[str, int, str]:
    """Sort key of cell ids by planet and number: CM-2 before CM-10."""
    planet, _, number = cell.rpartition("-")
    return planet, int(number) if number.isdecimal() else 0, cell


def name_of(state: State, faction: str) -> Name:
    """A faction's name for texts; without words of its own, its id."""
    one = state.factions[faction]
    return Name(one.shown or faction, one.gender, one.plural, one.article)


def owned(state: State, faction: str) -> tuple[str, ...]:
    """Ids of the cells that a faction holds, by planet and number."""
    return tuple(sorted((key for key, cell in state.cells.items() if cell.owner == faction), key=by_cell))


def armies_of(state: State, faction: str) -> dict[str, Army]:
    """A faction's armies by id."""
    return {key: army for key, army in state.armies.items() if army.owner == faction}


def by_number(army: str) -> tuple[int, str]:
    """Sort key of army ids by their numbers: E2 before E11."""
    return len(army), army


def neighbours(cells: Mapping[str, Cell]) -> dict[str, frozenset[str]]:
    """Adjacency both ways, whichever of the two cells names the other."""
    found: dict[str, set[str]] = {key: set() for key in cells}
    for key, cell in cells.items():
        for other in cell.adjacent:
            if other in found:
                found[key].add(other)
                found[other].add(key)
    return {key: frozenset(others) for key, others in found.items()}


def neighbours_of(cells: Mapping[str, Cell], wanted: Iterable[str]) -> dict[str, set[str]]:
    """Adjacency both ways of some cells alone, by one look at each cell."""
    found: dict[str, set[str]] = {key: set() for key in wanted}
    for key, cell in cells.items():
        if key in found:
            found[key].update(other for other in cell.adjacent if other in cells)
        for other in cell.adjacent:
            if other in found:
                found[other].add(key)
    return found


def connected(start: str | None, cells: Iterable[str], near: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Those of the cells that are joined to `start` through cells of the same set (PRODUCCIÓN)."""
    within = frozenset(cells)
    if start is None or start not in within:
        return frozenset()
    reached, waiting = {start}, deque((start,))
    while waiting:
        for other in near[waiting.popleft()]:
            if other in within and other not in reached:
                reached.add(other)
                waiting.append(other)
    return frozenset(reached)


def within(start: str, steps: int, near: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Cells at most so many steps away over anybody's cells, itself included (BOMBARDEO)."""
    reached = edge = frozenset((start,))
    for _ in range(steps):
        edge = frozenset(other for cell in edge for other in near[cell]) - reached
        reached |= edge
    return reached


def recruits_in(state: State, faction: str, cell: str) -> bool:
    """Whether a faction recruits in a cell: its Base de Mando or a finished Puesto Avanzado (RECLUTAR)."""
    one = state.cells[cell]
    outpost = one.building is Building.OUTPOST
    return one.owner == faction and (outpost or state.factions[faction].base == cell)


def free_recruits(
    state: State,
    faction: str,
    held: Iterable[str],
    near: Mapping[str, frozenset[str]],
    options: Options,
) -> int:
    """Troops that a recruiting gets free, for the Ciudades Colmena among the cells held since the start."""
    counted = connected(state.factions[faction].base, held, near) if options.hives_connected else held
    return options.hive_troops * sum(state.cells[key].feature is Feature.HIVE for key in counted)


Gift = tuple[str | None, int]
"""What a cession hands over: a cell and 0, or None and supplies."""


def gift_of(args: Args) -> Gift:
    """What a cession hands over, or what it asks for in exchange (`a cambio de`)."""
    return args.get("cell"), args.get("supplies", 0)


def price_of(order: Order) -> Gift | None:
    """What a cession asks for, None where it is a gift."""
    price = order.get("price")
    return None if price is None else gift_of(price)


def actions_for(cells: int, options: Options) -> int:
    """Actions of a turn for a number of cells held at its start; at least 1 while there are any cells."""
    if cells == 0:
        return 0
    if options.actions:
        return options.actions[min(cells, len(options.actions) - 1)]
    return max(1, -(-cells // options.cells_per_action))


def count_cells(state: State) -> Counter[str | None]:
    """How many cells each faction holds, and how many are nobody's; 0 for who holds none."""
    return Counter(cell.owner for cell in state.cells.values())


def count_bonuses(state: State) -> Counter[str | None]:
    """Dominion of each faction beyond its cells: the bonuses of the planets it holds whole (Fase Final)."""
    holders: dict[str, set[str | None]] = {}
    for key, cell in state.cells.items():
        holders.setdefault(planet_of(key), set()).add(cell.owner)
    bonuses: Counter[str | None] = Counter()
    for planet, owners in holders.items():
        if len(owners) == 1:
            bonuses[owners.pop()] += state.planets[planet].bonus
    return bonuses


MOST_BLOCKS = 100
"""Factions of a game: further blocks of army numbers would overlap."""


def _numbers(block: int) -> Iterator[int]:
    """A faction's army numbers: block 2 has 11–19, then 2001–2999, then 201000–299999."""
    yield from range(10 * (block - 1) + 1, 10 * block)
    yield from range(1000 * block + 1, 1000 * (block + 1))
    yield from range(100_000 * block + 1_000, 100_000 * (block + 1))  # 100001–100999 are block 100's


def free_army(block: int, used: Container[str]) -> str:
    """The next free id of a faction's block."""
    return next(key for number in _numbers(block) if (key := f"E{number}") not in used)


def in_block(army: str, block: int) -> bool:
    """Whether an id is one of a faction's block, so that a number tells nothing of others."""
    digits = army[1:9]
    if army != f"E{digits}" or not (digits.isascii() and digits.isdigit()) or digits.startswith("0"):
        return False
    number = int(digits)
    thousand, hundred = 1000 * block, 100_000 * block
    return (
        10 * (block - 1) < number < 10 * block
        or thousand < number < thousand + 1000
        or hundred + 1_000 <= number < hundred + 100_000
    )
