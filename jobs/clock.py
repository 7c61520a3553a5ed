"""The machine's clock."""

from __future__ import annotations

import time
from datetime import UTC, datetime

_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class SystemClock:
    """Time as the machine has it."""

    def now(self) -> datetime:
        """Wall clock, UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that never jump; where the machine can tell, those go on while it sleeps."""
        return time.clock_gettime(_STEADY)

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)
