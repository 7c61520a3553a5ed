"""The moments of a night at which a process may die, each with a name (reliability.md 4, `KILL(n)`).

The service calls `reach(Checkpoint.X)` just after each durable change and around everything that
leaves the process. In play that does nothing; the kill tests end the process there and expect that
whoever starts next brings the night to the same end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from enum import StrEnum


class Checkpoint(StrEnum):
    """Every moment of a night, in the order in which a night first reaches them."""

    CLAIMED = "claimed"
    """A worker holds the turn's lease."""
    OPENED = "opened"
    """The turn is open, its commitment stored, and the opening post waits in the outbox."""
    MARKED = "marked"
    """A row stands as `sending`; the request has not left."""
    LEAVING = "leaving"
    """The request leaves now."""
    ANSWERED = "answered"
    """The answer has arrived; nobody has looked at it."""
    POSTED = "posted"
    """The forum has answered a new post; nothing of it is stored."""
    SETTLED = "settled"
    """What became of the request is stored."""
    TOPIC_READ = "topic-read"
    """The topic was read; nothing is stored."""
    PRIVATE_READ = "private-read"
    """Private conversations were read; nothing is stored."""
    ARCHIVED = "archived"
    """Every version read is stored as evidence."""
    RECEIPTS_QUEUED = "receipts-queued"
    """New revisions of the receipts wait in the outbox."""
    EDITED = "edited"
    """The forum has answered an edit; nothing of it is stored."""
    CLOSING_READ = "closing-read"
    """The closing reading is complete and stored; the turn is still open."""
    FROZEN = "frozen"
    """Orders, overrides and rules are frozen in memory; nothing is stored."""
    LOCKED = "locked"
    """The frozen turn is stored."""
    ANNOUNCED = "announced"
    """A round of the beacon is chosen, and the post with the lock waits in the outbox."""
    DRAWN = "drawn"
    """What the beacon adds to the dice is stored."""
    RESOLVING = "resolving"
    """The worker has announced that it resolves."""
    ASKED = "asked"
    """What the turn asks is stored, and the letters that ask it wait in the outbox."""
    HEARD = "heard"
    """What was answered while the turn asks is stored; the turn hasn't gone on with it."""
    UPLOADED = "uploaded"
    """The forum has answered a picture; nothing of it is stored."""
    COMPUTED = "computed"
    """The result exists in memory; nothing is stored."""
    RESOLVED = "resolved"
    """Result, rolls, next turn and every text are stored, in one commit."""
    PUBLISHING = "publishing"
    """The turn publishes; nothing was sent yet."""
    READ_BACK = "read-back"
    """The forum was searched for a text of unknown fate; nothing is stored."""
    ADOPTED = "adopted"
    """A text that was found in the forum is stored as sent."""
    VERIFIED = "verified"
    """Everything is sent and was seen in the forum."""
    FILES_WRITTEN = "files-written"
    """The report lies in the game's folder."""
    PUBLISHED = "published"
    """The turn is published."""
    VOIDED = "voided"
    """Attempts are voided and the next one is stored, in one commit; nothing is sent yet."""
    RELEASED = "released"
    """The lease was given back after a step."""


Reach = Callable[[Checkpoint], None]


def pass_by(_checkpoint: Checkpoint) -> None:
    """Reach a checkpoint in play: nothing happens."""


class DieAt:
    """Calls `die` when a checkpoint is reached for the n-th time (from 1)."""

    def __init__(self, where: Checkpoint, occurrence: int, die: Callable[[], None]) -> None:
        self._where = where
        self._occurrence = occurrence
        self._die = die
        self._seen: Counter[Checkpoint] = Counter()

    def __call__(self, checkpoint: Checkpoint) -> None:
        """See `Reach`."""
        self._seen[checkpoint] += 1
        if checkpoint is self._where and self._seen[checkpoint] == self._occurrence:
            self._die()


def parse_kill_at(text: str) -> tuple[Checkpoint, int]:
    """Read `name` or `name:n`. Raises ValueError for an unknown name or a count below 1."""
    name, _, count = text.partition(":")
    occurrence = int(count or "1")
    if occurrence < 1:
        raise ValueError(f"{text!r}: checkpoints are counted from 1")
    return Checkpoint(name), occurrence
