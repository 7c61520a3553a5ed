"""The provable dice `ptd1`, byte by byte as reliability.md 1.2 and design.md 6 (*Secrecy*) define them.

Everything here is a pure function of its arguments. `game` is the dice game id: the slug, `slug/track`
for a track, `slug/@group` for the dice of an audience group. `turn` counts from 0.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import count
from struct import Struct
from unicodedata import normalize

WORD = 2**64
"""Values of one 64-bit word, and the greatest number of sides."""
SEED_BYTES = 32
SALT_BYTES = 16

Part = str | int | bytes

_WORDS = Struct(">4Q")
_HEX_WORD = re.compile(r"hex:((?:[0-9a-f]{2})*)")
_ROUND = re.compile(r"quicknet:[1-9][0-9]{0,18}")


def enc(*parts: Part) -> bytes:
    """The injective encoding of a list: for each part its length in 4 bytes, then its bytes.

    Text stands in UTF-8 of its NFC form, integers as ASCII decimals.

    Raises:
        TypeError: a part is neither text, bytes nor a plain int (`True` is none).
        ValueError: a negative integer, or text that UTF-8 can't hold (a lone surrogate).
    """
    return b"".join(len(raw).to_bytes(4, "big") + raw for raw in map(_bytes_of, parts))


def _bytes_of(part: Part) -> bytes:
    if isinstance(part, bytes):
        return part
    if isinstance(part, str):
        return normalize("NFC", part).encode()
    return str(_natural("an integer part", part)).encode()


def _natural(what: str, number: int) -> int:
    if type(number) is not int:
        raise TypeError(f"{what} must be a plain int, not {type(number).__name__}")
    if number < 0:
        raise ValueError(f"{what} must be 0 or more, not {number}")
    return number


def _secret(what: str, secret: bytes) -> bytes:
    if not isinstance(secret, bytes):
        raise TypeError(f"{what} must be bytes, not {type(secret).__name__}")
    if len(secret) != SEED_BYTES:
        raise ValueError(f"{what} must be {SEED_BYTES} bytes, not {len(secret)}")
    return secret


@dataclass(frozen=True, slots=True)
class Entropy:
    """What is mixed into a turn's key beside the seed (E of reliability.md 1.2): one of three shapes.

    parts: `("seed", "")`, `("beacon", "quicknet:ROUND", 32 bytes)` or `("orders", "", 32 bytes)`.

    Raises:
        ValueError: any other shape.
    """

    parts: tuple[str | bytes, ...]

    def __post_init__(self) -> None:
        if not _is_entropy(self.parts):
            raise ValueError("entropy is seed, beacon or orders, in the shapes of reliability.md 1.2")

    @property
    def mode(self) -> str:
        """`seed`, `beacon` or `orders`."""
        return str(self.parts[0])

    @property
    def encoded(self) -> bytes:
        """E itself."""
        return enc(*self.parts)

    def texts(self) -> list[str]:
        """The parts as a proof file holds them: bytes as `hex:` and lower-case digits."""
        return [part if isinstance(part, str) else f"hex:{part.hex()}" for part in self.parts]

    @classmethod
    def from_texts(cls, texts: Iterable[str]) -> Entropy:
        """The entropy that `texts` wrote.

        Raises:
            ValueError: none of the three shapes, or digits that aren't lower-case hexadecimal.
        """
        return cls(tuple(_entropy_part(text) for text in texts))


def _entropy_part(text: str) -> str | bytes:
    found = _HEX_WORD.fullmatch(text)
    return bytes.fromhex(found[1]) if found else text


def _is_entropy(parts: tuple[str | bytes, ...]) -> bool:
    match parts:
        case ("seed", ""):
            return True
        case ("beacon", str() as source, bytes() as value):
            return len(value) == SEED_BYTES and _ROUND.fullmatch(source) is not None
        case ("orders", "", bytes() as value):
            return len(value) == SEED_BYTES
    return False


SEED = Entropy(("seed", ""))
"""Entropy of mode `seed`: nothing beside the seed."""


def beacon(round_number: int, randomness: bytes) -> Entropy:
    """Entropy of mode `beacon`: a round of drand's quicknet (from 1) and its 32 bytes of randomness."""
    return Entropy(("beacon", f"quicknet:{_natural('a round', round_number)}", randomness))


def orders(frozen: bytes) -> Entropy:
    """Entropy of mode `orders`, the weak one (reliability.md 1.4): the manifest of `manifest`."""
    return Entropy(("orders", "", sha256(frozen).digest()))


def commitment(game: str, turn: int, seed: bytes) -> str:
    """C: what is published before the deadline to fix the turn's seed; 64 lower-case hex digits."""
    return sha256(enc("ptd1/commit", game, _natural("turn", turn), _secret("seed", seed))).hexdigest()


def turn_key(game: str, turn: int, seed: bytes, entropy: Entropy) -> bytes:
    """K: the key of all rolls of one turn and group, 32 bytes, fixed at the lock."""
    message = enc("ptd1/key", game, _natural("turn", turn), entropy.encoded)
    return hmac.digest(_secret("seed", seed), message, "sha256")


def block(key: bytes, label: str, i: int, c: int) -> bytes:
    """B: the 32 bytes of die `i` of a label at try `c`, both from 0."""
    return hmac.digest(_secret("key", key), _roll_prefix(label) + enc(i, c), "sha256")


def roll(key: bytes, label: str, i: int, n: int) -> int:
    """The value, 1 to `n`, of die `i` (from 0) of a label.

    Words of the blocks that would favour low values are skipped, so that every value is equally likely.

    Raises:
        TypeError: `i` or `n` is no plain int.
        ValueError: `n` is not 1 to 2^64, `i` is negative, or the key hasn't 32 bytes.
    """
    if type(n) is not int or not 1 <= n <= WORD or len(key) != SEED_BYTES:
        require_sides(n)
        _secret("key", key)
    limit = WORD - WORD % n
    address = _roll_prefix(label) + _number(i)
    digest = hmac.digest(key, address + _FIRST_TRY, "sha256")
    word = int.from_bytes(digest[:8], "big")
    return 1 + (word if word < limit else _later_word(key, address, digest, limit)) % n


def _later_word(key: bytes, address: bytes, digest: bytes, limit: int) -> int:
    """The first word under the limit, once the very first word wasn't; seldom needed unless n is huge."""
    tries = count(1)
    while True:
        for word in _WORDS.unpack(digest):
            if word < limit:
                return int(word)
        digest = hmac.digest(key, address + enc(next(tries)), "sha256")


def require_sides(n: int) -> int:
    """The number itself, if a die can have so many sides: 1 to 2^64.

    Raises:
        TypeError: no plain int.
        ValueError: out of range.
    """
    if type(n) is not int:
        raise TypeError(f"sides must be a plain int, not {type(n).__name__}")
    if not 1 <= n <= WORD:
        raise ValueError(f"a die has 1 to 2^64 sides, not {n}")
    return n


_ROLL = enc("ptd1/roll")


def _roll_prefix(label: str) -> bytes:
    """What `enc("ptd1/roll", label)` gives: a list's encoding is that of its parts, one behind the other."""
    raw = label.encode() if label.isascii() else normalize("NFC", label).encode()
    return _ROLL + len(raw).to_bytes(4, "big") + raw


@lru_cache(maxsize=1024, typed=True)  # typed, since True == 1 and only one of them is a number here
def _number(i: int) -> bytes:
    return enc(i)


_FIRST_TRY = enc(0)


def manifest(entries: Iterable[tuple[str, str, str] | bytes]) -> bytes:
    """All accepted orders of a locked turn, in one sequence of bytes that doesn't depend on their order.

    entries: an open order is (post id, player id, raw text); of a secret one only its `leaf` stands here.
    A leaf is encoded as `enc("ptd1/leaf", leaf)`, which no open order can equal: it has two parts, not three.
    """
    items = sorted(enc("ptd1/leaf", one) if isinstance(one, bytes) else enc(*one) for one in entries)
    return enc(len(items), *items)


def leaf(salt: bytes, player: str, text: str) -> bytes:
    """What stands for a secret order: 32 bytes that tell nothing without the salt, its author's receipt.

    salt: 16 random bytes, new for each order.
    """
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a leaf's salt must be {SALT_BYTES} bytes, not {len(salt)}")
    return sha256(enc("ptd1/leaf", salt, player, text)).digest()


def leaf_salt(secret: bytes, game: str, turn: int, source: str) -> bytes:
    """The salt of a leaf, 16 bytes, from the game's secret H; its author gets it with the private receipt.

    source: the id of the post, or `override#N` (docs/adr/0004-lock-manifest.md).
    """
    message = enc("ptd1/salt", game, _natural("turn", turn), source)
    return hmac.digest(_secret("the game's secret", secret), message, "sha256")[:SALT_BYTES]


def lock_tag(game: str, turn: int, seed: bytes, frozen: bytes, overrides: bytes, rules_id: str) -> str:
    """L: what is published at the lock to fix orders, overrides and rules; 64 lower-case hex digits.

    frozen: the manifest. overrides: the override file as it is, `b""` for none. rules_id: name, version
    and hash of rules and configuration. Keyed with the seed, so it hides all of them until the reveal.
    """
    orders_hash, overrides_hash = sha256(frozen).digest(), sha256(overrides).digest()
    message = enc("ptd1/lock", game, _natural("turn", turn), orders_hash, overrides_hash, rules_id)
    return hmac.digest(_secret("seed", seed), message, "sha256").hex()


def group_game(game: str, group: str) -> str:
    """The dice game id of an audience group; the public group "" keeps the game's own."""
    return f"{game}/@{group}" if group else game


def group_seed(secret: bytes, game: str, turn: int, group: str, attempt: int = 1) -> bytes:
    """S_g: the seed of one audience group, 32 bytes, from the game's secret H (design.md 6).

    attempt: from 1, the attempt at the turn for which seeds were made. From the second on it stands in the
    formula, since a group may know its seed of an attempt that was voided (docs/adr/0002-dice.md).
    """
    if not group:
        raise ValueError("the public group has the turn's own seed")
    if _natural("attempt", attempt) < 1:
        raise ValueError(f"attempts count from 1, not from {attempt}")
    later = (attempt,) if attempt > 1 else ()
    message = enc("ptd1/group", game, _natural("turn", turn), group, *later)
    return hmac.digest(_secret("the game's secret", secret), message, "sha256")


def secret_commitment(game: str, secret: bytes) -> str:
    """What is published at a game's start to fix its secret H; 64 lower-case hex digits."""
    return sha256(enc("ptd1/secret", game, _secret("the game's secret", secret))).hexdigest()


def groups_digest(commitments: Iterable[str]) -> str:
    """SHA-256 over the sorted list of all groups' commitments (the public one too), in hex.

    The list is encoded like the manifest: `enc(N, sorted(32 bytes each))`.
    """
    items = sorted(map(bytes.fromhex, commitments))
    return sha256(enc(len(items), *items)).hexdigest()
