"""The plain `ptd1` reference: one HMAC for each roll, nothing kept from roll to roll, nothing logged."""

from __future__ import annotations

import hashlib
import hmac


def enc(*parts: str | int | bytes) -> bytes:
    """Each part behind its length."""
    raw = (part if isinstance(part, bytes) else str(part).encode() for part in parts)
    return b"".join(len(one).to_bytes(4, "big") + one for one in raw)


def roll(key: bytes, label: str, i: int, n: int) -> int:
    """The value, 1 to n, of die i of a label."""
    limit, c = 2**64 - 2**64 % n, 0
    while True:
        block = hmac.new(key, enc("ptd1/roll", label, i, c), hashlib.sha256).digest()
        c += 1
        for at in (0, 8, 16, 24):
            word = int.from_bytes(block[at : at + 8], "big")
            if word < limit:
                return 1 + word % n
