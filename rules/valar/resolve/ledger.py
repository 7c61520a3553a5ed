"""What lives for one turn only: missions begun, and those that are rolled in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.engine.turn import Turn
from rules.valar.entries import Case


@dataclass(slots=True)
class Ledger:
    """Marks of one turn.

    begun: how many missions have been begun. cases: missions rolled, in the order of their entries.
    posts: posts whose prose has counted. leaders: who has each aspect, by the sides of an opposition.
    """

    begun: int = 0
    cases: list[Case] = field(default_factory=list)
    posts: set[str] = field(default_factory=set)
    leaders: dict[tuple[str, ...], tuple[str | None, ...]] = field(default_factory=dict)

    def case_of(self, house: str, slug: str) -> Case | None:
        """A mission that is rolled in this turn."""
        return next((one for one in self.cases if (one.house, one.slug) == (house, slug)), None)


def open_ledger(turn: Turn) -> None:
    """Begin with nothing."""
    turn.scratch["ledger"] = Ledger()


def ledger_of(turn: Turn) -> Ledger:
    """The turn's marks."""
    ledger: Ledger = turn.scratch["ledger"]
    return ledger
