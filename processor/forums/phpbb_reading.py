"""Where a phpBB forum keeps the pages of its topics and the texts as typed."""

from __future__ import annotations

import re

from bs4 import Tag

from parsers.pages import phpbb
from parsers.pages.forms import parse_form
from parsers.pages.phpbb_forms import Quote, check_notice, parse_quote
from parsers.pages.topics import TopicPage
from processor.forums.phpbb_mailbox import letter_path
from processor.forums.session import Page, Session, as_forum_errors
from processor.ports import Missing

_ORDER = "st=0&sk=t&sd=a"
"""All posts, the oldest first, whatever the account's preferences say."""


class PhpbbPages:
    """Implements `TopicPages` and `PointedPages`; remembers how long the board's pages are."""

    per_page = 10

    def __init__(self, session: Session) -> None:
        self._session = session
        self._length = self.per_page

    def fetch(self, topic: str, number: int) -> tuple[TopicPage, Tag]:
        """See `TopicPages.fetch`. phpBB counts posts, not pages, and shows the last page for one that isn't
        there.
        """
        if not re.fullmatch("[0-9]{1,18}", topic):
            raise Missing(f"{topic!r} is no topic number of phpBB")
        found = self._session.fetch(self._path(topic, number))
        length = phpbb.parse_length(found.tree)
        if number > 1 and length is not None and length != self._length:
            self._length = length
            found = self._session.fetch(self._path(topic, number))
        self._length = length or self._length
        page = self._parse(found)
        if page.page == page.pages < number:
            raise Missing(f"the topic has {page.pages} pages")
        return page, found.tree

    def find(self, location: str) -> TopicPage:
        """See `PointedPages.find`."""
        return self._parse(self._session.fetch(f"{location.partition('#')[0]}&{_ORDER}"))

    def quote(self, post_id: str) -> Quote | None:
        """Anybody's text as typed, from the form in which one quotes it; None where the forum gives another
        text. Raises ForumError where it gives none.
        """
        found = self._session.fetch(f"posting.php?mode=quote&p={post_id}")
        with as_forum_errors():
            check_notice(found.tree)
            quote = parse_quote(parse_form(found.tree, "message").text)
        return quote if quote is not None and quote.values.get("post_id") == post_id else None

    def link(self, post_id: str) -> str:
        """Where a reader finds the post."""
        return self._session.http.url(letter_path(post_id) or f"viewtopic.php?p={post_id}#p{post_id}")

    def _path(self, topic: str, number: int) -> str:
        path = f"viewtopic.php?t={topic}&{_ORDER}"
        return path if number == 1 else f"{path}&start={(number - 1) * self._length}"

    def _parse(self, found: Page) -> TopicPage:
        with as_forum_errors():
            check_notice(found.tree, "page/notice")  # what is forbidden or missing has a status that says so
            return phpbb.parse_topic(found.tree, self.link)
