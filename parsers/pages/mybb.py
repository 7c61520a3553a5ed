"""Pages of MyBB 1.8's topics in its own theme and those made of it, and whose session they show.

Only structure that MyBB's own templates write is trusted, and never a word: boards speak many languages.
What fails is a page like any other, with status 200, so that each page has to prove what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlsplit

from bs4 import Comment, Tag

from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.mybb_time import Face, spell
from parsers.pages.topics import TopicPage, attribute, check_numbers, count_alike
from rules.play.posts import Post, Precision, Visibility

_ROW = re.compile("post_([0-9]{1,18})")
_ACCOUNT = re.compile(r"(?:[?&]uid=|/user-|^user-)([0-9]{1,18})(?![0-9])")
_TOPIC = re.compile(r"(?:[?&]tid=|thread-)([0-9]{1,18})(?![0-9])")
_PAGE = re.compile(r"(?:[?&]page=|-page-)([0-9]{1,9})(?![0-9])")
_POST = re.compile(r"pid([0-9]{1,18})")
_REFRESH = re.compile(r"^\s*[0-9]+\s*;\s*url\s*=\s*(\S+)\s*$", re.IGNORECASE)
_NUMBER = re.compile("[0-9]+")


def account_of(link: Tag | None) -> str | None:
    """The account's id in a link to its profile, None where it leads elsewhere, as for accounts that are
    gone.
    """
    return _first(_ACCOUNT, attribute(link, "href"))


def words_of(tag: Tag | None) -> str:
    """What a reader reads there, blanks folded."""
    return " ".join(tag.get_text(" ").split()) if tag else ""


def parse_viewer(page: Tag) -> str | None:
    """Account id of the session that the page was made for, None for a guest."""
    if page.select_one('#panel .welcome a[href*="action=logout"]') is None:
        return None
    return account_of(page.select_one("#panel .welcome strong a[href]"))


def offers_login(page: Tag) -> bool:
    """Whether the page is MyBB's, made for a guest."""
    login = page.select_one('#panel .welcome a[href*="action=login"]')
    return login is not None and page.select_one('#panel a[href*="action=logout"]') is None


def parse_complaints(page: Tag) -> tuple[str, ...]:
    """What the forum says about a form that is shown again, in its own words."""
    said = page.select("#content div.error li") or page.select("#content div.error")
    return tuple(dict.fromkeys(words_of(one) for one in said))


def parse_notice(page: Tag) -> str | None:
    """What the forum says in place of a page, a box alone or a list of errors; None where the page is one."""
    if page.select_one("#content") is None or page.select_one("#posts, #content textarea") is not None:
        return None
    said = " ".join(parse_complaints(page))
    boxes = page.select("#content table.tborder")
    alone = page.select("#content table.tborder td.trow1") if len(boxes) == 1 else []
    return said or (words_of(alone[0]) if len(alone) == 1 else None)


def check_notice(page: Tag, code: str = "forum/forbidden") -> None:
    """Refuse a page on which MyBB only says why it shows no other.

    Raises:
        NotATopicPage: with this code and the forum's words.
    """
    said = parse_notice(page)
    if said is not None:
        raise NotATopicPage(code, said, said)


def find_refresh(page: Tag) -> tuple[str, str] | None:
    """Where a page leads by itself after something was taken, and what it says; None where it stays."""
    refresh = page.select_one('head > meta[http-equiv="refresh" i]')
    found = _REFRESH.match(attribute(refresh, "content"))
    return (found.group(1), words_of(page.select_one("td.trow1"))) if found else None


def find_post(location: str) -> str | None:
    """The post's id in an address such as `showthread.php?tid=1&pid=4#pid4`, None for any other."""
    found = _POST.fullmatch(urlsplit(location).fragment)
    return found.group(1) if found and find_topic(location) else None


def find_topic(location: str) -> str | None:
    """The topic's id in an address of one of its pages or posts, None for any other."""
    parts = urlsplit(location)
    script = parts.path.rpartition("/")[2]
    named = script == "showthread.php" or script.startswith("thread-")
    return _first(_TOPIC, f"{script}?{parts.query}") if named else None


def parse_topic(page: Tag, face: Face, link: Callable[[str], str]) -> TopicPage:
    """Read a topic page, whole or not at all.

    The posts' bodies are taken out of the tree first, so that nothing people write is mistaken for structure.

    page: what `read_page` gave; without its posts' bodies afterwards. link: makes a post's address from its
    id.

    Raises:
        NotATopicPage: the page has none of a topic's marks, or says why it shows no topic (`forum/missing`).
        IncompletePageError: posts lacking parts, a paginator that says otherwise than its links.
    """
    check_notice(page, "forum/missing")
    rows = page.select("#posts > div.post")
    marked = count_alike(page, ".post_body")
    if marked > len(rows):
        raise IncompletePageError("page/drift", f"{marked} things look like bodies of {len(rows)} posts")
    bodies = [_take_body(row) for row in rows]
    for signature in page.select("#posts div.signature"):
        signature.decompose()
    _check_rows(page, rows)
    if page.select_one('#content a[href*="mode=linear"]') is not None:
        raise IncompletePageError("page/threaded", "the page shows one post and a tree of the others")
    title, numbers = (
        page.select_one(".navigation span.active"),
        page.select("#posts .post_head strong a[href]"),
    )
    topics = {_first(_TOPIC, attribute(one, "href")) for one in numbers}
    topic = topics.pop() if len(topics) == 1 else None
    if topic is None or title is None or len(numbers) != len(rows):
        raise IncompletePageError("page/drift", "the posts don't say of which topic they are")
    posts = tuple(_parse_post(row, body, topic, face, link) for row, body in zip(rows, bodies, strict=True))
    check_numbers(posts)
    number, pages = parse_paginator(page)
    if number == 1 and posts[0].number != 1:
        raise IncompletePageError("page/no-paginator", "the page doesn't say how many pages there are")
    return TopicPage(
        topic=topic,
        title=words_of(title),
        private=False,
        page=number,
        pages=pages,
        posts=posts,
        viewer=parse_viewer(page),
        participants=(),
        open=page.select_one("#content a.closed_button") is None,
    )


def parse_paginator(page: Tag) -> tuple[int, int]:
    """Which page it is, and of how many; what fits on one page has no paginator.

    Raises:
        IncompletePageError: numbers that contradict each other, links to pages without a paginator.
    """
    pagers = page.select("#content div.pagination:not(.pagination_breadcrumb)")
    if not pagers:
        links = page.select('#content :is(a[href*="showthread"], a[href*="thread-"], a[href*="private"])')
        if any(_PAGE.search(attribute(link, "href")) for link in links):
            raise IncompletePageError(
                "page/no-paginator", "the page leads to others and doesn't say how many"
            )
        return 1, 1
    found = {_read_pager(pager) for pager in pagers}
    if len(found) != 1:
        raise IncompletePageError("page/bad-paginator", f"the page's paginators differ: {sorted(found)}")
    return found.pop()


def _read_pager(pager: Tag) -> tuple[int, int]:
    current = words_of(pager.select_one(".pagination_current"))
    told = _NUMBER.findall(words_of(pager.select_one(".pages")))
    if not current.isdecimal() or len(told) != 1:
        raise IncompletePageError("page/no-paginator", "the page doesn't say how many pages there are")
    offered = [int(n) for a in pager.select("a[href]") for n in _PAGE.findall(attribute(a, "href"))]
    number, pages = int(current), int(told[0])
    # The way to the first page may go without its number.
    if max([number, *offered]) != pages or number > pages:
        raise IncompletePageError("page/bad-paginator", f"page {number} of {pages} offers {offered}")
    return number, pages


def _check_rows(page: Tag, rows: list[Tag]) -> None:
    marked = [one for one in page.select('[id^="post_"]') if _ROW.fullmatch(attribute(one, "id"))]
    if len(marked) != len(rows) or page.select(".post_body"):
        raise IncompletePageError("page/drift", f"{len(marked)} posts, {len(rows)} stand in their place")
    if not rows:
        raise NotATopicPage("page/no-topic", "no topic page")


def _take_body(row: Tag) -> Tag:
    body = row.select_one(".post_content > .post_body")
    number = attribute(row, "id").removeprefix("post_")
    if body is None or attribute(body, "id") != f"pid_{number}":
        raise IncompletePageError("page/no-body", f"post {number} has no text")
    return body.extract()


def _parse_post(row: Tag, body: Tag, topic: str, face: Face, link: Callable[[str], str]) -> Post:
    post_id = _first(_ROW, attribute(row, "id"))
    place = row.select_one(".post_head strong a[href]")
    number = "".join(_NUMBER.findall(words_of(place)))
    if post_id is None or not number or urlsplit(attribute(place, "href")).fragment != f"pid{post_id}":
        raise IncompletePageError("page/drift", f"a post without id or number: {post_id!r}, {number!r}")
    visibility = _visibility(row)
    edited = row.select_one(".post_edit .edited_post")
    author = author_of(row, post_id)
    return Post(
        id=post_id,
        topic=topic,
        author_id=account_of(author if author.name == "a" else None),
        author=words_of(author),
        created_at=parse_date(row, face, post_id),
        precision=Precision.MINUTE,
        url=link(post_id),
        html=None if visibility is Visibility.REMOVED else inner_html(body),
        edits=int(edited is not None),
        edited_at=_edited_at(edited, face),
        visibility=visibility,
        number=int(number),
    )


def author_of(row: Tag, post_id: str) -> Tag:
    """The tag with the author's name: a link, or for guests and accounts that are gone none.

    Raises:
        IncompletePageError: there is no name.
    """
    author = row.select_one(".author_information strong a[href]") or row.select_one(
        ".author_information strong"
    )
    if author is None or not words_of(author):
        raise IncompletePageError("page/no-author", f"post {post_id} doesn't say whose it is")
    return author


def parse_date(row: Tag, face: Face, post_id: str) -> datetime:
    """When a post or message was written, UTC.

    Raises:
        IncompletePageError: no date, or one that the account's format doesn't explain.
    """
    shown = row.select_one(".post_head .post_date")
    if shown is None:
        raise IncompletePageError("page/bad-time", f"post {post_id} has no time")
    return face.read(spell(shown, ".post_edit"))


def inner_html(body: Tag) -> str:
    """A body's own HTML. A quote's head changes from day to day and is no part of it."""
    for comment in body.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()
    for said in body.select("blockquote > cite"):
        for passing in said.select("span"):
            passing.decompose()
    return body.decode_contents().strip()


def _visibility(row: Tag) -> Visibility:
    shades = " ".join(row.get("class") or ())
    if "deleted" in shades:
        return Visibility.REMOVED
    return Visibility.UNAPPROVED if "unapproved" in shades else Visibility.VISIBLE


def _edited_at(edited: Tag | None, face: Face) -> datetime | None:
    """When it was edited last; None where that isn't told in numbers."""
    try:
        return face.read(spell(edited, "a")) if edited else None
    except IncompletePageError:
        return None


def _first(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    return found.group(1) if found else None
