"""Answers of NodeBB 4 in JSON about chats, which are its private messages.

Ids of chats and of their messages get letters, since they are counted apart from topics and posts: `c5` is a
chat, `c5m7` a message in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.json_body import Shape
from parsers.pages.nodebb import Id, Label, Millis, Person, find_author, make_moment
from parsers.pages.topics import TopicPage, check_numbers
from rules.play.posts import Post, Precision, Visibility

BATCH = 50
"""Messages of a chat that one answer holds."""


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
    name: Label = Field(alias="roomName")
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
    name: Label = Field(alias="roomName")
    teaser: dict[str, Any] | None = None


class Rooms(Shape):
    """A part of the account's chats, the liveliest first. following: where the next part starts."""

    rooms: tuple[RoomEntry, ...]
    following: int | None = Field(alias="nextStart", default=None)


class RoomsAnswer(Shape):
    """The answer with a part of the account's chats."""

    response: Rooms


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
        author_id=find_author(message.author, message.person),
        author=message.person.username,
        created_at=make_moment(message.timestamp),
        precision=Precision.SECOND,
        url=address,
        html=None if message.deleted else message.content.strip(),
        edits=int(bool(message.edited)),
        edited_at=make_moment(message.edited) if message.edited else None,
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
