"""The forum port for django-spirit 0.14 (Markdown, HTML pages and forms)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from parsers.pages.spirit_forms import parse_form, parse_quoted, read_last_line
from processor.forums.http import ForumHttp
from processor.forums.spirit_publishing import SpiritPublisher
from processor.forums.spirit_reading import SpiritReader
from processor.forums.spirit_session import SpiritSession, as_forum_errors
from processor.ports import NotATopic
from rules.play.posts import Capabilities, Found, Outcome, Post, Precision, Reading, Visibility

SPIRIT = Capabilities(
    precision=Precision.MINUTE,
    private=True,
    edit=True,
    max_chars=3000,
    min_interval=10.0,
    line_end=2,
    mentions=True,
)


class SpiritForum:
    """One Spirit forum as one account sees it; implements `processor.ports.Forum`.

    Pages are asked for in English; times are read in the zone of the account's own preferences, never
    guessed.
    """

    def __init__(
        self,
        base_url: str,
        username: str,
        password: str,
        zone: str | None = None,
        http: ForumHttp | None = None,
        capabilities: Capabilities = SPIRIT,
    ) -> None:
        """zone: what the account's preferences are expected to say, None to believe them.

        http: a connection to the same `base_url`, None for one with default limits.
        capabilities: of this installation (a host may have raised ST_COMMENT_MAX_LEN or lifted the rate
        limits).
        """
        self.capabilities = capabilities
        self._http = http or ForumHttp(base_url)
        self._session = SpiritSession(self._http, username, password, zone)
        self._reader = SpiritReader(self._session)
        self._publisher = SpiritPublisher(self._session, self._reader, capabilities)

    def open(self) -> str:
        """See `Forum.open`."""
        return self._session.open()

    def server_time(self) -> datetime:
        """See `Forum.server_time`."""
        return self._http.server_time()

    def read_topic(self, topic: str, since: int | None = None, known: str | None = None) -> Reading:
        """See `Forum.read_topic`."""
        return self._reader.read(topic, since, known)

    def read_own(self, topic: str, since: int | None = None, known: str | None = None) -> Reading:
        """See `Forum.read_own`: our posts stand among the others."""
        return self.read_topic(topic, since, known)

    def read_private(self, since: Mapping[str, int] | None = None) -> tuple[Reading, ...]:
        """See `Forum.read_private`."""
        return self._reader.read_private(since or {})

    def raw_text(self, post_id: str, topic: str) -> str | None:
        """See `Forum.raw_text`; the quote form gives anybody's text, where the topic is closed the edit form
        our own.
        """
        try:
            with as_forum_errors():
                page = self._session.fetch(f"comment/{topic}/publish/{post_id}/quote/")
                return parse_quoted(parse_form(page.tree, "comment").text)
        except NotATopic as error:
            if error.code != "forum/missing":
                raise
        return self._own_text(post_id)

    def read_post(self, topic: str, post_id: str, number: int) -> Post | None:
        """See `Forum.read_post`."""
        return self._reader.read_post(topic, post_id, number)

    def _own_text(self, post_id: str) -> str | None:
        try:
            return self._publisher.own_text(post_id)
        except NotATopic as error:
            if error.code != "forum/missing":
                raise
        return None

    def post(self, topic: str, text: str) -> Outcome:
        """See `Forum.post`."""
        return self._publisher.post(topic, text)

    def probe_topic(self, topic: str) -> None:
        """See `Probing.probe_topic`."""
        self._publisher.probe(topic)

    def probe_private(self) -> None:
        """See `Probing.probe_private`."""
        self._publisher.probe_private()

    def edit(self, post_id: str, text: str) -> Outcome:
        """See `Forum.edit`."""
        return self._publisher.edit(post_id, text)

    def send_private(self, to: str, title: str, text: str) -> Outcome:
        """See `Forum.send_private`."""
        return self._publisher.send_private(to, title, text)

    def open_topic(self, category: str, title: str, text: str) -> Outcome:
        """Open a public topic in the category with this id; `Published.topic` is the new topic's id."""
        return self._publisher.open_topic(category, title, text)

    def find_marker(self, topic: str, marker: str) -> tuple[Found, ...]:
        """See `Forum.find_marker`."""
        return self._find(self._reader.read(topic).posts, marker)

    def find_private(self, title: str, marker: str) -> tuple[Found, ...]:
        """See `Forum.find_private`."""
        title = " ".join(title.split())
        topics = (link.topic for link in self._reader.conversations() if link.title == title)
        return self._find([post for topic in topics for post in self._reader.read(topic).posts], marker)

    def post_url(self, post_id: str) -> str:
        """See `Forum.post_url`."""
        return self._reader.link(post_id)

    def _find(self, posts: Iterable[Post], marker: str) -> tuple[Found, ...]:
        line = " ".join(marker.split())
        ours = [post for post in posts if post.author_id == self._session.account and _ends_with(post, line)]
        ours.sort(key=lambda post: int(post.id))
        return tuple(Found(p.id, p.topic, self._publisher.own_text(p.id), p.url) for p in ours)


def _ends_with(post: Post, line: str) -> bool:
    visible = post.visibility is Visibility.VISIBLE and post.html is not None
    return visible and read_last_line(post.html or "") == line
