"""Looking at the forum: whole, with proof that nothing is missing, or on from the newest post known.

Between two deadlines it is enough to read on: that asks for the page on which the newest known post stands
and for those behind it. Read whole, from the turn's first post on, is what decides something or may have been
edited unseen on an older page: the first reading, one as the last stretch before the deadline begins, the
closing one, and as long as a known post is missing (reliability.md F14-F21).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TypeVar

from processor.checkpoints import Checkpoint
from processor.pipeline.viewing import hides
from processor.ports import IncompletePage
from processor.service.timing import closing_at
from processor.service.work import Work
from processor.store import evidence, marks
from processor.store.answers import find_waits
from processor.store.marks import ReadingMark
from rules.play.posts import Reading
from rules.play.turns import TurnStatus

T = TypeVar("T")
ReadTopic = Callable[[str, int | None, str | None], Reading]
"""`Forum.read_topic` or `Forum.read_own`."""

WHOLE_AGAIN = timedelta(days=1)
"""How soon a turn that asks, and so has no deadline, is read whole again."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What one look at the forum gave. account: our own id there. whole_at: when all was last read."""

    account: str
    topic: Reading
    private: tuple[Reading, ...]
    whole_at: datetime

    @property
    def readings(self) -> tuple[Reading, ...]:
        """All of it."""
        return (self.topic, *self.private)


def read_forum(work: Work, *, answers: bool = False) -> Gathered:
    """The topic since this turn's first post, and the private conversations, whole. Raises ForumError.

    Where orders are open the conversations are read too if the game speaks to its seats there: who answers
    with orders is told where they belong. answers: whether the turn asks; answers may come in private always.
    """
    return _read_whole(work, work.forum.read_topic, answers)


def read_own(work: Work) -> Gathered:
    """The same for our own posts, which may leave out others'. Raises ForumError."""
    return _read_whole(work, work.forum.read_own, False)


def _read_whole(work: Work, read: ReadTopic, answers: bool) -> Gathered:
    account = work.forum.open()
    topic = _read_topic(work, read)
    work.service.reach(Checkpoint.TOPIC_READ)
    return Gathered(account, topic, _read_private(work, answers, {}), work.now)


def read_on(work: Work, *, answers: bool = False) -> Gathered:
    """What is new since the last look, with the page on which that ended; whole where it has to be.

    Raises ForumError.
    """
    if not work.carriage.resumes:
        return read_forum(work, answers=answers)
    with work.service.database.read() as connection:
        known = marks.find_marks(connection, work.turn.id)
    mark = known.get(work.topic)
    if mark is None or _needs_whole(work, mark):
        return read_forum(work, answers=answers)
    return _unless_shifted(
        lambda: _read_on(work, mark, known, answers), lambda: read_forum(work, answers=answers)
    )


def read_newest(work: Work, *, private: bool) -> Gathered:
    """What is new of our own posts in the topic since the last look, and in the conversations if private;
    nothing is decided by it. Raises ForumError.
    """
    account = work.forum.open()
    with work.service.database.read() as connection:
        known = marks.find_marks(connection, work.turn.id)
    mark = known.get(work.topic)
    read = work.forum.read_own
    topic = (
        _read_topic(work, read)
        if mark is None
        else _unless_shifted(lambda: _read_from(work, read, mark), lambda: _read_topic(work, read))
    )
    positions = {key: one.position for key, one in known.items()}
    letters = work.forum.read_private(positions) if private and work.forum.capabilities.private else ()
    return Gathered(account, topic, letters, work.now)


def _read_from(work: Work, read: ReadTopic, mark: ReadingMark) -> Reading:
    return read(work.topic, mark.position, mark.post_id)


def _read_on(work: Work, mark: ReadingMark, known: Mapping[str, ReadingMark], answers: bool) -> Gathered:
    read = _read_from(work, work.forum.read_topic, mark)
    topic = _since(read, min(work.turn.first_position or 1, mark.position))
    work.service.reach(Checkpoint.TOPIC_READ)
    account = topic.account or work.forum.open()
    positions = {topic: one.position for topic, one in known.items()}
    return Gathered(account, topic, _read_private(work, answers, positions), mark.whole_at)


def _needs_whole(work: Work, mark: ReadingMark) -> bool:
    """Whether something may have happened on an older page that counts now."""
    with work.service.database.read() as connection:
        if evidence.find_doubtful(connection, work.turn.evidence):
            return True
        waits = find_waits(connection, work.turn.id)
    if work.turn.status is TurnStatus.ASKING:
        ends = [one.due_at for one in waits.values() if one.due_at is not None]
        moments = [closing_at(end, work.forum.capabilities) for end in ends] + [mark.whole_at + WHOLE_AGAIN]
    else:
        moments = [] if work.turn.paused else [work.turn.due_at - work.policies.late_window]
    return any(mark.whole_at < moment <= work.now for moment in moments)


def _read_topic(work: Work, read: ReadTopic) -> Reading:
    """The topic since the turn's first post; from its own first post on where posts have moved."""
    topic = work.topic
    since = work.turn.first_position if work.carriage.resumes else None
    if since is None:
        return read(topic, None, None)
    with work.service.database.read() as connection:
        anchor = marks.find_anchor(connection, work.turn, topic)
    return _unless_shifted(
        lambda: _require_unmoved(read(topic, since, None), anchor), lambda: read(topic, None, None)
    )


def _require_unmoved(reading: Reading, anchor: ReadingMark | None) -> Reading:
    """A reading that begins where it should: after posts were taken out above, it lacks what moved up."""
    if anchor is not None and _position_of(anchor, reading) != anchor.position:
        detail = f"post {anchor.post_id} no longer stands at {anchor.position}"
        raise IncompletePage("forum/shifted", detail)
    return reading


def _position_of(anchor: ReadingMark, reading: Reading) -> int | None:
    return next((post.number for post in reading.posts if post.id == anchor.post_id), None)


def find_moved(anchor: ReadingMark | None, reading: Reading, position: int) -> int:
    """Where a position of before is now, or above that: posts above it may have been taken out of the topic.

    anchor: the newest post read before. 1 where that is gone itself, so that nothing is left out.
    """
    if anchor is None:
        return position
    now = _position_of(anchor, reading)
    return 1 if now is None else max(1, min(position, position - (anchor.position - now)))


def _unless_shifted(read: Callable[[], T], whole: Callable[[], T]) -> T:
    """What `read` gives, and `whole` where posts were taken out, so that every position has moved."""
    try:
        return read()
    except IncompletePage as error:
        if error.code != "forum/shifted":
            raise
        return whole()


def _since(reading: Reading, first: int) -> Reading:
    """Without what stands on the same page and belongs to the turn before."""
    posts = tuple(post for post in reading.posts if (post.number or first) >= first)
    return replace(reading, posts=posts, first=max(reading.first, first))


def _read_private(work: Work, answers: bool, positions: Mapping[str, int]) -> tuple[Reading, ...]:
    if not (work.forum.capabilities.private and (answers or work.game.forum.secret or hides(work.play))):
        return ()
    private = work.forum.read_private(positions)
    work.service.reach(Checkpoint.PRIVATE_READ)
    return private
