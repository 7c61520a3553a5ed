"""Opposed missions: who reaches the goal, and what an advantage is worth (004: Misiones enfrentadas).

Functions over bands, without state and without dice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from rules.valar.bands import BANDS, FIRST_SUCCESS, Band, succeeds


class Goal(StrEnum):
    """What became of a side's goal."""

    REACHED = "reached"
    REDUCED = "reduced"
    NOTHING = "nothing"
    TIED = "tied"
    MISSED = "missed"


class Aspect(StrEnum):
    """What an advantage can be in (004: Ventaja, calidad y escala)."""

    EFFICACY = "efficacy"
    QUALITY = "quality"
    SCALE = "scale"


class Standing(NamedTuple):
    """How well a side did, the greater the better. way: 0 failed, 1 a success that was paid for, 2 a success.

    total: 0 where only bands are compared.
    """

    way: int
    band: int
    total: int = 0


def standing_of(band: Band, success: bool, total: int = 0, *, discretion_below: bool = True) -> Standing:
    """Where a rolled mission stands among its rivals.

    discretion_below: a success by discretion ranks below éxito menor (valar.md), else as one.
    """
    if succeeds(band):
        return Standing(2, BANDS.index(band), total)
    if success and not discretion_below:
        return Standing(2, FIRST_SUCCESS, total)
    return Standing(int(success), BANDS.index(band), total)


def best_of(sides: Mapping[str, Standing]) -> str | None:
    """The one side that did better than all others; None where the best standing is shared."""
    top = max(sides.values())
    best = [key for key, one in sides.items() if one == top]
    return best[0] if len(best) == 1 else None


def settle(sides: Mapping[str, Standing], second: Goal = Goal.REDUCED) -> dict[str, Goal]:
    """What became of each side's goal, by side; `second`: of successes behind the first.

    Shared: nobody reaches it. All failed: nobody. Else the best reaches it, other successes come second.
    """
    best = best_of(sides)
    if best is None:
        top = max(sides.values())
        tie = Goal.TIED if top.way else Goal.MISSED
        return {key: tie if one == top else _behind(one, Goal.NOTHING) for key, one in sides.items()}
    return {key: _behind(one, Goal.REACHED if key == best else second) for key, one in sides.items()}


def _behind(one: Standing, goal: Goal) -> Goal:
    return goal if one.way else Goal.MISSED


def leader_of(scores: Mapping[str, int]) -> str | None:
    """The one side with more of an aspect than all the rest, None where nobody has."""
    top = max(scores.values())
    first = [key for key, one in scores.items() if one == top]
    return first[0] if top > 0 and len(first) == 1 else None


def worth_of(side: str, leaders: Sequence[str | None], worth: Sequence[int]) -> int:
    """What a side's advantage adds; none takes nothing off.

    leaders: for each aspect the side that has it, None for nobody. Advantage is one side against all the rest
    (valar.md). worth: what a net advantage of one, two and three aspects adds.
    """
    net = sum(1 if one == side else -1 for one in leaders if one is not None)
    return (0, *worth)[max(0, net)]
