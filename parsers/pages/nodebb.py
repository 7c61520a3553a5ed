"""Answers of NodeBB 4 in JSON: topics, chats, accounts, and what sending is answered with.

The models are the part of the published interface that we rely on, in our own words. Accounts are known by
their numbers (`uid`), which stay when a name changes. Ids of chats and of their messages get letters, since
they are counted apart from topics and posts: `c5` is a chat, `c5m7` a message in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from pydantic import Field

from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.json_body import Shape
from parsers.pages.topics import TopicPage, check_numbers
from rules.play.posts import Post, Precision, Visibility

BATCH = 50
"""Messages of a chat that one answer holds."""
_GUESTS = ("0", "-1")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Id = int | str
"""A number; an address for what has come from another server (NodeBB federates)."""
Millis = Annotated[int, Field(ge=0, le=253_402_300_799_999)]
"""Milliseconds since 1970, UTC; 0 for never."""


class Person(Shape):
    """An account; uid 0 stands for one that is gone."""

    uid: Id
    username: str


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


class Message(Shape):
    """A message of a chat. index: 0 for the newest. system: written by the forum itself."""

    mid: int = Field(alias="messageId")
    author: Id = Field(alias="fromuid")
    room: int = Field(alias="roomId")
    content: str
    timestamp: Millis
    edited: Millis = 0
    deleted: bool = False
    system: bool = False
    person: Person = Field(alias="fromUser")
    index: int | None = None


class Messages(Shape):
    """Up to `BATCH` messages of a chat, the newest last."""

    messages: tuple[Message, ...]


class MessagesAnswer(Shape):
    """The answer with messages of a chat."""

    response: Messages


class SentMessage(Shape):
    """What became of a message."""

    mid: int = Field(alias="messageId")
    room: int = Field(alias="roomId")


class SentMessageAnswer(Shape):
    """The answer to a message or its edit."""

    response: SentMessage


class Room(Shape):
    """A chat. count: of those who take part. people: at most forty of them."""

    number: int = Field(alias="roomId")
    name: str = Field(alias="roomName")
    count: int = Field(alias="userCount")
    people: tuple[Person, ...] = Field(alias="users")
    reply: bool = Field(alias="canReply")


class RoomAnswer(Shape):
    """The answer with a chat."""

    response: Room


class RoomNumber(Shape):
    """A new chat."""

    number: int = Field(alias="roomId")


class RoomMade(Shape):
    """The answer to opening a chat."""

    response: RoomNumber


class RoomEntry(Shape):
    """A chat in a list. teaser: the beginning of what was written last, None where nothing was."""

    number: int = Field(alias="roomId")
    name: str = Field(alias="roomName")
    teaser: dict[str, Any] | None = None


class Rooms(Shape):
    """A part of the account's chats, the liveliest first. following: where the next part starts."""

    rooms: tuple[RoomEntry, ...]
    following: int | None = Field(alias="nextStart", default=None)


class RoomsAnswer(Shape):
    """The answer with a part of the account's chats."""

    response: Rooms


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
        author_id=_author(post.uid, post.user),
        author=post.user.username,
        created_at=_moment(post.timestamp),
        precision=Precision.SECOND,
        url=link(str(post.pid)),
        html=None if post.deleted else post.content.strip(),
        edits=int(bool(post.edited)),
        edited_at=_moment(post.edited) if post.edited else None,
        visibility=Visibility.REMOVED if post.deleted else Visibility.VISIBLE,
        number=post.index + 1,
    )


def join_messages(batches: Sequence[Messages]) -> tuple[Message, ...]:
    """All messages of a chat, the oldest first, of answers that each begin with the one before's oldest.

    Raises:
        IncompletePageError: the answers don't join, or one has a gap.
    """
    joined: list[Message] = []
    for number, batch in enumerate(batches):
        start = number * (BATCH - 1)
        indexes = [one.index for one in reversed(batch.messages)]
        if None not in indexes and indexes != list(range(start, start + len(indexes))):
            raise IncompletePageError("page/gap", f"messages of a chat are numbered {indexes}")
        if number and batch.messages[-1:] != batches[number - 1].messages[:1]:
            raise IncompletePageError("forum/shifted", "the chat changed while it was read")
        joined[:0] = batch.messages[: -1 if number else None]
    return tuple(joined)


def make_conversation(
    room: Room, messages: Sequence[Message], account: str, address: str, first: int = 1
) -> TopicPage:
    """A private conversation of a chat and its messages, the oldest first. The forum's own, such as that the
    chat has a new name, don't count.

    account: our own. address: of the chat. first: position of the first of these messages.

    Raises:
        NotATopicPage: nobody has written yet. IncompletePageError: not all who take part are named.
    """
    people = sorted((str(one.uid) for one in room.people), key=lambda uid: (len(uid), uid))
    if len(set(people)) < room.count or account not in people:
        raise IncompletePageError("page/gap", f"the chat has {room.count} people and names {people}")
    written = [one for one in messages if not one.system]
    if not written:
        raise NotATopicPage("page/no-posts", "nobody has written in the chat yet")
    topic = f"c{room.number}"
    posts = tuple(_make_message(one, number, topic, address) for number, one in enumerate(written, first))
    check_numbers(posts)
    return TopicPage(
        topic=topic,
        title=room.name,
        private=True,
        page=1,
        pages=1,
        posts=posts,
        viewer=account,
        participants=tuple(people),
        open=room.reply,
    )


def _make_message(message: Message, number: int, topic: str, address: str) -> Post:
    return Post(
        id=f"{topic}m{message.mid}",
        topic=topic,
        author_id=_author(message.author, message.person),
        author=message.person.username,
        created_at=_moment(message.timestamp),
        precision=Precision.SECOND,
        url=address,
        html=None if message.deleted else message.content.strip(),
        edits=int(bool(message.edited)),
        edited_at=_moment(message.edited) if message.edited else None,
        visibility=Visibility.REMOVED if message.deleted else Visibility.VISIBLE,
        private=True,
        number=number,
    )


def is_last(rooms: Rooms, start: int) -> bool:
    """Whether no chats stand behind these. start: the position of the first, 0-based.

    Where the next part starts tells how many fit into one: the forum may give fewer than it is asked for.
    """
    size = 1 if rooms.following is None else rooms.following - start
    return not rooms.rooms or len(rooms.rooms) < size


def _author(uid: Id, person: Person) -> str | None:
    """The account id; None where the account is gone, which NodeBB shows as a guest's."""
    gone = str(uid) != str(person.uid) or str(uid) in _GUESTS
    return None if gone else str(uid)


def _known(uid: int) -> str | None:
    return str(uid) if uid > 0 else None


def _moment(millis: int) -> datetime:
    return _EPOCH + timedelta(seconds=millis // 1000)
