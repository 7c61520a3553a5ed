"""locked, in proof mode `beacon`: the lock tag is published before a round of the beacon that is to come, and
that round's value goes into the dice (reliability.md 1.2–1.4).

The round is chosen when the post is written. Where the post came to the forum only after its round, another
post announces another round: only who has published the lock first may know the dice. A beacon that doesn't
answer is waited for; nothing else takes its place but what the director writes into the override file, and
doing without is posted before it is done.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from parsers.files.override_tables import FALL_BACK
from processor import leases, outbox
from processor.checkpoints import Checkpoint
from processor.pipeline.beacon_entries import SOURCE, find_beacon, to_entropy
from processor.pipeline.override_entries import read_quietly
from processor.ports import BeaconError
from processor.service.cleaning import clean, vet
from processor.service.holding import hold, put_letters
from processor.service.publishing import find_stuck, send_next
from processor.service.reading import read_newest
from processor.service.resolving import load_frozen
from processor.service.timing import back_off, closing_at
from processor.service.vetting import list_leaving
from processor.service.work import Work
from processor.store import kept, locks, outbox_rows, turns
from processor.store.rows import OutboxRow, SendState
from rules.engine.messages import msg
from rules.engine.ptd1 import SEED, Entropy, turn_key
from rules.play.beacons import Pulse, address_of, published_at, round_at
from rules.play.outgoing import TOPIC

logger = logging.getLogger("turnero.beacon")

AHEAD = timedelta(minutes=5)
"""How long before its round a lock is announced: time enough to find a post of unknown fate."""
TOLD_AFTER = timedelta(hours=1)
"""So long after the round a beacon that doesn't answer is told to the director."""
LOCK, FALLEN_BACK = "lock", "fall-back"
"""Kinds of the posts that announce a round, and that say that none is waited for any more."""


def awaits_beacon(work: Work) -> bool:
    """Whether a locked turn's dice still need the beacon."""
    if work.turn.proof != "beacon":
        return False
    with work.service.database.read() as connection:
        return locks.find_entropy(connection, work.turn.id) is None


def draw_from_beacon(work: Work) -> datetime | None:
    """One step on the way to the turn's entropy; when to come back, None at once."""
    vet(work)
    if _take_back(work) or send_next(work):
        return None
    stuck = find_stuck(work)
    if stuck is not None:
        hold(work, "outbox", msg("hold/outbox", marker=stuck.marker, reason=stuck.reason))
        return None
    with work.service.database.read() as connection:
        public = tuple(one for one in list_leaving(connection, work.turn) if one.recipient == TOPIC)
        rows = outbox_rows.list_rows(connection, work.turn.id)
        number = locks.find_round(connection, work.turn.id)
    return outbox.next_needed_at(public, work.now) or _go_on(work, rows, number)


def _go_on(work: Work, rows: tuple[OutboxRow, ...], number: int | None) -> datetime | None:
    """What comes next where nothing is on its way to the forum. number: the round that was announced last."""
    announced = [row for row in rows if _is_lock(row)]
    newest = announced[-1] if announced else _find_earlier(work, number)
    if number is None or newest is None or not _was_in_time(work, newest, number):
        _announce(work, announced)
        return None
    if any(row.kind == FALLEN_BACK and row.state is SendState.SENT for row in rows):
        _fix(work, SEED)
        return None
    return published_at(number) if work.now < published_at(number) else _fetch(work, number)


def _find_earlier(work: Work, number: int | None) -> OutboxRow | None:
    """The announcement whose lock this attempt goes on with; another round would be another throw."""
    if number is None:
        return None
    with work.service.database.read() as connection:
        return kept.find_published(connection, work.row.id, address_of(number))


def _take_back(work: Work) -> bool:
    """Don't send an announcement any more whose round came out meanwhile; whether there was one."""
    with work.service.database.read() as connection:
        number = locks.find_round(connection, work.turn.id)
        ready = outbox_rows.list_rows(connection, work.turn.id, SendState.READY)
    late = [row for row in ready if _is_lock(row)]
    if number is None or not late or work.now + _lead(work) < published_at(number):
        return False
    with leases.fenced(work.service.database, work.lease) as connection:
        for row in late:
            outbox_rows.change_row(connection, row.id, state=SendState.REPLACED, not_before=None)
    return True


def _lead(work: Work) -> timedelta:
    """How far the forum's clock is ahead of ours, where it is."""
    return max(work.forum.server_time() - work.now, timedelta())


def _is_lock(row: OutboxRow) -> bool:
    return row.kind == LOCK or row.kind.startswith(f"{LOCK}-")


def _was_in_time(work: Work, row: OutboxRow, number: int) -> bool:
    """Whether the post stood in the forum before its round. A post of which we learned later is dated by the
    forum: else a crash at the right moment would be a second throw.
    """
    if row.sent_at is None:
        return False
    if row.sent_at + _lead(work) < published_at(number):
        return True
    own = clean(work, read_newest(work, private=False))
    written = next((one.created_at for one in own if one.marker == row.marker), None)
    return written is not None and closing_at(written, work.forum.capabilities) <= published_at(number)


def _announce(work: Work, before: Sequence[OutboxRow]) -> None:
    """Choose a round that is to come, and post the lock with it. before: announcements that were in vain."""
    number = round_at(max(work.now, work.forum.server_time()) + AHEAD)
    _, frozen = load_frozen(work.service, work.row, work.turn)
    kind = f"{LOCK}-{len(before) + 1}" if before else LOCK
    again = any(row.state is SendState.SENT for row in before)
    text = work.service.pipeline.announce(work.play, frozen, number, kind, again)
    with leases.fenced(work.service.database, work.lease) as connection:
        locks.set_round(connection, work.turn.id, f"{SOURCE}{number}")
        work.put(connection, (text,))
    work.service.reach(Checkpoint.ANNOUNCED)


def _fetch(work: Work, number: int) -> datetime | None:
    try:
        pulse = work.service.beacon.fetch(number)
    except BeaconError as error:
        logger.warning("game %s: beacon round %s: %s", work.row.id, number, error)
        return _do_without(work, number, error)
    _fix(work, to_entropy(pulse))
    return None


def _do_without(work: Work, number: int, error: BeaconError) -> datetime | None:
    """What the director says while the beacon doesn't answer; else wait, and after an hour tell."""
    text = work.service.folder.read_overrides(work.path, work.turn.ref)
    entry = find_beacon(read_quietly(text, work.turn.ref.attempt))
    if entry is not None and entry.value == FALL_BACK:
        said = work.service.pipeline.fall_back(work.play, number, FALLEN_BACK, entry.reason)
        with leases.fenced(work.service.database, work.lease) as connection:
            work.put(connection, (said,))
        return None
    if entry is not None:
        _fix(work, to_entropy(Pulse(number, bytes.fromhex(entry.value))))
        return None
    return _wait(work, number, error)


def _wait(work: Work, number: int, error: BeaconError) -> datetime:
    failures = work.turn.failures + 1
    reason = work.say(msg("hold/beacon-silent", round=str(number), why=str(error)))
    late = work.now > published_at(number) + TOLD_AFTER
    told = work.say(msg("hold/beacon", round=str(number)))
    letters = work.service.pipeline.letters(work.play, told, "beacon") if late else ()
    with leases.fenced(work.service.database, work.lease) as connection:
        turns.change_turn(connection, work.turn.id, failures=failures, reason=reason)
        put_letters(connection, work, letters)
    return work.now + back_off(failures)


def _fix(work: Work, entropy: Entropy) -> None:
    """Store E and K; from here on the turn's dice are what they are."""
    ref = work.turn.ref
    key = turn_key(ref.dice_game, ref.turn, work.turn.seed, entropy)
    with leases.fenced(work.service.database, work.lease) as connection:
        locks.fix_entropy(connection, work.turn.id, json.dumps(entropy.texts()), key)
    work.service.reach(Checkpoint.DRAWN)
