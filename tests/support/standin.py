"""A stand-in forum on loopback that speaks Spirit's dialect and can fail on command.

It lives in the test's own process: whatever is killed, its list of posts and its log of events remain, and
they are the judge. Real Spirit is the measure of its dialect: the contract tests run over both.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from jobs.demo.spirit_server import Account, OpeningPost
from tests.support.discourse_views import DiscourseViews
from tests.support.flarum_views import FlarumViews
from tests.support.flaskbb_views import FlaskbbViews
from tests.support.misago_views import MisagoViews
from tests.support.mybb_views import MybbViews
from tests.support.nodebb_views import NodebbViews
from tests.support.phpbb_views import PhpbbViews
from tests.support.smf_views import SmfViews
from tests.support.standin_call import ForumViews
from tests.support.standin_http import Handler
from tests.support.standin_state import Event, Fault, State
from tests.support.standin_views import Views
from tests.support.xenforo_views import XenforoViews


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # A client that goes away in the middle is what these tests are about.
    handle_error = lambda *_: None  # noqa: E731


@dataclass(frozen=True, slots=True)
class Kept:
    """What a forum knows at a moment. sessions: whose each is."""

    state: Mapping[str, Any]
    sessions: Mapping[str, int]


class StandIn:
    """The forum; a context manager with the same face as `jobs.demo.spirit_server.SpiritServer`.

    software: whose dialect it speaks. Whatever test uses it fails where a request calls itself a bot.

    clock: the forum's time, the real one where it isn't set. journal: a file that gets each event as a JSON
    line.
    """

    software = "spirit"
    json = False
    answering: type[ForumViews] = Views

    def __init__(
        self,
        accounts: Sequence[Account],
        *,
        topics: Sequence[OpeningPost] = (),
        comments_per_page: int = 20,
        topics_per_page: int = 20,
        rate_limits: bool = False,
        clock: datetime | None = None,
        journal: Path | None = None,
    ) -> None:
        """rate_limits: one post in 10 s and five logins in 5 min, as Spirit has by default."""
        self.state = State(journal=journal, fixed=clock)
        self.state.fill(accounts, topics)
        self.views = self.answering(self.state, comments_per_page, topics_per_page, rate_limits)
        self.accounts = {one.name: self.account_id(number) for number, one in self.state.accounts.items()}
        self.categories = {"Partidas": "3"}
        self.topics = {topic.title: str(number) for number, topic in self.state.topics.items()}
        self.url = ""
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    def account_id(self, number: int) -> str:
        """What the forum's pages tell of an account."""
        return str(number)

    def topic_id(self, topic: int) -> str:
        """A topic's or conversation's id with us."""
        return str(topic)

    def post_id(self, topic: int, post: int) -> str:
        """A post's id with us; a number that is the forum's own stands at its end."""
        del topic
        return str(post)

    def __enter__(self) -> Self:
        handler = type("BoundHandler", (Handler,), {"views": self.views})
        self._server = _Server(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.views.url = self.url
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()
        crawlers = {event.detail for event in self.events("crawler")}
        if crawlers and kind is None:
            raise AssertionError(f"forums lock out {', '.join(sorted(crawlers))}")
        drift = {f"{event.what}: {event.detail}" for event in self.events("drift")}
        if drift and kind is None:
            raise AssertionError("not in the published interface:\n" + "\n".join(sorted(drift)))

    def fail(self, kind: str, on: str, **details: Any) -> Fault:
        """Spoil the next request(s) of an action.

        on: `topic` (a topic's page), `list`, `find`, `form` (a form's page), `preferences`, or a sending:
            `publish`, `edit`, `private`, `open`, `login`.
        kind, nothing is stored: `drop-before-store`, `error-before`, `limited` (429; retry_after), `flood`
            (Spirit's form again), `login-page`, `login-redirect`, `maintenance`, `captcha`, `consent`,
            `redirect` (text: where to).
        kind, done as usual first: `store-then-drop`, `error-after`, `late` (seen after visible_after
        seconds),
            `slow` (seconds), `drip` (seconds between bytes), `truncate` (at bytes, Content-Length agrees),
            `short` (at bytes, Content-Length doesn't), `mutate` (a function over the page's bytes),
            `stale` (without the newest `at` posts), `other-page` (page `at` instead of the one asked for).
        times: how many requests. visible_after: also with store-then-drop and error-after.
        """
        fault = Fault(kind, on, **details)
        with self.state.lock:
            self.state.faults.append(fault)
        return fault

    def posts(self) -> list[dict[str, Any]]:
        """Every stored post, ascending by id, seen or not: the judge. Keys as in `SpiritServer.posts`."""
        with self.state.lock:
            return [
                entry
                | {
                    "id": self.post_id(int(entry["topic"]), int(entry["id"])),
                    "topic": self.topic_id(int(entry["topic"])),
                }
                for entry in self.state.listing()
            ]

    def count_files(self, post_id: str) -> int:
        """How many pictures are files of a post."""
        with self.state.lock:
            return sum(
                one.post is not None and post_id == self.post_id(self._topic_of(one.post), one.post)
                for one in self.state.pictures
            )

    def _topic_of(self, post: int) -> int:
        return next(one.topic for one in self.state.stored if one.id == post)

    def events(self, kind: str | None = None) -> list[Event]:
        """What happened so far, in order; of one kind where given (`request`, `stored`, `edited`,
        `fault`).
        """
        with self.state.lock:
            return [event for event in self.state.events if kind in (None, event.kind)]

    def requests(self) -> list[str]:
        """Method and path of every request so far."""
        return [event.what for event in self.events("request")]

    def shift_clock(self, seconds: float) -> None:
        """Move the forum's clock."""
        with self.state.lock:
            self.state.offset += timedelta(seconds=seconds)

    def set_clock(self, moment: datetime) -> None:
        """Stop the forum's clock at a moment (with zone)."""
        with self.state.lock:
            self.state.fixed, self.state.offset = moment, timedelta()

    def follow_clock(self, clock: Callable[[], datetime]) -> None:
        """Let the forum's clock be somebody else's, such as the one a test turns."""
        with self.state.lock:
            self.state.source = clock

    def write_post(self, topic: str, name: str, text: str) -> str:
        """Store a post of an account without any request, and return its id."""
        with self.state.lock:
            made = self.state.add_post(int(topic), self.state.by_name(name), text).id
            return self.post_id(int(topic), made)

    def edit_post(self, post_id: str, text: str) -> None:
        """Edit a post as its author would, without any request."""
        with self.state.lock:
            post = self._post(post_id)
            self.state.edit_post(post, self.state.accounts[post.author_id], text)

    def remove_post(self, post_id: str) -> None:
        """Remove a post as a moderator does: its place and number stay."""
        with self.state.lock:
            self._post(post_id).removed = True

    def delete_post(self, post_id: str) -> None:
        """Delete a post: what stood behind it moves up."""
        with self.state.lock:
            self.state.stored.remove(self._post(post_id))
            self.state.removals += 1

    def add_notice(self, topic: str, name: str, icon: str = "lock") -> None:
        """Let the forum write a line of its own into a topic."""
        with self.state.lock:
            self.state.add_post(int(topic), self.state.by_name(name), "action").notice = icon

    def rename(self, name: str, new: str) -> None:
        """Give an account another name; its posts have it at once."""
        with self.state.lock:
            self.state.by_name(name).name = new

    def move_post(self, post_id: str, topic: str) -> None:
        """Put a post into another topic, where it stands by its age."""
        with self.state.lock:
            self._post(post_id).topic = int(topic)

    def close_topic(self, topic: str) -> None:
        """Close a topic: nobody can reply any more."""
        with self.state.lock:
            self.state.topics[int(topic)].closed = True

    def end_sessions(self) -> None:
        """Log everybody out."""
        with self.state.lock:
            self.views.sessions.clear()

    def keep(self) -> Kept:
        """A copy of all that the forum knows now, for `put_back`."""
        with self.state.lock:
            return Kept(self.state.keep(), dict(self.views.sessions))

    def put_back(self, kept: Kept) -> None:
        """Be the forum of that moment again, under the same address."""
        with self.state.lock:
            self.state.put_back(kept.state)
            self.views.sessions = dict(kept.sessions)

    def wait_for(self, kind: str, count: int = 1, timeout: float = 30.0) -> None:
        """Wait until so many events of a kind have happened; TimeoutError otherwise."""
        end = time.monotonic() + timeout
        while len(self.events(kind)) < count:
            if time.monotonic() > end:
                raise TimeoutError(f"the forum saw no {count} events of kind {kind}")
            time.sleep(0.01)

    def _post(self, post_id: str) -> Any:
        number = int(post_id.rpartition("-")[2])
        return next(post for post in self.state.stored if post.id == number)


class FlaskbbStandIn(StandIn):
    """The same forum in the dialect of FlaskBB, which knows accounts by name only."""

    software = "flaskbb"
    answering = FlaskbbViews
    views: FlaskbbViews

    def account_id(self, number: int) -> str:
        """See `StandIn.account_id`."""
        return self.state.accounts[number].name


class DiscourseStandIn(StandIn):
    """The same forum in the dialect of Discourse."""

    software = "discourse"
    json = True
    answering = DiscourseViews
    views: DiscourseViews


class SmfStandIn(StandIn):
    """The same forum in the dialect of SMF."""

    software = "smf"
    answering = SmfViews
    views: SmfViews


class MybbStandIn(StandIn):
    """The same forum in the dialect of MyBB."""

    software = "mybb"
    answering = MybbViews
    views: MybbViews


class NodebbStandIn(StandIn):
    """The same forum in the dialect of NodeBB; an account's password is its token."""

    software = "nodebb"
    json = True
    answering = NodebbViews
    views: NodebbViews


class FlarumStandIn(StandIn):
    """The same forum in the dialect of Flarum."""

    software = "flarum"
    json = True
    answering = FlarumViews
    views: FlarumViews


class MisagoStandIn(StandIn):
    """The same forum in the dialect of Misago, whose posts' ids name their thread with us."""

    software = "misago"
    json = True
    answering = MisagoViews
    views: MisagoViews

    def topic_id(self, topic: int) -> str:
        """See `StandIn.topic_id`."""
        return f"p{topic}" if self.state.topics[topic].members is not None else str(topic)

    def post_id(self, topic: int, post: int) -> str:
        """See `StandIn.post_id`."""
        return f"{self.topic_id(topic)}-{post}"


class PhpbbStandIn(StandIn):
    """The same forum in the dialect of phpBB."""

    software = "phpbb"
    answering = PhpbbViews
    views: PhpbbViews

    def edit_post(self, post_id: str, text: str) -> None:
        """See `StandIn.edit_post`."""
        super().edit_post(post_id, text)
        self.views.note_edit(self._post(post_id), staff=False)


class XenforoStandIn(StandIn):
    """The same forum in the dialect of XenForo's REST API; an account's password is its key."""

    software = "xenforo"
    answering = XenforoViews
    views: XenforoViews


_ALL: list[type[StandIn]] = [StandIn, *StandIn.__subclasses__()]
STANDINS: Mapping[str, type[StandIn]] = {one.software: one for one in _ALL}
"""By the software whose dialect they speak. The contract of all adapters is held over each of them."""
