"""Rounds of drand's quicknet, the public randomness of proof mode `beacon` (reliability.md 1.1–1.4).

Each round is published at a moment that is known long before, and its value by nobody until then. Here it is
only arithmetic; whether a signature is drand's own isn't checked: anybody can compare it with drand's.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256

QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
"""The chain's hash, by which drand's servers name it."""
GENESIS = datetime.fromtimestamp(1692803367, UTC)
"""When round 1 was published."""
PERIOD = timedelta(seconds=3)
SIGNATURE_BYTES = 48


@dataclass(frozen=True, slots=True)
class Pulse:
    """What the beacon published in a round. Raises ValueError for another length than a signature has."""

    round: int
    signature: bytes

    def __post_init__(self) -> None:
        if len(self.signature) != SIGNATURE_BYTES:
            raise ValueError(f"a signature of quicknet has {SIGNATURE_BYTES} bytes")

    @property
    def randomness(self) -> bytes:
        """The round's 32 bytes."""
        return sha256(self.signature).digest()


def round_at(moment: datetime) -> int:
    """The newest round that is published at a moment, from 1. moment: not before the genesis."""
    return (moment - GENESIS) // PERIOD + 1


def published_at(number: int) -> datetime:
    """When a round is published, UTC."""
    return GENESIS + PERIOD * (number - 1)


def address_of(number: int, base: str = "https://api.drand.sh") -> str:
    """Where a round can be read. base: of any of drand's servers."""
    return f"{base.rstrip('/')}/{QUICKNET}/public/{number}"
