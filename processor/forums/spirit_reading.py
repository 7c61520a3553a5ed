"""Where a Spirit forum keeps the pages of its topics and conversations."""

from __future__ import annotations

import re

from bs4 import Tag

from parsers.pages.spirit import parse_topic, parse_topic_list
from parsers.pages.topics import TopicList, TopicPage
from processor.forums.session import Session, as_forum_errors
from processor.forums.spirit_session import SpiritSite
from processor.ports import Missing


class SpiritPages:
    """Implements `ConversationPages` and `PointedPages`; remembers under which paths topics stand."""

    per_page = 20

    def __init__(self, session: Session, site: SpiritSite) -> None:
        self._session, self._site = session, site
        self._paths: dict[str, str] = {}

    def fetch(self, topic: str, number: int) -> tuple[TopicPage, Tag]:
        """See `TopicPages.fetch`."""
        path = self._paths.get(topic) or self._locate(topic)
        found = self._session.fetch(path if number == 1 else f"{path}?page={number}")
        page = self._parse(found.tree)
        if page.topic == topic:
            self._paths[topic] = found.path
        return page, found.tree

    def find(self, location: str) -> TopicPage:
        """See `PointedPages.find`."""
        return self._parse(self._session.fetch(location).tree)

    def list_conversations(self, number: int) -> TopicList:
        """See `ConversationPages.list_conversations`."""
        found = self._session.fetch("topic/private/" if number == 1 else f"topic/private/?page={number}")
        with as_forum_errors():
            page = parse_topic_list(found.tree)
        self._paths |= {link.topic: link.path for link in page.topics}
        return page

    def link(self, post_id: str) -> str:
        """Where a reader finds the post."""
        return self._session.http.url(f"comment/{post_id}/find/")

    def _parse(self, tree: Tag) -> TopicPage:
        with as_forum_errors():
            return parse_topic(tree, self._site.zone, self.link)

    def _locate(self, topic: str) -> str:
        """The path under which the forum keeps the topic; private conversations have their own."""
        if not re.fullmatch("[0-9]{1,18}", topic):
            raise Missing(f"{topic!r} is no topic number of Spirit")
        try:
            return self._session.locate(f"topic/{topic}/")
        except Missing:
            return self._session.locate(f"topic/private/{topic}/")
