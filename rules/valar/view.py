"""Who sees what: reputation, recipes and clocks known to all are public, the rest belongs to its house."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.engine.audience import DIRECTOR_SEAT
from rules.valar.options import Options
from rules.valar.state import (
    EVERYBODY_KNOWS,
    Balance,
    Clock,
    House,
    Memory,
    Mission,
    Recipe,
    State,
    knows,
)


def view(state: State, viewer: str, options: Options) -> State:
    """The state without what the viewer can't know; the director sees it all."""
    if viewer == DIRECTOR_SEAT:
        return state
    clocks = {key: _clock(one, viewer) for key, one in state.clocks.items() if _sees_clock(one, viewer)}
    return State(
        houses={key: one if key == viewer else _house(one, viewer) for key, one in state.houses.items()},
        recipes={key: _recipe(one, clocks) for key, one in state.recipes.items()},
        clocks=clocks,
        balances={
            key: _balance(one, viewer) for key, one in state.balances.items() if knows(one.known_to, viewer)
        },
        memories={key: _memory(one, viewer) for key, one in state.memories.items() if _sees(one, viewer)},
    )


def _house(house: House, viewer: str) -> House:
    missions = {
        key: _mission(one, viewer) for key, one in house.missions.items() if _sees_mission(one, viewer)
    }
    return replace(house, vassals={}, groups={}, resources={}, tokens={}, modifiers=(), missions=missions)


def _sees_mission(mission: Mission, viewer: str) -> bool:
    return viewer in mission.supporters or viewer in mission.known_to


def _mission(mission: Mission, viewer: str) -> Mission:
    """A supporter sees who takes part; who only knows of it sees what it is for and when it ends."""
    supports = viewer in mission.supporters
    return Mission(
        title=mission.title,
        goal=mission.goal,
        started=mission.started,
        resolves=mission.resolves,
        tokens=mission.tokens if supports else (),
        supporters=dict(mission.supporters) if supports else {},
        known_to=(viewer,) if viewer in mission.known_to else (),
        succeeded=mission.succeeded and supports,
    )


def _recipe(recipe: Recipe, clocks: Mapping[str, Clock]) -> Recipe:
    """Recipes are public, but not that there is a clock which the viewer can't see."""
    grades = recipe.grades
    if grades is None or grades.clock is None or grades.clock in clocks:
        return recipe
    return replace(recipe, grades=replace(grades, clock=None))


def _sees_clock(clock: Clock, viewer: str) -> bool:
    """One that waits for another to be full isn't there yet."""
    return not clock.waits and (clock.house == viewer or knows(clock.known_to, viewer))


def _clock(clock: Clock, viewer: str) -> Clock:
    """What happens when it is full, what follows, and who else knows is the director's knowledge."""
    return replace(clock, event="", chain=None, known_to=_knowing(clock.known_to, viewer))


def _balance(balance: Balance, viewer: str) -> Balance:
    known, good = _knowing(balance.known_to, viewer), balance.good
    own = {viewer: good[viewer]} if viewer in good else {}
    return replace(balance, left="", right="", good=own, known_to=known)


def _knowing(known_to: tuple[str, ...], viewer: str) -> tuple[str, ...]:
    return tuple(one for one in known_to if one in (EVERYBODY_KNOWS, viewer))


def _sees(memory: Memory, viewer: str) -> bool:
    return not memory.hidden and (memory.house == viewer or knows(memory.known_to, viewer))


def _memory(memory: Memory, viewer: str) -> Memory:
    """Whose it is and what it says; who else knows is its house's knowledge."""
    return memory if memory.house == viewer else replace(memory, known_to=_knowing(memory.known_to, viewer))
