"""Topics of SMF 2.1 (see `smf_frame` for what all its pages have in common)."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

from bs4 import Comment, Tag

from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.moments import Moment
from parsers.pages.smf_frame import (
    find_class,
    find_topic,
    parse_paging,
    parse_viewer,
    refuse_errors,
    step,
    user_of,
    words_of,
)
from parsers.pages.smf_time import Clock, UnknownFormat
from parsers.pages.topics import TopicPage, attribute, check_numbers, count_alike
from rules.play.posts import Post, Precision, Visibility

_MESSAGE = re.compile("^msg[0-9]{1,18}$")
_PROFILE = re.compile("action=profile")


def parse_topic(page: Tag, clock: Clock, link: Callable[[str], str]) -> TopicPage:
    """Read a topic page, whole or not at all.

    The posts are taken out of the tree first, and bodies out of the posts, so that nothing people write is
    mistaken for structure. Signatures stand outside of bodies.

    page: what `read_page` gave; without its posts afterwards. link: makes a post's address from its
    id.

    Raises:
        NotATopicPage: an error, or none of a topic's marks.
        IncompletePageError: a topic page with gaps, with posts lacking parts, or without its page numbers.
    """
    form = page.select_one("#forumposts #quickModForm")
    boxes = form.find_all("div", id=_MESSAGE, recursive=False) if form else []
    marked = count_alike(page, ".post_wrapper, .inner[data-msgid]")
    if marked != 2 * len(boxes):
        detail = f"{marked} things look like posts or bodies, {len(boxes)} posts stand in their place"
        raise IncompletePageError("page/drift", detail)
    bodies = [_take_body(box.extract()) for box in boxes]
    refuse_errors(page)
    topic = _parse_topic_id(page)
    if not boxes:
        raise NotATopicPage("page/no-posts", "a topic page has at least one post, this page has none")
    paging = parse_paging(page, ".pagesection")
    numbers = [_parse_number(box, first=paging.page == 1 and box is boxes[0]) for box in boxes]
    posts = tuple(
        _parse_post(box, body, number, topic, clock, link)
        for box, body, number in zip(boxes, bodies, numbers, strict=True)
    )
    check_numbers(posts)
    return TopicPage(
        topic=topic,
        title=words_of(page.select_one("#top_subject")),
        private=False,
        page=paging.page,
        pages=paging.pages,
        posts=posts,
        viewer=parse_viewer(page),
        participants=(),
        open=offers_reply(page),
    )


def offers_reply(page: Tag) -> bool:
    """Whether a topic's page lets the account answer."""
    return page.select_one("a.button_strip_reply, form#postmodify textarea[name=message]") is not None


def _parse_topic_id(page: Tag) -> str:
    """The topic's id from where only the forum writes."""
    marks = [attribute(page.select_one("form#quickModForm"), "action")]
    marks += [attribute(one, "href") for one in page.select("link[rel=canonical]")]
    ids = {found for mark in marks if (found := find_topic(mark))}
    ids |= {attribute(one, "value") for one in page.select("form#postmodify input[name=topic]")}
    if len(ids) != 1:
        seen = ", ".join(sorted(ids))
        raise NotATopicPage("page/no-topic", f"the page names the topics {seen}" if ids else "no topic page")
    return ids.pop()


def _take_body(box: Tag) -> str:
    number = _id_of(box)
    body = step(box, "post_wrapper", "postarea", "post", "inner")
    if body is None or attribute(body, "id") != f"msg_{number}":
        raise IncompletePageError("page/no-body", f"post {number} has no text")
    return inner_html(body.extract())


def _id_of(box: Tag) -> str:
    return attribute(box, "id").removeprefix("msg")


def inner_html(body: Tag) -> str:
    """What a body holds, without what SMF writes anew on every day: above a quote, when that was posted."""
    for head in body.select("blockquote > cite"):
        head.decompose()
    for comment in body.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()
    return body.decode_contents().strip()


def _parse_number(box: Tag, *, first: bool) -> int:
    """A post's position. SMF counts the answers; the opening post has no number."""
    shown = words_of(find_class(box, "page_number")).removeprefix("#")
    if not shown and first:
        return 1
    if not shown.isdecimal():
        raise IncompletePageError("page/drift", f"post {_id_of(box)} has no number: {shown!r}")
    return int(shown) + 1


def _parse_post(
    box: Tag, body: str, number: int, topic: str, clock: Clock, link: Callable[[str], str]
) -> Post:
    post_id, info = _id_of(box), find_class(box, "postinfo")
    moment, precision = read_time(step(info, "smalltext"), clock, post_id)
    author_id, author = parse_author(box, post_id)
    state = _parse_state(box, post_id)
    edited, edited_at = _parse_edit(info, post_id, clock)
    return Post(
        id=post_id,
        topic=topic,
        author_id=author_id,
        author=author,
        created_at=moment.utc,
        precision=precision,
        url=link(post_id),
        html=body if state is Visibility.VISIBLE else None,
        edits=int(edited),
        edited_at=edited_at,
        visibility=state,
        number=number,
        ambiguous=moment.ambiguous,
    )


def _parse_state(box: Tag, post_id: str) -> Visibility:
    """Posts that wait for a moderator stand there for moderators, and for their author with a notice."""
    classes = box.get_attribute_list("class")
    waiting = step(find_class(box, "post"), "noticebox") is not None
    if "approvebg" in classes or waiting:
        return Visibility.UNAPPROVED
    if "windowbg" not in classes:
        raise IncompletePageError("page/drift", f"post {post_id} is of an unknown kind: {classes}")
    return Visibility.VISIBLE


def parse_author(box: Tag, post_id: str) -> tuple[str | None, str]:
    """Whose a post is: account id, None for a guest or an account that is gone, and name.

    Raises:
        IncompletePageError: the post doesn't say, or says it twice.
    """
    person = find_class(box, "poster")
    head = person.find("h4", recursive=False) if person else None
    links = head.find_all("a", href=_PROFILE, recursive=False) if isinstance(head, Tag) else []
    if not isinstance(head, Tag) or len(links) > 1 or not words_of(head):
        raise IncompletePageError("page/no-author", f"post {post_id} doesn't say whose it is")
    if not links:
        return None, words_of(head)
    user = user_of(links[0])
    if user is None:
        raise IncompletePageError("page/no-author", f"post {post_id} links to no account")
    return user, words_of(links[0])


def read_time(shown: Tag | None, clock: Clock, post_id: str) -> tuple[Moment, Precision]:
    """When something was written, and how exactly the forum tells.

    Raises:
        IncompletePageError: no time, or a format that isn't known.
    """
    told = words_of(shown)
    if not told:
        raise IncompletePageError("page/bad-time", f"post {post_id} has no time")
    try:
        return clock.read(told)
    except UnknownFormat:
        raise IncompletePageError("page/time-format", told, told) from None
    except ValueError as error:
        raise IncompletePageError("page/bad-time", f"post {post_id}: {error}") from None


def _parse_edit(info: Tag | None, post_id: str, clock: Clock) -> tuple[bool, datetime | None]:
    """Whether a post was edited, and when, where its mark begins with a time behind its label."""
    mark = find_class(info, "modified")
    if mark is None or attribute(mark, "id") != f"modified_{post_id}":
        raise IncompletePageError("page/drift", f"post {post_id} has no place for edits")
    edited = bool(words_of(mark))
    for label in mark.find_all(class_="lastedit"):
        label.decompose()
    return edited, clock.read_first(words_of(mark).lstrip(": «"))
