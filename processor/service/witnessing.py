"""Looking again at the post that published a turn's commitment, at the lock and before its seed is shown
(reliability.md 1.4). What is found is told in the report; it never holds a game.

At the lock the closing reading has the post already, and its text as typed costs one request. Before the
report the page on which it stands is asked for, one request; more only where something isn't as it was.
"""

from __future__ import annotations

import logging

from processor.pipeline.witnessing import Promise, Seen, looks_same, see
from processor.ports import ForumError, Unreachable
from processor.service.reading import Gathered
from processor.service.work import Work
from processor.store import outbox_rows
from rules.play.posts import Post
from rules.play.sightings import Flaw, Moment, Sighting

logger = logging.getLogger("turnero.witnessing")


def witness_lock(work: Work, gathered: Gathered) -> Seen | None:
    """How the post is as the turn is closed; None where nobody can see it but the director."""
    if not work.carriage.shows:
        return None
    promise = find_promise(work)
    if promise is None:
        return Seen(flaws=(Flaw.UNPUBLISHED,))
    try:
        post = _pick(gathered.topic.posts, promise) or _search(work, promise)
        raw = None if post is None else work.forum.raw_text(post.id, work.topic)
    except ForumError as error:
        logger.warning("game %s: %s", work.row.id, error)
        post, raw = _pick(gathered.topic.posts, promise), None
        if post is None:
            return Seen(promise.post_id, flaws=(Flaw.UNREAD,))
    return see(promise, post, raw)


def witness_report(work: Work, before: Seen | None) -> tuple[Sighting, ...]:
    """All that was found wrong, at the lock and now that the report is made. before: as it was at the lock.

    Raises Unreachable: who can't reach the forum can't publish either.
    """
    if not work.carriage.shows:
        return ()
    seen = () if before is None else before.flaws
    sightings = tuple(Sighting(flaw, Moment.LOCK) for flaw in seen)
    promise = find_promise(work)
    if promise is None:
        return sightings or (Sighting(Flaw.UNPUBLISHED, Moment.REPORT),)
    found = tuple(Sighting(flaw, Moment.REPORT) for flaw in _look_again(work, promise, before))
    for one in (*sightings, *found):
        logger.warning("game %s: commitment post %s is %s", work.row.id, promise.post_id, one.flaw.value)
    return (*sightings, *found)


def find_promise(work: Work) -> Promise | None:
    """The text that published the turn's commitment, where it was sent; None where none was.

    It is the first that shows it: reports and notices about voided attempts repeat it.
    """
    ref, turn = work.turn.ref, work.turn
    with work.service.database.read() as connection:
        marks = outbox_rows.find_publishing(connection, ref.game, ref, turn.commitment)
        first = next((one for one in marks if one.has_commitment and one.post_id), None)
        if first is None or first.post_id is None:
            return None
        rows = outbox_rows.list_in_post(connection, ref.game, first.post_id)
    text = next(row.text for row in rows if row.id == first.id)
    texts = {(row.turn_id, row.kind, row.part) for row in rows}
    return Promise(first.post_id, text, turn.commitment, turn.due_at, shared=len(texts) > 1)


def _look_again(work: Work, promise: Promise, before: Seen | None) -> tuple[Flaw, ...]:
    known = before.number if before is not None and before.post_id == promise.post_id else None
    try:
        post = None if known is None else work.forum.read_post(work.topic, promise.post_id, known)
        post = post or _search(work, promise)
        asks = post is not None and not looks_same(post, before)
        raw = work.forum.raw_text(promise.post_id, work.topic) if asks else None
    except Unreachable:
        raise
    except ForumError as error:
        logger.warning("game %s: %s", work.row.id, error)
        return (Flaw.UNREAD,)
    return see(promise, post, raw, before).flaws


def _search(work: Work, promise: Promise) -> Post | None:
    """The post wherever it stands by now: posts move up where others are deleted. Raises ForumError."""
    return _pick(work.forum.read_topic(work.topic).posts, promise)


def _pick(posts: tuple[Post, ...], promise: Promise) -> Post | None:
    return next((one for one in posts if one.id == promise.post_id), None)
