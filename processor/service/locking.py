"""open → locked: the closing reading, and everything that counts frozen in one commit."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from processor import leases
from processor.checkpoints import Checkpoint
from processor.pipeline.context import Frozen, PlayContext
from processor.pipeline.readiness import is_everybody_ready, is_somebody_missing
from processor.service.cleaning import clean
from processor.service.clock import follow_text
from processor.service.collecting import store_evidence
from processor.service.holding import hold
from processor.service.reading import Gathered, read_forum
from processor.service.timing import closing_at
from processor.service.unattended import find_unattended
from processor.service.witnessing import witness_lock
from processor.service.work import Work
from processor.store import evidence, locks, outbox_rows, turns
from processor.store.rows import SendState, TurnRow, clock_columns
from processor.store.turns import find_valid
from rules.engine.codec import canonical_json
from rules.engine.messages import Message, msg
from rules.engine.ptd1 import turn_key
from rules.play.archive import dump_carried
from rules.play.clock import TurnClock
from rules.play.reading import TurnReading
from rules.play.turns import TurnStatus

Obstacle = tuple[str, Message]
"""Code and reason of a hold."""


def close_turn(work: Work) -> datetime | None:
    """Read one last time and lock the turn; the moment for another try where the forum isn't ready."""
    obstacle = _find_early_obstacle(work)
    if obstacle:
        hold(work, *obstacle)
        return None
    gathered = read_forum(work)
    store_evidence(work, gathered)
    work.service.reach(Checkpoint.CLOSING_READ)
    clean(work, gathered)
    again = _find_reason_to_wait(work, gathered)
    if again:
        return again
    frozen = _freeze(work, gathered.account)
    if _is_moved(work, frozen):
        return work.now
    obstacle = _find_late_obstacle(work, gathered, frozen)
    if obstacle:
        hold(work, *obstacle)
        return None
    _store(work, gathered, frozen)
    return None


def _is_moved(work: Work, frozen: Frozen) -> bool:
    """Whether the closing reading has shown that the turn isn't to be closed yet."""
    clock = work.turn.clock
    if follow_text(work, frozen.overrides).clock != clock:
        return True  # the file was changed while the forum was read
    if clock.early is not None and not is_everybody_ready(work.play, frozen.reading):
        _change_clock(work, replace(clock, early=None))
        return True
    if _deserves_grace(work, frozen.reading):
        _change_clock(work, replace(clock, grace=work.policies.grace or timedelta()))
        return True
    return False


def _deserves_grace(work: Work, reading: TurnReading) -> bool:
    """Whether the turn stays open longer: somebody has sent nothing, and it is the first time."""
    graced = work.policies.grace is None or bool(work.turn.clock.grace)
    return not graced and is_somebody_missing(work.play, reading)


def _change_clock(work: Work, clock: TurnClock) -> None:
    """Note what the closing reading has shown; the deadline follows in the next step, and is told."""
    with leases.fenced(work.service.database, work.lease) as connection:
        turns.change_turn(connection, work.turn.id, **clock_columns(clock))


def _find_early_obstacle(work: Work) -> Obstacle | None:
    turn, waived = work.turn, work.turn.waived
    if work.carriage.by_machine and "late" not in waived and work.now > turn.due_at + work.policies.late:
        hours = int(work.policies.late.total_seconds() // 3600)
        return ("late", msg("hold/late", hours=hours, last=turn.reason))
    unattended = find_unattended(work)
    if unattended is not None:
        return unattended
    if "commitment" not in waived and not _was_committed_in_time(work):
        return ("commitment", msg("hold/commitment"))
    return None


def _was_committed_in_time(work: Work) -> bool:
    """Whether C was in the forum before the deadline (reliability.md I4), in the opening post or a report."""
    with work.service.database.read() as connection:
        alone = work.turn.reopened or work.turn.ref.turn == work.row.first_turn
        before = work.turn if alone else _turn_before(connection, work)
        rows = [
            row
            for row in outbox_rows.list_rows(connection, before.id)
            if row.kind == ("open" if alone else "report")
        ]
    return all(
        row.state is SendState.SENT and row.sent_at is not None and row.sent_at <= work.turn.due_at
        for row in rows
    )


def _turn_before(connection: Connection, work: Work) -> TurnRow:
    ref = work.turn.ref
    return find_valid(connection, ref.game, ref.track, ref.turn - 1) or work.turn


def _find_reason_to_wait(work: Work, gathered: Gathered) -> datetime | None:
    """The forum's clock decides when the deadline is over; posts that are missing get two more looks."""
    short = closing_at(work.turn.due_at, work.forum.capabilities) - gathered.topic.server_time
    if short.total_seconds() > 0 and _skew(work, gathered) <= work.policies.clock_skew.total_seconds():
        return work.now + short
    with work.service.database.read() as connection:
        doubtful = evidence.find_doubtful(connection, work.turn.evidence)
    if doubtful:
        return work.now + work.carriage.missing_again
    until = gathered.topic.proven_until
    if work.carriage.by_word and until < closing_at(work.turn.due_at, work.forum.capabilities):
        return work.now + work.policies.reading_late  # the director hasn't said that nothing is missing
    return None


def _skew(work: Work, gathered: Gathered) -> float:
    return abs((gathered.topic.server_time - work.now).total_seconds())


def _freeze(work: Work, account: str) -> Frozen:
    overrides = work.service.folder.read_overrides(work.path, work.turn.ref)
    with work.service.database.read() as connection:
        versions = evidence.load_versions(connection, work.turn.evidence)
    frozen = work.service.pipeline.freeze(work.play, versions, account, overrides, work.secrets)
    work.service.reach(Checkpoint.FROZEN)
    return frozen


def _find_late_obstacle(work: Work, gathered: Gathered, frozen: Frozen) -> Obstacle | None:
    waived = work.turn.waived
    if "skew" not in waived and _skew(work, gathered) > work.policies.clock_skew.total_seconds():
        times = {"theirs": f"{gathered.topic.server_time:%H:%M}", "ours": f"{work.now:%H:%M}"}
        return ("skew", msg("hold/skew", **times))
    without, active = _count_silent(work.play, _choose_posts(work, frozen))
    if "nmr" not in waived and active and without >= work.policies.breaker * active:
        return ("nmr", msg("hold/nmr", without=without, active=active))
    missing = _find_missing(work, frozen)
    if "missing" not in waived and missing:
        return ("missing", msg("hold/missing", seats=missing))
    return None


def _find_missing(work: Work, frozen: Frozen) -> tuple[Message, ...]:
    """Seats that have been without orders so long that the director is to decide about them."""
    limit = work.policies.hold_after
    counts = {} if limit is None else {seat: one.missed for seat, one in frozen.carried.items()}
    return tuple(
        msg("hold/missing-seat", seat=work.game.seat(seat).shown, turns=missed)
        for seat, missed in counts.items()
        if limit and missed and missed % limit == 0 and seat not in work.play.absent
    )


def _choose_posts(work: Work, frozen: Frozen) -> TurnReading:
    """What counts as the override file stands; frozen is what the players wrote, and the file beside it."""
    choose = work.service.pipeline.choose_posts
    return choose(work.play, frozen.reading, frozen.versions, frozen.overrides)


def _count_silent(play: PlayContext, reading: TurnReading) -> tuple[int, int]:
    """Seats without orders, and all that might have some: not the vacant ones, nor who wants to give none or
    has announced to be away.
    """
    playing = [one for one in reading.seats if one.seat not in play.out and not one.withdrawn]
    active = [
        one
        for one in playing
        if play.game.seat(one.seat).account and not (one.silent and one.seat in play.absent)
    ]
    silent = [one for one in active if one.silent]
    return len(silent), len(active)


def _store(work: Work, gathered: Gathered, frozen: Frozen) -> None:
    pipeline = work.service.pipeline
    texts = pipeline.receipts(work.play, _choose_posts(work, frozen), frozen)
    seen = witness_lock(work, gathered)
    row = _lock_row(work, gathered, frozen, "" if seen is None else seen.dump())
    with leases.fenced(work.service.database, work.lease) as connection:
        locks.add_lock(connection, work.turn.id, row, frozen.reading)
        turns.change_turn(connection, work.turn.id, status=TurnStatus.LOCKED)
        work.put(connection, texts)
    work.service.reach(Checkpoint.LOCKED)


def _lock_row(work: Work, gathered: Gathered, frozen: Frozen, promise: str) -> locks.LockRow:
    entropy = None if work.turn.proof == "beacon" else work.service.pipeline.entropy(work.play, frozen)
    ref, seed = work.turn.ref, work.turn.seed
    return locks.LockRow(
        locked_at=work.now,
        reading=canonical_json(work.service.pipeline.dump_reading(frozen.reading)),
        overrides=frozen.overrides,
        lock_tag=frozen.lock_tag,
        manifest_hash=frozen.manifest_hash,
        rules_id=frozen.rules_id,
        posts_read=frozen.posts_read,
        last_position=gathered.topic.last,
        entropy=locks.WAITS if entropy is None else json.dumps(entropy.texts()),
        key=b"" if entropy is None else turn_key(ref.dice_game, ref.turn, seed, entropy),
        carried=dump_carried(frozen.carried),
        promise=promise,
    )
