"""What the service needs from the outside world, as protocols."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol, runtime_checkable

from rules.play.beacons import Pulse
from rules.play.posts import Capabilities, Found, Outcome, Post, Reading, Refused, Unknown, Uploaded


class Clock(Protocol):
    """Time as the service sees it; tests turn it by hand."""

    def now(self) -> datetime:
        """Wall clock, UTC, for deadlines and for what is stored."""
        ...

    def monotonic(self) -> float:
        """Seconds that never jump, for leases within one process."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class ForumError(Exception):
    """The forum could not be used; `code` is stable and has a text, `detail` is for developers, unless that
    text shows it.

    retry_after: seconds the forum asks to wait, None where it asks for nothing. words: what the forum says
    itself, for the director; "" for nothing.
    """

    def __init__(self, code: str, detail: str, retry_after: float | None = None, words: str = "") -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.retry_after = retry_after
        self.words = words


class NotATopic(ForumError):
    """The page is no topic page (login form, maintenance, captcha, consent wall, other software)."""


class Missing(NotATopic):
    """There is no such topic, page or post, as far as the own account can see."""

    def __init__(self, detail: str, words: str = "") -> None:
        super().__init__("forum/missing", detail, words=words)


class IncompletePage(ForumError):
    """The page is a topic page but can't be proven complete (cut, shifted, gaps, wrong charset)."""


class Unreachable(ForumError):
    """No answer, or an answer that says nothing about the topic (5xx, time-out, refused)."""


class Unready(ForumError):
    """What a person carries from and to the forum can't be used as it is; `detail` is in the game's language.

    It is looked at again and again, and nothing is held: the person has it in hand.
    """


class LoginFailed(ForumError):
    """The forum refuses the account."""


class BeaconError(Exception):
    """The public source of randomness doesn't give the round; in English, for logs and the director."""


class Beacon(Protocol):
    """A public source of randomness whose rounds are numbered by time (`rules.play.beacons`)."""

    def fetch(self, number: int) -> Pulse:
        """What was published in a round. Raises BeaconError."""
        ...


class Forum(Protocol):
    """One forum as one account sees it. Reading raises ForumError; publishing answers an Outcome."""

    capabilities: Capabilities

    def open(self) -> str:
        """Log in where needed and return the own account id. Raises ForumError."""
        ...

    def server_time(self) -> datetime:
        """The forum's clock, UTC, as of the last answer."""
        ...

    def read_topic(self, topic: str, since: int | None = None, known: str | None = None) -> Reading:
        """Posts from position `since` on (1-based, inclusive; None: all), proven complete. Raises ForumError.

        since: the position of a post that is known to exist, at best the newest one; where it is gone the
        page is stale or posts have moved up (IncompletePage `forum/shifted`: read again without `since`).
        known: the id of the post at `since`, compared where given. Then every page is asked for once, which
        takes at most 1 + ceil(new posts / page length) requests, and posts before `since` that stand on the
        same page come along. What is moved between two of those requests may be overlooked until the next
        reading without `known`, so no closing reading gives it.
        """
        ...

    def read_own(self, topic: str, since: int | None = None, known: str | None = None) -> Reading:
        """As `read_topic`, for our own posts: others' may be left out where they could stand in the way.

        What we have published is known by it, which mustn't depend on what players brought. Raises
        ForumError.
        """
        ...

    def read_private(self, since: Mapping[str, int] | None = None) -> tuple[Reading, ...]:
        """Every private conversation of the own account, each proven complete. Raises ForumError.

        since: the position to start from by conversation id; from there on it is read as with `known`.
        """
        ...

    def raw_text(self, post_id: str, topic: str) -> str | None:
        """The text as typed, None where the forum doesn't give it."""
        ...

    def read_post(self, topic: str, post_id: str, number: int) -> Post | None:
        """One post as it is now, in one request; None where it no longer stands there, which is no proof
        that it is gone. number: its position as last seen. Raises ForumError.
        """
        ...

    def post(self, topic: str, text: str) -> Outcome:
        """Reply in a topic, or in a private conversation by its topic id."""
        ...

    def edit(self, post_id: str, text: str) -> Outcome:
        """Replace the text of an own post; where several of ours stand in it (`rules.play.joined`), the one
        whose marker differs from the new one's at most in the number of parts and the hash.
        """
        ...

    def retract(self, post_id: str, marker: str, text: str) -> Outcome:
        """Take the last text with a marker out of an own post; without others of ours in it the post gets
        `text`.
        """
        ...

    def send_private(self, to: str, title: str, text: str) -> Outcome:
        """Open a private conversation with the account named `to` (login name)."""
        ...

    def find_marker(self, topic: str, marker: str) -> tuple[Found, ...]:
        """Own texts of the topic whose last line is the marker, ascending by post id, over all pages; several
        may stand in one post (`rules.play.joined`). Where the forum shows them to us, those too that wait for
        a moderator. Raises ForumError.
        """
        ...

    def find_private(self, title: str, marker: str) -> tuple[Found, ...]:
        """Own private messages with that conversation title and marker. Raises ForumError."""
        ...

    def post_url(self, post_id: str) -> str:
        """Where a reader finds the post."""
        ...


@runtime_checkable
class Probing(Protocol):
    """A forum that tells whether it would take a post without being sent one. Raises ForumError where not."""

    def probe_topic(self, topic: str) -> None:
        """Whether the own account may reply in a topic."""
        ...

    def probe_edit(self, post_id: str) -> None:
        """Whether it may edit that own post of a topic."""
        ...

    def probe_private(self) -> None:
        """Whether it may open private conversations."""
        ...


@runtime_checkable
class Uploading(Protocol):
    """A forum that keeps pictures for its posts (`Capabilities.uploads`)."""

    def upload(self, topic: str, name: str, content: bytes, beside: str = "") -> Uploaded | Refused | Unknown:
        """Hand over a picture for a post of a topic, once, in a session that was opened just before.

        Nobody is shown it before a text shows it.

        name: of the file, with its ending. beside: a handle of a picture that the same text may show.
        """
        ...

    def post_with(self, topic: str, text: str, handles: tuple[str, ...]) -> Outcome:
        """See `Forum.post`, of a text that shows pictures with these handles."""
        ...
