"""What a seat takes from one turn into the next: standing orders, the last block, turns without orders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.play.blocks import Block
from rules.play.reading import PostRef


@dataclass(frozen=True, slots=True)
class KeptBlock:
    """A block as it was written, to be read again against a later turn's view.

    turn: in which it was written. raw: whether its lines are text as typed.
    """

    post: PostRef
    block: Block
    turn: int
    raw: bool = False


@dataclass(frozen=True, slots=True)
class CarriedSeat:
    """What stands for a seat behind the lock of a turn.

    account: who played it then, None for nobody. standing: its standing orders, with what was appended.
    last: the blocks in force of the last turn in which it gave some, empty behind a withdrawal.
    missed: turns in a row without a block, announced absences apart.
    """

    account: str | None = None
    standing: tuple[KeptBlock, ...] = ()
    last: tuple[KeptBlock, ...] = ()
    missed: int = 0


Carried = Mapping[str, CarriedSeat]
"""By seat; seats of which nothing is known are left out."""

NOTHING = CarriedSeat()
"""A seat in its first turn."""
