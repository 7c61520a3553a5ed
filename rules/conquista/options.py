"""Readings of the original's holes as named options (rules/conquista/RULES.md lists them)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a game of `conquista`; the defaults are the readings of the rule set.

    cells_per_action: actions = cells / this, rounded up, at least 1 (the original gives 18 → 3, 21 → 4).
    actions: a table instead, `actions[n]` for n owned cells, the last entry for more; empty: the formula.
    cells_per_supply: cells that give one supply when producing. manufactorum: supplies of each Manufactorum.
    building_cost: supplies of a Puesto Avanzado or Generador. fortification_cost: supplies of a point.
    most_points: fortification points of a cell. steps: cells that an undivided army may move.
    espionage_cost: supplies. espionage_target: 1d6 from which espionage succeeds.
    """

    cells_per_action: int = 6
    actions: tuple[int, ...] = ()
    cells_per_supply: int = 3
    manufactorum: int = 1
    building_cost: int = 5
    fortification_cost: int = 1
    most_points: int = 3
    steps: int = 2
    espionage_cost: int = 2
    espionage_target: int = 4
