"""Answers to a turn's questions as they were read in posts: the values between reading, notes and store."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from rules.engine.diagnostics import Diagnostic
from rules.engine.questions import Answer
from rules.play.reading import PostRef


@dataclass(frozen=True, slots=True)
class Waiting:
    """How long a question is waited for.

    asked_at: when it was put, UTC. due_at: up to when an offer stands, None: until somebody answers.
    """

    asked_at: datetime
    due_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TakenAnswer:
    """An answer that the turn goes on with. given_at: when it was written, or when the offer ended; UTC.

    post_id: the forum's id of the post it stands in, None for a default.
    """

    question: str
    answer: Answer
    given_at: datetime
    post_id: str | None = None


class ReplyState(StrEnum):
    """What became of a line that answers.

    COUNTS: the turn goes on with it. REPLACED: its author has written a newer one. ILLEGAL: no answer to that
    question. LATE: the offer had ended. CLOSED: the question had its answer already. UNKNOWN: the seat has no
    such question.
    """

    COUNTS = "counts"
    REPLACED = "replaced"
    ILLEGAL = "illegal"
    LATE = "late"
    CLOSED = "closed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ReplyRead:
    """A line that answers. words: as written. legal: what would be an answer, empty where any text is.

    until: when the offer ended, for late ones. after_dice: whether dice were known, for those that count.
    """

    post: PostRef
    handle: str
    words: str
    state: ReplyState
    legal: tuple[str, ...] = ()
    until: datetime | None = None
    after_dice: bool = False


@dataclass(frozen=True, slots=True)
class PostFinding:
    """What is wrong with a post written while the turn asks; nothing of what it is about counts.

    line: as written. bare: an answer outside of any block, as written. orders: the post holds orders, and the
    turn is closed. edited: it was there at the lock, and what it said then counts.
    """

    post: PostRef
    line: str = ""
    finding: Diagnostic | None = None
    bare: str = ""
    orders: bool = False
    edited: bool = False


@dataclass(frozen=True, slots=True)
class SeatReplies:
    """All that a seat has written while the turn asks, in the order written."""

    seat: str
    replies: tuple[ReplyRead, ...] = ()
    findings: tuple[PostFinding, ...] = ()
