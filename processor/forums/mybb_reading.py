"""Where a MyBB forum keeps the pages of its topics and the texts as typed."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from bs4 import Tag

from parsers.pages import mybb
from parsers.pages.forms import parse_form
from parsers.pages.mybb_forms import Quote, parse_quote
from parsers.pages.topics import TopicPage
from processor.forums.mybb_mailbox import letter_path
from processor.forums.mybb_session import MybbSession
from processor.forums.session import Page, as_forum_errors
from processor.ports import Missing

_LINEAR = "mode=linear"
"""A topic's posts one below the other, whatever the account is used to."""


class MybbPages:
    """Implements `TopicPages` and `PointedPages`."""

    per_page = 10

    def __init__(self, session: MybbSession) -> None:
        self._session = session

    def fetch(self, topic: str, number: int) -> tuple[TopicPage, Tag]:
        """See `TopicPages.fetch`. For a page that isn't there MyBB shows the last, without a word."""
        if not re.fullmatch("[0-9]{1,18}", topic):
            raise Missing(f"{topic!r} is no topic number of MyBB")
        path = f"showthread.php?tid={topic}&{_LINEAR}"
        found = self._session.fetch(path if number == 1 else f"{path}&page={number}")
        page = self._parse(found)
        if page.page == page.pages < number:
            raise Missing(f"the topic has {page.pages} pages")
        return page, found.tree

    def find(self, location: str) -> TopicPage:
        """See `PointedPages.find`."""
        parts = urlsplit(location)
        query = "&".join(filter(None, (parts.query, _LINEAR)))
        return self._parse(self._session.fetch(parts._replace(query=query).geturl()))

    def quote(self, post_id: str, topic: str) -> Quote | None:
        """Anybody's text as typed and its time to the second, from the form in which one quotes it; None
        where MyBB may have changed it. Raises ForumError where it gives none.
        """
        tree = self._session.fetch(f"newreply.php?tid={topic}&replyto={post_id}").tree
        with as_forum_errors():
            mybb.check_notice(tree)
            quote = parse_quote(parse_form(tree, "message", "posthash").text)
        return quote if quote is not None and quote.post_id == post_id else None

    def link(self, post_id: str) -> str:
        """Where a reader finds the post."""
        return self._session.http.url(letter_path(post_id) or f"showthread.php?pid={post_id}#pid{post_id}")

    def _parse(self, found: Page) -> TopicPage:
        with as_forum_errors():
            return mybb.parse_topic(found.tree, self._session.face, self.link)
