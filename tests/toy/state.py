"""The state of a fair: its folk, its stalls, its bouts of arm-wrestling."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from rules.engine.audience import DIRECTOR_SEAT


@dataclass(slots=True)
class Options:
    """to_win: prizes that win the fair."""

    to_win: int = 3


@dataclass(slots=True)
class Person:
    """A seat's person. coins: None where the viewer can't know. apprentice: a name, "" for none."""

    coins: int | None = 0
    prizes: tuple[str, ...] = ()
    apprentice: str = ""
    charm: bool = False

    @property
    def purse(self) -> int:
        """The coins, 0 where they aren't known."""
        return self.coins or 0


@dataclass(slots=True)
class Stall:
    """A stall. places: people who can play there in a day. outdoor: suffers from rain."""

    name: str
    price: int
    prizes: tuple[str, ...] = ()
    places: int = 2
    outdoor: bool = False


@dataclass(slots=True)
class Bout:
    """Arm-wrestling of two seats for a stake."""

    left: str
    right: str
    stake: int


@dataclass(slots=True)
class State:
    """Everything of a fair."""

    folk: dict[str, Person]
    stalls: dict[str, Stall] = field(default_factory=dict)
    bouts: dict[str, Bout] = field(default_factory=dict)


def view(state: State, viewer: str, options: Options) -> State:
    """Other people's coins are their own business."""
    if viewer == DIRECTOR_SEAT:
        return state
    folk = {key: one if key == viewer else replace(one, coins=None) for key, one in state.folk.items()}
    return State(folk, state.stalls, state.bouts)
