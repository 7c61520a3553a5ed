"""Reads topics that a forum shows in pages, with proof that nothing is missing (reliability.md F14-F18).

Numbers on pages are positions: a post that is moved away shifts all that follow. One page is a single look at
the topic and proves itself. Of several pages the first and the last are read again at the end: had anything
moved between two looks, one of them would hold other posts at the same numbers. Only who reads on from a
known post does without that second look (`read_on`), as `Forum.read_topic` says; and so does a forum each of
whose pages ends with the post that begins the next: read one after the other, their joins show what moved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Generic, Protocol, TypeVar, runtime_checkable

from parsers.pages.topics import TopicLink, TopicPage, check_times
from processor.forums.http import ForumHttp
from processor.forums.session import as_forum_errors
from processor.ports import ForumError, IncompletePage, Missing, NotATopic
from rules.play.posts import Post, Reading

_MAX_PAGES = 1000
_RANK = re.compile("[0-9]+")
_SEEKS = 4


S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)
"""What a page is made of besides its posts: the tree that holds its forms; nothing, where it is JSON."""


class Entered(Protocol):
    """A session as readers need it."""

    http: ForumHttp

    @property
    def account(self) -> str:
        """The own account id. Raises ForumError."""
        ...


class TopicPages(Protocol[S_co]):
    """Where a forum's software keeps its topics' pages. Everything raises ForumError.

    per_page: posts on a full page by the software's default; only the first guess, the pages themselves tell.
    """

    per_page: int

    def fetch(self, topic: str, number: int) -> tuple[TopicPage, S_co]:
        """A page of a topic or private conversation, 1-based, and what it was made of."""
        ...


@runtime_checkable
class Resuming(Protocol):
    """Pages of a forum that keeps some topics otherwise than in pages that have their places."""

    def fetch_from(self, topic: str, since: int) -> TopicPage | None:
        """A topic from a position on, or from before it, as its only page; None where pages are the way, or
        nothing is known of the topic yet. Raises ForumError.
        """
        ...


class TopicReader(Generic[S]):
    """Remembers between readings where topics stand and how long pages are, to ask for fewer pages.

    This one is for forums without private messages: where there are some, a reader says how they are found.
    """

    def __init__(self, session: Entered, pages: TopicPages[S]) -> None:
        self._session, self._pages = session, pages
        self._per_page = pages.per_page

    def read(self, topic: str, since: int | None = None, known: str | None = None) -> Reading:
        """See `Forum.read_topic`; a reading without proof is tried once more before it is given up."""
        if since is not None and known is not None:
            return self.read_on(topic, since, known)
        try:
            return self._read_proven(topic, since)
        except IncompletePage:
            return self._read_proven(topic, since)

    def read_on(self, topic: str, since: int, known: str | None = None) -> Reading:
        """The page on which `since` stands and those behind it, each asked for once.

        Not tried again: who finds that posts have moved reads the whole topic next.
        """
        pages = [self._resume(topic, since) or self._start(topic, since)]
        found = next(post.id for post in pages[0].posts if post.number == since)
        if known is not None and found != known:
            detail = f"post {known} stood at {since}, now post {found} stands there"
            raise IncompletePage("forum/shifted", detail)
        while pages[-1].page < pages[-1].pages:
            _check_length(pages[-1].pages - pages[0].page)
            pages.append(self._announced(topic, pages[-1].page + 1))
        return self._reading(topic, _join(pages), pages[0])

    def _resume(self, topic: str, since: int) -> TopicPage | None:
        page = self._pages.fetch_from(topic, since) if isinstance(self._pages, Resuming) else None
        if page is not None and since not in (post.number for post in page.posts):
            raise IncompletePage("forum/shifted", f"position {since} of {topic} is gone")
        return page

    def read_private(self, since: Mapping[str, int]) -> tuple[Reading, ...]:
        """See `Forum.read_private`."""
        topics = [link.topic for link in self.conversations()]
        return tuple(
            self.read_on(topic, since[topic]) if topic in since else self.read(topic) for topic in topics
        )

    def conversations(self) -> tuple[TopicLink, ...]:
        """All private conversations of the account, the liveliest first. Raises ForumError where the forum
        has none.
        """
        raise ForumError("forum/no-private", "the forum has no private messages")

    def read_titled(self, fits: Callable[[str], bool]) -> tuple[Reading, ...]:
        """Private conversations of the account with a title that fits, whole."""
        return tuple(self.read(link.topic) for link in self.conversations() if fits(link.title))

    def last_page(self, topic: str) -> tuple[TopicPage, S]:
        """The topic's newest page and what it was made of, such as the tree that holds the reply form."""
        page, tree = self._page(topic, 1)
        return (page, tree) if page.page == page.pages else self._page(topic, page.pages)

    def read_post(self, topic: str, post_id: str, number: int) -> Post | None:
        """See `Forum.read_post`."""
        at = (number - 1) // self._per_page + 1
        try:
            page = self._page_or_before(topic, at)
        except Missing:
            return None
        return next((post for post in page.posts if post.id == post_id), None)

    def _read_proven(self, topic: str, since: int | None) -> Reading:
        start = self._start(topic, since)
        posts = _join(self._pages_from(topic, start))
        wanted = tuple(post for post in posts if since is None or (post.number or 0) >= since)
        return self._reading(topic, wanted, start)

    def _reading(self, topic: str, posts: tuple[Post, ...], start: TopicPage) -> Reading:
        now = self._session.http.server_time()
        with as_forum_errors():
            check_times(posts, now)
        first, last = posts[0].number or 0, posts[-1].number or 0
        people, account = start.participants, self._session.account
        return Reading(topic, posts, first, last, now, start.title, people, account)

    def _start(self, topic: str, since: int | None) -> TopicPage:
        """The page on which `since` stands; a wrong guess teaches the page length."""
        number = 1 if since is None else (since - 1) // self._per_page + 1
        for _ in range(_SEEKS):
            page = self._page_or_first(topic, number)
            first, last = page.posts[0].number or 0, page.posts[-1].number or 0
            if since is None or first <= since <= last:
                return page
            if since > last and page.page == page.pages:
                raise IncompletePage("forum/shifted", f"position {since} is gone, the topic ends at {last}")
            # The last page of some forums takes a few posts more rather than leave them to one of their own.
            number = min((since - 1) // self._per_page + 1, page.pages)
        raise IncompletePage("forum/shifted", f"no page holds position {since}")

    def _page_or_before(self, topic: str, number: int) -> TopicPage:
        """A page, or where there is none that before it, which may be the last and take some posts more."""
        try:
            return self._page(topic, number)[0]
        except Missing:
            if number == 1:
                raise
            return self._page(topic, number - 1)[0]

    def _page_or_first(self, topic: str, number: int) -> TopicPage:
        try:
            return self._page(topic, number)[0]
        except Missing:
            if number == 1:
                raise
            return self._page(topic, 1)[0]

    def _pages_from(self, topic: str, start: TopicPage) -> list[TopicPage]:
        count = start.pages
        _check_length(count - start.page)
        if start.page == count:
            return [start]
        if start.leads_to is not None:
            return [start, *(self._announced(topic, number) for number in range(start.page + 1, count + 1))]
        last = self._announced(topic, count)
        between = [self._announced(topic, number) for number in range(start.page + 1, count)]
        if between:
            last = _unmoved(last, self._announced(topic, count))
        start = _unmoved(start, self._announced(topic, start.page))
        return [start, *between, last]

    def _announced(self, topic: str, number: int) -> TopicPage:
        """A page that another one has announced."""
        try:
            return self._page(topic, number)[0]
        except Missing:
            raise IncompletePage("forum/shifted", "a page that was announced is gone") from None

    def _page(self, topic: str, number: int) -> tuple[TopicPage, S]:
        page, tree = self._pages.fetch(topic, number)
        if page.topic != topic:
            raise NotATopic("forum/other-topic", f"asked for topic {topic}, the page is topic {page.topic}")
        if page.page != number:
            raise IncompletePage("forum/other-page", f"asked for page {number}, got {page.page}")
        self._learn_length(page)
        return page, tree

    def _learn_length(self, page: TopicPage) -> None:
        first = page.posts[0].number or 0
        if page.page < page.pages:
            self._per_page = len(page.posts)
        elif page.page > 1:
            self._per_page = (first - 1) // (page.page - 1)
        if first != (page.page - 1) * self._per_page + 1:
            raise IncompletePage(
                "forum/gap", f"page {page.page} begins with {first}, pages have {self._per_page}"
            )


def rank(post_id: str) -> int:
    """Which of two posts of a topic is the newer: ids are numbers, perhaps behind letters for their kind."""
    return int(_RANK.findall(post_id)[-1])


def _check_length(further: int) -> None:
    if further > _MAX_PAGES:
        raise IncompletePage("forum/too-long", f"{further} further pages; start from a later position")


def _join(pages: Sequence[TopicPage]) -> tuple[Post, ...]:
    for page, following in pairwise(pages):
        if page.leads_to is not None and page.leads_to != following.posts[0].id:
            raise IncompletePage(
                "forum/shifted", f"page {page.page} leads to {page.leads_to}, the next begins otherwise"
            )
    posts = tuple(post for page in pages for post in page.posts)
    numbers = [post.number or 0 for post in posts]
    if numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        raise IncompletePage(
            "forum/gap", f"the pages don't join: numbers {numbers[0]} to {numbers[-1]} have a gap"
        )
    if len({post.id for post in posts}) != len(posts):
        raise IncompletePage("forum/shifted", "a post stands on two pages")
    return posts


def _unmoved(before: TopicPage, after: TopicPage) -> TopicPage:
    """The later look, provided that all posts of the earlier one still stand where they stood."""
    ids = [post.id for post in before.posts]
    if ids != [post.id for post in after.posts][: len(ids)]:
        raise IncompletePage("forum/shifted", f"page {before.page} changed while the topic was read")
    return after
