"""Dice as a report shows them: purpose, what fell, and the address by which anybody can compute it again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from reporters.blocks import Run
from reporters.setting import Setting
from rules.engine.dice import Roll
from rules.engine.messages import Message, Quoted, msg
from rules.engine.resolution import RolledDie

ORDER_SIDES = 2**64
"""Sides of the dice by which things are put in order (`TurnDice.order_of`)."""


def say_rolls(setting: Setting, rolls: Sequence[RolledDie]) -> tuple[Run, ...]:
    """A line for each throw; dice of one address that follow each other are one throw, drawn orders too."""
    return tuple(_throw(setting, throw) for throw in group_throws(rolls))


def group_throws(rolls: Sequence[RolledDie]) -> Iterable[tuple[Roll, ...]]:
    """Dice that fell together, one behind the other: of equal address, sides and purpose.

    Dice of `ORDER_SIDES` put those in order who stand last in their addresses; they belong together where the
    rest of the address is equal.
    """
    for _, together in groupby((one.roll for one in rolls), key=_throw_key):
        yield tuple(together)


def _throw_key(roll: Roll) -> tuple[str, int, str, bool]:
    label = roll.label.rpartition("/")[0] if _is_order(roll) else roll.label
    return label, roll.sides, roll.purpose, bool(roll.chosen)


def _is_order(roll: Roll) -> bool:
    return roll.sides == ORDER_SIDES and "/" in roll.label and not roll.chosen


def _throw(setting: Setting, throw: tuple[Roll, ...]) -> Run:
    first = throw[0]
    if _is_order(first):
        parts = (roll.label.rpartition("/")[2] for roll in sorted(throw, key=lambda roll: roll.value))
        order = tuple(map(setting.name, parts))
        return setting.say("report/roll-order", order=order, label=first.label.rpartition("/")[0])
    return setting.say(
        "report/roll", purpose=_purpose(setting, first), shown=_shown(setting, throw), label=first.label
    )


def _purpose(setting: Setting, roll: Roll) -> Message | Quoted:
    """What a roll was for; the rule set's text knows the parts of its address behind the first as `p1`, …"""
    if roll.purpose not in setting.catalogue:
        return Quoted(roll.purpose)
    parts = roll.label.split("/")[1:]
    return Message(roll.purpose, {f"p{n}": setting.name(part) for n, part in enumerate(parts, 1)})


def _drawn(setting: Setting, roll: Roll, chosen: str) -> Message | Quoted:
    """What was drawn: the rule set's word for it (`SET/drawn-ID`), else its id."""
    word = f"{roll.purpose.partition('/')[0]}/drawn-{chosen}"
    return Message(word) if word in setting.catalogue else Quoted(chosen)


def _shown(setting: Setting, throw: tuple[Roll, ...]) -> Message:
    """What fell; of a draw its number too, by which the proof has it."""
    first = throw[0]
    was: tuple[Message | Quoted, ...]
    if first.chosen:
        values = tuple(_drawn(setting, one, one.chosen) for one in throw)
        numbers = tuple(one.value for one in throw)
        shown = msg("report/roll-drawn", values=values, numbers=numbers, sides=first.sides)
        was = tuple(_drawn(setting, one, one.true_chosen) for one in throw)
    else:
        fell = tuple(one.value for one in throw)
        shown = msg("report/roll-values", count=len(throw), sides=first.sides, values=fell)
        was = tuple(Quoted(str(one.true_value)) for one in throw)
    changed = any(one.overridden for one in throw)
    return msg("report/roll-changed", shown=shown, was=was) if changed else shown
