"""Pages of FlaskBB 3: topics, the conversations of its private messages, and whose session they show.

Only structure that FlaskBB's own templates write is trusted. Accounts are known by their login names, which
are unique and the only thing that pages tell of them; ids of conversations and private messages get letters,
since they are counted apart from topics and posts: `c5` is a conversation, `c5m7` a message in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from urllib.parse import unquote, urlsplit

from bs4 import Comment, Tag

from parsers.pages.guard import IncompletePageError, NotATopicPage, decode_page
from parsers.pages.topics import TopicLink, TopicList, TopicPage, attribute, check_numbers, count_alike
from rules.play.posts import Post, Precision, Visibility

_USER = re.compile(r"/user/([^/?#]+)$")
_TOPIC = re.compile(r"/topic/([0-9]+)(?:-[^/]*)?$")
_POST = re.compile(r"/post/([0-9]+)$")
_CONVERSATION = re.compile(r"/conversations/([0-9]+)/view$")
_PAGE = re.compile(r"[?&]page=([0-9]+)")
_FALSE_SUCCESS = b"<title>None Unknown Error</title>"
_QUOTE_HEAD = re.compile(r"> \*\*\[[^\n]*\]\(/[^\n]*\) wrote:\*\*")
# What FlaskBB adds inside a post's body and nobody wrote as part of the post.
_ADDED = ".post-signature, .post-attachments, button.post-quote-expand"


def check_answer(body: bytes) -> None:
    """Refuse the page that FlaskBB sends, with status 200, for what isn't there.

    Raises:
        NotATopicPage: it is that page.
    """
    if _FALSE_SUCCESS in body[:1000]:
        raise NotATopicPage("forum/missing", "the forum answers 200 and 'None Unknown Error'")


def parse_viewer(page: Tag) -> str | None:
    """Account id of the session that the page was made for, None for a guest."""
    if page.select_one('.flaskbb-navbar a[href$="/auth/logout"]') is None:
        return None
    return _user_of(page.select_one('.flaskbb-navbar a.btn[href*="/user/"]'))


def offers_login(page: Tag) -> bool:
    """Whether the page is FlaskBB's, made for a guest."""
    return page.select_one('.flaskbb-navbar a[href*="/auth/login"]') is not None


def parse_complaints(page: Tag) -> tuple[str, ...]:
    """What the forum says about a refused form: errors of its fields, then its messages, in its own words."""
    wrong = page.select('#flashed-messages .alert, .invalid-feedback:not([class*="attachment-"])')
    return tuple(dict.fromkeys(" ".join(one.get_text().split()) for one in wrong))


def parse_topic(page: Tag, link: Callable[[str], str]) -> TopicPage:
    """Read a topic page, whole or not at all.

    The posts' bodies are taken out of the tree first, so that nothing people write is mistaken for structure.

    page: what `read_page` gave; without its posts' bodies afterwards. link: makes a post's address from its
    id.

    Raises:
        NotATopicPage: the page has none of a topic's marks.
        IncompletePageError: a topic page with gaps, with posts lacking parts, or without its paginator.
    """
    rows = page.select("#topic-posts > .topic-body > .post-row")
    marked = count_alike(page, '.post-row, [id^="pid"]')
    if marked != 2 * len(rows):
        detail = f"{marked} things look like rows or bodies of posts, {len(rows)} rows stand in their place"
        raise IncompletePageError("page/drift", detail)
    bodies = [_take_body(row) for row in rows]
    head = page.select_one("#topic-posts > .topic-header > a[href]")
    found = _TOPIC.search(urlsplit(attribute(head, "href")).path)
    if head is None or found is None:
        raise NotATopicPage("page/no-topic", "no topic page")
    if not rows:
        raise NotATopicPage("page/no-posts", "a topic page has at least one post, this page has none")
    topic = found.group(1)
    posts = tuple(_parse_post(row, body, topic, link) for row, body in zip(rows, bodies, strict=True))
    check_numbers(posts)
    number, pages = _parse_paginator(page, "#topic-header")
    return TopicPage(
        topic=topic,
        title=_words(head),
        private=False,
        page=number,
        pages=pages,
        posts=posts,
        viewer=parse_viewer(page),
        participants=(),
        open=page.select_one("form textarea[name=content]") is not None,
    )


def _take_body(row: Tag) -> Tag:
    body = row.select_one(".post-box > .post-content")
    if body is None or attribute(body, "id") != f"pid{attribute(row, 'id')}":
        raise IncompletePageError("page/no-body", f"post {attribute(row, 'id')} has no text")
    return body.extract()


def _parse_post(row: Tag, body: Tag, topic: str, link: Callable[[str], str]) -> Post:
    post_id = attribute(row, "id")
    number = _words(row.select_one(".post-meta strong")).removeprefix("#")
    if not (post_id.isdecimal() and number.isdecimal()):
        raise IncompletePageError("page/drift", f"a post without id or number: {post_id!r}, {number!r}")
    hidden = body.select_one(":scope > .alert .fa-user-secret") is not None
    author = row.select_one(".author > .author-name")
    if author is None:
        raise IncompletePageError("page/no-author", f"post {post_id} doesn't say whose it is")
    edited = row.select_one(".post-meta small time")
    return Post(
        id=post_id,
        topic=topic,
        author_id=_user_of(author.select_one("a")),
        author=_words(author),
        created_at=_parse_time(row.select_one(".post-meta a > time"), post_id),
        precision=Precision.SECOND,
        url=link(post_id),
        html=None if hidden else _inner_html(body),
        edits=int(edited is not None),
        edited_at=_parse_time(edited, post_id) if edited else None,
        visibility=Visibility.REMOVED if hidden else Visibility.VISIBLE,
        number=int(number),
    )


def _inner_html(body: Tag) -> str:
    for added in body.select(_ADDED):
        added.decompose()
    for comment in body.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()
    return body.decode_contents().strip()


def _parse_time(shown: Tag | None, post_id: str) -> datetime:
    """UTC, to the second: what stands in the machine-readable attribute, never the words."""
    try:
        moment = datetime.fromisoformat(attribute(shown, "datetime"))
    except ValueError:
        raise IncompletePageError("page/bad-time", f"post {post_id} has no time") from None
    if moment.tzinfo is None:
        raise IncompletePageError("page/bad-time", f"post {post_id} has a time without its zone")
    return moment.astimezone(UTC).replace(microsecond=0)


def _parse_paginator(page: Tag, within: str) -> tuple[int, int]:
    links = page.select(f"{within} ul.pagination .page-item a.page-link")
    current = page.select_one(f"{within} ul.pagination .page-item.active a.page-link")
    shown = _words(current)
    if current is None or not shown.isdecimal():
        raise IncompletePageError("page/no-paginator", "the page doesn't say how many pages there are")
    number = int(shown)
    named = [int(text) for link in links if (text := _words(link)).isdecimal()]
    offered = [int(n) for link in links for n in _PAGE.findall(attribute(link, "href"))]
    if max(named) != max([number, *offered]):
        raise IncompletePageError("page/bad-paginator", f"page {number} names {named} and offers {offered}")
    return number, max(named)


def parse_conversation(page: Tag, conversation: str, participants: Sequence[str], address: str) -> TopicPage:
    """Read a private conversation, which FlaskBB shows on one page.

    conversation: its id. participants: account ids, from the list. address: of the page.

    Raises:
        NotATopicPage: no conversation. IncompletePageError: messages lacking parts.
    """
    box = page.select_one("#message-content .conversation-body")
    boxes = page.select("#message-content .conversation-body > .conversation-message")
    marked = count_alike(page, ".conversation-message")
    bodies = [_take_message(one) for one in boxes]
    if box is None or not boxes:
        raise NotATopicPage("page/no-conversation", "no private conversation")
    if marked != len(boxes) or page.select(".message-content"):
        raise IncompletePageError("page/drift", "a message stands outside of its place")
    posts = tuple(
        _parse_message(one, body, number, conversation, address)
        for number, (one, body) in enumerate(zip(boxes, bodies, strict=True), 1)
    )
    check_numbers(posts)
    return TopicPage(
        topic=conversation,
        title=_words(page.select_one(".conversation-header strong")),
        private=True,
        page=1,
        pages=1,
        posts=posts,
        viewer=parse_viewer(page),
        participants=tuple(participants),
        open=page.select_one("form textarea[name=message]") is not None,
    )


def _take_message(box: Tag) -> Tag:
    body = box.find("div", class_="message-content", recursive=False)
    if not isinstance(body, Tag):
        raise IncompletePageError("page/no-body", f"message {attribute(box, 'id')} has no text")
    return body.extract()


def _parse_message(box: Tag, body: Tag, number: int, conversation: str, address: str) -> Post:
    mid = attribute(box, "id").removeprefix("mid")
    author = box.select_one(".message-author > .author-name")
    if not mid.isdecimal() or author is None:
        raise IncompletePageError("page/drift", f"a message without id or author: {mid!r}")
    return Post(
        id=f"{conversation}m{mid}",
        topic=conversation,
        author_id=_user_of(author),
        author=_words(author),
        created_at=_parse_time(box.select_one(".message-meta time"), mid),
        precision=Precision.SECOND,
        url=f"{address}#mid{mid}",
        html=_inner_html(body),
        private=True,
        number=number,
    )


def parse_conversations(page: Tag) -> tuple[TopicList, Mapping[str, tuple[str, ...]]]:
    """Read a page of the list of conversations, and who takes part in each by its id.

    Raises:
        NotATopicPage: no such list. IncompletePageError: an entry without conversation.
    """
    if page.select_one("#message-content .conversation-body") is None:
        raise NotATopicPage("page/no-list", "the page is no list of conversations of FlaskBB")
    for words in page.select(".conversation-content"):
        words.decompose()
    entries = page.select("#message-content .conversation-row:has(.conversation-info)")
    links = tuple(map(_parse_entry, entries))
    number, pages = _parse_paginator(page, "#message-content")
    people = [
        {user for one in entry.select(".conversation-meta a") if (user := _user_of(one))} for entry in entries
    ]
    taking_part = {link.topic: tuple(sorted(who)) for link, who in zip(links, people, strict=True)}
    return TopicList(links, number < pages, parse_viewer(page)), taking_part


def _parse_entry(entry: Tag) -> TopicLink:
    link = entry.select_one(".conversation-subject > a")
    path = urlsplit(attribute(link, "href")).path
    found = _CONVERSATION.search(path)
    if link is None or found is None:
        raise IncompletePageError("page/drift", "an entry of the list has no link to its conversation")
    return TopicLink(f"c{found.group(1)}", _words(link), path)


def find_post(location: str) -> str | None:
    """The post's id in a redirect to `/post/ID`, None for any other address."""
    found = _POST.search(urlsplit(location).path)
    return found.group(1) if found else None


def parse_raw(body: bytes, content_type: str | None) -> str:
    """The text as its author typed it, with LF: FlaskBB gives it as a quote.

    Raises:
        NotATopicPage: the answer is no quote.
    """
    head, *lines = decode_page(body, content_type).replace("\r\n", "\n").rstrip("\n").split("\n")
    quoted = lines[1:]
    if not _QUOTE_HEAD.match(head) or lines[:1] != [">"] or not all(line.startswith(">") for line in quoted):
        raise NotATopicPage("page/no-raw", "the forum gives no text")
    return "\n".join(line[1:].removeprefix(" ") for line in quoted)


def _user_of(link: Tag | None) -> str | None:
    found = _USER.search(urlsplit(attribute(link, "href")).path)
    return unquote(found.group(1)) if found else None


def _words(tag: Tag | None) -> str:
    return " ".join(tag.get_text().split()) if tag else ""
