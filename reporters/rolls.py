"""Dice as a report shows them: purpose, what fell, and the address by which anybody can compute it again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from reporters.blocks import Run
from reporters.setting import Setting
from rules.engine.dice import Roll
from rules.engine.messages import Code, Message, Param, Quoted, msg
from rules.engine.resolution import RolledDie

LARGEST_SHOWN = 1000
"""Sides up to which a die is one that people throw; larger ones only put things in order."""


def say_rolls(setting: Setting, rolls: Sequence[RolledDie]) -> tuple[Run, ...]:
    """A line for each throw; dice of one address that follow each other are one throw."""
    return tuple(_throw(setting, throw) for throw in group_throws(rolls))


def group_throws(rolls: Sequence[RolledDie]) -> Iterable[tuple[Roll, ...]]:
    """Dice that fell together: equal address, sides and purpose, one behind the other."""
    for _, together in groupby(
        (one.roll for one in rolls), key=lambda one: (one.label, one.sides, one.purpose, bool(one.chosen))
    ):
        yield tuple(together)


def _throw(setting: Setting, throw: tuple[Roll, ...]) -> Run:
    first = throw[0]
    return setting.say(
        "report/roll", purpose=_purpose(setting, first), shown=_shown(throw), label=first.label
    )


def _purpose(setting: Setting, roll: Roll) -> Message | Quoted:
    """What a roll was for; the rule set's text knows the parts of its address behind the first as `p1`, …"""
    if roll.purpose not in setting.catalogue:
        return Quoted(roll.purpose)
    parts = roll.label.split("/")[1:]
    return Message(roll.purpose, {f"p{n}": _part(setting, part) for n, part in enumerate(parts, 1)})


def _part(setting: Setting, part: str) -> Param:
    """A part of an address as a reader knows it: a seat by its name, everything else as it stands."""
    return setting.name(part) if any(one.id == part for one in setting.game.seats) else Quoted(part)


def _shown(throw: tuple[Roll, ...]) -> Message:
    first = throw[0]
    if first.chosen:
        values = tuple(Quoted(one.chosen) for one in throw)
        shown = msg("report/roll-drawn", values=values, sides=first.sides)
        was = tuple(Quoted(one.true_chosen) for one in throw)
    else:
        sides: int | Code = first.sides if first.sides <= LARGEST_SHOWN else Code(str(first.sides))
        shown = msg(
            "report/roll-values", count=len(throw), sides=sides, values=tuple(one.value for one in throw)
        )
        was = tuple(Quoted(str(one.true_value)) for one in throw)
    changed = any(one.overridden for one in throw)
    return msg("report/roll-changed", shown=shown, was=was) if changed else shown
