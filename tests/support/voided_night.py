"""The small game's night on the stand-in, and what comes after it: the turn is voided, played once more with
new orders, and resolved once more with the same ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from tests.support.standin_night import ANSWERED, CLOSED, EVENING, LATER, StandInNight

WEEK = timedelta(days=7)
VOIDED, CLOSED_AGAIN, KEPT = ANSWERED + timedelta(hours=1), CLOSED + WEEK, ANSWERED + WEEK
"""When the director voids the turn, when its second attempt closes, when that is resolved once more."""
MOMENTS = (
    *(EVENING, LATER, CLOSED, ANSWERED),
    *(VOIDED + timedelta(minutes=20 * times) for times in range(4)),
    CLOSED_AGAIN - timedelta(minutes=40),  # a forum that wasn't read for a week would hold the turn
    CLOSED_AGAIN,
    *(KEPT + timedelta(minutes=20 * times) for times in range(3)),
)


@dataclass
class VoidedNight(StandInNight):
    """Two voids written by hand, one behind the other in the file; of what is sent then an answer is lost."""

    def __post_init__(self) -> None:
        super().__post_init__()
        moments = [one.isoformat() for one in MOMENTS]
        self.write_settings(clock=str(self.clock), moments=moments)

    def script(self) -> list[tuple[datetime, Callable[[], object]]]:
        """What people do, and when."""
        return [
            *super().script(),
            (VOIDED, lambda: self.void(1, "reopen")),
            (VOIDED + timedelta(minutes=50), lambda: self.order("alice", "nuevo")),
            (VOIDED + timedelta(minutes=52), lambda: self.whisper("bob", "oculto")),
            (KEPT, lambda: self.void(2, "keep")),
        ]

    def void(self, attempt: int, orders: str) -> None:
        """An entry at the end of the first turn's override file."""
        path = self.folder / "overrides" / "turn-001.toml"
        path.parent.mkdir(exist_ok=True)
        self.forum.fail("store-then-drop", "publish")
        with path.open("a", encoding="utf-8") as file:
            file.write(f'[[override]]\nvoid = {attempt}\norders = "{orders}"\nreason = "Otra vez"\n\n')
