"""What the stand-in forum knows: accounts, topics, posts, what happened, and the faults that are still to
come.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from jobs.demo.spirit_server import Account, OpeningPost
from tests.support.spirit_pages import Viewer

SAME_TEXT = timedelta(minutes=30)
_NOT_KEPT = frozenset(("journal", "lock", "source"))


@dataclass
class StoredPost:
    """A post as the forum keeps it. visible_from: readers see it from then on."""

    id: int
    topic: int
    author_id: int
    text: str
    date: datetime
    visible_from: datetime
    edits: int = 0
    edited_at: datetime | None = None
    removed: bool = False
    notice: str = ""


@dataclass
class StoredTopic:
    """A topic. members: the accounts that take part in a private conversation, None for a public topic."""

    id: int
    title: str
    members: tuple[int, ...] | None = None
    closed: bool = False


_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass
class StoredPicture:
    """A picture as the forum keeps it. post: whose it is, None: of none yet. date: since when it is kept."""

    id: int
    author_id: int
    name: str
    content: bytes
    post: int | None = None
    date: datetime = _NEVER

    @property
    def ending(self) -> str:
        """What kind of file its name says that it is."""
        return self.name.rpartition(".")[2].lower()

    @property
    def kind(self) -> str:
        """What kind of file it is."""
        return next((kind for kind, start in _STARTS.items() if self.content.startswith(start)), "")


_STARTS = {"png": b"\x89PNG\r\n\x1a\n", "gif": b"GIF8", "jpg": b"\xff\xd8\xff"}


@dataclass
class StoredAccount:
    """An account with what Spirit's same-text rule remembers of it."""

    id: int
    name: str
    password: str
    staff: bool
    zone: str
    last_text: tuple[str, datetime] | None = None

    def viewer(self) -> Viewer:
        """The account as pages show it."""
        return Viewer(str(self.id), self.name, self.zone)


@dataclass(frozen=True, slots=True)
class Event:
    """Something the forum did or was asked.

    kind: `request`, `stored`, `edited`, `uploaded`, `fault`, `crawler`.
    """

    kind: str
    what: str
    account: str
    detail: str
    at: str


@dataclass
class Fault:
    """Something that goes wrong with coming requests.

    kind: see `StandIn.fail`. on: the action it waits for. times: how many requests it spoils.
    """

    kind: str
    on: str
    times: int = 1
    seconds: float = 0.0
    retry_after: str | None = None
    at: int = 0
    text: str = ""
    visible_after: float = 0.0
    mutate: Callable[[bytes], bytes] | None = None


@dataclass
class State:
    """All of it behind one lock; changes are appended to the journal as JSON lines where there is one."""

    journal: Path | None = None
    max_chars: int = 3000
    lock: threading.RLock = field(default_factory=threading.RLock)
    accounts: dict[int, StoredAccount] = field(default_factory=dict)
    topics: dict[int, StoredTopic] = field(default_factory=dict)
    stored: list[StoredPost] = field(default_factory=list)
    pictures: list[StoredPicture] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    windows: dict[tuple[str, str, int], int] = field(default_factory=dict)
    offset: timedelta = timedelta()
    fixed: datetime | None = None
    source: Callable[[], datetime] | None = None
    removals: int = 0

    def now(self) -> datetime:
        """The forum's clock."""
        if self.source is not None:
            return self.source()
        return (self.fixed or datetime.now(UTC)) + self.offset

    def fill(self, accounts: Sequence[Account], topics: Sequence[OpeningPost]) -> None:
        """Take in accounts and opening posts."""
        for number, account in enumerate(accounts, 1):
            zone = StoredAccount(number, account.name, account.password, account.staff, account.zone)
            self.accounts[number] = zone
        for opening in topics:
            topic = self.add_topic(opening.title, None)
            self.add_post(topic.id, self.by_name(opening.author), opening.text)

    def by_name(self, name: str) -> StoredAccount:
        """The account with this login name, in any case; KeyError where there is none."""
        for account in self.accounts.values():
            if account.name.lower() == name.lower():
                return account
        raise KeyError(name)

    def add_topic(self, title: str, members: tuple[int, ...] | None) -> StoredTopic:
        """Open a topic or conversation."""
        topic = StoredTopic(len(self.topics) + 1, title, members)
        self.topics[topic.id] = topic
        return topic

    def add_picture(self, author: StoredAccount, name: str, content: bytes) -> StoredPicture:
        """Keep a picture."""
        number = 1 + sum(one.kind == "uploaded" for one in self.events)
        picture = StoredPicture(number, author.id, name, content, date=self.now())
        self.pictures.append(picture)
        self.log("uploaded", name, author.name)
        return picture

    def add_post(
        self, topic: int, author: StoredAccount, text: str, visible_after: float = 0.0
    ) -> StoredPost:
        """Store a post; readers see it `visible_after` seconds later."""
        now = self.now()
        visible = now + timedelta(seconds=visible_after)
        number = len(self.stored) + self.removals + 1
        post = StoredPost(number, topic, author.id, text.replace("\r\n", "\n").strip(), now, visible)
        self.stored.append(post)
        self.log("stored", f"post {post.id}", author.name, post.text)
        return post

    def edit_post(self, post: StoredPost, author: StoredAccount, text: str) -> None:
        """Replace a post's text."""
        post.text = text.replace("\r\n", "\n").strip()
        post.edits += 1
        post.edited_at = self.now()
        self.log("edited", f"post {post.id}", author.name, post.text)

    def repeats(self, account: StoredAccount, key: str) -> bool:
        """Whether the account sent the same within half an hour, as Spirit sees it; else remember this
        one.
        """
        last = account.last_text
        if last is not None and last[0] == key and self.now() - last[1] < SAME_TEXT:
            return True
        account.last_text = (key, self.now())
        return False

    def limited(self, kind: str, who: str, per: int, most: int) -> bool:
        """Count a request in a fixed window of `per` seconds, as Spirit does; whether it is over `most`."""
        window = (kind, who, int(self.now().timestamp()) // per)
        self.windows[window] = self.windows.get(window, 0) + 1
        return self.windows[window] > most

    def shown(self, topic: int) -> list[StoredPost]:
        """A topic's posts that a reader sees now, in order."""
        now = self.now()
        return [post for post in self.stored if post.topic == topic and post.visible_from <= now]

    def take_fault(self, action: str) -> Fault | None:
        """The next fault that waits for this action."""
        for fault in self.faults:
            if fault.on == action:
                fault.times -= 1
                if fault.times == 0:
                    self.faults.remove(fault)
                self.log("fault", fault.kind, "", action)
                return fault
        return None

    def log(self, kind: str, what: str, account: str, detail: str = "") -> None:
        """Append to what happened."""
        event = Event(kind, what, account, detail, self.now().isoformat())
        self.events.append(event)
        if self.journal is not None:
            with self.journal.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(asdict(event), ensure_ascii=False) + "\n")

    def listing(self) -> list[dict[str, Any]]:
        """Every post, seen or not, in the shape of `SpiritServer.posts`."""
        return [self._entry(post) for post in self.stored]

    def _entry(self, post: StoredPost) -> dict[str, Any]:
        topic = self.topics[post.topic]
        return {
            "id": str(post.id),
            "topic": str(post.topic),
            "title": topic.title,
            "private": topic.members is not None,
            "author_id": str(post.author_id),
            "author": self.accounts[post.author_id].name,
            "text": post.text,
            "edits": post.edits,
            "removed": post.removed,
            "action": int(bool(post.notice)),
            "date": post.date.isoformat(),
        }

    def keep(self) -> Mapping[str, Any]:
        """A copy of all that is known now, for `put_back`."""
        known = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in _NOT_KEPT}
        with self.lock:
            return deepcopy(known)

    def put_back(self, kept: Mapping[str, Any]) -> None:
        """Know what was known then, and nothing else."""
        with self.lock:
            vars(self).update(deepcopy(dict(kept)))
