"""Whether a proof of dice is true: a pure function of the proof alone.

It proves that the seed belongs to the commitment and that every value follows from seed, entropy and
address. It can't prove that the commitment was published before the orders, what a beacon's round was,
that no die is missing, or what the dice meant; a neighbouring `n` close to 2^64 may even give the same
value. The forum shows the first, drand the second, `verify --replay` the rest (docs/adr/0002-dice.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from hmac import compare_digest

from rules.engine import ptd1
from rules.engine.proofs import Problem, Proof, ProvenRoll, StatedOverride, read_proof

_Address = tuple[str, int]


def verify_proof(data: object) -> list[Problem]:
    """Everything for which a proof (parsed JSON) must be refused; an empty list means that it holds.

    A wrong shape is told alone, for then nothing can be computed.
    """
    proof, problems = read_proof(data)
    if proof is None:
        return problems
    key = ptd1.turn_key(proof.game, proof.turn, proof.seed, proof.entropy)
    return [
        *_check_commitment(proof),
        *_check_key(proof, key),
        *_check_rolls(proof, key),
        *_check_overrides(proof),
    ]


def doubts_about(data: object) -> list[Problem]:
    """What a reader should know about a proof that holds: dice missing in between, keys nobody checks.

    These refuse nothing, since the format of reliability.md 1.5 forbids neither. A proof of the wrong
    shape has none.
    """
    proof, _ = read_proof(data)
    if proof is None:
        return []
    unchecked = [Problem("proof/unchecked-key", where) for where in proof.unchecked]
    return [*_gaps(proof.rolls), *unchecked]


def _check_commitment(proof: Proof) -> Iterator[Problem]:
    computed = ptd1.commitment(proof.game, proof.turn, proof.seed)
    if not compare_digest(computed, proof.commitment):
        yield Problem("proof/commitment", "commitment", {"stated": proof.commitment, "computed": computed})


def _check_key(proof: Proof, key: bytes) -> Iterator[Problem]:
    """K where it is stated; it must be where no roll depends on it, else nothing would bind the entropy."""
    if proof.key is not None and not compare_digest(proof.key, key):
        yield Problem("proof/key", "K", {"stated": proof.key.hex(), "computed": key.hex()})
    if proof.key is None and all(roll.n == 1 for roll in proof.rolls):
        yield Problem("proof/unbound", "K")


def _check_rolls(proof: Proof, key: bytes) -> Iterator[Problem]:
    first: dict[_Address, str] = {}
    for roll in proof.rolls:
        earlier = first.setdefault((roll.label, roll.i), roll.where)
        if earlier != roll.where:
            yield Problem("proof/twice", roll.where, {"label": roll.label, "i": roll.i, "first": earlier})
        yield from _check_value(roll, ptd1.roll(key, roll.label, roll.i, roll.n))


def _check_value(roll: ProvenRoll, computed: int) -> Iterator[Problem]:
    facts: dict[str, str | int] = {"label": roll.label, "i": roll.i, "n": roll.n, "value": roll.value}
    if roll.value > roll.n:
        yield Problem("proof/value-range", f"{roll.where}.value", facts)
    elif roll.value != computed:
        yield Problem("proof/roll", f"{roll.where}.value", {**facts, "computed": computed})


def _check_overrides(proof: Proof) -> Iterator[Problem]:
    """Each replaced die must stand among the rolls with its true value, once, and show a face it has."""
    sides = {(roll.label, roll.i): roll.n for roll in proof.rolls}
    first: dict[_Address, str] = {}
    for one in proof.overrides:
        address = (one.label, one.i)
        earlier = first.setdefault(address, one.where)
        if earlier != one.where:
            yield Problem("proof/twice", one.where, {"label": one.label, "i": one.i, "first": earlier})
        yield from _check_override(one, sides.get(address))


def _check_override(one: StatedOverride, n: int | None) -> Iterator[Problem]:
    if n is None:
        yield Problem("proof/override-without-roll", one.where, {"label": one.label, "i": one.i})
    elif one.value > n:
        facts: dict[str, str | int] = {"label": one.label, "i": one.i, "n": n, "value": one.value}
        yield Problem("proof/value-range", f"{one.where}.value", facts)


def _gaps(rolls: tuple[ProvenRoll, ...]) -> Iterator[Problem]:
    """Labels whose dice aren't numbered 0, 1, 2 … without a gap; only the first missing one is told."""
    dice: dict[str, set[int]] = {}
    for roll in rolls:
        dice.setdefault(roll.label, set()).add(roll.i)
    for label, seen in dice.items():
        missing = next(i for i in range(len(seen) + 1) if i not in seen)
        if missing < len(seen):
            yield Problem("proof/gap", "rolls", {"label": label, "i": missing})
