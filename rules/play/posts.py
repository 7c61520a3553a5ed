"""What a forum holds, as values: posts, readings proven complete, outcomes of publishing.

Adapters make these values, the processor stores and compares them; nothing here touches the network.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from urllib.parse import quote

from rules.engine.legible import make_legible
from rules.engine.messages import Message


class Precision(StrEnum):
    """How exactly a forum shows times. With `MINUTE` the second within the minute is unknown."""

    SECOND = "second"
    MINUTE = "minute"


class Visibility(StrEnum):
    """Whether a reader sees the post; `NOTICE` is a line of the forum itself ("closed by …"), not a post."""

    VISIBLE = "visible"
    REMOVED = "removed"
    UNAPPROVED = "unapproved"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class Post:
    """One post of a topic or one private message, in the version that was read.

    Whatever a forum gives, its texts are legible: this is the door through which others' texts come in.

    id: the forum's own id, unique in the forum (not the position in the topic).
    author_id: the forum's account id; None where the page gives none: never matched by name.
    author: display name, only ever shown, never used to decide who ordered.
    created_at: UTC; with `Precision.MINUTE` the seconds are 0 and mean "somewhere in this minute".
    edits: number of edits that the forum shows, 0 for none; a hint only, texts are compared by hash.
    edited_at: UTC, None where the forum doesn't say.
    html: the post's own body as rendered, without the page around it; None where only raw text was read.
    raw: the text as typed; None where it was not fetched.
    topic: the topic's id (for private messages the conversation's id).
    number: its position in the topic, 1-based; what the next reading's `since` refers to.
    ambiguous: the account's clock showed this time twice that night; `created_at` is the first of the two.
    seen_at: when this version stood in the forum, where that isn't when it was read (a saved page), UTC.
    character: whom the author plays there, where the forum tells; shown to directors, decides nothing.
    """

    id: str
    topic: str
    author_id: str | None
    author: str
    created_at: datetime
    precision: Precision
    url: str
    html: str | None = None
    raw: str | None = None
    edits: int = 0
    edited_at: datetime | None = None
    visibility: Visibility = Visibility.VISIBLE
    private: bool = False
    number: int | None = None
    ambiguous: bool = False
    seen_at: datetime | None = None
    character: str = ""

    def __post_init__(self) -> None:
        """See the class."""
        for name in _TEXTS:
            given = getattr(self, name)
            if given is not None and (legible := make_legible(given)) != given:
                object.__setattr__(self, name, legible)


_TEXTS = ("id", "topic", "author_id", "author", "url", "html", "raw", "character")
"""What a forum writes into a post as text."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Posts of one topic that are proven to be all there were since the mark (reliability.md F14-F18).

    posts: ascending by id as the forum orders them; those at and after the mark.
    first, last: the lowest and highest position read (1-based); the run between is contiguous.
    server_time: the forum's clock (UTC) from the `Date` header of the last answer.
    title: the topic's title.
    participants: account ids of all who can read a private conversation, ascending; empty for a public topic.
        Nothing secret may go where one too many stands here.
    account: own account id for which the pages were made, "" where the forum doesn't tell.
    until: up to when nothing is missing, UTC, where that isn't `server_time`: what a person carries from the
        forum is complete when the person says so.
    proves_absence: whether a post of a page that isn't in it is gone; else it may stand on a page to which
        nothing has led.
    """

    topic: str
    posts: tuple[Post, ...]
    first: int
    last: int
    server_time: datetime
    title: str = ""
    participants: tuple[str, ...] = ()
    account: str = ""
    until: datetime | None = None
    proves_absence: bool = True

    @property
    def proven_until(self) -> datetime:
        """Up to when nothing is missing, UTC."""
        return self.server_time if self.until is None else self.until


@dataclass(frozen=True, slots=True)
class Published:
    """The forum stored the text as a post of its own. `topic` is the conversation of a private message."""

    post_id: str
    topic: str | None = None


Reason = str | Message
"""Why something wasn't published: the forum's own words as they are, or what we say of it."""


@dataclass(frozen=True, slots=True)
class Queued:
    """The forum took the text, a moderator has to let it through; nobody sees it yet. reason: "" where the
    forum says no more than that.
    """

    reason: Reason = ""


@dataclass(frozen=True, slots=True)
class Merged:
    """The forum appended the text to the previous post of the same author."""

    post_id: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Certainly not stored. retry_after: seconds to wait, None where waiting doesn't help."""

    reason: Reason
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nobody knows whether it was stored (time-out after sending, 5xx, unexpected page): settle by reading
    back.
    """

    reason: Reason


Outcome = Published | Queued | Merged | Refused | Unknown

ATTACHMENT = "attachment"
"""What stands before a file's number in a forum that has tags for its own files."""
_ATTACHED = r"\]{number}\[/|\[attachment={number}\](?!\d+\[/)"
"""A tag around its number; or one that is its number, and not its place in front of another's."""


@dataclass(frozen=True, slots=True)
class Uploaded:
    """The forum keeps a picture.

    reference: how a text shows it: an address, or `attachment:ID` where the forum has tags for its own files.
    What would end an address in a text stands percent-encoded in it, whatever the forum says.
    handle: what has to go along with the text that shows it (`Uploading.post_with`), "" for nothing.
    """

    reference: str
    handle: str = ""

    def __post_init__(self) -> None:
        """See the class."""
        safe = quote(self.reference.encode("utf-8", "replace"), safe="/:?#@&+,;=%~")
        object.__setattr__(self, "reference", safe)

    def stands_in(self, text: str) -> bool:
        """Whether a text shows it."""
        kind, _, number = self.reference.partition(":")
        if kind == ATTACHMENT:
            return re.search(_ATTACHED.format(number=re.escape(number)), text) is not None
        return bool(self.reference) and self.reference in text


class PictureKind(StrEnum):
    """How a picture is written; also the ending of its file."""

    PNG = "png"
    GIF = "gif"


@dataclass(frozen=True, slots=True)
class Uploads:
    """Which pictures a forum takes. kind: the kind of file that it takes by its program's defaults.

    max_bytes: of one of them.
    """

    kind: PictureKind
    max_bytes: int


@dataclass(frozen=True, slots=True)
class Found:
    """An own text that carries a marker in its last non-empty line outside quotes; it is all of a post, or a
    part of one in which the forum has put several.

    visible: whether others see it; a post that waits for a moderator is shown to its author by some forums,
    and its text is "" then.
    """

    post_id: str
    topic: str
    text: str
    url: str
    visible: bool = True


class Limit(StrEnum):
    """What an adapter can't do, and does instead: it says so, and the contract of all adapters checks it."""

    POSITIONS = "positions"
    """Nothing can be read on from: `since` and `known` count for nothing, all is read each time."""
    RAW_TEXT = "raw-text"
    """There is no text to ask for: `raw_text` gives None, a post has its text as typed or never will."""
    CONVERSATIONS = "conversations"
    """Private messages stand in the turn's topic, marked as private; `read_private` gives none."""
    SAME_TEXT = "same-text"
    """A text that is sent again stands there twice: only who reads back first keeps it from that."""
    MERGES = "merges"
    """Two texts of an account that follow each other soon become one post; each is found, edited and taken
    back by itself, by its marker.
    """
    EDIT_MARKS = "edit-marks"
    """A post that was edited may not show it, the newest of a topic above all: only its text tells."""
    MISSING_TOPICS = "missing-topics"
    """A topic that isn't there can't be told from one in which nobody has posted yet: neither is complete."""
    CLOSED_TEXTS = "closed-texts"
    """In a closed topic there is no text to ask for, not even our own."""
    QUOTING_TEXTS = "quoting-texts"
    """There is no text to ask for of somebody's post that quotes others: `raw_text` gives None."""
    NAMES = "names"
    """Accounts are known by their names alone: who is renamed is somebody else."""
    ABSENCE = "absence"
    """Nothing tells how many posts there are: one that isn't read may stand there, and is kept."""
    SESSIONS = "sessions"
    """Nobody logs in: each request carries the account's key, no session is kept between runs."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a forum can and can't do; the adapter states it.

    max_chars: longest post, measured by `size`. max_private: longest private message, where it is another.
    min_interval: seconds the forum wants between two posts of one account.
    line_end: what a line end counts (2 where the forum stores CRLF, as browsers send it).
    by_hand: a person carries texts from and to the forum; each turn has a topic of its own, its inbox.
    mentions: whether `@login` in a post notifies that account.
    confirmed: a text counts as published once that person says that it was pasted.
    limits: what of the rest it can't do.
    uploads: the pictures that it takes for its posts, None for none.
    """

    precision: Precision
    private: bool
    edit: bool
    max_chars: int
    min_interval: float
    line_end: int = 1
    by_hand: bool = False
    confirmed: bool = False
    mentions: bool = False
    limits: frozenset[Limit] = frozenset()
    max_private: int | None = None
    uploads: Uploads | None = None

    def most(self, *, private: bool) -> int:
        """The longest post or private message, measured by `size`."""
        shorter = self.max_private if private and self.max_private is not None else self.max_chars
        return min(shorter, self.max_chars)

    def size(self, text: str) -> int:
        """How much of `max_chars` a text with LF line ends takes."""
        return len(text) + text.count("\n") * (self.line_end - 1)
