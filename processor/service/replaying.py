"""A resolved turn run again from what is stored of it, and each difference from what was stored and published
(reliability.md 4, I2). Nothing is stored or sent.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from parsers.files.override_tables import FALL_BACK
from processor.pipeline.beacon_entries import find_beacon, round_of
from processor.pipeline.circumstances import Circumstances, load_circumstances
from processor.pipeline.context import Frozen, Opens, PlayContext, TurnResult
from processor.pipeline.differences import (
    Check,
    Difference,
    compare_data,
    compare_lists,
    compare_texts,
    compare_values,
    join_checks,
    line_of,
)
from processor.pipeline.override_entries import read_quietly
from processor.service.resolving import close_stored, load_frozen_with, write_up
from processor.service.verifying import Kept, as_texts, guard
from processor.store import evidence, kept, locks, outbox_rows, results
from rules.engine.codec import canonical_json
from rules.engine.messages import msg
from rules.engine.ptd1 import SEED, Entropy, turn_key
from rules.play.archive import dump_carried, dump_value
from rules.play.beacons import address_of
from rules.play.outgoing import Outgoing

_ASKED = ("kind", "recipient", "handle", "data", "is_open", "answer", "answer_source")


class HeldAgain(Exception):
    """The turn doesn't come to its end this time. problems: why, in the director's words."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Replayed:
    """A turn that was run again. rules: the `rules_id` that it was locked with, and the one of the rules that
    are installed now. has_texts: whether its texts could be made again; a program that didn't keep the game's
    settings resolved it otherwise.
    """

    checks: tuple[Check, ...]
    rules: tuple[str, str]
    has_texts: bool

    @property
    def same_rules(self) -> bool:
        """Whether the rules are those of then."""
        return self.rules[0] == self.rules[1]


def replay(turn: Kept) -> Replayed:
    """Run a turn again and compare all of it."""
    run = _Run(turn)
    checks = [
        guard("digests", run.check_digests),
        guard("reading", run.check_reading),
        guard("lock", run.check_lock),
    ]
    held = guard("run", run.check_run)
    checks.append(held)
    if held.passed:
        checks += run.compare_outcome()
    return Replayed(tuple(checks), run.rules, run.circumstances is not None)


@dataclass(frozen=True)
class _Run:
    """The turn, run once more; each part is made when it is asked for."""

    turn: Kept

    @cached_property
    def circumstances(self) -> Circumstances | None:
        """What the texts rested on, None where it wasn't kept."""
        text = self.turn.result.circumstances
        return load_circumstances(text, self.turn.loaded.ruleset) if text else None

    @cached_property
    def play(self) -> PlayContext:
        """The turn as it was when it was resolved."""
        return self.turn.play if self.circumstances is None else self.circumstances.put_into(self.turn.play)

    @cached_property
    def frozen(self) -> Frozen:
        """What was frozen, with the override file as it was applied."""
        stored, lock = self.turn, self.turn.lock
        applied = stored.result.late_overrides
        now = lock.overrides if applied is None else applied
        return load_frozen_with(stored.service, stored.row, stored.turn, now)[1]

    @cached_property
    def again(self) -> Frozen:
        """The stored posts, read and locked once more."""
        stored = self.turn
        with stored.service.database.read() as connection:
            versions = evidence.load_versions(connection, stored.turn.evidence)
        freeze = stored.service.pipeline.freeze
        return freeze(self.play, versions, "", stored.lock.overrides, stored.secrets)

    @cached_property
    def result(self) -> TurnResult:
        """The turn's result. Raises HeldAgain."""
        stored = self.turn
        result = stored.service.pipeline.resolve_turn(self.play, self.frozen, stored.secrets)
        if result.problems or result.state is None:
            asked = tuple(one.id for one in result.resolution.open)
            raise HeldAgain(result.problems or asked)
        if result.outcome is None:
            return result
        closing = close_stored(stored.service, stored.row, stored.turn, self.frozen, result)
        return replace(result, closing=closing)

    @property
    def rules(self) -> tuple[str, str]:
        """The `rules_id` of the lock, and the one of now; "" where it can't be told."""
        try:
            return self.turn.lock.rules_id, self.again.rules_id
        except Exception:  # noqa: BLE001 - the checks tell what is broken
            return "", ""

    # what the run starts from

    def check_digests(self) -> Check:
        """What is stored with a hash beside it still has that hash."""
        with self.turn.service.database.read() as connection:
            stored, computed = kept.list_digests(connection, self.turn.turn.id, self.turn.turn.evidence)
        return compare_values("digests", stored, computed)

    def check_reading(self) -> Check:
        """The stored posts, read once more, give the orders that were frozen; row by row too."""
        dump, turn_id = dump_value, self.turn.turn.id
        frozen, again = self.frozen.reading, self.again.reading
        seats = compare_values(
            "reading",
            {one.seat: dump(one) for one in frozen.seats},
            {one.seat: dump(one) for one in again.seats},
        )
        facts = compare_values("reading", {"facts": dump(frozen.facts)}, {"facts": dump(again.facts)})
        with self.turn.service.database.read() as connection:
            stored = (kept.list_blocks(connection, turn_id), kept.list_orders(connection, turn_id))
        made = locks.reading_rows(turn_id, frozen)
        rows = [
            compare_lists("reading", *map(_sorted_lines, pair)) for pair in zip(stored, made, strict=True)
        ]
        return replace(join_checks("reading", (seats, facts, *rows)), count=len(stored[1]))

    def check_lock(self) -> Check:
        """Lock tag, manifest, number of posts, K; and the tag as it was published."""
        lock, again = self.turn.lock, self.again
        ref, seed = self.turn.turn.ref, self.turn.turn.seed
        entropy = self.frozen.entropy or SEED
        stored = {"L": lock.lock_tag, "manifest": lock.manifest_hash, "K": lock.key.hex()}
        made = {
            "L": again.lock_tag,
            "manifest": again.manifest_hash,
            "K": turn_key(ref.dice_game, ref.turn, seed, entropy).hex(),
        }
        seen = {"posts": lock.posts_read, "entropy": entropy.texts()}
        again_seen = {"posts": self._count_posts(), "entropy": self._promise(entropy)}
        checks = [compare_values("lock", stored | seen, made | again_seen), self._published_lock()]
        checks += self._announced(entropy)
        return replace(join_checks("lock", checks), count=len(stored))

    def _promise(self, entropy: Entropy) -> list[str]:
        """E as the turn's proof mode allows it; without the beacon only where the director has said so."""
        if self.turn.turn.proof != "beacon":
            return SEED.texts()
        kept_word = entropy.mode == "beacon" or _falls_back(self.frozen.overrides_now)
        return entropy.texts() if kept_word else ["beacon"]

    def _count_posts(self) -> int:
        """Posts that were there at the lock; what came later isn't counted."""
        with self.turn.service.database.read() as connection:
            versions = evidence.load_versions(connection, self.turn.turn.evidence)
        until = self.frozen.reading.until
        return len({one.post.id for one in versions if until is None or one.first_seen_at <= until})

    def _published_lock(self) -> Check:
        tag = self.turn.lock.lock_tag
        with self.turn.service.database.read() as connection:
            post = kept.find_published(connection, self.turn.row.id, tag, "receipts")
        if post is not None:
            return Check("lock", 1)
        return Check("lock", 1, (Difference(msg("verify/no-lock-post"), tag),))

    def _announced(self, entropy: Entropy) -> Iterable[Check]:
        """The beacon's round was announced in a post that shows the lock tag; when, the forum shows."""
        number = round_of(entropy)
        if number is None:
            return
        with self.turn.service.database.read() as connection:
            post = kept.find_published(connection, self.turn.row.id, address_of(number))
        if post is None or self.turn.lock.lock_tag not in post.body:
            yield Check("lock", 1, (Difference(msg("verify/no-announcement"), str(number)),))

    def check_run(self) -> Check:
        """The turn comes to its end again."""
        try:
            count = len(self.result.orders)
        except HeldAgain as held:
            return Check("run", 1, (Difference(msg("verify/held-again"), diff=held.problems),))
        return Check("run", count)

    # what comes out of it

    def compare_outcome(self) -> Iterable[Check]:
        """Dice, questions, what happened, the state behind it, proofs, texts, files."""
        yield guard("dice", self._check_dice)
        yield guard("questions", self._check_questions)
        yield guard("events", self._check_events)
        yield guard("state", self._check_state)
        yield guard("proofs-again", self._check_proofs)
        if self.circumstances is not None:
            yield guard("texts", self._check_texts)
            yield guard("files", self._check_files)
            if self.turn.published:
                yield guard("folder", self._check_folder)

    def _check_dice(self) -> Check:
        """Each die by its address: none is missing, none is unknown, all fall alike and in sequence."""
        with self.turn.service.database.read() as connection:
            stored = kept.list_rolls(connection, self.turn.turn.id)
        made = results.roll_rows(self.result.resolution.rolls)
        return compare_values("dice", _by_address(stored), _by_address(made))

    def _check_questions(self) -> Check:
        """What was asked, and what the turn went on with."""
        with self.turn.service.database.read() as connection:
            stored = {one["question"]: one for one in kept.list_questions(connection, self.turn.turn.id)}
        asked = self.result.resolution.asked
        made = {
            one.question.id: results.question_values(one, frozenset(), self.result.handles) for one in asked
        }
        old = {key: {name: row[name] for name in _ASKED} for key, row in stored.items() if key in made}
        new = {key: {name: row[name] for name in _ASKED} for key, row in made.items()}
        return compare_values("questions", old, new)

    def _check_events(self) -> Check:
        with self.turn.service.database.read() as connection:
            stored = kept.list_events(connection, self.turn.turn.id)
        made = results.event_rows(self.result.resolution.events)
        return compare_lists("events", [*map(_event_line, stored)], [*map(_event_line, made)])

    def _check_state(self) -> Check:
        """The state that the next turn starts from; and what the seats take into it."""
        take = join_checks("state", (self._compare_carried(), self._compare_changed_carried()))
        opened = self.circumstances.following if self.circumstances is not None else None
        if opened is None:
            return take
        with self.turn.service.database.read() as connection:
            found = kept.find_opened_state(connection, self.turn.row.id, opened.commitment)
        if found is None:
            return Check("state", 1, (Difference(msg("verify/no-next-turn"), opened.commitment),))
        made = _load(canonical_json(self.result.state))
        return join_checks("state", (compare_data("state", _load(found), made), take))

    def _compare_carried(self) -> Check:
        return compare_data("state", _load(self.turn.lock.carried), _load(dump_carried(self.again.carried)))

    def _compare_changed_carried(self) -> Check:
        """The same where the director has chosen other posts."""
        stored, made = self.turn.result.carried, self.result.carried
        return compare_data("state", _load(stored or ""), {} if made is None else _load(dump_carried(made)))

    def _check_proofs(self) -> Check:
        made = _load(canonical_json(dict(self.result.proofs)))
        return replace(compare_data("proofs-again", self.turn.proofs, made), count=len(made))

    @cached_property
    def written(self) -> tuple[tuple[Outgoing, ...], Mapping[str, str]]:
        """Texts and files."""
        held = self.circumstances
        following, deadline = (held.following, held.deadline) if held is not None else (None, None)
        opens = Opens(self.turn.now, following, deadline, self.result.resolution.state)
        pipeline = self.turn.service.pipeline
        texts, files = write_up(pipeline, self.play, self.frozen, self.result, opens)
        return texts, as_texts(files)

    def _check_texts(self) -> Check:
        """Reports and digest, letter by letter, as they went to the forum."""
        texts, _ = self.written
        made = {
            _part(one.kind, part, len(one.parts)): body
            for one in texts
            for part, body in enumerate(one.parts, 1)
        }
        kinds = {one.kind for one in texts}
        with self.turn.service.database.read() as connection:
            rows = outbox_rows.list_rows(connection, self.turn.turn.id)
        stored = {
            _part(row.kind, row.part, row.parts): row.body
            for row in rows
            if row.kind in kinds or row.kind.partition("-")[0] == "report" or row.kind == "digest"
        }
        return join_checks("texts", (compare_texts("texts", stored, made), _compare_readers(texts, rows)))

    def _check_files(self) -> Check:
        return compare_texts("files", self.turn.files, self.written[1])

    def _check_folder(self) -> Check:
        """The files in the game's folder; of a picture its text, since the PNG is only drawn from it."""
        found = {name: text for name, text in self.turn.folder.items() if name in self.written[1]}
        return compare_texts("folder", found, self.written[1])


def _falls_back(overrides: str) -> bool:
    entry = find_beacon(read_quietly(overrides))
    return entry is not None and entry.value == FALL_BACK


def _compare_readers(texts: Iterable[Outgoing], rows: Iterable[Any]) -> Check:
    """Each text went to whom it is for."""
    to = {one.kind: one.to for one in texts}
    return replace(
        compare_values("texts", {row.kind: row.recipient for row in rows if row.kind in to}, to), count=0
    )


def _part(kind: str, part: int, parts: int) -> str:
    return kind if parts == 1 else f"{kind} {part}/{parts}"


def _by_address(rows: Iterable[kept.Row]) -> Mapping[str, Any]:
    return {
        f"{one['label']} #{one['i']}" + f" ({one['dice_group']})" * bool(one["dice_group"]): line_of(
            {key: value for key, value in one.items() if key not in ("label", "i", "dice_group")}
        )
        for one in rows
    }


def _event_line(row: kept.Row) -> str:
    by = "" if row["seat"] is None else f" [{row['seat']}#{row['number']}]"
    return f"{row['event_id']}{by} {row['data']} {row['audience']}"


def _sorted_lines(rows: Iterable[kept.Row]) -> list[str]:
    return sorted(line_of({key: value for key, value in one.items() if key != "turn_id"}) for one in rows)


def _load(text: str) -> Any:
    return json.loads(text) if text else {}
