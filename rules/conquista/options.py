"""Readings of the original's holes as named options (RULES.md lists them with their source)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import StrEnum


class NewBase(StrEnum):
    """What becomes of a faction whose Base de Mando has fallen.

    NEVER: it has none for the rest of the game. OUTPOST: at the end of the turn its first finished Puesto
    Avanzado (by cell id) becomes the new one.
    """

    NEVER = "never"
    OUTPOST = "outpost"


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a game of `conquista`; the defaults are the readings of the rule set.

    Actions and supplies.
    cells_per_action: actions = cells / this, rounded up, at least 1 (the original gives 18 → 3, 21 → 4).
    actions: a table instead, `actions[n]` for n owned cells, the last entry for more; empty: the formula.
    cells_per_supply: cells that give one supply when producing. manufactorum: supplies of each Manufactorum.
    unbroken: cells count for production, and Colmenas for recruiting, only if held without a break; else if
    held at the start and then.
    new_base: what follows the loss of the Base de Mando.

    Works and armies.
    building_cost: supplies of a Puesto Avanzado or Generador. fortification_cost: supplies of a point.
    most_points: fortification points of a cell. steps: cells that an undivided army may move in one action.

    Recruiting.
    troop_cost: supplies of a troop. hive_troops: free troops that each Ciudad Colmena adds to a recruiting.
    hives_connected: only those joined to the Base de Mando do, as for production.

    Invasion.
    troops_per_supply: attacking troops that cost one supply, rounded up. troops_per_bonus: troops for +1.
    loss_shift: the 2 of "−2" and "+2". winner_least, tie_least: fewest troops that a winner, or either side
    of a tie, loses. every_point: −1 for each fortification point; else −1 for any number of them.

    Espionage.
    espionage_cost: supplies. espionage_target: 1d6 from which it succeeds.

    Sabotage.
    sabotage_costs: supplies for 1, 2, 3, … dice of damage; as many dice as there are entries.
    sabotage_die: sides of a die of damage. sabotage_target: 1d6 from which it succeeds.
    sabotage_razes: it destroys all fortification points of the cell; else one.

    Bombardment.
    bombardment_costs, bombardment_die, bombardment_target: as for sabotage. bombardment_reach: cells between
    who spots and what is hit. bombardment_shelter: troops that each fortification point saves.
    bombardment_malus: what each takes off the 1d6. shield_stops_bombardment: a finished Generador de Escudos
    keeps its cell from being bombarded.

    Cessions and goals.
    cessions: whether cells and supplies may be handed over. dominion_to_win: dominion with which a faction
    ends the game, 0 for none. last_standing: whether the game ends once a single faction has cells.
    """

    cells_per_action: int = 6
    actions: tuple[int, ...] = ()
    cells_per_supply: int = 3
    manufactorum: int = 1
    unbroken: bool = True
    new_base: NewBase = NewBase.NEVER
    building_cost: int = 5
    fortification_cost: int = 1
    most_points: int = 3
    steps: int = 2
    troop_cost: int = 1
    hive_troops: int = 1
    hives_connected: bool = False
    troops_per_supply: int = 2
    troops_per_bonus: int = 3
    loss_shift: int = 2
    winner_least: int = 1
    tie_least: int = 0
    every_point: bool = True
    espionage_cost: int = 2
    espionage_target: int = 4
    sabotage_costs: tuple[int, ...] = (1, 3, 5)
    sabotage_die: int = 2
    sabotage_target: int = 4
    sabotage_razes: bool = True
    bombardment_costs: tuple[int, ...] = (1, 3, 5)
    bombardment_die: int = 2
    bombardment_target: int = 4
    bombardment_reach: int = 2
    bombardment_shelter: int = 1
    bombardment_malus: int = 0
    shield_stops_bombardment: bool = True
    cessions: bool = True
    dominion_to_win: int = 0
    last_standing: bool = False


_FROM_ONE = frozenset(
    (
        "cells_per_action",
        "cells_per_supply",
        "steps",
        "troops_per_supply",
        "troops_per_bonus",
        "sabotage_die",
        "bombardment_die",
        "bombardment_reach",
    )
)
"""Options that divide, that are sides of a die, or without which nothing moves: at least 1."""

_FILLED = ("sabotage_costs", "bombardment_costs")
"""Tables that need an entry: without one there is nothing to order."""


def too_small(options: Options) -> Iterator[tuple[str, int]]:
    """Options below what makes sense, each with the least that is allowed."""
    for one in fields(options):
        least = 1 if one.name in _FROM_ONE else 0
        value = getattr(options, one.name)
        if (
            min(value, default=least) < least
            if isinstance(value, tuple)
            else isinstance(value, int) and value < least
        ):
            yield one.name, least


def empty(options: Options) -> tuple[str, ...]:
    """Tables without an entry that need one."""
    return tuple(name for name in _FILLED if not getattr(options, name))
