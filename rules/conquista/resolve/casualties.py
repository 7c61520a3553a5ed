"""Losses of the armies of one cell, which fight and suffer as one."""

from __future__ import annotations

from collections.abc import Mapping

from rules.conquista.state import Army, State


def spread(state: State, armies: Mapping[str, Army], lost: int) -> tuple[str, ...]:
    """Losses from the largest army on, ties in the order given; empty armies are gone.

    lost: troops, from 0; never more than there are. Returns the armies that lost some.
    """
    hit: list[str] = []
    for key, army in sorted(armies.items(), key=lambda one: -one[1].troops):
        taken = min(lost, army.troops)
        army.troops -= taken
        lost -= taken
        if taken:
            hit.append(key)
        if army.troops == 0:
            del state.armies[key]
    return tuple(hit)
