"""The dice that rule code throws: each die has an address of names, so no die depends on another.

Rules ask a `Dice`; it numbers the dice of one address, applies the director's replacements and keeps a
list of all rolls. Behind it stands a source: `Ptd1Source` for play, `ScriptedSource` for tests.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from rules.engine import ptd1
from rules.engine.dice_sources import (
    PUBLIC_GROUP,
    DiceScriptError,
    DiceSource,
    DrawSource,
    Ptd1Source,
    Scripted,
    ScriptedSource,
    draw_from,
    join_address,
    left_over,
    position_of,
    require_group,
)

__all__ = [
    "PUBLIC_GROUP",
    "Dice",
    "DiceScriptError",
    "DiceSource",
    "DrawSource",
    "Ptd1Source",
    "Roll",
    "Scripted",
    "ScriptedSource",
    "join_address",
    "require_group",
]

_NONE: Mapping[str, Sequence[Scripted]] = MappingProxyType({})


class Roll(NamedTuple):
    """One die as it fell. A tuple, since it is made in a quarter of a dataclass's time (`make bench`).

    label: its address, the parts joined by "/". index: counts the label's dice from 0. sides: n.
    value: what the rules saw, 1 to n. true_value: what the source gave, the same unless replaced.
    purpose: what it was for. group: the audience group whose seed it used, "" for the public one.
    chosen, true_chosen: the ids that a draw's two values stand for, "" for a plain roll.
    replaced: whether the director set the value, be it the true one by chance.
    """

    label: str
    index: int  # type: ignore[assignment]  # a tuple's method, which nobody needs here
    sides: int
    value: int
    true_value: int
    purpose: str
    group: str = PUBLIC_GROUP
    chosen: str = ""
    true_chosen: str = ""
    replaced: bool = False

    @property
    def overridden(self) -> bool:
        """Whether the value is the director's, to be listed beside the true one."""
        return self.replaced or self.value != self.true_value


class Dice:
    """The dice of one run of one turn, as rule code sees them.

    An address says who acts on what: names, joined by "/" to the label. Dice of one label are numbered in the
    order asked; dice of different labels don't know each other. `audience_group` says whose seed a die uses.

    replacements: the director's values by address, from die 0 on. They are applied at every run, and the
    true value stays beside them in `rolls`.

    Raises (each method that rolls):
        ValueError: an address part that is empty, holds "/" or isn't NFC; a label that already belongs to
            another group; sides out of 1 to 2^64. All of these are errors of rule code.
        DiceScriptError: a value written by hand that the die can't show.
    """

    def __init__(self, source: DiceSource, replacements: Mapping[str, Sequence[Scripted]] = _NONE) -> None:
        self.rolls: list[Roll] = []
        self._source = source
        self._replacements = {label: tuple(values) for label, values in replacements.items()}
        self._replaced: set[tuple[str, int]] = set()
        self._known: dict[str, tuple[str, int]] = {}  # group and number of dice so far, by label
        self._groups: set[str] = set()

    def roll(self, sides: int, *address: str | int, audience_group: str = PUBLIC_GROUP, purpose: str) -> int:
        """The next die of an address: 1 to `sides`."""
        return self.throw(sides, address, audience_group, purpose)

    def throw(self, sides: int, address: tuple[str | int, ...], group: str, purpose: str) -> int:
        """The same for those who pass an address on."""
        ptd1.require_sides(sides)
        label, index = self._take(address, group)
        value = true = self._source.roll(group, label, index, sides)
        replaced = False
        if self._replacements:
            value, replaced = self._corrected(label, index, true, sides, ())
        self.rolls.append(Roll(label, index, sides, value, true, purpose, group, "", "", replaced))
        return value

    def pool(
        self,
        count: int,
        sides: int,
        *address: str | int,
        audience_group: str = PUBLIC_GROUP,
        purpose: str,
    ) -> tuple[int, ...]:
        """The next `count` dice of an address, in order; 0 gives none."""
        if count < 0:
            raise ValueError(f"a pool has 0 or more dice, not {count}")
        return tuple(
            self.roll(sides, *address, audience_group=audience_group, purpose=purpose) for _ in range(count)
        )

    def draw(
        self,
        ids: Sequence[str],
        *address: str | int,
        audience_group: str = PUBLIC_GROUP,
        purpose: str,
    ) -> str:
        """One of the ids, each equally likely whatever the order they are listed in.

        It is recorded as a roll over their number; the value is the position, from 1, in the sorted ids.
        """
        return self._draw(_sorted_choices(ids), address, audience_group, purpose)

    def draw_weighted(
        self,
        weights: Mapping[str, int],
        *address: str | int,
        audience_group: str = PUBLIC_GROUP,
        purpose: str,
    ) -> str:
        """One of the ids, each as likely as its weight says, whatever the order they are listed in.

        It is one roll over the sum of the weights (reliability.md 1): the sorted ids take that many values
        each, one behind the other. Written by hand it is an id, as every draw; the value is the id's first.

        weights: by id, 0 or more each; an id of weight 0 is never drawn.

        Raises:
            ValueError: a weight below 0, or none above it.
        """
        if any(weight < 0 for weight in weights.values()):
            raise ValueError(f"a weight is 0 or more: {dict(weights)}")
        tickets = tuple(one for one in sorted(weights) for _ in range(weights[one]))
        if not tickets:
            raise ValueError("there is nothing to draw from")
        return self._draw(tickets, address, audience_group, purpose)

    def _draw(
        self, choices: tuple[str, ...], address: tuple[str | int, ...], group: str, purpose: str
    ) -> str:
        label, index = self._take(address, group)
        true = draw_from(self._source, group, label, index, choices)
        value, replaced = self._corrected(label, index, true, len(choices), choices)
        chosen, true_chosen = choices[value - 1], choices[true - 1]
        thrown = (label, index, len(choices), value, true, purpose, group)
        self.rolls.append(Roll(*thrown, chosen=chosen, true_chosen=true_chosen, replaced=replaced))
        return chosen

    def unmatched(self) -> dict[str, tuple[Scripted, ...]]:
        """The director's values that no die asked for, by address; to be told, never skipped."""
        return left_over(self._replacements, self._replaced)

    def nearest(self, address: str, limit: int = 3) -> tuple[str, ...]:
        """Up to `limit` addresses of dice that fell and look like this one, the likest first."""
        return tuple(difflib.get_close_matches(address, sorted(self._known), limit))

    def _take(self, address: tuple[str | int, ...], group: str) -> tuple[str, int]:
        label = join_address(address)
        if group not in self._groups:
            self._groups.add(require_group(group))
        owner, index = self._known.get(label) or (group, 0)
        if owner != group:
            raise ValueError(f"the dice of {label!r} belong to group {owner!r}, not {group!r}")
        self._known[label] = group, index + 1
        return label, index

    def _corrected(
        self, label: str, index: int, true: int, sides: int, ids: Sequence[str]
    ) -> tuple[int, bool]:
        values = self._replacements.get(label, ())
        if index >= len(values):
            return true, False
        self._replaced.add((label, index))
        return position_of(label, index, values[index], sides, ids), True


def _sorted_choices(ids: Sequence[str]) -> tuple[str, ...]:
    choices = tuple(sorted(set(ids)))
    if not choices:
        raise ValueError("there is nothing to draw from")
    if len(choices) != len(ids):
        raise ValueError(f"an id stands twice among those to draw from: {sorted(ids)}")
    return choices
