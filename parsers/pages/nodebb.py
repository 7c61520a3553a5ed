"""Answers of NodeBB 4 in JSON: topics, accounts, and what sending is answered with.

The models are the part of the published interface that we rely on, in our own words. Accounts are known by
their numbers (`uid`), which stay when a name changes.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Annotated

from pydantic import AfterValidator, Field

from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.json_body import Shape
from parsers.pages.topics import TopicPage, check_numbers
from rules.play.posts import Post, Precision, Visibility

_GUESTS = ("0", "-1")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Id = int | str
"""A number; an address for what has come from another server (NodeBB federates)."""
Millis = Annotated[int, Field(ge=0, le=253_402_300_799_999)]
"""Milliseconds since 1970, UTC; 0 for never."""
Label = Annotated[str, AfterValidator(unescape)]
"""A name as it was typed; NodeBB writes those of accounts and chats as HTML wants them."""


class Person(Shape):
    """An account; uid 0 stands for one that is gone."""

    uid: Id
    username: Label


class TopicPost(Shape):
    """A post. uid: its author, also where that account is gone. index: 0-based, over the whole topic."""

    pid: Id
    uid: Id
    index: int
    timestamp: Millis
    edited: Millis
    deleted: bool
    content: str
    user: Person


class Paging(Shape):
    """Which page it is, 1-based, and how many there are for this account."""

    page: int = Field(alias="currentPage", ge=1)
    pages: int = Field(alias="pageCount", ge=1)


class Rights(Shape):
    """What the account may that the topic was read for; -1 or 0 is a guest."""

    uid: int
    reply: bool = Field(alias="topics:reply")


class Topic(Shape):
    """A page of a topic."""

    tid: Id
    title: str = Field(alias="titleRaw")
    postcount: int
    posts: tuple[TopicPost, ...]
    paging: Paging = Field(alias="pagination")
    rights: Rights = Field(alias="privileges")


class Status(Shape):
    """How an answer of the newer interface (v3) begins; `message` is translated for errors."""

    code: str
    message: str


class Failure(Shape):
    """Why something was refused."""

    status: Status


class Raw(Shape):
    """A text as typed."""

    content: str


class RawAnswer(Shape):
    """The answer with a text as typed."""

    response: Raw


class Whose(Shape):
    """Whom a token stands for."""

    uid: int


class Viewed(Shape):
    """For whom a topic was read."""

    viewer: Whose = Field(alias="privileges")


class PingAnswer(Shape):
    """The answer that tells whose the token is."""

    response: Whose


class Config(Shape):
    """What the forum allows. Lengths in characters."""

    shortest_post: int = Field(alias="minimumPostLength")
    longest_post: int = Field(alias="maximumPostLength")
    longest_message: int = Field(alias="maximumChatMessageLength")
    no_chats: bool = Field(alias="disableChat")


class Sent(Shape):
    """What became of a post. pid: None where it waits for a moderator, as `queued` then says."""

    pid: Id | None = None
    tid: Id | None = None
    uid: Id | None = None
    queued: bool = False


class SentAnswer(Shape):
    """The answer to a post or its edit."""

    response: Sent


def make_topic(topic: Topic, link: Callable[[str], str]) -> TopicPage:
    """A topic's page, whole or not at all.

    link: makes a post's address from its id.

    Raises:
        NotATopicPage: `forum/missing` behind the last page, which NodeBB answers with a page without posts.
        IncompletePageError: gaps, or fewer posts than the topic is said to have.
    """
    paging, posts = topic.paging, tuple(_make_post(one, str(topic.tid), link) for one in topic.posts)
    if paging.page > paging.pages:
        raise NotATopicPage("forum/missing", f"page {paging.page} of {paging.pages}")
    if not posts:
        raise IncompletePageError("page/no-posts", f"page {paging.page} has no posts")
    check_numbers(posts)
    last = posts[-1].number or 0
    if paging.page == paging.pages and last < topic.postcount:
        raise IncompletePageError("page/gap", f"the last page ends with {last} of {topic.postcount} posts")
    return TopicPage(
        topic=str(topic.tid),
        title=topic.title,
        private=False,
        page=paging.page,
        pages=paging.pages,
        posts=posts,
        viewer=_known(topic.rights.uid),
        participants=(),
        open=topic.rights.reply,
    )


def _make_post(post: TopicPost, topic: str, link: Callable[[str], str]) -> Post:
    return Post(
        id=str(post.pid),
        topic=topic,
        author_id=find_author(post.uid, post.user),
        author=post.user.username,
        created_at=make_moment(post.timestamp),
        precision=Precision.SECOND,
        url=link(str(post.pid)),
        html=None if post.deleted else post.content.strip(),
        edits=int(bool(post.edited)),
        edited_at=make_moment(post.edited) if post.edited else None,
        visibility=Visibility.REMOVED if post.deleted else Visibility.VISIBLE,
        number=post.index + 1,
    )


def find_author(uid: Id, person: Person) -> str | None:
    """The account id; None where the account is gone, which NodeBB shows as a guest's."""
    gone = str(uid) != str(person.uid) or str(uid) in _GUESTS
    return None if gone else str(uid)


def _known(uid: int) -> str | None:
    return str(uid) if uid > 0 else None


def make_moment(millis: int) -> datetime:
    """UTC, to the second."""
    return _EPOCH + timedelta(seconds=millis // 1000)
