"""What a proof of dice holds, as typed values, read strictly from plain data (reliability.md 1.5).

The required keys are `game, turn, seed, commitment, entropy, rolls` and in each roll `label, i, n, value`.
Ours add `K, groups, rules, lock, overrides` and in each roll `purpose`. Each value has one spelling only:
integers are integers, digits lower-case, texts NFC, the entropy one of the shapes of 1.2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from unicodedata import is_normalized

from rules.engine import ptd1

PROOF_KEYS = frozenset(
    ("game", "turn", "seed", "commitment", "entropy", "rolls", "K", "groups", "rules", "lock", "overrides")
)
ROLL_KEYS = frozenset(("label", "i", "n", "value", "purpose"))
OVERRIDE_KEYS = frozenset(("label", "i", "value", "by"))

_DIGITS = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a proof, for people to be told in their language.

    code: stable, `proof/slug`. where: the place in the file (`rolls[3].value`), "" for the whole.
    detail: what the text about it needs: words and numbers from the file, never prose.
    """

    code: str
    where: str
    detail: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProvenRoll:
    """One die of a proof: its address, sides and true value."""

    label: str
    i: int
    n: int
    value: int
    where: str


@dataclass(frozen=True, slots=True)
class StatedOverride:
    """One die that the director replaced: what stood in its place, and by whose word."""

    label: str
    i: int
    value: int
    by: str
    where: str


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof in the right shape; whether it is true is for `verification` to say.

    key: K as stated, None where the file has none. groups, rules, lock: "" where the file has none.
    unchecked: places of keys that no check knows.
    """

    game: str
    turn: int
    seed: bytes
    commitment: str
    entropy: ptd1.Entropy
    rolls: tuple[ProvenRoll, ...]
    key: bytes | None
    groups: str
    rules: str
    lock: str
    overrides: tuple[StatedOverride, ...]
    unchecked: tuple[str, ...]


def read_proof(data: object) -> tuple[Proof | None, list[Problem]]:
    """The proof that plain data (parsed JSON) holds, or everything that is wrong with its shape."""
    reading = ProofReading()
    if not isinstance(data, Mapping):
        return None, [Problem("proof/wrong-type", "", {"wanted": "object", "found": _kind(data)})]
    proof = Proof(
        game=reading.text(data, "game"),
        turn=reading.whole(data, "turn", ptd1.WORD),
        seed=bytes.fromhex(reading.digits(data, "seed")),
        commitment=reading.digits(data, "commitment"),
        entropy=reading.entropy(data),
        rolls=tuple(reading.roll(*item) for item in reading.objects(data, "rolls", required=True)),
        key=bytes.fromhex(reading.digits(data, "K")) if "K" in data else None,
        groups=reading.digits(data, "groups") if "groups" in data else "",
        rules=reading.text(data, "rules") if "rules" in data else "",
        lock=reading.digits(data, "lock") if "lock" in data else "",
        overrides=tuple(reading.override(*item) for item in reading.objects(data, "overrides")),
        unchecked=(*unknown_keys(data, "", PROOF_KEYS), *reading.unchecked),
    )
    return (None, reading.problems) if reading.problems else (proof, [])


class ProofReading:
    """Reads values and notes what is wrong; a wrong value reads as a harmless one, so that all are told."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.unchecked: list[str] = []

    def text(self, data: Mapping[str, object], key: str, at: str = "") -> str:
        """A non-empty text in NFC."""
        value = self._of(data, key, at, str, "text")
        if not isinstance(value, str):
            return ""
        if not value:
            self._note("proof/empty", at + key)
        elif not _is_unicode(value):
            self._note("proof/not-unicode", at + key)
        elif not is_normalized("NFC", value):
            self._note("proof/not-nfc", at + key, found=value)
        return value

    def any_text(self, data: Mapping[str, object], key: str, at: str = "") -> str:
        """A text, which may be empty."""
        value = self._of(data, key, at, str, "text")
        if isinstance(value, str) and not _is_unicode(value):
            self._note("proof/not-unicode", at + key)
            return ""
        return value if isinstance(value, str) else ""

    def flag(self, data: Mapping[str, object], key: str, at: str = "") -> bool:
        """True or false."""
        return self._of(data, key, at, bool, "boolean") is True

    def whole(self, data: Mapping[str, object], key: str, most: int, least: int = 0, at: str = "") -> int:
        """A whole number from `least` to `most`; `true` and `3.0` are none."""
        value = self._of(data, key, at, int, "whole")
        if not isinstance(value, int):
            return least
        if not least <= value <= most:
            self._note("proof/out-of-range", at + key, found=_number(value), least=least, most=most)
            return least
        return value

    def digits(self, data: Mapping[str, object], key: str) -> str:
        """64 lower-case hexadecimal digits."""
        value = self._of(data, key, "", str, "text")
        if isinstance(value, str) and _DIGITS.fullmatch(value):
            return value
        if isinstance(value, str):
            self._note("proof/not-digits", key, found=value)
        return "0" * 64

    def entropy(self, data: Mapping[str, object]) -> ptd1.Entropy:
        """A list of texts in one of the three shapes."""
        value = self._of(data, "entropy", "", list, "list")
        if not isinstance(value, list):
            return ptd1.SEED
        if all(isinstance(part, str) for part in value):
            try:
                return ptd1.Entropy.from_texts(value)
            except ValueError:
                pass  # the note below says it for both reasons
        self._note("proof/entropy", "entropy")
        return ptd1.SEED

    def objects(
        self, data: Mapping[str, object], key: str, *, required: bool = False
    ) -> list[tuple[Mapping[str, object], str]]:
        """The objects of a list, each with its place."""
        if not required and key not in data:
            return []
        value = self._of(data, key, "", list, "list")
        found: list[tuple[Mapping[str, object], str]] = []
        for number, item in enumerate(value if isinstance(value, list) else ()):
            where = f"{key}[{number}]"
            if isinstance(item, Mapping):
                found.append((item, where))
            else:
                self._note("proof/wrong-type", where, wanted="object", found=_kind(item))
        return found

    def roll(self, item: Mapping[str, object], where: str) -> ProvenRoll:
        """One entry of `rolls`."""
        at = f"{where}."
        self.unchecked += unknown_keys(item, at, ROLL_KEYS)
        if item.get("purpose", "") != "":
            self.text(item, "purpose", at)
        label = self.text(item, "label", at)
        i = self.whole(item, "i", ptd1.WORD, at=at)
        n = self.whole(item, "n", ptd1.WORD, least=1, at=at)
        return ProvenRoll(label, i, n, self.whole(item, "value", ptd1.WORD, least=1, at=at), where)

    def override(self, item: Mapping[str, object], where: str) -> StatedOverride:
        """One entry of `overrides`."""
        at = f"{where}."
        self.unchecked += unknown_keys(item, at, OVERRIDE_KEYS)
        label = self.text(item, "label", at)
        i = self.whole(item, "i", ptd1.WORD, at=at)
        value = self.whole(item, "value", ptd1.WORD, least=1, at=at)
        return StatedOverride(label, i, value, self.text(item, "by", at), where)

    def _of(self, data: Mapping[str, object], key: str, at: str, kind: type, wanted: str) -> object:
        """The value if it is exactly of that type, else None and a note."""
        if key not in data:
            self._note("proof/missing-key", at + key)
            return None
        value = data[key]
        if type(value) is kind:
            return value
        self._note("proof/wrong-type", at + key, wanted=wanted, found=_kind(value))
        return None

    def _note(self, code: str, where: str, **detail: str | int) -> None:
        self.problems.append(Problem(code, where, detail))


def unknown_keys(data: Mapping[str, object], at: str, known: frozenset[str]) -> list[str]:
    """Places of keys that nobody knows, sorted. at: place of the object, with its point."""
    return sorted(f"{at}{key}" for key in data if key not in known)


def _is_unicode(text: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in text)


def _number(value: int) -> int | str:
    """A number short enough to be shown."""
    return value if abs(value) < 10**30 else "…"


def _kind(value: object) -> str:
    """What JSON calls a value: the words that the texts translate."""
    if value is None:
        return "null"
    names = {bool: "boolean", int: "whole", float: "fraction", str: "text", list: "list"}
    return names.get(type(value), "object")
