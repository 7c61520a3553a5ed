"""Entries about clocks: those that the house knows of, so that nothing tells of hidden ones."""

from __future__ import annotations

from collections.abc import Callable

from rules.valar.clocks import lean, mark
from rules.valar.entries.houses import free_id
from rules.valar.entries.kinds import Case
from rules.valar.state import Clock, knows


def a_clock(sign: int) -> Callable[[Case], tuple[str, ...]]:
    """Running clocks of that sign that the house knows of, everybody's or its own; and balances with a side
    marked for it.
    """

    def targets(case: Case) -> tuple[str, ...]:
        state, house = case.state, case.house
        clocks = (
            key
            for key, one in state.clocks.items()
            if one.running and one.sign == sign and one.house in (None, house) and _known(one, house)
        )
        balances = (
            key
            for key, one in state.balances.items()
            if house in one.good and not one.closed and knows(one.known_to, house)
        )
        return (*clocks, *balances)

    return targets


def _known(clock: Clock, house: str) -> bool:
    return clock.house == house or knows(clock.known_to, house)


def mark_clock(sections: int, sign: int) -> Callable[[Case, str], None]:
    """So many sections; of a balance towards the side that is good or bad for the house."""

    def apply(case: Case, target: str) -> None:
        if target in case.state.clocks:
            mark(case.turn, target, sections)
        else:
            lean(case.turn, target, sections, case.house, sign)

    return apply


def new_clock(size: int, sign: int) -> Callable[[Case, str], None]:
    """A clock of the house, named after the mission; what happens when it is full the director says."""

    def apply(case: Case, target: str) -> None:
        key = free_id(case, case.state.clocks)
        made = Clock(case.mission.title, size, sign=sign, house=case.house, known_to=(case.house,))
        case.state.clocks[key] = made
        case.tell("valar/clock-made", case.own, clock=key, name=case.title, size=size, sign=sign)

    return apply
