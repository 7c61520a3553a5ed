"""The start-up check: whether the database is as new as the forum (reliability.md F26 and 1.4).

Whoever starts from an older copy of the database, restored or simply copied back, knows nothing of what was
published since: it would publish a second report, or resolve a turn twice with another seed. The forum
knows. So before a process first sends or resolves anything of a game it looks at our own posts there, and
every later reading compares them too:

- An own post in the topic whose marker the outbox doesn't know, or knows as never sent, means that the
  database is older: the game is held. A request that may have left (`sending`, tried before) explains a post.
- The turn's commitment must stand in the database's text of the post that published it, and in that post.
- A private message that was sent and isn't known to be is taken for sent: nothing public has happened since.

It costs one reading of what is new in the topic, once for each process and game, and nothing where the first
thing that a process does for a game is to read.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection

from processor import leases
from processor.cleaning import OwnPost, find_text
from processor.service.reading import Gathered, read_newest
from processor.service.work import Work
from processor.store import outbox_rows
from processor.store.outbox_rows import SentMark
from processor.store.rows import OutboxRow, SendState, TurnRow
from rules.engine.messages import Message, msg
from rules.play.outgoing import TOPIC
from rules.play.posts import Post
from rules.play.turns import TurnStatus

logger = logging.getLogger("turnero.vetting")

OLDER = "older"
"""Code of the hold of a database that is older than its forum, and kind of the letter that says so."""
ALTERED = "altered"
"""The same where the post with the turn's commitment says something else."""
UNVETTED = (OLDER, ALTERED)


class Unvetted(Exception):
    """The database and the forum don't belong together; `code` and `said` for the hold."""

    def __init__(self, code: str, said: Message) -> None:
        super().__init__(f"{code} {dict(said.params)}")
        self.code = code
        self.said = said


def needs_vetting(work: Work) -> bool:
    """Whether this process has not yet compared the game with its forum."""
    return work.row.id not in work.service.vetted


def vet_reading(work: Work, gathered: Gathered, own: Sequence[OwnPost]) -> None:
    """Compare what a reading shows of our own posts with the database. Raises Unvetted, LeaseLost.

    own: the own posts of the reading, without twins.
    """
    public = {post.id: post for post in gathered.topic.posts}
    mine = [one for one in own if one.marker.startswith(_markers_of(work))]
    with work.service.database.read() as connection:
        known = outbox_rows.find_marks(connection, work.row.id, {one.marker for one in mine})
        publishing = _find_publishing(connection, work)
    try:
        _require_known([one for one in mine if one.post_id in public], known, shows=work.carriage.shows)
        if needs_vetting(work):
            _require_commitment(work, publishing, public)
    except Unvetted:
        work.service.vetted.discard(work.row.id)
        raise
    _adopt(work, mine, known)
    work.service.vetted.add(work.row.id)


def list_leaving(connection: Connection, turn: TurnRow) -> tuple[OutboxRow, ...]:
    """The turn's texts that may leave as it stands: while database and forum don't belong together only the
    letter that says so.
    """
    rows = outbox_rows.list_rows(connection, turn.id)
    return tuple(row for row in rows if turn.held_code not in UNVETTED or row.kind.startswith(UNVETTED))


def has_unsent_letters(work: Work) -> bool:
    """Whether a private text waits that nobody has tried to send: an older copy may think so in error."""
    with work.service.database.read() as connection:
        rows = outbox_rows.list_rows(connection, work.turn.id, SendState.READY)
    return any(row.recipient != TOPIC for row in rows)


def read_for_vetting(work: Work) -> Gathered:
    """What is new in the topic; the private conversations too where letters wait. Raises ForumError."""
    return read_newest(work, private=has_unsent_letters(work))


def _markers_of(work: Work) -> tuple[str, str]:
    """How the markers of a game begin, on its main track and on others."""
    return (f"ptd1:{work.row.id}:", f"ptd1:{work.row.id}/")


def _require_known(
    public: Iterable[OwnPost], known: Mapping[str, tuple[SentMark, ...]], *, shows: bool
) -> None:
    """shows: as in `Carriage`; else a post of ours is a file to paste."""
    for one in public:
        rows = known.get(one.marker, ())
        if any(row.may_be_sent for row in rows):
            continue
        if shows:
            raise Unvetted(OLDER, msg("hold/older", post=one.post_id, marker=one.marker))
        raise Unvetted(OLDER, msg("hold/older-text", post=one.post_id, marker=one.marker))


def _find_publishing(connection: Connection, work: Work) -> tuple[SentMark, ...]:
    """The sent public texts that could have published this turn's commitment, the newest last."""
    return outbox_rows.find_publishing(connection, work.row.id, work.turn.ref, work.turn.commitment)


def _require_commitment(work: Work, publishing: Sequence[SentMark], public: Mapping[str, Post]) -> None:
    """The commitment stands where it was published: in our text of it, and in the post if that was read.

    What a person has made of a text to paste isn't seen here.
    """
    if not work.carriage.shows:
        return
    if work.turn.status is TurnStatus.PUBLISHED or ALTERED in work.turn.waived or not publishing:
        return
    right = [one for one in publishing if one.has_commitment]
    newest = (right or publishing)[-1]
    post = public.get(newest.post_id or "")
    if right and (post is None or work.turn.commitment in find_text(post)):
        return
    raise Unvetted(ALTERED, msg("hold/altered", post=newest.post_id, commitment=work.turn.commitment))


_NOT_SENT = (SendState.READY, SendState.QUEUED)


def _adopt(work: Work, own: Iterable[OwnPost], known: Mapping[str, tuple[SentMark, ...]]) -> None:
    """Texts that wait and are in the forum already, because a moderator has let them through or because the
    database is older, are looked for there before anything is sent.
    """
    found: dict[int, str] = {}
    for one in own:
        rows = known.get(one.marker, ())
        if not any(row.post_id for row in rows):
            found |= {row.id: one.post_id for row in rows if row.state in _NOT_SENT}
    if not found:
        return
    for row_id, post_id in found.items():
        logger.warning("game %s: post %s is text %s, which was to appear", work.row.id, post_id, row_id)
    with leases.fenced(work.service.database, work.lease) as connection:
        for row_id in found:
            outbox_rows.change_row(
                connection, row_id, state=SendState.SENDING, sending_since=work.now, not_before=None
            )
