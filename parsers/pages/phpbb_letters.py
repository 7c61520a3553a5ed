"""Pages of phpBB 3.3's private messages: what is in a folder, and who can read a message.

phpBB shows when a message was sent only in words, as each member likes them best; the text that it offers to
whoever quotes the message tells it in numbers (`phpbb_forms.parse_quote`).
"""

from __future__ import annotations

from dataclasses import dataclass

from bs4 import Tag

from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.letters import bare_title
from parsers.pages.phpbb import account_of, find_count, find_in, parse_viewer, query_of, words_of
from parsers.pages.topics import attribute

_ROWS = "#viewfolder ul.pmlist > li.row"


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message in a folder. gone: whether its sender has taken it back, or whoever the list names as sender
    or recipients has no account any more.
    """

    id: str
    gone: bool


@dataclass(frozen=True, slots=True)
class Folder:
    """One page of a folder, the newest message first. count: of all its messages. viewer: account id."""

    envelopes: tuple[Envelope, ...]
    count: int
    viewer: str | None


@dataclass(frozen=True, slots=True)
class Head:
    """What stands above a message. people: ids of all whom the page names as sender or recipients; a group's
    begins with `g`.
    """

    id: str
    title: str
    author_id: str | None
    author: str
    people: tuple[str, ...]


def parse_folder(page: Tag, number: int) -> Folder:
    """Read a page of a folder, whole or not at all.

    number: phpBB's own of the folder: 0 what came in, -1 what was read by others, -2 what wasn't yet.

    Raises:
        NotATopicPage: no folder, or another one. IncompletePageError: rows lacking parts, messages that wait
        outside of a full folder.
    """
    form = page.select_one("form#viewfolder[action]")
    if form is None:
        raise NotATopicPage("page/no-folder", "the page is no folder of private messages")
    shown = find_in(attribute(form, "action"), "f")
    if shown != str(number):
        raise NotATopicPage("page/other-folder", f"asked for folder {number}, the page is folder {shown}")
    waiting = form.select_one("div.notice")
    if waiting is not None:
        raise IncompletePageError("page/folder-full", words_of(waiting))
    rows = page.select(_ROWS)
    marked = page.select('input[name="marked_msg_id[]"]')
    if not len(rows) == len(marked) == len(page.select("#viewfolder a.topictitle")):
        raise IncompletePageError("page/drift", f"{len(marked)} messages are offered, {len(rows)} shown")
    envelopes = tuple(map(_parse_envelope, rows))
    if len({one.id for one in envelopes}) != len(envelopes):
        raise IncompletePageError("page/repeated-post", "a message stands in the list twice")
    return Folder(envelopes, _parse_count(form, bool(rows)), parse_viewer(page))


def _parse_envelope(row: Tag) -> Envelope:
    link = row.select_one("a.topictitle")
    number, mark = query_of(link, "p") or "", row.select_one('input[name="marked_msg_id[]"]')
    if not number.isdecimal() or attribute(mark, "value") != number:
        raise IncompletePageError("page/drift", f"a message without its number: {number!r}")
    taken_back = query_of(link, "mode") != "view"
    return Envelope(number, gone=taken_back or not _people_in(row.select("dt a[href]")))


def _parse_count(form: Tag, some: bool) -> int:
    """How many messages the folder has. An empty one shows neither a count nor what to do with messages."""
    count = find_count(form.select_one(".pagination")) or 0
    tools = form.select_one("select[name=mark_option]") is not None
    if not some == tools == (count > 0):
        raise IncompletePageError("page/no-count", "the folder doesn't say how many messages it has")
    return count


def parse_head(page: Tag) -> Head:
    """Read what stands above a private message.

    Raises:
        NotATopicPage: no message. IncompletePageError: without author or recipients.
    """
    boxes = page.select('div.post.pm[id^="post-"]')
    if len(boxes) != 1:
        raise NotATopicPage("page/no-message", "the page is no private message")
    for written in boxes[0].select(".content, .signature"):
        written.extract()
    head, line = boxes[0].select_one(".postbody h3"), boxes[0].select_one(".postbody p.author")
    author = boxes[0].select_one("p.author :is(.username, .username-coloured)")
    number = attribute(boxes[0], "id").removeprefix("post-")
    if head is None or line is None or author is None or not number.isdecimal():
        raise IncompletePageError("page/drift", f"message {number!r} lacks its subject or its author")
    people = _people_in(line.select("a[href]"))
    return Head(number, bare_title(words_of(head)), account_of(author), words_of(author), people)


def _people_in(links: list[Tag]) -> tuple[str, ...]:
    accounts = [account_of(link) for link in links]
    groups = [
        f"g{group}"
        for link in links
        if query_of(link, "mode") == "group" and (group := query_of(link, "g")) is not None
    ]
    return tuple(dict.fromkeys([*(one for one in accounts if one is not None), *groups]))
