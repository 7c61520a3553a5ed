"""The dice of a stored turn against what was promised: the proofs in the database and in the game's folder,
the commitment, and where that was published (reliability.md 1.3).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from parsers.files.proof import parse_proof
from processor.pipeline.context import Commitments, PlayContext, Secrets
from processor.pipeline.differences import (
    Check,
    Difference,
    compare_lists,
    compare_texts,
    compare_values,
    join_checks,
    line_of,
)
from processor.pipeline.gathering import CLOSING_FILE, proof_file
from processor.service.bundle import LoadedGame, Service
from processor.service.looking import choose_turn, play_stored
from processor.store import attempts, kept, locks, results, turns
from processor.store.rows import GameRow, OutboxRow, TurnRow
from rules.engine import ptd1
from rules.engine.messages import msg
from rules.engine.verification import verify_proof
from rules.play.outgoing import ReportFile
from rules.play.turns import TurnStatus

Proofs = Mapping[str, Mapping[str, Any]]


class NoResult(LookupError):
    """The turn isn't resolved yet, or there is none. turn: which was found, None for none."""

    def __init__(self, turn: TurnRow | None) -> None:
        super().__init__("no result")
        self.turn = turn


@dataclass(frozen=True)
class Kept:
    """A resolved turn as stored. Each part is loaded when it is asked for: what is broken breaks alone."""

    service: Service
    row: GameRow
    turn: TurnRow
    loaded: LoadedGame

    @property
    def secrets(self) -> Secrets:
        """S and H."""
        return Secrets(self.turn.seed, self.row.secret, self.turn.seed_attempt)

    @property
    def now(self) -> Commitments:
        """What was published for the turn."""
        secret = ptd1.secret_commitment(self.row.id, self.row.secret)
        return Commitments(self.turn.commitment, self.turn.groups, secret, self.turn.proof)

    @cached_property
    def play(self) -> PlayContext:
        """The turn, with the game as its folder says now."""
        return play_stored(self.service, self.row, self.loaded, self.turn)

    @cached_property
    def lock(self) -> locks.LockRow:
        """What was frozen."""
        with self.service.database.read() as connection:
            return locks.find_lock(connection, self.turn.id)

    @cached_property
    def result(self) -> results.ResultRow:
        """That it is resolved. Raises NoResult."""
        with self.service.database.read() as connection:
            found = results.find_result(connection, self.turn.id)
        if found is None:
            raise NoResult(self.turn)
        return found

    @cached_property
    def proofs(self) -> Proofs:
        """By group, the public one first."""
        proofs: Proofs = json.loads(self.result.proofs)
        return dict(sorted(proofs.items()))

    @cached_property
    def files(self) -> Mapping[str, str]:
        """The files of the report, by name."""
        with self.service.database.read() as connection:
            return as_texts(results.load_report_files(connection, self.turn.id))

    @cached_property
    def folder(self) -> Mapping[str, str]:
        """What lies in the game's folder of them; bytes that are no text can't be equal to any."""
        found = self.service.folder.read_reports(Path(self.row.folder), self.turn.ref)
        return {name: data.decode("utf-8", "backslashreplace") for name, data in found.items()}

    @cached_property
    def published(self) -> bool:
        """Whether its report was published, and so the files are in the folder; voided since or not."""
        if self.turn.status is not TurnStatus.VOID:
            return self.turn.status is TurnStatus.PUBLISHED
        with self.service.database.read() as connection:
            return attempts.is_published(connection, self.turn.id)


def as_texts(files: Iterable[ReportFile]) -> Mapping[str, str]:
    """Files by name."""
    return {one.name: one.content for one in files}


def find_kept(service: Service, row: GameRow, number: int | None = None, attempt: int | None = None) -> Kept:
    """A resolved turn of the main track, in the attempt that counts; without a number the last published one.

    attempt: another one instead, voided or not; without a number, of the turn that the game is at.
    Raises FolderFault, NoResult.
    """
    loaded = service.pipeline.load_game(Path(row.folder))
    with service.database.read() as connection:
        known = turns.list_turns(connection, row.id)
    found = _choose([one for one in known if one.ref.track == ""], number, attempt)
    if found is None:
        raise NoResult(None)
    with service.database.read() as connection:
        if results.find_result(connection, found.id) is None:
            raise NoResult(found)
    return Kept(service, row, found, loaded)


def _choose(main: Sequence[TurnRow], number: int | None, attempt: int | None) -> TurnRow | None:
    if attempt is not None:
        wanted = choose_turn(main).ref.turn if number is None else number
        found = [one for one in main if (one.ref.turn, one.ref.attempt) == (wanted, attempt)]
    elif number is not None:
        found = [one for one in main if one.ref.turn == number and one.status is not TurnStatus.VOID]
    else:
        found = [one for one in main if one.status is TurnStatus.PUBLISHED]
    return found[-1] if found else None


def guard(code: str, compare: Callable[[], Check]) -> Check:
    """A comparison; whatever a changed byte breaks is told as what is wrong with it."""
    try:
        return compare()
    except Exception as fault:  # noqa: BLE001 - what is stored may be broken in any way, and that's a finding
        unread = Difference(msg("verify/unreadable"), diff=(f"{type(fault).__name__}: {fault}"[:500],))
        return Check(code, 0, (unread,))


def verify_kept(turn: Kept) -> tuple[Check, ...]:
    """All that can be said of the stored dice without running the turn again."""
    return (
        guard("commitment", lambda: _check_commitment(turn)),
        guard("published", lambda: _check_published(turn)),
        guard("proofs", lambda: _check_proofs(turn)),
        guard("rolls", lambda: _check_rolls(turn)),
        guard("proof-files", lambda: _check_files(turn)),
    )


def _check_commitment(turn: Kept) -> Check:
    """The stored commitments are those of the stored seed and secret."""
    computed = turn.service.pipeline.commitments(turn.play, turn.secrets)
    stored = {"C": turn.turn.commitment, "groups": turn.turn.groups}
    return compare_values("commitment", stored, {"C": computed.commitment, "groups": computed.groups})


def find_commitment_post(turn: Kept) -> OutboxRow | None:
    """The first post of ours that shows the turn's commitment."""
    with turn.service.database.read() as connection:
        return kept.find_published(connection, turn.row.id, turn.turn.commitment)


def _check_published(turn: Kept) -> Check:
    """The commitment stands in a post of ours that was in the forum before the deadline (I4)."""
    post = find_commitment_post(turn)
    if post is None or post.sent_at is None:
        return Check("published", 1, (Difference(msg("verify/no-commitment-post"), turn.turn.commitment),))
    if post.sent_at > turn.turn.due_at:
        late = Difference(msg("verify/late-commitment"), f"{post.sent_at:%Y-%m-%d %H:%M} UTC")
        return Check("published", 1, (late,))
    return Check("published", 1)


def _check_proofs(turn: Kept) -> Check:
    """Each proof holds, states what was published and locked, and all groups are there."""
    problems = tuple(
        replace(problem, where=f"{proof_file(group)} {problem.where}".strip())
        for group, proof in turn.proofs.items()
        for problem in verify_proof(proof)
    )
    checks = [compare_values("proofs", *_stated(turn, group)) for group in turn.proofs]
    checks.append(compare_values("proofs", *_whole(turn)))
    return Check("proofs", len(turn.proofs), join_checks("proofs", checks).differences, problems)


def _stated(turn: Kept, group: str) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """What a proof says of the turn, and what is stored of it."""
    proof, lock, file = turn.proofs[group], turn.lock, proof_file(group)
    known = {"turn": turn.turn.ref.turn, "lock": lock.lock_tag, "rules": lock.rules_id}
    if not group:
        known |= {"commitment": turn.turn.commitment, "K": lock.key.hex(), "seed": turn.turn.seed.hex()}
        known |= {"game": turn.turn.ref.dice_game, "entropy": json.loads(lock.entropy)}
    known["groups"] = turn.turn.groups
    stated = {f"{file} {key}": proof.get(key) for key in known}
    return {f"{file} {key}": value for key, value in known.items()}, stated


def _whole(turn: Kept) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The digest over the commitments of all proofs, and the published one: no group is left out."""
    made = ptd1.groups_digest([str(one["commitment"]) for one in turn.proofs.values()])
    return {"groups": turn.turn.groups}, {"groups": made}


def _check_rolls(turn: Kept) -> Check:
    """The dice that are stored one by one are those of the proofs."""
    with turn.service.database.read() as connection:
        stored = kept.list_rolls(connection, turn.turn.id)
    checks = [_compare_rolls(group, stored, proof) for group, proof in turn.proofs.items()]
    return replace(join_checks("rolls", checks), count=len(stored))


def _compare_rolls(group: str, stored: list[kept.Row], proof: Mapping[str, Any]) -> Check:
    replaced = {(one["label"], one["i"]): one["value"] for one in proof["overrides"]}
    in_proof = [
        _line(one, one["value"], replaced.get((one["label"], one["i"]), one["value"]))
        for one in proof["rolls"]
    ]
    own = [
        _line({**one, "n": int(one["n"])}, int(one["true_value"]), int(one["value"]))
        for one in stored
        if one["dice_group"] == group
    ]
    return compare_lists("rolls", own, in_proof)


def _line(roll: Mapping[str, Any], true: int, value: int) -> str:
    kept_of = {key: roll[key] for key in ("label", "i", "n", "purpose")}
    return line_of({**kept_of, "true": true, "value": value})


def _check_files(turn: Kept) -> Check:
    """The proofs' files hold the proofs, and those in the folder, once published, are the same bytes."""
    stored = _pick_proofs(turn.files)
    proofs = {proof_file(group): _spread(proof) for group, proof in turn.proofs.items()}
    checks = [
        compare_texts("proof-files", proofs, {name: _spread(parse(text)) for name, text in stored.items()})
    ]
    if turn.published:
        checks.append(compare_texts("proof-files", stored, _pick_proofs(turn.folder)))
    return replace(join_checks("proof-files", checks), count=len(proofs))


def parse(text: str) -> Any:
    """The data of a file. Raises ValueError."""
    data, problems = parse_proof(text.encode())
    if problems:
        raise ValueError(", ".join(one.code for one in problems))
    return data


def _spread(data: Any) -> str:
    """Data as lines that can be compared: equal for equal data."""
    return json.dumps(data, indent=1, sort_keys=True, ensure_ascii=False)


def _pick_proofs(files: Mapping[str, str]) -> Mapping[str, str]:
    """The dice proofs among some files."""
    return {
        name: text
        for name, text in sorted(files.items())
        if name.startswith("proof") and name.endswith(".json") and name != CLOSING_FILE
    }
