"""Where a NodeBB forum keeps its topics, the chats that are its private messages, and the texts as typed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar
from urllib.parse import quote

from parsers.pages import nodebb, nodebb_chats
from parsers.pages.json_body import Shape
from parsers.pages.topics import TopicLink, TopicList, TopicPage
from processor.forums.api import ApiSession
from processor.forums.nodebb_session import account_path
from processor.forums.session import as_forum_errors
from processor.ports import IncompletePage, LoginFailed, Missing, NotATopic

S = TypeVar("S", bound=Shape)

_CHAT = re.compile("c([0-9]{1,18})")
_MESSAGE = re.compile("c([0-9]{1,18})m([0-9]{1,18})")
_PER_LIST = 100
_MAX_BATCHES = 1000


def find_chat(topic: str) -> str | None:
    """The number of the chat that is read as a topic, None for a topic."""
    found = _CHAT.fullmatch(topic)
    return found[1] if found else None


def find_message(post_id: str) -> tuple[str, str] | None:
    """The numbers of a chat and of its message that is read as a post, None for a post."""
    found = _MESSAGE.fullmatch(post_id)
    return (found[1], found[2]) if found else None


class NodebbPages:
    """Implements `ConversationPages` and `Resuming`; remembers what the forum allows, and the places of
    messages.
    """

    per_page = 20

    def __init__(self, session: ApiSession) -> None:
        self._session = session
        self._config: nodebb.Config | None = None
        self._listed = _PER_LIST
        self._places: dict[str, dict[int, int]] = {}

    def fetch(self, topic: str, number: int) -> tuple[TopicPage, None]:
        """See `TopicPages.fetch`."""
        chat = find_chat(topic)
        if chat is not None:
            return self._fetch_chat(chat, number), None
        if not re.fullmatch("[0-9]{1,18}", topic):
            raise Missing(f"{topic!r} is no topic number of NodeBB")
        account = self._session.account
        # An account may have chosen to see the newest posts first.
        path = f"api/topic/{topic}?page={number}&sort=oldest_to_newest"
        found = self._read(path, nodebb.Topic)
        with as_forum_errors():
            page = nodebb.make_topic(found, self.link)
        if page.viewer != account:
            detail = f"the topic was read for account {page.viewer}, not for {account}"
            raise LoginFailed("forum/other-account" if page.viewer else "forum/login", detail)
        return page, None

    def list_conversations(self, number: int) -> TopicList:
        """See `ConversationPages.list_conversations`. Chats in which nobody has written are none yet."""
        start = (number - 1) * self._listed
        rooms = self._read(
            f"api/v3/chats?start={start}&perPage={_PER_LIST}", nodebb_chats.RoomsAnswer
        ).response
        if number == 1 and rooms.following is not None:
            self._listed = max(1, rooms.following)
        links = tuple(
            TopicLink(f"c{one.number}", one.name, f"chats/{one.number}")
            for one in rooms.rooms
            if one.teaser is not None or self._is_used(str(one.number))
        )
        return TopicList(links, not nodebb_chats.is_last(rooms, start), self._session.account)

    def raw_text(self, post_id: str) -> str:
        """A post's or message's text as typed. Raises ForumError."""
        message = find_message(post_id)
        if message is None:
            path = f"api/v3/posts/{quote(post_id, safe='')}/raw"
        else:
            path = f"api/v3/chats/{message[0]}/messages/{message[1]}/raw"
        text = self._read(path, nodebb.RawAnswer).response.content
        return text.replace("\r\n", "\n").strip()

    def link(self, post_id: str) -> str:
        """Where a reader finds the post, or the chat of a message."""
        message = find_message(post_id)
        path = f"post/{quote(post_id, safe='')}" if message is None else f"chats/{message[0]}"
        return self._session.http.url(path)

    def find_account(self, login: str) -> int | None:
        """The number of the account with that login name, None where there is none. Raises ForumError."""
        try:
            return self._read(account_path(login), nodebb.Whose).uid
        except Missing:
            return None

    def config(self) -> nodebb.Config:
        """What the forum allows, asked for once. Raises ForumError."""
        if self._config is None:
            self._config = self._read("api/config", nodebb.Config)
        return self._config

    def _read(self, path: str, shape: type[S]) -> S:
        """As `ApiSession.read`. What isn't there for us may only not be there for a guest, whose our requests
        are once the token is revoked: then LoginFailed.
        """
        try:
            return self._session.read(path, shape)
        except NotATopic as error:
            if error.code in ("forum/missing", "forum/forbidden"):
                self._session.open()
            raise

    def fetch_from(self, topic: str, since: int) -> TopicPage | None:
        """See `Resuming.fetch_from`: a chat is read back from its newest messages to one whose place is known
        from an earlier reading.
        """
        chat = find_chat(topic)
        places = self._places.get(topic, {})
        if chat is None or not places:
            return None
        messages = [one for one in self._read_messages(chat, since, places) if not one.system]
        if not messages or messages[0].mid not in places:
            raise IncompletePage("forum/shifted", f"what {topic} begins with stood elsewhere")
        return self._make_chat(chat, messages, places[messages[0].mid])

    def _fetch_chat(self, chat: str, number: int) -> TopicPage:
        """A chat is one page: its messages are counted from the newest, so that none has a place to keep."""
        if number != 1:
            raise Missing("a chat has one page")
        return self._make_chat(chat, self._read_messages(chat), 1)

    def _make_chat(self, chat: str, messages: Sequence[nodebb_chats.Message], first: int) -> TopicPage:
        """The page of these messages, whose places are kept."""
        room = self._read(f"api/v3/chats/{chat}", nodebb_chats.RoomAnswer).response
        address = self._session.http.url(f"chats/{chat}")
        with as_forum_errors():
            page = nodebb_chats.make_conversation(room, messages, self._session.account, address, first)
        places = self._places.setdefault(page.topic, {})
        for one in page.posts:
            mid, number = int((find_message(one.id) or ("", "0"))[1]), one.number or 0
            if places.setdefault(mid, number) != number:
                del self._places[page.topic]
                raise IncompletePage("forum/shifted", f"message {one.id} has moved to {number}")
        return page

    def _read_messages(
        self, chat: str, since: int = 0, places: Mapping[int, int] = {}
    ) -> tuple[nodebb_chats.Message, ...]:
        """A chat's messages, the oldest first: all, or back to one whose place isn't behind `since`. Each
        answer is asked to overlap the one before by a message.
        """
        batches = [self._read_batch(chat, 0)]
        while (
            len(batches[-1].messages) >= nodebb_chats.BATCH
            and len(batches) < _MAX_BATCHES
            and not any(places.get(one.mid, since + 1) <= since for one in batches[-1].messages)
        ):
            batches.append(self._read_batch(chat, len(batches) * (nodebb_chats.BATCH - 1)))
        with as_forum_errors():
            messages = nodebb_chats.join_messages(batches)
        if len(batches) > 1 and self._read_batch(chat, 0) != batches[0]:
            raise IncompletePage("forum/shifted", "the chat changed while it was read")
        return messages

    def _read_batch(self, chat: str, start: int) -> nodebb_chats.Messages:
        path = f"api/v3/chats/{chat}/messages?start={start}"
        return self._read(path, nodebb_chats.MessagesAnswer).response

    def _is_used(self, chat: str) -> bool:
        return any(not one.system for one in self._read_batch(chat, 0).messages)
