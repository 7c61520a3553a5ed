"""The machine's clock."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """Time as the machine has it."""

    def now(self) -> datetime:
        """Wall clock, UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that never jump."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)
