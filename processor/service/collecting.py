"""Collecting: what was read is stored as evidence; then the receipts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from processor import leases
from processor.checkpoints import Checkpoint
from processor.cleaning import OwnPost, is_of_others
from processor.pipeline.voiding import NOTICE
from processor.service.cleaning import clean, published_at
from processor.service.clock import early_close
from processor.service.holding import put_letters
from processor.service.reading import Gathered, find_moved, read_on
from processor.service.timing import next_reading_at, reminder_at
from processor.service.work import Work
from processor.store import evidence, games, locks, marks, turns
from processor.store.rows import clock_columns
from rules.play.outgoing import Outgoing
from rules.play.posts import Post, Reading, Visibility
from rules.play.reading import TurnReading


def collect(work: Work) -> datetime | None:
    """Read, store, and put out receipts for what has changed."""
    gathered = read_on(work)
    store_evidence(work, gathered)
    opened = note_opening(work, clean(work, gathered))
    _put_receipts(opened, gathered.account)
    return None


def store_evidence(work: Work, gathered: Gathered, *, misses: bool = True) -> None:
    """Store every version that wasn't known, and how far was read.

    Raw texts are fetched first, while no transaction is open.

    misses: whether what is missing counts as taken away; not behind the lock.
    """
    wanted = _fetch_wanted(work, gathered)
    with leases.fenced(work.service.database, work.lease) as connection:
        _follow_moves(connection, work, gathered.topic)
        known = marks.find_marks(connection, work.turn.id)
        for reading, posts in wanted:
            evidence.store_reading(connection, work.row.id, work.turn.evidence, reading, posts, misses=misses)
            if work.carriage.resumes:
                before = known.get(reading.topic)
                marks.store_mark(connection, work.turn.id, reading, before, gathered.whole_at)
        strange = _overheard(work, gathered, games.list_conversations(connection, work.row.id))
        for recipient in strange:
            games.forget_conversation(connection, work.row.id, recipient)
    work.service.reach(Checkpoint.ARCHIVED)


def _follow_moves(connection: Connection, work: Work, reading: Reading) -> None:
    """Where posts were taken out of the topic, this turn's begin further up, and so will the next one's."""
    if not work.carriage.resumes:
        return
    anchor, first = marks.find_anchor(connection, work.turn, reading.topic), work.turn.first_position
    moved = None if first is None else find_moved(anchor, reading, first)
    if moved != first:
        turns.change_turn(connection, work.turn.id, first_position=moved)
    locks.move_up(connection, work.turn.id, lambda last: find_moved(anchor, reading, last))


def store_late(work: Work, gathered: Gathered) -> None:
    """Store the posts that weren't there yet at the closing reading; what was known then stays as it was."""
    wanted = _fetch_wanted(work, gathered)
    with leases.fenced(work.service.database, work.lease) as connection:
        for reading, posts in wanted:
            evidence.store_new(connection, work.row.id, work.turn.evidence, reading, posts)
    work.service.reach(Checkpoint.ARCHIVED)


def note_opening(work: Work, own: tuple[OwnPost, ...]) -> Work:
    """Remember when, by the forum's clock, the first turn was opened, or a repeated one was voided.

    Others know it from the report. The step's work with what is known now.
    """
    redo, ref = work.turn.redo, work.turn.ref
    again = replace(ref, attempt=redo.attempt) if redo is not None and work.turn.reopened else None
    opened_at = published_at(work, own, again or ref, "open" if again is None else NOTICE)
    if opened_at is None or work.turn.opened_at is not None:
        return work
    with leases.fenced(work.service.database, work.lease) as connection:
        turns.change_turn(connection, work.turn.id, opened_at=opened_at)
    return replace(work, turn=replace(work.turn, opened_at=opened_at))


def _fetch_wanted(work: Work, gathered: Gathered) -> list[tuple[Reading, tuple[Post, ...]]]:
    """The posts that are evidence, by reading, with their raw texts: fetched while no transaction is open."""
    return [
        (reading, _with_raw(work, reading, _wanted(work, gathered.account, reading)))
        for reading in gathered.readings
    ]


def _wanted(work: Work, account: str, reading: Reading) -> tuple[Post, ...]:
    """Posts that are evidence: in the topic everybody's but ours, in private those of this game's people.

    Whoever plays two games with the same account of ours has a conversation for each.
    """
    if reading.topic != work.topic and is_of_others(reading, account, work.row.id):
        return ()
    people = {seat.account for seat in work.game.seats}
    people |= {one.account for seat in work.game.seats for one in seat.former}
    return tuple(
        post
        for post in reading.posts
        if post.author_id != account
        and post.visibility is not Visibility.NOTICE
        and (not post.private or post.author_id in people)
    )


def _with_raw(work: Work, reading: Reading, posts: Iterable[Post]) -> tuple[Post, ...]:
    """The posts, those that are new and look like orders with their text as typed."""
    with work.service.database.read() as connection:
        known = evidence.find_known(connection, work.row.id, work.turn.evidence, reading)
    new = {post.id for post in evidence.changed_posts(reading, known)}
    return tuple(
        replace(post, raw=work.forum.raw_text(post.id, post.topic))
        if post.id in new
        and post.raw is None
        and work.service.pipeline.wants_raw(post, work.game.forum.markup)
        else post
        for post in posts
    )


def _overheard(work: Work, gathered: Gathered, ours: dict[str, str]) -> tuple[str, ...]:
    """Recipients in whose conversation somebody else can read: nothing secret goes there any more."""
    accounts = {seat.id: seat.account for seat in work.game.seats}
    return tuple(
        ours[reading.topic]
        for reading in gathered.private
        if reading.topic in ours
        and ours[reading.topic] in accounts
        and set(reading.participants) - {gathered.account, accounts[ours[reading.topic]]}
    )


def _put_receipts(work: Work, account: str) -> None:
    reading, now = _read_turn(work, account), work.now
    texts = work.service.pipeline.receipts(work.play, reading, None)
    remind_at = reminder_at(work.turn, work.policies)
    letters = _remind(work, reading, now) if remind_at is not None and remind_at <= now else None
    values: dict[str, Any] = {} if letters is None else {"reminded_at": now}
    again = next_reading_at(now, work.turn.deadline.cut_off, work.policies)
    if remind_at is not None and letters is None:
        again = min(again, remind_at)
    early = early_close(work, reading)
    if early != work.turn.clock.early:
        values |= clock_columns(replace(work.turn.clock, early=early))
        again = now  # the deadline follows in the next step
    with leases.fenced(work.service.database, work.lease) as connection:
        work.put(connection, texts)
        put_letters(connection, work, letters or ())
        turns.change_turn(connection, work.turn.id, reading_at=again, **values)
    work.service.reach(Checkpoint.RECEIPTS_QUEUED)


def _read_turn(work: Work, account: str) -> TurnReading:
    """What is stored of the turn's posts, as the override file wants them to count."""
    pipeline = work.service.pipeline
    with work.service.database.read() as connection:
        versions = evidence.load_versions(connection, work.turn.evidence)
    overrides = work.service.folder.read_overrides(work.path, work.turn.ref)
    reading = pipeline.read_turn(work.play, versions, account)
    return pipeline.choose_posts(work.play, reading, versions, overrides)


def _remind(work: Work, reading: TurnReading, now: datetime) -> tuple[Outgoing, ...]:
    """A word to who has no orders, in private or by a mention, which is what notifies in a forum."""
    return work.service.pipeline.reminders(work.play, reading, work.turn.due_at - now)
