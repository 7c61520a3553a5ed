"""Reads private conversations where a forum lists them like topics, each with pages of its own."""

from __future__ import annotations

from typing import Protocol, TypeVar

from parsers.pages.topics import TopicLink, TopicList
from processor.forums.reading import Entered, TopicPages, TopicReader
from processor.ports import IncompletePage

_MAX_LISTS = 1000

S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)


class ConversationPages(TopicPages[S_co], Protocol[S_co]):
    """Where a forum's software keeps the pages of topics and of private conversations."""

    def list_conversations(self, number: int) -> TopicList:
        """A page of the list of private conversations, 1-based, the liveliest first. Raises ForumError."""
        ...


class ConversationReader(TopicReader[S]):
    """Reads a conversation as a topic, by the id under which the forum lists it."""

    def __init__(self, session: Entered, pages: ConversationPages[S]) -> None:
        super().__init__(session, pages)
        self._lists = pages

    def conversations(self) -> tuple[TopicLink, ...]:
        """See `TopicReader.conversations`."""
        try:
            return self._list_all()
        except IncompletePage:
            return self._list_all()

    def _list_all(self) -> tuple[TopicLink, ...]:
        lists = [self._lists.list_conversations(1)]
        while lists[-1].further:
            if len(lists) >= _MAX_LISTS:
                raise IncompletePage("forum/too-long", f"over {_MAX_LISTS} pages of conversations")
            lists.append(self._lists.list_conversations(len(lists) + 1))
        # Whatever happens in a conversation lifts it to the top: an unchanged first page proves that none
        # slipped by.
        if len(lists) > 1 and self._lists.list_conversations(1).topics != lists[0].topics:
            raise IncompletePage("forum/shifted", "the list of conversations changed while it was read")
        return tuple({link.topic: link for one in lists for link in one.topics}.values())
