"""Where an own army may be while a block is read: as ordered, and as it may come otherwise.

A player sees no foreign armies, so any order may be cancelled or stop half way. An order is refused only
where it fits none of the ways in which the earlier ones can end; where it fits only if one of them fails,
it stands with a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from rules.engine.diagnostics import Diagnostic, warning
from rules.engine.messages import Code, Message, msg


@dataclass(frozen=True, slots=True, order=True)
class Standing:
    """One way an army may stand.

    entered: it has entered a cell this turn. part: split off this turn.
    receiver: it has received troops, so that it can neither move nor attack for the rest of the turn.
    """

    cell: str
    entered: bool = False
    part: bool = False
    receiver: bool = False

    @property
    def stuck(self) -> bool:
        """Whether it can neither move nor attack for the rest of the turn."""
        return self.receiver or (self.part and self.entered)


@dataclass(frozen=True, slots=True)
class PlannedArmy:
    """An own army as the block has it so far.

    troops: if everything goes as ordered. most: as many as it can have, however the orders end.
    likely: how it stands if everything goes as ordered, more than one where a battle may end either way;
    empty where it would be gone (joined to another). possible: every way in which it may stand.
    """

    troops: int
    most: int
    likely: tuple[Standing, ...]
    possible: frozenset[Standing]

    @property
    def here(self) -> Standing:
        """Where messages say that it stands."""
        return self.likely[0] if self.likely else min(self.possible)


Why = Callable[[Standing], Message | None]
"""Why an army that stands so can't do something; None where it can."""


def hindrance(key: str, one: Standing) -> Message | None:
    """Why an army can neither move nor attack for the rest of the turn (MOVER)."""
    if not one.stuck:
        return None
    return msg("conquista/receiver-stays" if one.receiver else "conquista/part-has-moved", army=Code(key))


def judge(key: str, army: PlannedArmy, why: Why) -> tuple[Diagnostic, ...]:
    """Nothing where the order fits; a warning where it does only if an earlier one fails; else an error."""
    if any(why(one) is None for one in army.likely):
        return ()
    gone = msg("conquista/not-expected", army=Code(key))
    reason = why(army.here) or gone
    if all(why(one) is not None for one in army.possible):
        return (Diagnostic(reason),)
    return (only_if(reason if army.likely else gone),)


def only_if(reason: Message) -> Diagnostic:
    """The order happens only if one of those above it doesn't."""
    return warning("conquista/only-if", reason=reason)


def fitting(ways: Iterable[Standing], why: Why) -> tuple[Standing, ...]:
    """Those ways of standing in which an army can do something."""
    return tuple(one for one in ways if why(one) is None)


def walk(near: Mapping[str, frozenset[str]], one: Standing, path: Iterable[str]) -> tuple[Standing, ...]:
    """How an army may stand along a path: behind each step that it can take, in order."""
    taken: list[Standing] = []
    for cell in path:
        if cell not in near[one.cell] or one.stuck:
            break
        one = replace(one, cell=cell, entered=True)
        taken.append(one)
    return tuple(taken)
