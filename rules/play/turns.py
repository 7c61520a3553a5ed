"""Names of turns and of what is published for them, and the states of a turn's life (design.md 1)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

LONGEST_PAUSE = timedelta(days=3650)
"""No pause is longer."""


class TurnStatus(StrEnum):
    """Where a turn is in its life."""

    PLANNED = "planned"
    OPEN = "open"
    LOCKED = "locked"
    RESOLVING = "resolving"
    ASKING = "asking"
    RESOLVED = "resolved"
    PUBLISHING = "publishing"
    PUBLISHED = "published"
    HELD = "held"
    VOID = "void"


class GameStatus(StrEnum):
    """Where a game is in its life; `parked`: its own fault, the others go on."""

    PLANNED = "planned"
    ACTIVE = "active"
    PAUSED = "paused"
    PARKED = "parked"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class TurnRef:
    """One attempt at one turn of one track; the key of everything that belongs to it."""

    game: str
    turn: int
    track: str = ""
    attempt: int = 1

    @property
    def dice_game(self) -> str:
        """The game id in all `ptd1` formulas."""
        return f"{self.game}/{self.track}" if self.track else self.game

    @property
    def inbox(self) -> str:
        """The folder below `inbox/` with what a person has brought of this turn's posts."""
        track = f"{self.track}/" if self.track else ""
        return f"{track}turn-{self.turn:03}"

    def marker(self, kind: str, part: int, parts: int, digest: str | None = None) -> str:
        """The last line of a published post. digest: hash of the body, None for posts that are edited."""
        base = f"ptd1:{self.dice_game}:{self.turn}.{self.attempt}:{kind}:{part}/{parts}"
        return f"{base}:{digest[:8]}" if digest else base


@dataclass(frozen=True, slots=True)
class Deadline:
    """When a turn closes. at: UTC. zone: the game's zone, for showing it.

    paused: the turn's clock stands still; `at` is then where it stood.
    """

    at: datetime
    zone: str
    paused: bool = False

    @property
    def cut_off(self) -> datetime:
        """Up to when posts count, UTC: nothing is late while the clock stands still."""
        return self.at + LONGEST_PAUSE if self.paused else self.at
