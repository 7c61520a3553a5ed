"""What adapters of forums reached over the network have in common: the port over the shared parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, Protocol

from parsers.pages.shown import read_lines
from processor.forums.reading import Entered, TopicReader, rank
from processor.ports import NotATopic
from rules.play.joined import find_texts, is_marker
from rules.play.posts import (
    Capabilities,
    Found,
    Limit,
    Outcome,
    Post,
    Reading,
    Refused,
    Unknown,
    Uploaded,
    Visibility,
)


class Entrance(Entered, Protocol):
    """A session as the port needs it."""

    def open(self) -> str:
        """See `Forum.open`."""
        ...


class Writer(Protocol):
    """Publishing as the port needs it."""

    def post(self, topic: str, text: str) -> Outcome:
        """See `Forum.post`."""
        ...

    def edit(self, post_id: str, text: str, without: str | None = None) -> Outcome:
        """See `Forum.edit`. without: a marker, see `Forum.retract`."""
        ...

    def send_private(self, to: str, title: str, text: str) -> Outcome:
        """See `Forum.send_private`."""
        ...

    def probe(self, topic: str) -> None:
        """See `Probing.probe_topic`."""
        ...

    def probe_edit(self, post_id: str) -> None:
        """See `Probing.probe_edit`."""
        ...

    def probe_private(self) -> None:
        """See `Probing.probe_private`."""
        ...

    def own_text(self, post_id: str) -> str:
        """The text of an own post as typed. Raises ForumError."""
        ...


class PictureWriter(Writer, Protocol):
    """The same where the forum keeps pictures."""

    def upload(self, topic: str, name: str, content: bytes, beside: str) -> Uploaded | Refused | Unknown:
        """See `Uploading.upload`."""
        ...

    def post_with(self, topic: str, text: str, handles: tuple[str, ...]) -> Outcome:
        """See `Uploading.post_with`."""
        ...


class OnlineForum:
    """All of `processor.ports.Forum` and `Probing` but for raw texts."""

    def __init__(
        self,
        session: Entrance,
        reader: TopicReader[Any],
        writer: Writer,
        capabilities: Capabilities,
        link: Callable[[str], str],
    ) -> None:
        """link: makes a post's address from its id."""
        self.capabilities = capabilities
        self._session, self._link = session, link
        self._reader, self._writer = reader, writer

    def open(self) -> str:
        """See `Forum.open`."""
        return self._session.open()

    def server_time(self) -> datetime:
        """See `Forum.server_time`."""
        return self._session.http.server_time()

    def read_topic(self, topic: str, since: int | None = None, known: str | None = None) -> Reading:
        """See `Forum.read_topic`."""
        return self._reader.read(topic, since, known)

    def read_own(self, topic: str, since: int | None = None, known: str | None = None) -> Reading:
        """See `Forum.read_own`: our posts stand among the others."""
        return self.read_topic(topic, since, known)

    def read_private(self, since: Mapping[str, int] | None = None) -> tuple[Reading, ...]:
        """See `Forum.read_private`."""
        return self._reader.read_private(since or {})

    def read_post(self, topic: str, post_id: str, number: int) -> Post | None:
        """See `Forum.read_post`."""
        return self._reader.read_post(topic, post_id, number)

    def post(self, topic: str, text: str) -> Outcome:
        """See `Forum.post`."""
        return self._writer.post(topic, text)

    def edit(self, post_id: str, text: str) -> Outcome:
        """See `Forum.edit`."""
        return self._writer.edit(post_id, text)

    def retract(self, post_id: str, marker: str, text: str) -> Outcome:
        """See `Forum.retract`."""
        return self._writer.edit(post_id, text, marker)

    def probe_topic(self, topic: str) -> None:
        """See `Probing.probe_topic`."""
        self._writer.probe(topic)

    def probe_edit(self, post_id: str) -> None:
        """See `Probing.probe_edit`."""
        self._writer.probe_edit(post_id)

    def probe_private(self) -> None:
        """See `Probing.probe_private`."""
        self._writer.probe_private()

    def send_private(self, to: str, title: str, text: str) -> Outcome:
        """See `Forum.send_private`."""
        return self._writer.send_private(to, title, text)

    def find_marker(self, topic: str, marker: str) -> tuple[Found, ...]:
        """See `Forum.find_marker`."""
        return self.find_own(self._reader.read(topic).posts, marker)

    def find_private(self, title: str, marker: str) -> tuple[Found, ...]:
        """See `Forum.find_private`."""
        title = " ".join(title.split())
        found = self._reader.read_titled(lambda shown: self.same_title(shown, title))
        return self.find_own([post for one in found for post in one.posts], marker)

    def post_url(self, post_id: str) -> str:
        """See `Forum.post_url`."""
        return self._link(post_id)

    def same_title(self, shown: str, sent: str) -> bool:
        """Whether a conversation's title is what became of ours."""
        return shown == sent

    def find_own(self, posts: Iterable[Post], marker: str) -> tuple[Found, ...]:
        """Own texts among these whose last line is the marker, ascending by post id, as they were typed."""
        line = " ".join(marker.split())
        ours = [post for post in posts if post.author_id == self._session.account and _carries(post, line)]
        ours.sort(key=lambda post: rank(post.id))
        return tuple(found for post in ours for found in self._found_in(post, line))

    def _found_in(self, post: Post, marker: str) -> Iterator[Found]:
        if post.visibility is Visibility.VISIBLE:
            for text in self._texts_of(post, marker):
                yield Found(post.id, post.topic, text, post.url)
        else:
            yield Found(post.id, post.topic, "", post.url, visible=False)

    def _texts_of(self, post: Post, marker: str) -> tuple[str, ...]:
        whole = self._text_of(post)
        return find_texts(whole, marker) or (whole,)

    def _text_of(self, post: Post) -> str:
        if post.raw is not None:
            return post.raw.strip()
        try:
            return self._writer.own_text(post.id)
        except NotATopic as error:
            if error.code != "forum/forbidden" or Limit.CLOSED_TEXTS not in self.capabilities.limits:
                raise
            return "\n".join(read_lines(post.html or ""))


class PictureForum(OnlineForum):
    """The same and `Uploading`."""

    def __init__(
        self,
        session: Entrance,
        reader: TopicReader[Any],
        writer: PictureWriter,
        capabilities: Capabilities,
        link: Callable[[str], str],
    ) -> None:
        """See `OnlineForum`."""
        super().__init__(session, reader, writer, capabilities, link)
        self._pictures = writer

    def upload(self, topic: str, name: str, content: bytes, beside: str = "") -> Uploaded | Refused | Unknown:
        """See `Uploading.upload`."""
        return self._pictures.upload(topic, name, content, beside)

    def post_with(self, topic: str, text: str, handles: tuple[str, ...]) -> Outcome:
        """See `Uploading.post_with`."""
        return self._pictures.post_with(topic, text, handles)


def _carries(post: Post, line: str) -> bool:
    """Whether whoever reads the post, or edits it, sees the marker at its end, or another there."""
    if post.visibility not in (Visibility.VISIBLE, Visibility.UNAPPROVED):
        return False
    typed = [" ".join(one.split()) for one in (post.raw or "").strip().split("\n")]
    shown = read_lines(post.html or "")
    return any(line in lines and (lines[-1] == line or is_marker(lines[-1])) for lines in (typed, shown))
