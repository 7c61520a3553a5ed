"""The proof of a whole game: its secret H, and with it everything that was secret (design.md 6, *Secrecy*).

`{"game", "secret", "commitment", "turns": [{"proofs", "orders", "overrides", "hidden"}]}`. Of each turn:
`proofs` as in `proofs.py`, the public one first; `orders`, what stood in the lock's manifest, each with
`post`, `seat`, `text` and whether it was `private`; `overrides`, what of the override file entered the lock
openly; `hidden`, its secret entries with `source`, `seat` and `text` (docs/adr/0004-lock-manifest.md); and
where its seeds were made for a later attempt than the first, `attempt`. Voided attempts that were resolved
stand in it like any other.

It proves that H is what was committed to at the game's start, that each group's seed follows from H and no
group was left out, and that each turn's lock held exactly these orders and corrections. That no turn is left
out, and that the commitments are those published, the forum shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hmac import compare_digest

from rules.engine import ptd1
from rules.engine.proofs import Problem, Proof, ProofReading, read_proof, unknown_keys
from rules.engine.verification import doubts_about, verify_proof

CLOSING_KEYS = frozenset(("game", "secret", "commitment", "turns"))
TURN_KEYS = frozenset(("proofs", "orders", "overrides", "hidden", "attempt"))
MOST_ATTEMPTS = 9999
"""No turn is played more often."""


@dataclass(frozen=True, slots=True)
class ClosedTurn:
    """A turn of a game that is over.

    proofs: the public one first. orders: (post, seat, text, whether private). overrides: as it entered the
    lock. hidden: its secret entries as (source, seat, text). where: its place in the file.
    attempt: the attempt at the turn for which its seeds were made.
    """

    proofs: tuple[Proof, ...]
    orders: tuple[tuple[str, str, str, bool], ...]
    overrides: str
    hidden: tuple[tuple[str, str, str], ...]
    where: str
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class Closing:
    """The proof of a game in the right shape. secret: H. unchecked: places of keys that no check knows."""

    game: str
    secret: bytes
    commitment: str
    turns: tuple[ClosedTurn, ...]
    unchecked: tuple[str, ...]


def is_closing(data: object) -> bool:
    """Whether plain data (parsed JSON) means to be the proof of a whole game."""
    return isinstance(data, Mapping) and "secret" in data


def read_closing(data: object) -> tuple[Closing | None, list[Problem]]:
    """The proof of a game that plain data holds, or everything that is wrong with its shape."""
    if not isinstance(data, Mapping):
        return None, read_proof(data)[1]
    reading = ProofReading()
    game, secret = reading.text(data, "game"), reading.digits(data, "secret")
    commitment = reading.digits(data, "commitment")
    turns: list[ClosedTurn] = []
    unchecked = [*unknown_keys(data, "", CLOSING_KEYS)]
    problems: list[Problem] = []
    for item, where in reading.objects(data, "turns", required=True):
        unchecked += unknown_keys(item, f"{where}.", TURN_KEYS)
        turn, wrong = _read_turn(item, where)
        problems += wrong
        if turn is not None:
            turns.append(turn)
    problems = [*reading.problems, *problems]
    if problems:
        return None, problems
    return Closing(game, bytes.fromhex(secret), commitment, tuple(turns), tuple(unchecked)), []


def _read_turn(item: Mapping[str, object], where: str) -> tuple[ClosedTurn | None, list[Problem]]:
    reading = ProofReading()
    proofs: list[Proof] = []
    problems: list[Problem] = []
    for data, place in reading.objects(item, "proofs", required=True):
        proof, wrong = read_proof(data)
        problems += (_below(one, place) for one in wrong)
        proofs += [proof] if proof is not None else []
    orders = tuple(
        (*_texts(reading, data, place, "post", "seat", "text"), reading.flag(data, "private", f"{place}."))
        for data, place in reading.objects(item, "orders", required=True)
    )
    hidden = tuple(
        _texts(reading, data, place, "source", "seat", "text")
        for data, place in reading.objects(item, "hidden", required=True)
    )
    overrides = reading.any_text(item, "overrides")
    attempt = reading.whole(item, "attempt", MOST_ATTEMPTS, 2) if "attempt" in item else 1
    problems = [*reading.problems, *problems]
    if problems or not proofs:
        missing = [] if problems else [Problem("proof/missing-key", "proofs[0]")]
        return None, [_below(one, where) for one in (*problems, *missing)]
    return ClosedTurn(tuple(proofs), orders, overrides, hidden, where, attempt), []


def _texts(
    reading: ProofReading, data: Mapping[str, object], place: str, first: str, second: str, third: str
) -> tuple[str, str, str]:
    at = f"{place}."
    return (
        reading.any_text(data, first, at),
        reading.any_text(data, second, at),
        reading.any_text(data, third, at),
    )


def _below(problem: Problem, where: str) -> Problem:
    return replace(problem, where=f"{where}.{problem.where}" if problem.where else where)


def verify_closing(data: object) -> list[Problem]:
    """Everything for which the proof of a game must be refused; an empty list means that it holds."""
    closing, problems = read_closing(data)
    if closing is None or not isinstance(data, Mapping):
        return problems
    found = list(_check_secret(closing))
    for turn, item in zip(closing.turns, data["turns"], strict=True):
        for number, proof in enumerate(item["proofs"]):
            found += (_below(one, f"{turn.where}.proofs[{number}]") for one in verify_proof(proof))
        found += _check_groups(closing, turn)
        found += _check_lock(closing, turn)
    return found


def doubts_about_closing(data: object) -> list[Problem]:
    """What a reader should know about a proof of a game that holds; see `verification.doubts_about`."""
    closing, _ = read_closing(data)
    if closing is None or not isinstance(data, Mapping):
        return []
    found = [Problem("proof/unchecked-key", where) for where in closing.unchecked]
    for turn, item in zip(closing.turns, data["turns"], strict=True):
        for number, proof in enumerate(item["proofs"]):
            found += (_below(one, f"{turn.where}.proofs[{number}]") for one in doubts_about(proof))
    return found


def _check_secret(closing: Closing) -> Iterator[Problem]:
    computed = ptd1.secret_commitment(closing.game, closing.secret)
    if not compare_digest(computed, closing.commitment):
        yield Problem("proof/secret", "commitment", {"stated": closing.commitment, "computed": computed})


def _check_groups(closing: Closing, turn: ClosedTurn) -> Iterator[Problem]:
    """One game and one turn; seeds of groups follow from H; all commitments make the published digest."""
    public, *groups = turn.proofs
    if public.game.partition("/")[0] != closing.game or "@" in public.game:
        yield Problem("proof/other-game", f"{turn.where}.proofs[0].game", {"found": public.game})
    for number, proof in enumerate(groups, 1):
        where, mark = f"{turn.where}.proofs[{number}]", f"{public.game}/@"
        group = proof.game.removeprefix(mark)
        if not proof.game.startswith(mark) or not group or proof.turn != public.turn:
            yield Problem("proof/other-game", f"{where}.game", {"found": proof.game})
        elif proof.seed != ptd1.group_seed(closing.secret, public.game, public.turn, group, turn.attempt):
            yield Problem("proof/group-seed", f"{where}.seed", {"group": group})
    digest = ptd1.groups_digest([proof.commitment for proof in turn.proofs])
    if any(proof.groups and not compare_digest(proof.groups, digest) for proof in turn.proofs):
        yield Problem("proof/groups", f"{turn.where}.proofs[0].groups", {"computed": digest})


def _check_lock(closing: Closing, turn: ClosedTurn) -> Iterator[Problem]:
    """The lock tag of the turn over these orders and corrections."""
    public = turn.proofs[0]
    if not public.lock:
        return

    def leaf(source: str, seat: str, text: str) -> bytes:
        return ptd1.leaf(ptd1.leaf_salt(closing.secret, public.game, public.turn, source), seat, text)

    entries: list[tuple[str, str, str] | bytes] = [
        leaf(post, seat, text) if private else (post, seat, text) for post, seat, text, private in turn.orders
    ]
    frozen = ptd1.manifest([*entries, *(leaf(*one) for one in turn.hidden)])
    overrides = turn.overrides.encode()
    computed = ptd1.lock_tag(public.game, public.turn, public.seed, frozen, overrides, public.rules)
    if not compare_digest(computed, public.lock):
        facts: dict[str, str | int] = {"stated": public.lock, "computed": computed}
        yield Problem("proof/lock", f"{turn.where}.orders", facts)
