"""Pages of MyBB 1.8's private messages: what is in a folder, and a message."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from bs4 import Tag

from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.letters import bare_title
from parsers.pages.mybb import (
    account_of,
    author_of,
    check_notice,
    inner_html,
    parse_date,
    parse_paginator,
    words_of,
)
from parsers.pages.mybb_time import Face
from parsers.pages.topics import attribute

_LETTER = re.compile(r"[?&]pmid=([0-9]{1,18})(?![0-9])")
_MARK = re.compile(r"check\[([0-9]{1,18})\]")


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message in a folder. title: without what answering puts before it."""

    id: str
    title: str


@dataclass(frozen=True, slots=True)
class Folder:
    """One page of a folder, the newest message first; page, pages: 1-based."""

    envelopes: tuple[Envelope, ...]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class Letter:
    """A private message. people: ids of all whom it names as sender or recipients. sent_at: UTC, to the
    minute.
    """

    id: str
    title: str
    author_id: str | None
    author: str
    people: tuple[str, ...]
    sent_at: datetime
    html: str


def parse_folder(page: Tag) -> Folder:
    """Read a page of a folder, whole or not at all.

    Raises:
        NotATopicPage: no folder. IncompletePageError: rows lacking parts.
    """
    form = page.select_one('form:has(input[name="action"][value="do_stuff"])')
    if form is None:
        check_notice(page, "forum/no-private")
        raise NotATopicPage("page/no-folder", "the page is no folder of private messages")
    links = form.select('a[href*="action=read"][href*="pmid="]')
    marks = [found.group(1) for one in form.select("input[name]") if (found := _mark_of(one))]
    envelopes = tuple(Envelope(_number_of(one), bare_title(words_of(one))) for one in links)
    if [one.id for one in envelopes] != marks or len(set(marks)) != len(marks):
        raise IncompletePageError("page/drift", f"messages {marks} are offered, {len(envelopes)} shown")
    number, pages = parse_paginator(page)
    return Folder(envelopes, number, pages)


def parse_letter(page: Tag, face: Face) -> Letter:
    """Read a private message.

    Raises:
        NotATopicPage: none, or the page says why it shows none (`forum/missing`). IncompletePageError: it
        lacks parts.
    """
    check_notice(page, "forum/missing")
    rows = page.select("#posts > div.post")
    body = rows[0].select_one(".post_content > .post_body") if len(rows) == 1 else None
    if body is None:
        raise NotATopicPage("page/no-letter", "no private message")
    body.extract()
    row, title = rows[0], page.select_one(".navigation span.active")
    numbers = {_number_of(one) for one in row.select('.post_management_buttons a[href*="pmid="]')}
    if len(numbers) != 1 or title is None or page.select(".post_body"):
        raise IncompletePageError("page/drift", f"a message without its number or title: {sorted(numbers)}")
    number = numbers.pop()
    author = author_of(row, number)
    author_id = account_of(author if author.name == "a" else None)
    named = [account_of(one) for one in row.select(".post_head > a[href]")]
    people = {one for one in (author_id, *named) if one is not None}
    return Letter(
        id=number,
        title=bare_title(words_of(title)),
        author_id=author_id,
        author=words_of(author),
        people=tuple(sorted(people, key=int)),
        sent_at=parse_date(row, face, number),
        html=inner_html(body),
    )


def _number_of(link: Tag) -> str:
    found = _LETTER.search(attribute(link, "href"))
    return found.group(1) if found else ""


def _mark_of(box: Tag) -> re.Match[str] | None:
    return _MARK.fullmatch(attribute(box, "name"))
