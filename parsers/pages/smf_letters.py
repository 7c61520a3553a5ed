"""Private messages of SMF 2.1, which stand in two boxes, all of a page in full.

An account can have SMF show them one by one or by conversations instead, where a page has more messages in
its list than below; such a page is refused, since nothing would tell which are missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bs4 import Tag

from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.letters import Letter
from parsers.pages.smf import inner_html, parse_author, read_time
from parsers.pages.smf_frame import parse_paging, refuse_errors, step, user_of, words_of
from parsers.pages.smf_time import Clock
from parsers.pages.topics import attribute
from rules.play.posts import Post

_BOX = re.compile(r"[?;&]f=(inbox|sent)\b")
_BODY = re.compile("msg_([0-9]{1,18})")


@dataclass(frozen=True, slots=True)
class BoxPage:
    """A page of a box, the newest message first. page, pages: 1-based. length: as in `Paging`."""

    box: str
    letters: tuple[Letter, ...]
    page: int
    pages: int
    length: int | None


def parse_box(page: Tag, clock: Clock, viewer: str, link: Callable[[str], str]) -> BoxPage:
    """Read a page of a box, whole or not at all.

    viewer: account id of the session. link: makes a message's address from its id.

    Raises:
        NotATopicPage: an error, or no box.
        IncompletePageError: messages that are listed and not shown, or lack parts.
    """
    shown = page.select("#pmFolder .post_wrapper")
    bodies = dict(map(_take_body, shown))
    refuse_errors(page)
    form = page.select_one("#personal_messages form#pmFolder")
    box = _BOX.search(attribute(form, "action"))
    if form is None or box is None:
        raise NotATopicPage("page/no-list", "the page is no box of private messages")
    rows = [row for row in page.select("#pmFolder tbody > tr") if row.select_one("td.pm_subject")]
    listed = [_number_of(row) for row in rows]
    if listed != list(bodies) or len(shown) != len(listed):
        detail = f"the messages {listed} are listed, {list(bodies)} are shown"
        raise IncompletePageError("page/pm-view", f"{detail}: let the account see all of them at once")
    if listed != sorted(listed, key=int, reverse=True):
        raise IncompletePageError("page/drift", f"the newest message isn't the first: {listed}")
    paging = parse_paging(page, "#pmFolder .pagesection")
    letters = tuple(
        _parse_letter(row, one, bodies[number], number, clock, viewer, link)
        for row, one, number in zip(rows, shown, listed, strict=True)
    )
    return BoxPage(box[1], letters, paging.page, paging.pages, paging.length)


def _number_of(row: Tag) -> str:
    number = attribute(row.select_one('input[name="pms[]"]'), "value")
    link = attribute(row.select_one("td.pm_subject > a"), "href")
    if not number.isdecimal() or not link.endswith(f"#msg{number}"):
        raise IncompletePageError("page/drift", f"an entry without its message: {number!r}, {link!r}")
    return number


def _take_body(box: Tag) -> tuple[str, str]:
    body = step(box, "postarea", "post", "inner")
    found = _BODY.fullmatch(attribute(body, "id"))
    if body is None or found is None:
        raise IncompletePageError("page/no-body", "a private message has no text")
    return found[1], inner_html(body.extract())


def _parse_letter(
    row: Tag, box: Tag, body: str, number: str, clock: Clock, viewer: str, link: Callable[[str], str]
) -> Letter:
    moment, precision = read_time(row.select_one("td.pm_time"), clock, f"m{number}")
    author_id, author = parse_author(box, f"m{number}")
    named = box.select('.keyinfo a[href*="action=profile"]') + row.select("td.pm_from_to a[href]")
    people = {user for one in named if (user := user_of(one)) is not None}
    post = Post(
        id=f"m{number}",
        topic="",
        author_id=author_id,
        author=author,
        created_at=moment.utc,
        precision=precision,
        url=link(f"m{number}"),
        html=body,
        private=True,
        ambiguous=moment.ambiguous,
    )
    subject = words_of(row.select_one("td.pm_subject > a"))
    return Letter(post, subject, frozenset(people | {author_id or viewer, viewer}))
