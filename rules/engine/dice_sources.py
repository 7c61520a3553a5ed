"""Where the values of dice come from: the provable source of play, values written by hand for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable
from unicodedata import is_normalized

from rules.engine import ptd1

PUBLIC_GROUP = ""
Scripted = int | str
"""A value written by hand: a number for a roll, an id for a draw."""


class DiceScriptError(Exception):
    """A value written by hand (a scenario's die, a director's correction) that this die can't show.

    address, index: the die. value: what was written. sides: the die's greatest value. ids: what could have
    been drawn, in order, each once; empty for a roll.
    """

    def __init__(
        self, address: str, index: int, value: Scripted, sides: int, ids: Sequence[str] = ()
    ) -> None:
        self.address = address
        self.index = index
        self.value = value
        self.sides = sides
        self.ids = tuple(dict.fromkeys(ids))
        wanted = f"one of {', '.join(self.ids)}" if ids else f"a number from 1 to {sides}"
        super().__init__(f"die {index} of {address!r} can't be {value!r}: it must be {wanted}")


class DiceSource(Protocol):
    """Where values come from; the same question always has the same answer."""

    def roll(self, group: str, label: str, index: int, sides: int) -> int:
        """The value, 1 to `sides`, of die `index` (from 0) of a label in a group."""
        ...


@runtime_checkable
class DrawSource(Protocol):
    """A source that knows draws apart from rolls; others answer a draw by a roll over the ids."""

    def draw(self, group: str, label: str, index: int, ids: Sequence[str]) -> int:
        """The position, 1 to the number of ids, of what is drawn from the sorted ids."""
        ...


class Ptd1Source:
    """The provable dice of one turn (of one attempt): the public seed, and one seed for each other group.

    game: the slug, or `slug/track`. turn: from 0. seed: S, 32 bytes. entropy: E, known from the lock on.
    secret: H of the game, 32 bytes, needed once a group other than the public one rolls or commits.
    attempt: the attempt at the turn for which the seeds were made, from 1.
    """

    def __init__(
        self,
        game: str,
        turn: int,
        seed: bytes,
        *,
        entropy: ptd1.Entropy = ptd1.SEED,
        secret: bytes | None = None,
        attempt: int = 1,
    ) -> None:
        self.game = game
        self.turn = turn
        self.attempt = attempt
        self.entropy = entropy
        self._seed = seed
        self._secret = secret
        self._keys = {PUBLIC_GROUP: ptd1.turn_key(game, turn, seed, entropy)}

    def game_of(self, group: str = PUBLIC_GROUP) -> str:
        """The dice game id of a group, as it stands in its proof."""
        return ptd1.group_game(self.game, require_group(group))

    def seed_of(self, group: str = PUBLIC_GROUP) -> bytes:
        """The seed of a group, 32 bytes: to be shown to that group alone, after the resolution.

        Raises:
            ValueError: a group other than the public one, and no secret was given.
        """
        if not require_group(group):
            return self._seed
        if self._secret is None:
            raise ValueError(f"the dice of group {group!r} need the game's secret")
        return ptd1.group_seed(self._secret, self.game, self.turn, group, self.attempt)

    def key_of(self, group: str = PUBLIC_GROUP) -> bytes:
        """K of a group, 32 bytes, worked out when it is first needed."""
        if group not in self._keys:
            self._keys[group] = ptd1.turn_key(
                self.game_of(group), self.turn, self.seed_of(group), self.entropy
            )
        return self._keys[group]

    def commitment(self, group: str = PUBLIC_GROUP) -> str:
        """C of a group, 64 hex digits."""
        return ptd1.commitment(self.game_of(group), self.turn, self.seed_of(group))

    def commitments(self, groups: Sequence[str]) -> dict[str, str]:
        """C of each group, in the order given; `ptd1.groups_digest` makes of them what is published."""
        return {group: self.commitment(group) for group in groups}

    def roll(self, group: str, label: str, index: int, sides: int) -> int:
        """The provable value of a die."""
        return ptd1.roll(self._keys.get(group) or self.key_of(group), label, index, sides)


class ScriptedSource:
    """Values written by hand, by address; dice that aren't written come from the inner source.

    script: for each address its values from die 0 on; numbers for rolls, ids for draws.
    """

    def __init__(self, script: Mapping[str, Sequence[Scripted]], inner: DiceSource) -> None:
        self._script = {label: tuple(values) for label, values in script.items()}
        self._inner = inner
        self._used: set[tuple[str, int]] = set()

    def roll(self, group: str, label: str, index: int, sides: int) -> int:
        """The written value, else the inner source's.

        Raises:
            DiceScriptError: the die can't show what is written.
        """
        value = self._written(label, index)
        if value is None:
            return self._inner.roll(group, label, index, sides)
        return position_of(label, index, value, sides, ())

    def draw(self, group: str, label: str, index: int, ids: Sequence[str]) -> int:
        """The position of the written id, else the inner source's draw.

        Raises:
            DiceScriptError: the written id isn't among the ids.
        """
        value = self._written(label, index)
        if value is None:
            return draw_from(self._inner, group, label, index, ids)
        return position_of(label, index, value, len(ids), ids)

    def unused(self) -> dict[str, tuple[Scripted, ...]]:
        """The written values that no die asked for, by address."""
        return left_over(self._script, self._used)

    def _written(self, label: str, index: int) -> Scripted | None:
        values = self._script.get(label, ())
        if index >= len(values):
            return None
        self._used.add((label, index))
        return values[index]


def join_address(parts: Sequence[str | int]) -> str:
    """The label of an address.

    Raises:
        ValueError: no parts, or one that is empty, holds "/", isn't NFC or is a negative number.
    """
    if not parts:
        raise ValueError("a die needs an address")
    try:
        label = "/".join(parts)  # type: ignore[arg-type]  # numbers among them go the long way
    except TypeError:
        return "/".join(map(_require_part, parts))
    if label.isascii() and "" not in parts and label.count("/") == len(parts) - 1:
        return label
    return "/".join(map(_require_part, parts))


def require_group(group: str) -> str:
    """The group itself, if it can name one: "" for the public, else a text without "/" in NFC."""
    return _require_part(group) if group else PUBLIC_GROUP


def _require_part(part: str | int) -> str:
    if isinstance(part, bool) or not isinstance(part, str | int):
        raise TypeError(f"an address is made of texts and plain ints, not {type(part).__name__}")
    if isinstance(part, int):
        if part < 0:
            raise ValueError(f"a number in an address must be 0 or more, not {part}")
        return str(part)
    if not part or "/" in part or not is_normalized("NFC", part):
        raise ValueError(f"{part!r} can't stand in a die's address: it must be NFC text without '/'")
    return part


def draw_from(source: DiceSource, group: str, label: str, index: int, ids: Sequence[str]) -> int:
    """A draw from any source: its own `draw`, else a roll over the number of ids."""
    if isinstance(source, DrawSource):
        return source.draw(group, label, index, ids)
    return source.roll(group, label, index, len(ids))


def position_of(label: str, index: int, value: Scripted, sides: int, ids: Sequence[str]) -> int:
    """What a value written by hand means for a die: itself, or where the id stands among the ids."""
    if ids and value in ids:
        return list(ids).index(str(value)) + 1
    if ids or type(value) is not int or not 1 <= value <= sides:
        raise DiceScriptError(label, index, value, sides, ids)
    return value


def left_over(
    written: Mapping[str, tuple[Scripted, ...]], used: set[tuple[str, int]]
) -> dict[str, tuple[Scripted, ...]]:
    """The values written by hand whose (address, index) wasn't used, by address."""
    left = {
        label: tuple(value for index, value in enumerate(values) if (label, index) not in used)
        for label, values in written.items()
    }
    return {label: values for label, values in left.items() if values}
