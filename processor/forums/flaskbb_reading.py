"""Where a FlaskBB forum keeps the pages of its topics, its private conversations and the texts as typed."""

from __future__ import annotations

import re

from bs4 import Tag

from parsers.pages import flaskbb
from parsers.pages.topics import TopicList, TopicPage
from processor.forums.session import Page, Session, as_forum_errors
from processor.ports import ForumError, Missing, NotATopic

_CONVERSATION = re.compile("c([0-9]{1,18})")
_MESSAGE = re.compile("c([0-9]{1,18})m([0-9]{1,18})")
_MAX_LISTS = 1000


class FlaskbbPages:
    """Implements `ConversationPages` and `PointedPages`; remembers who takes part in conversations."""

    per_page = 10

    def __init__(self, session: Session) -> None:
        self._session = session
        self._people: dict[str, tuple[str, ...]] = {}

    def fetch(self, topic: str, number: int) -> tuple[TopicPage, Tag]:
        """See `TopicPages.fetch`."""
        private = _CONVERSATION.fullmatch(topic)
        if private is not None:
            return self._fetch_conversation(topic, private[1], number)
        if not re.fullmatch("[0-9]{1,18}", topic):
            raise Missing(f"{topic!r} is no topic number of FlaskBB")
        found = self._session.fetch(f"topic/{topic}" if number == 1 else f"topic/{topic}?page={number}")
        return self._parse(found), found.tree

    def find(self, location: str) -> TopicPage:
        """See `PointedPages.find`."""
        return self._parse(self._session.fetch(location))

    def list_conversations(self, number: int) -> TopicList:
        """See `ConversationPages.list_conversations`. Raises ForumError where the forum has none."""
        try:
            found = self._session.fetch(f"conversations/?page={number}")
        except Missing:
            detail = "the forum runs without its plugin `conversations`"
            raise ForumError("flaskbb/no-conversations", detail) from None
        with as_forum_errors():
            listed, people = flaskbb.parse_conversations(found.tree)
        self._people |= people
        return listed

    def raw_text(self, post_id: str) -> str:
        """A post's or private message's text as typed. Raises ForumError."""
        message = _MESSAGE.fullmatch(post_id)
        path = f"conversations/message/{message[2]}/raw" if message else f"post/{post_id}/raw"
        answer = self._session.answer(path)
        if answer.location is not None:
            raise NotATopic("forum/forbidden", f"the forum leads from {path} elsewhere")
        with as_forum_errors():
            return flaskbb.parse_raw(answer.body, answer.content_type)

    def link(self, post_id: str) -> str:
        """Where a reader finds the post."""
        message = _MESSAGE.fullmatch(post_id)
        path = f"conversations/{message[1]}/view#mid{message[2]}" if message else f"post/{post_id}"
        return self._session.http.url(path)

    def _parse(self, found: Page) -> TopicPage:
        with as_forum_errors():
            return flaskbb.parse_topic(found.tree, self.link)

    def _fetch_conversation(self, topic: str, number: str, page: int) -> tuple[TopicPage, Tag]:
        if page != 1:
            raise Missing("a conversation has one page")
        found = self._session.fetch(f"conversations/{number}/view")
        people = self._find_people(topic)
        address = self._session.http.url(f"conversations/{number}/view")
        with as_forum_errors():
            return flaskbb.parse_conversation(found.tree, topic, people, address), found.tree

    def _find_people(self, topic: str) -> tuple[str, ...]:
        """Who takes part: the conversation itself shows only who has written."""
        for number in range(1, _MAX_LISTS):
            if topic in self._people or not self.list_conversations(number).further:
                break
        if topic not in self._people:
            raise Missing(f"conversation {topic} is not in the list")
        return self._people[topic]
