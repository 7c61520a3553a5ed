"""A clock that is turned by hand, and the small game's deadline."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

DEADLINE = datetime(2026, 12, 6, 21, 0, tzinfo=UTC)
"""The small game's first deadline: 22:00 in Madrid."""


class HandClock:
    """A clock that only moves when told; sleeping moves it."""

    def __init__(self, now: datetime = DEADLINE - timedelta(hours=2)) -> None:
        self._now = now
        self._seconds = 0.0

    def now(self) -> datetime:
        """Wall clock, UTC."""
        return self._now

    def monotonic(self) -> float:
        """Seconds that never jump."""
        return self._seconds

    def sleep(self, seconds: float) -> None:
        """Move on."""
        self._now += timedelta(seconds=seconds)
        self._seconds += seconds

    def step(self, by: timedelta) -> None:
        """Set the wall clock, as an administrator does; no time passes."""
        self._now += by

    def set(self, moment: datetime) -> None:
        """Move on to a moment."""
        self.sleep((moment - self._now).total_seconds())
