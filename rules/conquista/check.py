"""What is wrong with a setup or with options, beyond the types of their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from unicodedata import is_normalized

from rules.conquista.options import Options, empty, too_small
from rules.conquista.state import MOST_BLOCKS, State, in_block, odds_of, planet_of
from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.messages import Code, Message, msg

_CELL = re.compile(r"[^\W\d_]+-[0-9]+")
"""How a cell's id is written: the planet's code and a number; nothing else can be typed as one word."""


MOST_WEIGHT = 1000
"""Greatest sum of the weights of a table of finds."""

FARTHEST_SPOT = 100
"""Columns and rows from the middle of a map in which a cell may be drawn."""


def check(state: State, options: Options) -> Sequence[Message]:
    """Every mistake of a setup, each as a message that names what is wrong."""
    return (
        *_check_options(options),
        *_check_goals(state, options),
        *_check_cells(state, options),
        *_check_spots(state),
        *_check_odds(state),
        *_check_exploration(state),
        *_check_factions(state),
        *_check_armies(state),
    )


def _check_options(options: Options) -> Iterator[Message]:
    for name, least in too_small(options):
        yield msg("conquista/setup-option", option=Code(name), least=least)
    for name in empty(options):
        yield msg("conquista/setup-option-empty", option=Code(name))


def _check_goals(state: State, options: Options) -> Iterator[Message]:
    """A game that would be over before its first turn."""
    holding = {cell.owner for cell in state.cells.values()} & state.factions.keys()
    if options.last_standing and len(holding) < 2:
        yield msg("conquista/setup-last-standing", option=Code("last_standing"))


def _check_cells(state: State, options: Options) -> Iterator[Message]:
    for key, cell in state.cells.items():
        if not _CELL.fullmatch(key) or not is_normalized("NFC", key):
            yield msg("conquista/setup-cell", cell=Code(key))
        elif planet_of(key) not in state.planets:
            yield msg("conquista/setup-no-planet", cell=Code(key))
        if cell.owner is not None and cell.owner not in state.factions:
            yield msg("conquista/setup-no-owner", cell=Code(key), owner=Code(cell.owner))
        for other in cell.adjacent:
            if other == key:
                yield msg("conquista/setup-own-neighbour", cell=Code(key))
            elif other not in state.cells:
                yield msg("conquista/setup-no-neighbour", cell=Code(key), other=Code(other))
        if not 0 <= cell.fortification <= options.most_points:
            yield msg("conquista/setup-points", cell=Code(key), most=options.most_points)


def _check_spots(state: State) -> Iterator[Message]:
    """Where cells are drawn: two numbers each, for all cells of a planet or for none, no two alike."""
    taken: dict[tuple[str, tuple[int, ...]], str] = {}
    placed = {planet_of(key) for key, cell in state.cells.items() if cell.at is not None}
    for key, cell in state.cells.items():
        if cell.at is None:
            if planet_of(key) in placed:
                yield msg("conquista/setup-no-spot", cell=Code(key))
        elif len(cell.at) != 2 or max(map(abs, cell.at)) > FARTHEST_SPOT:
            yield msg("conquista/setup-spot", cell=Code(key), most=FARTHEST_SPOT)
        elif taken.setdefault((planet_of(key), cell.at), key) != key:
            other = taken[planet_of(key), cell.at]
            yield msg("conquista/setup-same-spot", cell=Code(key), other=Code(other))


def _check_odds(state: State) -> Iterator[Message]:
    """Tables of finds: each weight from 0, and not so great that a draw would take long."""
    tables = {"exploration": state.exploration}
    for key, planet in state.planets.items():
        if planet.exploration is not None:
            tables[f"planets/{key}/exploration"] = planet.exploration
    for place, odds in tables.items():
        weights = (odds.manufactorum, odds.colmena, odds.nada)
        if min(weights) < 0 or sum(weights) > MOST_WEIGHT:
            yield msg("conquista/setup-odds", place=Code(place), most=MOST_WEIGHT)


def _check_exploration(state: State) -> Iterator[Message]:
    """Cells that are still to be drawn are nobody's, hold and show nothing, and have a table to draw from."""
    known = {cell for faction in state.factions.values() for cell in faction.known}
    for key, cell in state.cells.items():
        if not cell.unexplored or planet_of(key) not in state.planets:
            continue
        if cell.owner is not None:
            yield msg("conquista/setup-explored", cell=Code(key), owner=Code(cell.owner))
        if cell.feature is not None or cell.charted or key in known:
            yield msg("conquista/setup-unexplored", cell=Code(key))
        if not odds_of(state, key).weights:
            yield msg("conquista/setup-no-odds", cell=Code(key))


def _check_factions(state: State) -> Iterator[Message]:
    blocks: dict[int, str] = {}
    for key, faction in state.factions.items():
        if not is_normalized("NFC", key):
            yield msg("conquista/setup-faction", faction=Code(key))
        if key in (EVERYBODY, DIRECTOR_SEAT):
            yield msg("conquista/setup-reserved", faction=Code(key))
        if faction.base is not None:
            yield from _check_base(state, key, faction.base)
        for cell in faction.known:
            if cell not in state.cells:
                yield msg("conquista/setup-known", faction=key, cell=Code(cell))
        if faction.supplies < 0:
            yield msg("conquista/setup-supplies", faction=key)
        if not 1 <= faction.block <= MOST_BLOCKS or blocks.setdefault(faction.block, key) != key:
            yield msg("conquista/setup-block", faction=key, block=faction.block, most=MOST_BLOCKS)


def _check_base(state: State, faction: str, cell: str) -> Iterator[Message]:
    """A Base de Mando is infrastructure in an own cell, and alone there."""
    base = state.cells.get(cell)
    if base is None or base.owner != faction:
        yield msg("conquista/setup-base", faction=faction, cell=Code(cell))
    if base is not None and base.building is not None:
        yield msg("conquista/setup-base-built", cell=Code(cell))


def _check_armies(state: State) -> Iterator[Message]:
    for key, army in state.armies.items():
        if army.owner not in state.factions or army.cell not in state.cells or army.troops < 1:
            yield msg("conquista/setup-army", army=Code(key))
        elif not in_block(key, state.factions[army.owner].block):
            first = 10 * (state.factions[army.owner].block - 1)
            own = {"first": Code(f"E{first + 1}"), "last": Code(f"E{first + 9}")}
            yield msg("conquista/setup-army-number", army=Code(key), **own)
        elif state.cells[army.cell].owner != army.owner:
            yield msg("conquista/setup-army-cell", army=Code(key), cell=Code(army.cell))
