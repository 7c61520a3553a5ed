"""Sends what the outbox holds, so that each text ends up in the forum exactly once (reliability.md 2).

A forum has no keys against repetition. So before a request leaves, its row stands as `sending` on the disk;
whoever finds such a row doesn't know whether the forum has the text, waits until it would be visible, and
looks for its marker among the forum's own posts before sending again.

What the forum keeps for a moderator is never sent again by itself: it is looked for, ever more rarely, until
it can be seen.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import Connection

from processor import leases
from processor.checkpoints import Checkpoint, Reach
from processor.forum_words import explain_error
from processor.gate import ANSWERED, LEAVING, Gate
from processor.leases import Lease
from processor.pipeline.voiding import NOTICE
from processor.ports import Clock, Forum, ForumError, Uploading
from processor.store import games as game_rows
from processor.store import outbox_rows, uploads
from processor.store.database import Database
from processor.store.rows import WAITING, OutboxRow, SendState
from rules.engine.messages import msg
from rules.play.joined import as_edition, edition_of
from rules.play.outgoing import TOPIC
from rules.play.posts import Found, Merged, Outcome, Published, Queued, Reason, Refused, Unknown

logger = logging.getLogger("turnero.outbox")

MOST_UNKNOWNS = 5
"""So often a text of unknown fate is looked for and sent again before the director has to look."""
MOST_ATTEMPTS = 20
"""So often a text is sent that the forum refuses for the moment."""
LONGEST_WAIT = 3600.0
"""Seconds; a forum that asks for more is asked again after this."""
PATIENT_FROM = 5
"""From so many attempts at a text on, more is waited than the forum asks for: a minute, and ever more."""
LONGEST_QUEUE = timedelta(days=3)
"""So long a moderator may take before the director is asked what to do."""
RAREST_LOOK = timedelta(minutes=30)
"""What waits for a moderator is looked for at least so often."""


@dataclass(frozen=True, slots=True)
class Sender:
    """What sending needs. quiet: how long an unsure request may still show up in the forum.

    topic: the game's public topic. logins: login name by private recipient. voided: whether the turn is, so
    that nothing new is sent, and what may have been sent is only looked for. replaces: what a post says that
    replaces the one at an address ("": which nobody needs to be led to). enclosed: by a row's id, handles of
    the pictures that go along with it. say: puts a reason into the game's language.
    """

    database: Database
    clock: Clock
    forum: Forum
    gate: Gate
    reach: Reach
    lease: Lease
    quiet: timedelta
    topic: str
    logins: Mapping[str, str | None]
    voided: bool = False
    replaces: Callable[[str], str] = str
    enclosed: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    say: Callable[[Reason], str] = str


@dataclass(frozen=True, slots=True)
class Target:
    """Where a row goes: an own post to edit, a topic to reply in, or neither: a new conversation."""

    post_id: str | None
    topic: str | None


def choose_row(rows: tuple[OutboxRow, ...], now: datetime) -> OutboxRow | None:
    """The row to work on now, None where nothing may be done yet.

    Texts to one recipient go in order: the next waits until the one before is settled. A part that waits for
    a moderator keeps back those behind it, but no other text.
    """
    return next((row for row in _first_ones(rows) if row.not_before is None or row.not_before <= now), None)


def next_row_at(rows: tuple[OutboxRow, ...], now: datetime) -> datetime | None:
    """When the next row may be worked on, None where none waits."""
    return min((row.not_before or now for row in _first_ones(rows)), default=None)


def next_needed_at(rows: tuple[OutboxRow, ...], now: datetime) -> datetime | None:
    """The same without letters and receipts that a moderator has to let through: no turn waits for them."""
    needed = (row for row in _first_ones(rows) if row.state is not SendState.QUEUED or row.is_awaited)
    return min((row.not_before or now for row in needed), default=None)


def _first_ones(rows: tuple[OutboxRow, ...]) -> tuple[OutboxRow, ...]:
    """The first waiting row of each recipient, and of each text the first part that waits for a moderator; a
    held part keeps back the parts behind it.
    """
    stopped = {(row.recipient, row.kind) for row in rows if row.state in (SendState.HELD, SendState.QUEUED)}
    first: dict[tuple[str, ...], OutboxRow] = {}
    for row in rows:
        if row.state is SendState.QUEUED:
            first.setdefault((row.recipient, row.kind), row)
        elif row.state in WAITING and (row.recipient, row.kind) not in stopped:
            first.setdefault((row.recipient,), row)
    return tuple(first.values())


def waits_for_person(rows: tuple[OutboxRow, ...]) -> bool:
    """Whether a public text lies there to be pasted; receipts and private letters keep no turn waiting."""
    return any(row.state is SendState.WRITTEN and row.is_awaited for row in rows)


def work_on(sender: Sender, row: OutboxRow) -> None:
    """Send a row, or settle what became of it. Raises LeaseLost, ForumError (while looking for it)."""
    if row.state is SendState.READY:
        _send(sender, row)
    else:
        _settle(sender, row)


def _send(sender: Sender, row: OutboxRow) -> None:
    sender.forum.open()  # may fail before anything is marked, and then certainly nothing was sent
    lease = leases.renew(sender.database, sender.clock, sender.lease)
    target = _find_target(sender, row)
    now = sender.clock.now()
    with leases.fenced(sender.database, lease) as connection:
        outbox_rows.change_row(
            connection,
            row.id,
            state=SendState.SENDING,
            attempts=row.attempts + 1,
            sending_since=now,
            # Whoever finds this row may not act before the lease is over and the forum has shown the post.
            not_before=lease.until + sender.quiet,
            forum_topic=target.topic,
            fence=lease.fence,
        )
    sender.reach(Checkpoint.MARKED)
    outcome = _request(sender, lease, row, target)
    sender.reach(Checkpoint.EDITED if target.post_id else Checkpoint.POSTED)
    anew = _name_anew(sender, row, target.post_id, outcome)
    alone = _is_refused_for_pictures(sender, row, target, outcome)
    fresh = {"state": SendState.READY, "attempts": 0, "not_before": None, "sending_since": None}
    with leases.fenced(sender.database, lease) as connection:
        if anew is not None:
            outbox_rows.change_row(connection, row.id, marker=anew.marker, lead=anew.lead, **fresh)
        elif alone:
            logger.warning("%s goes without its pictures: %s", row.marker, outcome)
            uploads.forget_handles(connection, row.turn_id, sender.enclosed[row.id])
            outbox_rows.change_row(connection, row.id, **fresh)
        else:
            _store_outcome(connection, sender, row, outcome)
    sender.reach(Checkpoint.SETTLED)


def _is_refused_for_pictures(sender: Sender, row: OutboxRow, target: Target, outcome: Outcome) -> bool:
    """Whether the forum may have refused a text for what went along with it, which it may have thrown away
    meanwhile: then the text goes alone. What we say ourselves of a refusal is about the text.
    """
    if target.post_id is not None or not sender.enclosed.get(row.id):
        return False
    if not isinstance(outcome, Refused) or outcome.retry_after is not None:
        return False
    return isinstance(outcome.reason, str) or outcome.reason.id == "sent/status"


def _name_anew(sender: Sender, row: OutboxRow, post_id: str | None, outcome: Outcome) -> OutboxRow | None:
    """The row as it is posted once more where its post can't be edited (it is too old, or private, or gone):
    the new post says that it replaces the old one, and has a marker of its own, so that neither is taken for
    a twin. None: what became of it is another thing.
    """
    never = isinstance(outcome, Refused) and outcome.retry_after is None
    forum, private = sender.forum.capabilities, row.recipient != TOPIC
    if post_id is None or not never or forum.by_hand:
        return None
    lead = sender.replaces("" if private else sender.forum.post_url(post_id))
    anew = replace(row, marker=as_edition(row.marker, edition_of(row.marker) + 1), lead=lead)
    return anew if forum.size(anew.text) <= forum.most(private=private) else replace(anew, lead="")


def _request(sender: Sender, lease: Lease, row: OutboxRow, target: Target) -> Outcome:
    leases.require_time(sender.clock, lease)
    with sender.gate.watched(partial(_watch, sender, lease)):
        try:
            return _publish(sender, row, target)
        except ForumError as error:
            return Unknown(explain_error(error))


def _publish(sender: Sender, row: OutboxRow, target: Target) -> Outcome:
    if target.post_id is not None and not sender.forum.capabilities.edit:
        return Refused(msg("sent/no-edit"))
    if target.post_id is not None:
        return sender.forum.edit(target.post_id, row.text)
    if target.topic is not None:
        handles = sender.enclosed.get(row.id, ())
        if handles and isinstance(sender.forum, Uploading):
            return sender.forum.post_with(target.topic, row.text, handles)
        return sender.forum.post(target.topic, row.text)
    return sender.forum.send_private(sender.logins[row.recipient] or "", row.title, row.text)


def _watch(sender: Sender, lease: Lease, moment: str) -> None:
    if moment == LEAVING:
        leases.require_time(sender.clock, lease)
        sender.reach(Checkpoint.LEAVING)
    elif moment == ANSWERED:
        sender.reach(Checkpoint.ANSWERED)


def _find_target(sender: Sender, row: OutboxRow) -> Target:
    with sender.database.read() as connection:
        post_id = outbox_rows.find_sent_post(connection, row)
        if row.recipient == TOPIC:
            return Target(post_id, sender.topic)
        return Target(post_id, game_rows.find_conversation(connection, row.ref.game, row.recipient))


def _store_outcome(connection: Connection, sender: Sender, row: OutboxRow, outcome: Outcome) -> None:
    now = sender.clock.now()
    change = partial(outbox_rows.change_row, connection, row.id)
    match outcome:
        case Published(post_id, topic):
            _store_sent(connection, sender, row, post_id, topic)
        case Merged(post_id):
            _store_sent(connection, sender, row, post_id, None)
            change(reason=f"the forum appended it to post {post_id}")
        case Queued(reason):
            said = sender.say(reason)
            logger.warning("%s waits for a moderator: %s", row.marker, said)
            change(state=SendState.QUEUED, reason=said, not_before=now + sender.quiet)
        case Refused(reason, wait) if wait is None or row.attempts + 1 >= MOST_ATTEMPTS:
            said = sender.say(reason)
            logger.warning("%s is refused: %s", row.marker, said)
            change(state=SendState.HELD, reason=said, sending_since=None)
        case Refused(reason, float() | int() as wait):
            later = now + wait_after(row.attempts + 1, wait)
            change(state=SendState.READY, reason=sender.say(reason), not_before=later, sending_since=None)
        case Unknown(reason):
            change(reason=sender.say(reason), not_before=now + sender.quiet)


def wait_after(attempts: int, asked: float) -> timedelta:
    """How long to wait for the next attempt: what the forum asks for, at most an hour (reliability.md F8).

    attempts: that were refused, this one included. One that goes on asking for a moment isn't believed.
    """
    more = attempts - PATIENT_FROM
    least = 1.0 if more < 0 else 60.0 * 2.0 ** min(more, 6)
    return timedelta(seconds=min(max(asked, least), LONGEST_WAIT))


def _store_sent(
    connection: Connection, sender: Sender, row: OutboxRow, post_id: str, topic: str | None
) -> None:
    by_hand = sender.forum.capabilities.confirmed
    values = {
        "state": SendState.WRITTEN if by_hand else SendState.SENT,
        "forum_post_id": post_id,
        "sent_at": None if by_hand else sender.clock.now(),
        "reason": None,
        "not_before": None,
    }
    if topic is not None:
        values["forum_topic"] = topic
    outbox_rows.change_row(connection, row.id, **values)
    if by_hand:
        outbox_rows.replace_written(connection, row)
    if topic is not None and row.recipient != TOPIC:
        game_rows.keep_conversation(connection, row.ref.game, row.recipient, topic)


def _settle(sender: Sender, row: OutboxRow) -> None:
    """Find out whether a text of unknown fate is in the forum; adopt it, or have it sent again.

    One that a moderator has to let through is only looked for.
    """
    sender.forum.open()
    found = _find_in_forum(sender, row)
    sender.reach(Checkpoint.READ_BACK)
    with leases.fenced(sender.database, sender.lease) as connection:
        edited = outbox_rows.find_sent_post(connection, row)
        shown = [one for one in found if one.visible]
        mine = [one for one in shown if edited is None or one.post_id == edited]
        if mine and (edited is None or _same_text(mine[0].text, row.text)):
            _store_sent(connection, sender, row, mine[0].post_id, mine[0].topic or None)
            if row.editable and not sender.voided and not _same_text(mine[0].text, row.text):
                _send_again(connection, row)
        elif row.state is SendState.QUEUED or len(found) > len(shown):
            _look_later(connection, sender, row)
        elif sender.voided and row.kind != NOTICE:
            outbox_rows.change_row(connection, row.id, state=SendState.VOIDED, not_before=None)
        elif row.unknowns + 1 >= MOST_UNKNOWNS:
            outbox_rows.change_row(
                connection, row.id, state=SendState.HELD, unknowns=row.unknowns + 1, not_before=None
            )
        else:
            _send_again(connection, row)
    sender.reach(Checkpoint.ADOPTED if mine else Checkpoint.SETTLED)


def _look_later(connection: Connection, sender: Sender, row: OutboxRow) -> None:
    """Let the moderator take their time. A turn that can't go on meanwhile is its director's to decide."""
    now = sender.clock.now()
    waited = now - (row.sending_since or now)
    if waited >= LONGEST_QUEUE and not (row.is_awaited or row.kind == NOTICE):
        state = SendState.VOIDED if sender.voided else SendState.HELD
        outbox_rows.change_row(connection, row.id, state=state, not_before=None)
        return
    later = now + max(sender.quiet, min(waited / 4, RAREST_LOOK))
    outbox_rows.change_row(connection, row.id, state=SendState.QUEUED, not_before=later)


def _send_again(connection: Connection, row: OutboxRow) -> None:
    outbox_rows.change_row(
        connection,
        row.id,
        state=SendState.READY,
        unknowns=row.unknowns + 1,
        not_before=None,
        sending_since=None,
    )


def _find_in_forum(sender: Sender, row: OutboxRow) -> tuple[Found, ...]:
    if row.forum_topic is not None:
        return sender.forum.find_marker(row.forum_topic, row.marker)
    return sender.forum.find_private(row.title, row.marker)


def _same_text(one: str, other: str) -> bool:
    """Whether a forum that trims lines and changes line ends would show the same."""
    return _trimmed(one) == _trimmed(other)


def _trimmed(text: str) -> list[str]:
    return [line.rstrip() for line in text.replace("\r\n", "\n").strip().split("\n")]
