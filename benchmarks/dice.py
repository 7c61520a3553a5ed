"""Logged rolls of a turn, beside the plain reference of `ptd1`."""

from __future__ import annotations

from benchmarks.floors import dice as floor
from benchmarks.rounds import ROUNDS, Ratio, compare
from rules.engine.audience import only
from rules.engine.dice import Dice, Ptd1Source
from rules.engine.turn import TurnDice

ROLLS = 2_000
Thrown = tuple[str, int, int, int]
"""Label, index, sides, value."""

_SOURCE = Ptd1Source("medida", 3, bytes(range(32)), secret=bytes(range(32, 64)))
_PURPOSE = "conquista/roll-invasion"


def roll_logged(count: int) -> Dice:
    """Rolls as rule code throws them, by address, with purpose and audience, every second one secret."""
    dice = Dice(_SOURCE)
    seat = only("Liga")
    turn_dice = TurnDice(dice, {"Liga": seat}, ())
    for at in range(0, count, 2):
        turn_dice.roll(6, "invasion", f"CM-{at}", "Liga", "E1", purpose=_PURPOSE)
        turn_dice.roll(6, "espionage", f"CM-{at}", "Liga", purpose=_PURPOSE, audience=seat)
    return dice


def roll_plainly(count: int) -> list[Thrown]:
    """The same rolls by the reference, given each label in full."""
    keys = (_SOURCE.key_of(), _SOURCE.key_of("Liga"))
    thrown: list[Thrown] = []
    for at in range(0, count, 2):
        for key, label in ((keys[0], f"invasion/CM-{at}/Liga/E1"), (keys[1], f"espionage/CM-{at}/Liga")):
            thrown.append((label, 0, 6, floor.roll(key, label, 0, 6)))
    return thrown


def measure(count: int = ROLLS, rounds: int = ROUNDS) -> Ratio:
    """Logged rolls beside plain ones. Raises ValueError where they fall otherwise."""
    logged = [(one.label, one.index, one.sides, one.value) for one in roll_logged(count).rolls]
    if logged != roll_plainly(count):
        raise ValueError("logged and plain rolls differ")
    return compare(lambda: roll_logged(count), lambda: roll_plainly(count), rounds)
