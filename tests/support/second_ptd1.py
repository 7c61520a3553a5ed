"""`ptd1` once more, written from the text of reliability.md 1.2 alone, to be compared with ours.

It shares nothing with `rules.engine.ptd1`: HMAC is built by hand from SHA-256 (RFC 2104), the bytes are
gathered in a buffer, words are cut by shifting.
"""

from __future__ import annotations

import hashlib
import unicodedata

Value = str | int | bytes


def encode(values: list[Value]) -> bytes:
    """`enc` of 1.2."""
    out = bytearray()
    for value in values:
        if isinstance(value, bytes):
            data = value
        elif isinstance(value, int):
            data = format(value, "d").encode("ascii")
        else:
            data = unicodedata.normalize("NFC", value).encode("utf-8")
        out += bytes([len(data) >> shift & 255 for shift in (24, 16, 8, 0)])
        out += data
    return bytes(out)


def keyed(key: bytes, message: bytes) -> bytes:
    """HMAC-SHA-256 for keys up to 64 bytes."""
    padded = key + bytes(64 - len(key))
    inner = hashlib.sha256(bytes(b ^ 0x36 for b in padded) + message).digest()
    return hashlib.sha256(bytes(b ^ 0x5C for b in padded) + inner).digest()


def commit(game: str, turn: int, seed: bytes) -> bytes:
    """C."""
    return hashlib.sha256(encode(["ptd1/commit", game, turn, seed])).digest()


def derive(game: str, turn: int, seed: bytes, entropy: list[Value]) -> bytes:
    """K."""
    return keyed(seed, encode(["ptd1/key", game, turn, encode(entropy)]))


def throw(key: bytes, label: str, die: int, sides: int) -> int:
    """`roll(label, i, n)`."""
    usable = (1 << 64) // sides * sides
    attempt = 0
    while True:
        bits = int.from_bytes(keyed(key, encode(["ptd1/roll", label, die, attempt])), "big")
        for word in range(4):
            candidate = bits >> (192 - 64 * word) & (1 << 64) - 1
            if candidate < usable:
                return candidate % sides + 1
        attempt += 1
