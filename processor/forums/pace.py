"""How fast a host may be asked, kept by everybody in this process who asks it, whatever account they use."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit


class Pace:
    """One host's distance between two requests, and how long it wants to be left alone.

    gap: least seconds between two requests. clock, sleep: seconds, monotonic. May be used by several threads.
    """

    def __init__(
        self,
        gap: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._gap, self._clock, self._sleep = gap, clock, sleep
        self._next = self._rest = float("-inf")
        self._lock = threading.Lock()

    def keep(self) -> None:
        """Wait until the next request may leave, and count it."""
        with self._lock:
            now = self._clock()
            at = max(now, self._next, self._rest)
            self._next = at + self._gap
        if at > now:
            self._sleep(at - now)

    def rest(self, seconds: float) -> None:
        """The host wants to be asked nothing for so long, by nobody at our address."""
        with self._lock:
            self._rest = max(self._rest, self._clock() + seconds)

    def left(self) -> float:
        """Seconds for which the host still wants to be left alone, 0 where it doesn't."""
        with self._lock:
            return max(self._rest - self._clock(), 0.0)


@dataclass(frozen=True, slots=True)
class Sendings:
    """What an account has sent to a forum, whichever of its games it was for; seconds, monotonic.

    sent: when something of a kind last left. turns: when the last of those that wait may leave.
    """

    sent: dict[str, float] = field(default_factory=dict)
    turns: dict[str, float] = field(default_factory=dict)


def origin_of(url: str) -> str:
    """The host that an address belongs to: scheme, name and port, without path and account."""
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return f"{parts.scheme}://{parts.hostname}:{port}"
