"""A forum in memory with the faults of a real one; speaks `processor.ports.Forum`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from html import escape

from processor.gate import ANSWERED, LEAVING, Gate
from processor.ports import Clock, IncompletePage, LoginFailed, NotATopic, Unreachable
from rules.play.joined import find_texts, put_text, take_text
from rules.play.posts import (
    Capabilities,
    Found,
    Merged,
    Outcome,
    Post,
    Precision,
    Published,
    Queued,
    Reading,
    Refused,
    Unknown,
    Visibility,
)

BOT = "1"
TOPIC = "7"
PER_PAGE = 20
CAPABILITIES = Capabilities(Precision.MINUTE, private=True, edit=True, max_chars=3000, min_interval=0.0)


class Fault(StrEnum):
    """What goes wrong with one request."""

    STORE_THEN_DROP = "store-then-drop"
    DROP_BEFORE_STORE = "drop-before-store"
    REFUSE = "refuse"
    REFUSE_FOR_NOW = "refuse-for-now"
    QUEUE = "queue"
    QUEUE_THEN_DROP = "queue-then-drop"
    MERGE = "merge"
    LOGIN_PAGE = "login-page"
    CUT_PAGE = "cut-page"
    DOWN = "down"
    NO_LOGIN = "no-login"


NOT_STORED: dict[Fault | None, Outcome] = {
    Fault.DROP_BEFORE_STORE: Unknown("no answer"),
    Fault.DOWN: Unknown("no answer"),
    Fault.REFUSE: Refused("the topic is closed"),
}


@dataclass
class Kept:
    """A post as the forum keeps it. shown_from: when readers begin to see it."""

    id: int
    topic: str
    author: str
    text: str
    at: datetime
    shown_from: datetime
    number: int
    first_text: str = ""
    edits: int = 0
    visibility: Visibility = Visibility.VISIBLE


def _pass() -> None:
    pass


@dataclass
class MemoryForum:
    """One forum, one bot account.

    post_faults, read_faults: consumed one per request, None for a request without fault.
    merges: how long after a text of ours the next one is appended to it, where nobody else has written since;
    None: never.
    lag: how long a new post stays invisible. drift: how far its clock is ahead.
    queue: what waits for a moderator, oldest first: its text, and how it is let through. shows_queue: whether
    its author sees it there. wait: seconds that it asks to wait where it refuses for now.
    freezes: whether it lets nobody edit, and says so only when it is asked.
    """

    clock: Clock
    gate: Gate = field(default_factory=Gate)
    lag: timedelta = timedelta()
    drift: timedelta = timedelta()
    post_faults: deque[Fault | None] = field(default_factory=deque)
    read_faults: deque[Fault | None] = field(default_factory=deque)
    posts: list[Kept] = field(default_factory=list)
    conversations: dict[str, tuple[str, frozenset[str]]] = field(default_factory=dict)
    accounts: dict[str, str] = field(default_factory=lambda: {"turnero": BOT})
    log: list[tuple[str, int]] = field(default_factory=list)
    queue: deque[tuple[str, Callable[[], Kept]]] = field(default_factory=deque)
    shows_queue: bool = False
    wait: float = 10.0
    freezes: bool = False
    requests: int = 0
    newest: int = 100
    on_request: Callable[[], None] = _pass
    merges: timedelta | None = None
    capabilities: Capabilities = CAPABILITIES

    # What people do.

    def write(self, author: str, text: str, topic: str = TOPIC, at: datetime | None = None) -> Kept:
        """A post by anybody."""
        now = at or self.clock.now()
        number = 1 + sum(1 for post in self.posts if post.topic == topic)
        shown = now + self.lag if author == BOT else now
        self.newest += 1
        post = Kept(self.newest, topic, author, text, now, shown, number, text)
        self.posts.append(post)
        self.log.append(("post", post.id))
        return post

    def rewrite(self, post_id: int, text: str) -> None:
        """An edit by the author."""
        post = self.find(post_id)
        post.text, post.edits = text, post.edits + 1
        self.log.append(("edit", post_id))

    def append(self, post: Kept, text: str) -> Kept:
        """What the forum makes of a text that follows another of the same account soon."""
        self.rewrite(post.id, f"{post.text}\n[hr]\n{text}")
        return post

    def remove(self, post_id: int) -> None:
        """A moderator takes a post out of its topic: those behind it move up."""
        gone = self.find(post_id)
        self.posts.remove(gone)
        for post in self.posts:
            if post.topic == gone.topic and post.number > gone.number:
                post.number -= 1
        self.log.append(("remove", post_id))

    def whisper(self, author: str, text: str, title: str = "Órdenes") -> Kept:
        """A private message to the bot."""
        topic = str(1000 + len(self.conversations))
        self.conversations[topic] = (title, frozenset({author, BOT}))
        return self.write(author, text, topic)

    def approve(self, count: int = 1) -> None:
        """A moderator lets the oldest texts of the queue through."""
        for _ in range(count):
            self.queue.popleft()[1]()

    def find(self, post_id: int) -> Kept:
        """A post by its id."""
        return next(post for post in self.posts if post.id == post_id)

    def by_bot(self, topic: str | None = None) -> list[Kept]:
        """The bot's posts: the judge of every test."""
        return [post for post in self.posts if post.author == BOT and topic in (None, post.topic)]

    # The port.

    def open(self) -> str:
        """See `Forum.open`."""
        return BOT

    def server_time(self) -> datetime:
        """See `Forum.server_time`."""
        return self.clock.now() + self.drift

    def read_topic(self, topic: str, since: int | None = None, known: str | None = None) -> Reading:
        """See `Forum.read_topic`."""
        self._request()
        self._fail(self.read_faults.popleft() if self.read_faults else None)
        return self._reading(topic, since) if known is None else self._reading_on(topic, since or 1, known)

    def read_own(self, topic: str, since: int | None = None, known: str | None = None) -> Reading:
        """See `Forum.read_own`."""
        return self.read_topic(topic, since, known)

    def read_private(self, since: Mapping[str, int] | None = None) -> tuple[Reading, ...]:
        """See `Forum.read_private`."""
        self._request()
        self._fail(self.read_faults.popleft() if self.read_faults else None)
        return tuple(self._reading(topic, None) for topic in self.conversations if self._seen(topic))

    def raw_text(self, post_id: str, topic: str) -> str | None:
        """See `Forum.raw_text`."""
        self._request()
        return self.find(int(post_id)).text

    def read_post(self, topic: str, post_id: str, number: int) -> Post | None:
        """See `Forum.read_post`."""
        self._request()
        self._fail(self.read_faults.popleft() if self.read_faults else None)
        first = (number - 1) // PER_PAGE * PER_PAGE + 1
        page = (one for one in self._seen(topic) if first <= one.number < first + PER_PAGE)
        return next((self._shown(one) for one in page if str(one.id) == post_id), None)

    def post(self, topic: str, text: str) -> Outcome:
        """See `Forum.post`."""
        if (last := self._mergeable(topic)) is None:
            return self._change(text, lambda: self.write(BOT, text, topic))
        outcome = self._change(text, lambda: self.append(last, text))
        return Merged(str(last.id)) if isinstance(outcome, Published) else outcome

    def edit(self, post_id: str, text: str) -> Outcome:
        """See `Forum.edit`."""
        if all(str(post.id) != post_id for post in self.posts):
            return Refused("there is no such post")
        return self._edit(post_id, put_text(self.find(int(post_id)).text, text))

    def retract(self, post_id: str, marker: str, text: str) -> Outcome:
        """See `Forum.retract`."""
        return self._edit(post_id, take_text(self.find(int(post_id)).text, marker) or text)

    def _edit(self, post_id: str, text: str | None) -> Outcome:
        if text is None:
            return Refused("other texts stand there")

        def apply() -> Kept:
            self.rewrite(int(post_id), text)
            return self.find(int(post_id))

        if self.find(int(post_id)).text == text:
            return Published(post_id)
        if self.freezes:
            self.post_faults.appendleft(Fault.REFUSE)
        return self._change(text, apply, edits=True)

    def send_private(self, to: str, title: str, text: str) -> Outcome:
        """See `Forum.send_private`."""

        def apply() -> Kept:
            topic = str(1000 + len(self.conversations))
            self.conversations[topic] = (title, frozenset({self.accounts[to], BOT}))
            return self.write(BOT, text, topic)

        return self._change(text, apply)

    def find_marker(self, topic: str, marker: str) -> tuple[Found, ...]:
        """See `Forum.find_marker`."""
        self._request()
        self._fail(self.read_faults.popleft() if self.read_faults else None)
        waits = [text for text, _ in self.queue if self.shows_queue and text.split("\n")[-1] == marker]
        return tuple(
            Found(str(post.id), topic, text, self.post_url(str(post.id)))
            for post in self._seen(topic)
            if post.author == BOT
            for text in find_texts(post.text, marker) or [post.text] * (post.text.split("\n")[-1] == marker)
        ) + tuple(Found("", topic, "", "", visible=False) for _ in waits)

    def find_private(self, title: str, marker: str) -> tuple[Found, ...]:
        """See `Forum.find_private`."""
        topics = [topic for topic, (named, _) in self.conversations.items() if named == title] or [""]
        return tuple(one for topic in topics for one in self.find_marker(topic, marker))

    def post_url(self, post_id: str) -> str:
        """See `Forum.post_url`."""
        return f"http://foro.example/comment/{post_id}/find/"

    def _mergeable(self, topic: str) -> Kept | None:
        last = max(
            (post for post in self.posts if post.topic == topic), key=lambda one: one.number, default=None
        )
        if self.merges is None or last is None or last.author != BOT or topic in self.conversations:
            return None
        return last if self.clock.now() - last.at < self.merges else None

    def _request(self) -> None:
        self.requests += 1
        self.on_request()

    def _seen(self, topic: str) -> list[Kept]:
        now = self.clock.now()
        return [post for post in self.posts if post.topic == topic and post.shown_from <= now]

    def _reading(self, topic: str, since: int | None) -> Reading:
        posts = [post for post in self._seen(topic) if since is None or post.number >= since]
        if not posts:
            raise IncompletePage("forum/shifted", f"position {since} is gone")
        title, people = self.conversations.get(topic, ("Partida", frozenset()))
        shown = tuple(self._shown(post) for post in posts)
        return Reading(
            topic, shown, posts[0].number, posts[-1].number, self.server_time(), title, tuple(sorted(people))
        )

    def _reading_on(self, topic: str, since: int, known: str) -> Reading:
        """The page on which the known post stands, and what is behind it."""
        read = self._reading(topic, (since - 1) // PER_PAGE * PER_PAGE + 1)
        if [post.id for post in read.posts if post.number == since] != [known]:
            raise IncompletePage("forum/shifted", f"post {known} no longer stands at {since}")
        return read

    def _shown(self, post: Kept) -> Post:
        return Post(
            id=str(post.id),
            topic=post.topic,
            author_id=post.author,
            author=f"jugador {post.author}",
            created_at=post.at.replace(second=0, microsecond=0),
            precision=Precision.MINUTE,
            url=self.post_url(str(post.id)),
            html="".join(f"<p>{escape(part)}</p>" for part in post.text.split("\n\n")),
            edits=post.edits,
            visibility=post.visibility,
            private=post.topic in self.conversations,
            number=post.number,
        )

    def _change(self, text: str, apply: Callable[[], Kept], *, edits: bool = False) -> Outcome:
        self._request()
        self.gate(LEAVING)
        outcome = self._applied(text, apply, self.post_faults.popleft() if self.post_faults else None)
        self.gate(ANSWERED)
        return replace(outcome, topic=None) if edits and isinstance(outcome, Published) else outcome

    def _applied(self, text: str, apply: Callable[[], Kept], fault: Fault | None) -> Outcome:
        if fault in NOT_STORED:
            return NOT_STORED[fault]
        if fault is Fault.REFUSE_FOR_NOW:
            return Refused("too fast", self.wait)
        if fault in (Fault.QUEUE, Fault.QUEUE_THEN_DROP):
            self.queue.append((text, apply))
            return Queued("new account") if fault is Fault.QUEUE else Unknown("no answer")
        post = apply()
        if fault is Fault.STORE_THEN_DROP:
            return Unknown("no answer")
        return Merged(str(post.id)) if fault is Fault.MERGE else Published(str(post.id), post.topic)

    def _fail(self, fault: Fault | None) -> None:
        match fault:
            case Fault.LOGIN_PAGE:
                raise NotATopic("forum/login", "the forum shows its login page")
            case Fault.CUT_PAGE:
                raise IncompletePage("forum/cut", "the page ends in the middle")
            case Fault.DOWN:
                raise Unreachable("forum/down", "no answer")
            case Fault.NO_LOGIN:
                raise LoginFailed("forum/login-failed", "wrong password")
            case _:
                return
