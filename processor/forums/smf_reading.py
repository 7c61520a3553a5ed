"""Where an SMF forum keeps the pages of its topics and the boxes of private messages."""

from __future__ import annotations

import re

from bs4 import Tag

from parsers.pages import smf, smf_forms, smf_frame, smf_letters
from parsers.pages.forms import parse_form
from parsers.pages.letters import Letter, is_conversation
from parsers.pages.smf_time import Clock
from parsers.pages.topics import TopicList, TopicPage
from processor.forums.letterbox import Letterbox
from processor.forums.session import Page, Session, as_forum_errors
from processor.forums.smf_session import SmfSite
from processor.ports import IncompletePage, Missing, NotATopic

_QUOTES = re.compile("<blockquote", re.IGNORECASE)


class SmfPages:
    """Implements `ConversationPages`, `PointedPages` and `Boxes`; remembers how long pages are, and which
    posts quote others.
    """

    per_page = 15
    names: tuple[str, ...] = ("inbox", "sent")

    def __init__(self, session: Session, site: SmfSite) -> None:
        self._session, self._site = session, site
        self.letters = Letterbox(self)
        self._length = self._box_length = self.per_page
        self._topics: dict[str, str] = {}
        self._quoting: dict[str, bool] = {}

    def fetch(self, topic: str, number: int) -> tuple[TopicPage, Tag]:
        """See `TopicPages.fetch`. SMF shows the last page to whoever asks for a later one."""
        if is_conversation(topic):
            if number != 1:
                raise Missing("a conversation has one page")
            return self.letters.take(topic, self._session.account), Tag(name="none")
        if not re.fullmatch("[0-9]{1,18}", topic):
            raise Missing(f"{topic!r} is no topic number of SMF")
        believed = self._length
        page, tree = self._fetch(topic, number)
        if page.page != number <= page.pages and self._length != believed:
            page, tree = self._fetch(topic, number)
        if number > page.pages:
            raise Missing(f"topic {topic} has {page.pages} pages")
        return page, tree

    def find(self, location: str) -> TopicPage:
        """See `PointedPages.find`."""
        return self._parse(self._session.fetch(location))

    def list_conversations(self, number: int) -> TopicList:
        """See `ConversationPages.list_conversations`: all on one page."""
        if number != 1:
            raise Missing("the list of conversations has one page")
        return self.letters.list_conversations(self._session.account)

    def fetch_letters(self, box: str, number: int) -> tuple[tuple[Letter, ...], bool]:
        """See `Boxes.fetch_letters`."""
        page = self._fetch_box(box, number)
        if page.box != box or page.page != number:
            detail = f"asked for page {number} of {box}, got page {page.page} of {page.box}"
            raise IncompletePage("forum/other-page", detail)
        return page.letters, page.page < page.pages

    def find_topic(self, post_id: str) -> str:
        """The topic in which a post stands. Raises ForumError."""
        if post_id not in self._topics:
            answer = self._session.answer(f"index.php?msg={post_id}")
            topic = smf_frame.find_topic(answer.location or "")
            if topic is None:
                raise Missing(f"the forum knows no topic of post {post_id}")
            self._topics[post_id] = topic
        return self._topics[post_id]

    def raw_text(self, post_id: str, topic: str) -> str | None:
        """A post's text as typed, from what SMF offers to whoever quotes it; None where that isn't all of it.
        Raises ForumError.
        """
        if post_id not in self._quoting:
            self.find(f"index.php?topic={topic}.msg{post_id}")
        if self._quoting.get(post_id, True):
            return None
        return self._read_quote(f"index.php?action=post;quote={post_id};topic={topic}.0")

    def letter_text(self, post_id: str) -> str:
        """A private message's text as typed. Raises ForumError."""
        letter = self.letters.find(post_id)
        if letter is not None and _QUOTES.search(letter.post.html or ""):
            raise NotATopic("page/no-raw", f"message {post_id} quotes others, which SMF leaves out")
        text = self._read_quote(f"index.php?action=pm;sa=send;pmsg={post_id.removeprefix('m')};quote")
        if letter is None or text is None:
            raise NotATopic("page/no-raw", f"the forum doesn't give the text of message {post_id}")
        return text

    def link(self, post_id: str) -> str:
        """Where a reader finds the post."""
        number = post_id.removeprefix("m")
        path = f"action=pm;pmid={number}#msg{number}" if post_id.startswith("m") else f"msg={post_id}"
        return self._session.http.url(f"index.php?{path}")

    def _fetch(self, topic: str, number: int) -> tuple[TopicPage, Tag]:
        found = self._session.fetch(f"index.php?topic={topic}.{(number - 1) * self._length}")
        return self._parse(found), found.tree

    def _parse(self, found: Page) -> TopicPage:
        with as_forum_errors():
            page = smf.parse_topic(found.tree, self._clock(found.tree), self.link)
            length = smf_frame.parse_paging(found.tree, ".pagesection").length
        self._length = length or self._length
        self._topics |= {post.id: page.topic for post in page.posts}
        self._quoting |= {post.id: _QUOTES.search(post.html or "") is not None for post in page.posts}
        return page

    def _fetch_box(self, box: str, number: int) -> smf_letters.BoxPage:
        start = (number - 1) * self._box_length
        found = self._session.fetch(f"index.php?action=pm;f={box};sort=date;desc;start={start}")
        with as_forum_errors():
            clock = self._clock(found.tree)
            page = smf_letters.parse_box(found.tree, clock, self._session.account, self.link)
        self._box_length = page.length or self._box_length
        return page

    def _clock(self, tree: Tag) -> Clock:
        return smf_frame.read_clock(tree, self._site.zone, self._session.http.server_time())

    def _read_quote(self, path: str) -> str | None:
        tree = self._session.fetch(path).tree
        with as_forum_errors():
            smf_frame.refuse_errors(tree)
            return smf_forms.parse_quote(parse_form(tree, "message").text)
