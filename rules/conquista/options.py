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
    unbroken: cells count for production only if held without a break; else if held at start and end.
    new_base: what follows the loss of the Base de Mando.

    Works and armies.
    building_cost: supplies of a Puesto Avanzado or Generador. fortification_cost: supplies of a point.
    most_points: fortification points of a cell. steps: cells that an undivided army may move in one action.

    Invasion.
    troops_per_supply: attacking troops that cost one supply, rounded up. troops_per_bonus: troops for +1.
    loss_shift: the 2 of "−2" and "+2". winner_least, tie_least: fewest troops that a winner, or either side
    of a tie, loses. every_point: −1 for each fortification point; else −1 for any number of them.

    Espionage.
    espionage_cost: supplies. espionage_target: 1d6 from which it succeeds.

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
    troops_per_supply: int = 2
    troops_per_bonus: int = 3
    loss_shift: int = 2
    winner_least: int = 1
    tie_least: int = 0
    every_point: bool = True
    espionage_cost: int = 2
    espionage_target: int = 4
    cessions: bool = True
    dominion_to_win: int = 0
    last_standing: bool = False


_FROM_ONE = frozenset(
    ("cells_per_action", "cells_per_supply", "steps", "troops_per_supply", "troops_per_bonus")
)
"""Options that divide, or without which nothing moves: at least 1."""


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
