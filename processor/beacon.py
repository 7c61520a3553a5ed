"""The public source of randomness, asked over HTTP as any of drand's servers answers."""

from __future__ import annotations

from parsers.files.pulse import parse_pulse
from processor.forums.http import ForumHttp, Limits
from processor.ports import BeaconError, ForumError
from rules.play.beacons import Pulse, address_of

FOUND = 200
LIMITS = Limits(deadline=10.0, connect=5.0, gap=0.0, retries=0, max_bytes=16 * 1024)
"""One short try: who asks comes back by itself."""


class HttpBeacon:
    """A server of drand's, or a mirror; implements `processor.ports.Beacon`. base_url: without the chain."""

    def __init__(self, base_url: str, limits: Limits = LIMITS) -> None:
        """Raises ValueError for an address that isn't one."""
        self._http = ForumHttp(base_url, limits=limits)
        self._base = base_url

    def fetch(self, number: int) -> Pulse:
        """See `Beacon.fetch`."""
        try:
            answer = self._http.get(address_of(number, self._base))
        except ForumError as error:
            raise BeaconError(error.detail) from error
        if answer.status != FOUND:
            raise BeaconError(f"HTTP {answer.status}")
        try:
            return parse_pulse(answer.body, number)
        except ValueError as error:
            raise BeaconError(str(error)) from error
