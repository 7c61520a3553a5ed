"""Small random games of `conquista`: states, blocks as players write them, reading and playing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any

from parsers.orders.lines import block_of, logical_lines
from parsers.orders.reading import BlockReading, read_orders
from rules.conquista import RULESET
from rules.conquista.options import Options
from rules.conquista.plan import ConquistaPlan
from rules.conquista.state import Army, Building, Cell, Faction, Feature, Odds, Planet, State, free_army
from rules.engine.dice import Dice, Ptd1Source
from rules.engine.orders import Order
from rules.engine.resolution import Resolution, resolve
from rules.engine.turn import TurnInput

OPTIONS = Options(actions=(0, 5))
FACTIONS = ("Corona", "Gremio", "Liga")
KIND = RULESET.main_kind


def chance(seed: int) -> Random:
    """What a random game is made with; hypothesis shows the seed of a game that fails."""
    return Random(seed)  # noqa: S311 - makes games for tests, no secrets


def make_state(random: Random, factions: Sequence[str] = FACTIONS) -> State:
    """A map of two planets, with everything that cells may hold."""
    cells = [f"CE-{n}" for n in range(1, random.randint(4, 7))] + [f"VA-{n}" for n in range(1, 4)]
    state = State(
        {"CE": Planet("Ceniza Mayor", 4), "VA": Planet("Vado", random.randint(0, 3))},
        {key: _cell(random, factions) for key in cells},
        {key: Faction(supplies=random.randint(0, 14), block=n) for n, key in enumerate(factions, 1)},
        exploration=Odds(random.randint(0, 3), random.randint(0, 3), random.randint(1, 5)),
    )
    state.planets["VA"].exploration = random.choice((None, Odds(manufactorum=2, colmena=1)))
    for here, other in pairwise(cells):
        state.cells[other].adjacent = (here, *random.sample(cells, random.randint(0, 1)))
        state.cells[other].adjacent = tuple(one for one in state.cells[other].adjacent if one != other)
    for seat, faction in state.factions.items():
        own = [key for key in cells if state.cells[key].owner == seat]
        if own and random.random() < 0.8:
            faction.base = random.choice(own)
            state.cells[faction.base].building = None
        for _ in range(random.randint(0, 3) if own else 0):
            name = free_army(faction.block, frozenset(state.armies))
            state.armies[name] = Army(seat, random.choice(own), random.randint(1, 9))
    return state


def _cell(random: Random, factions: Sequence[str]) -> Cell:
    owner = random.choice((*factions, *factions, None))
    unexplored = owner is None and random.random() < 0.5
    return Cell(
        owner=owner,
        feature=None if unexplored else random.choice((None, None, *Feature)),
        charted=not unexplored and random.random() < 0.2,
        unexplored=unexplored,
        building=random.choice((None, None, *Building)) if owner else None,
        fortification=random.choice((0, 0, 1, 2, 3)) if owner else 0,
    )


def write_block(random: Random, state: State, seat: str, lines: int = 6) -> str:
    """Orders that are mostly sensible for a seat: its own armies, cells of the map."""
    return "\n".join(_line(random, state, seat) for _ in range(lines))


def _line(random: Random, state: State, seat: str) -> str:
    block = 10 * (state.factions[seat].block - 1)
    own = [key for key, army in state.armies.items() if army.owner == seat]
    armies = [*own, *own, *(f"E{block + n}" for n in range(1, 5))]

    def army() -> str:
        return random.choice(armies)

    def cell() -> str:
        near = [key for key in state.cells if random.random() < 0.9]
        return random.choice(near or ["CE-1"])

    def parts() -> str:
        going = [
            f"{random.randint(1, 4)} a {cell()}{_name(random, block)}" for _ in range(random.randint(1, 3))
        ]
        staying = [f"{random.randint(1, 5)} quedan"] if random.random() < 0.3 else []
        return ", ".join((*going, *staying))

    def other() -> str:
        return random.choice([one for one in state.factions if one != seat] or ["nadie"])

    def mark() -> str:
        hidden = [key for key in state.armies if key not in own] or ["E1"]
        return random.choice((cell(), random.choice((*hidden, "E9", "E19", "E29"))))

    near = _near(random, state, armies) or cell()
    barracks = state.factions[seat].base or cell()
    written = (
        "producir",
        "esperar",
        f"construir {random.choice(('puesto avanzado', 'generador'))} en {cell()}",
        f"fortificar {cell()} {random.randint(1, 4)}",
        f"mover {army()} a {near}",
        f"mover {army()} a {near}, {cell()}",
        f"mover {army()}: {parts()}",
        f"mover {army()}: {parts()}",
        f"unir {army()} con {army()}",
        f"unir {army()}, {army()} con {army()}",
        f"traspasar {random.randint(1, 4)} de {army()} a {army()}",
        f"reclutar {random.randint(0, 5)} en {barracks}{_name(random, block)}",
        f"reclutar {random.randint(0, 3)} en {cell()}{_name(random, block)}",
        f"espiar {other()}",
        f"sabotear {other()} con {random.randint(1, 4)}",
        f"sabotear {other()} con {random.randint(1, 3)} en {cell()}",
        f"bombardear {mark()} con {random.randint(1, 3)} desde {army()}",
        f"bombardear {near} con {random.randint(1, 4)} desde {army()}",
        f"invadir {near} con {army()}",
        f"invadir {cell()} con {army()}",
        *(_cession(random, state, seat) for _ in range(2)),
    )
    line = random.choice(written)
    return f"{line}\nsi no: {random.choice(written)}" if random.random() < 0.1 else line


def _cession(random: Random, state: State, seat: str) -> str:
    """A gift or an exchange, mostly of what the seat has, and as others are likely to answer it."""
    others = [one for one in state.factions if one != seat] or ["nadie"]

    def gift(giver: str) -> str:
        own = [key for key, cell in state.cells.items() if cell.owner == giver or random.random() < 0.1]
        if random.random() < 0.5 or not own:
            return f"{random.choice((1, 1, 2, 2, 3, 7))} suministros"
        return random.choice(own)

    other = random.choice(others)
    price = f" a cambio de {gift(other)}" if random.random() < 0.5 else ""
    return f"ceder {gift(seat)} a {other}{price}"


def _name(random: Random, block: int) -> str:
    return f" como E{block + random.randint(1, 12)}" if random.random() < 0.2 else ""


def _near(random: Random, state: State, armies: Sequence[str]) -> str | None:
    """A neighbour of one of the armies."""
    there = [state.armies[key].cell for key in armies if key in state.armies]
    ways = [way for key in there for way in (*state.cells[key].adjacent,)]
    return random.choice(ways) if ways else None


def plan_of(state: State, seat: str, options: Options = OPTIONS) -> ConquistaPlan:
    """The plan by which a seat's block is read."""
    return ConquistaPlan(RULESET.look(state, seat, options, kind="turn", track="", number=1))


def read(state: State, seat: str, text: str, options: Options = OPTIONS) -> BlockReading:
    """A block read for a seat."""
    return read_orders(logical_lines(block_of(text)), KIND, plan_of(state, seat, options))


def accepted(reading: BlockReading) -> tuple[Order, ...]:
    """The orders of a block that stand."""
    return tuple(line.order for line in reading.lines if line.order is not None)


def play(
    state: State, orders: Mapping[str, tuple[Order, ...]], seed: int = 0, options: Options = OPTIONS
) -> Resolution:
    """A turn, with dice of a seed."""
    key = seed.to_bytes(32, "big")
    given = TurnInput(state, orders, options, number=1)
    return resolve(RULESET, KIND, given, lambda: Dice(Ptd1Source("prueba", 1, key, secret=key)))


def told(reading: BlockReading) -> Any:
    """Everything that a player is told of a block."""
    return [(line.number, line.told, line.findings) for line in reading.lines]
