"""Entries about the house: reputation, vassals, memories, later missions, the duration, what is told."""

from __future__ import annotations

from collections.abc import Callable, Container
from itertools import count

from rules.engine.audience import DIRECTOR, PUBLIC
from rules.engine.events import event
from rules.engine.messages import Param
from rules.valar.entries.kinds import NONE, WHOLE, Case
from rules.valar.state import Memory, Modifier, Size, recipe_of, slug_of


def a_vassal(case: Case) -> tuple[str, ...]:
    """Any vassal of the house."""
    return tuple(case.owner.vassals)


def a_group(case: Case) -> tuple[str, ...]:
    """Any group of vassals that the director has named for the house."""
    return tuple(key for key, members in case.owner.groups.items() if members)


def related(case: Case) -> tuple[str, ...]:
    """Where there is a mission to come that it can be about: one named, or another of the recipe."""
    return WHOLE if case.mission.related is not None or case.mission.recipe is not None else NONE


def can_be_shorter(case: Case) -> tuple[str, ...]:
    """What is resolved already can only be shortened by what this result has added; a mission under way by
    what is left of it, whose dice, if they are to come, come in the next turn at the earliest.
    """
    earliest = case.turn.number + (case.mission.band is None)
    return WHOLE if case.longer > 0 or case.mission.resolves > earliest else NONE


def change_vassal(by: int) -> Callable[[Case, str], None]:
    """A vassal's disposition changes."""

    def apply(case: Case, target: str) -> None:
        before = case.owner.vassals[target]
        case.owner.vassals[target] = _within(before + by, case.options.disposition_limit)
        disposition = case.owner.vassals[target]
        case.tell("valar/vassal-changed", case.own, vassal=target, change=by, disposition=disposition)

    return apply


def _within(value: int, limit: int) -> int:
    """A value no farther from 0 than a limit; 0: it has none."""
    return max(-limit, min(limit, value)) if limit else value


def change_group(by: int) -> Callable[[Case, str], None]:
    """Each member's disposition changes."""

    def apply(case: Case, target: str) -> None:
        for vassal in case.owner.groups[target]:
            change_vassal(by)(case, vassal)

    return apply


def lose_reputation(case: Case, target: str) -> None:
    """One less, for all to see."""
    case.owner.reputation = _within(case.owner.reputation - 1, case.options.reputation_limit)
    facts: dict[str, Param] = {"change": -1, "reputation": case.owner.reputation}
    case.turn.tell(event("valar/reputation-changed", PUBLIC, None, house=case.house, **facts))


def remember(size: Size, sign: int) -> Callable[[Case, str], None]:
    """A memory of the mission, which is the house's; the director may word it."""

    def apply(case: Case, target: str) -> None:
        key = free_id(case, case.state.memories)
        case.state.memories[key] = Memory(case.mission.title, case.house, size, sign)
        case.tell("valar/memory-made", case.own, memory=key, text=case.title, size=size.value, sign=sign)

    return apply


def relate(value: int) -> Callable[[Case, str], None]:
    """Stored for the first later roll of the mission named, else of the recipe."""

    def apply(case: Case, target: str) -> None:
        named = case.mission.related
        recipe = case.mission.recipe if named is None else None
        made = Modifier(value, case.turn.number, recipe, named)
        case.owner.modifiers = (*case.owner.modifiers, made)
        case.tell("valar/modifier-stored", case.own, value=value, recipe=recipe, related=named)

    return apply


def lengthen(by: int) -> Callable[[Case, str], None]:
    """The duration changes: a success takes effect later, a failure only keeps the tokens busy."""

    def apply(case: Case, target: str) -> None:
        case.longer += by
        rolled = case.mission.band is not None and by > 0
        case.tell(
            "valar/duration-changed", change=by, longer=case.longer, success=case.success, rolled=rolled
        )

    return apply


def shift_effect(by: int) -> Callable[[Case, str], None]:
    """The grade changes; a success without grades is for the director to judge."""

    def apply(case: Case, target: str) -> None:
        case.shifted += by
        if recipe_of(case.state, case.mission).grades is None:
            open_item("greater-effect" if by > 0 else "smaller-effect")(case, target)

    return apply


def open_item(what: str) -> Callable[[Case, str], None]:
    """A note to the house, and to the director, who tells what it means in the story."""

    def apply(case: Case, target: str) -> None:
        case.tell("valar/open-item", DIRECTOR, what=what)

    return apply


def free_id(case: Case, taken: Container[str]) -> str:
    """An id for something of the house that the mission has made, so that no other house's moves it."""
    start = f"{slug_of(case.house)}-{case.slug}"
    return next(key for n in count(1) if (key := _numbered(start, n)) not in taken)


def _numbered(start: str, number: int) -> str:
    return start if number == 1 else f"{start}-{number}"
