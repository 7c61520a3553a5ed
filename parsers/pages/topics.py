"""What pages of forums have in common: the tree behind an answer, topics in pages, lists of topics.

A page in which anything is missing that the forum's own templates write is refused, since a page with half
of its posts looks like a page with few posts (reliability.md F14-F17).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bs4 import BeautifulSoup, Comment, Tag
from bs4.element import PageElement

from parsers.pages.guard import IncompletePageError, check_caps, check_end, decode_page, ends_html
from rules.play.posts import Post

_TEXT_ONLY = ("iframe", "noembed", "noframes", "plaintext", "script", "style", "textarea", "title", "xmp")
"""Elements in which markup is text."""


@dataclass(frozen=True, slots=True)
class TopicPage:
    """One page of a topic or private conversation.

    posts: ascending and without gaps by number; page, pages: 1-based, as the paginator says.
    viewer: account id of the session, None for a guest. participants: account ids, for private conversations
    only.
    open: whether the page offers to reply.
    leads_to: id of the post with which the next page begins, where this page shows it; None where it doesn't.
    """

    topic: str
    title: str
    private: bool
    page: int
    pages: int
    posts: tuple[Post, ...]
    viewer: str | None
    participants: tuple[str, ...]
    open: bool
    leads_to: str | None = None


@dataclass(frozen=True, slots=True)
class TopicLink:
    """A topic in a list of topics. path: where the forum keeps it, without query."""

    topic: str
    title: str
    path: str


@dataclass(frozen=True, slots=True)
class TopicList:
    """One page of a list of topics. further: whether the list offers a next page."""

    topics: tuple[TopicLink, ...]
    further: bool
    viewer: str | None


def read_page(body: bytes, content_type: str | None) -> BeautifulSoup:
    """Turn an answer's bytes into a tree, after every check that needs no knowledge of the forum.

    Raises:
        PageError: hostile or cut or garbled bytes, or no HTML.
    """
    check_caps(body)
    page = decode_page(body, content_type)
    check_end(page)
    tree = BeautifulSoup(page, "lxml")
    last: PageElement = tree
    while isinstance(last, Tag) and last.contents:
        last = last.contents[-1]
    if ends_html(str(last)):
        raise IncompletePageError("page/drift", "an element that isn't closed holds the page's end as text")
    return tree


def count_alike(page: Tag, selector: str) -> int:
    """How many things of a page look like what the selector finds, those counted that markup which a post has
    left open turned into text: a comment, script or text area goes on to its next end, over other posts.
    """
    texts: list[str] = [one for one in page.find_all(string=True) if isinstance(one, Comment)]
    texts += [one.get_text() for one in page(_TEXT_ONLY)]
    hidden = [BeautifulSoup(text, "lxml") for text in texts if "<" in text]
    return sum(len(one.select(selector)) for one in (page, *hidden))


def check_numbers(posts: Sequence[Post]) -> None:
    """Refuse a page whose posts aren't numbered one by one, or that shows one twice.

    Raises:
        IncompletePageError: with the numbers.
    """
    numbers = [post.number for post in posts]
    first = numbers[0] or 0
    if numbers != list(range(first, first + len(numbers))) or first < 1:
        raise IncompletePageError("page/gap", f"the posts on the page are numbered {numbers}")
    if len({post.id for post in posts}) != len(posts):
        raise IncompletePageError("page/repeated-post", "a post stands on the page twice")


def check_part(shown: Sequence[object], ids: Sequence[object], number: int, size: int) -> None:
    """Refuse a page that isn't exactly its part of the list of all of a topic's ids, which came with it.

    shown: ids on the page. number: of the page, 1-based. size: posts on a full page.

    Raises:
        IncompletePageError: a post is missing, moved, or one too many.
    """
    expected = ids[(number - 1) * size : number * size]
    if not shown or list(shown) != list(expected) or len(set(ids)) != len(ids):
        detail = f"page {number} shows {len(shown)} posts that aren't the {len(expected)} of the topic's list"
        raise IncompletePageError("page/gap", detail)


def check_times(posts: tuple[Post, ...], server_time: datetime) -> None:
    """Refuse posts from the future: the account's zone is then another than believed.

    Raises:
        IncompletePageError: a post stands over two minutes ahead of the forum's own clock.
    """
    for post in posts:
        ahead = (post.created_at - server_time.astimezone(UTC)).total_seconds()
        if ahead > 120:
            detail = f"post {post.id} would be {round(ahead / 60)} minutes ahead of the forum's clock"
            raise IncompletePageError("page/wrong-zone", f"{detail}: is the account's zone right?")


def attribute(tag: Tag | None, name: str) -> str:
    """An attribute's text, "" where the tag or the attribute is missing."""
    value = tag.get(name) if tag else None
    return value if isinstance(value, str) else " ".join(value or ())
