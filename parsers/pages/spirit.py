"""Pages of django-spirit: topics and private conversations, lists of topics, and whose session they show.

Only structure that Spirit's own templates write is trusted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from bs4 import Tag

from parsers.pages.django_time import parse_moment
from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.moments import Moment
from parsers.pages.topics import TopicLink, TopicList, TopicPage, attribute, check_numbers
from rules.play.posts import Post, Precision, Visibility

_USER = re.compile(r"/user/([0-9]+)/(?:[^/]+/)?$")
_TOPIC_OF_ACTION = re.compile(r"/comment/([0-9]+)/publish/")
_TOPIC_OF_SCRIPT = re.compile(r"/comment/bookmark/([0-9]+)/create/")
_TOPIC_OF_LINK = re.compile(r"/topic/(?:private/)?([0-9]+)/")
_NUMBERS = re.compile(r"[0-9]+")
_NEXT = re.compile(r"[?&]page=([0-9]+)")


def parse_viewer(page: Tag) -> str | None:
    """Account id of the session that the page was made for, None for a guest."""
    for link in page.select("header.layout__header .js-user-content a.menu_list__link"):
        found = _USER.search(attribute(link, "href"))
        if found:
            return found.group(1)
    return None


def parse_topic(page: Tag, zone: ZoneInfo, link: Callable[[str], str]) -> TopicPage:
    """Read a topic page, whole or not at all.

    The posts' bodies are taken out of the tree first, so that nothing people write is mistaken for structure.

    page: what `read_page` gave; without its posts' bodies afterwards.
    zone: in which the session's account sees times. link: makes a post's address from its id.

    Raises:
        NotATopicPage: the page has none of a topic's marks.
        IncompletePageError: a topic page with gaps, with posts lacking parts, or without its paginator.
    """
    containers = _find_containers(page)
    bodies = [_take_body(box) for box in containers]
    topic = _parse_topic_id(page)
    if not containers:
        raise NotATopicPage("page/no-posts", "a topic page has at least one post, this page has none")
    private = page.select_one(".layout__comments") is not None
    posts = tuple(
        _parse_post(box, body, topic, private, zone, link)
        for box, body in zip(containers, bodies, strict=True)
    )
    check_numbers(posts)
    number, pages = _parse_paginator(page)
    return TopicPage(
        topic=topic,
        title=_parse_title(page),
        private=private,
        page=number,
        pages=pages,
        posts=posts,
        viewer=parse_viewer(page),
        participants=_parse_participants(page) if private else (),
        open=page.select_one("form.js-reply textarea[name=comment]") is not None,
    )


def _parse_topic_id(page: Tag) -> str:
    """The topic's id from where only the forum writes: scripts, forms, a guest's links in the frame."""
    ids = {
        found.group(1) for script in page("script") for found in _TOPIC_OF_SCRIPT.finditer(script.get_text())
    }
    marks = [attribute(form, "action") for form in page.select("form.js-reply")]
    marks += [attribute(a, "href") for a in page.select(".comments__footer_menu__notify a.button")]
    ids |= {found.group(1) for mark in marks if (found := _TOPIC_OF_ACTION.search(mark))}
    for login in page.select("header.layout__header a.header__login"):
        found = _TOPIC_OF_LINK.search(attribute(login, "href"))
        ids |= {found.group(1)} if found else set()
    if len(ids) != 1:
        seen = ", ".join(sorted(ids))
        raise NotATopicPage("page/no-topic", f"the page names the topics {seen}" if ids else "no topic page")
    return ids.pop()


def _find_containers(page: Tag) -> list[Tag]:
    """The posts' boxes. All that looks like a post must be one of them: else the theme has changed."""
    box = page.find("div", class_="comments_list")
    containers = box.find_all("div", class_="js-comment", recursive=False) if isinstance(box, Tag) else []
    marked = page.find_all(_looks_like_post)
    if len(marked) != len(containers) or not all(one.has_attr("data-pk") for one in containers):
        detail = f"{len(marked)} things look like posts, {len(containers)} stand where posts stand"
        raise IncompletePageError("page/drift", detail)
    return containers


def _looks_like_post(tag: Tag) -> bool:
    return tag.has_attr("data-pk") or "js-comment" in tag.get_attribute_list("class")


def _take_body(box: Tag) -> str | None:
    """The post's own HTML, removed from the tree; None where there is none, as with removed posts."""
    body = box.find("div", class_="comment__text", recursive=False)
    if not isinstance(body, Tag):
        return None
    # A poll's form carries the session's token, which is nobody's text and differs on every page.
    for token in body.find_all("input", attrs={"name": "csrfmiddlewaretoken"}):
        token.decompose()
    return body.extract().decode_contents().strip()


def _parse_post(
    box: Tag, body: str | None, topic: str, private: bool, zone: ZoneInfo, link: Callable[[str], str]
) -> Post:
    post_id, number = attribute(box, "data-pk"), attribute(box, "data-number")
    if not (post_id.isdecimal() and number.isdecimal() and attribute(box, "id") == f"c{number}"):
        raise IncompletePageError("page/drift", f"a post without id or number: {post_id!r}, {number!r}")
    state = _parse_state(box)
    if state is Visibility.VISIBLE and (body is None or box.select_one(".comment__footer") is None):
        raise IncompletePageError("page/no-body", f"post {post_id} has no text")
    author_id, author = _parse_author(box, post_id)
    moment = _parse_time(box, post_id, zone)
    return Post(
        id=post_id,
        topic=topic,
        author_id=author_id,
        author=author,
        created_at=moment.utc,
        precision=Precision.MINUTE,
        url=link(post_id),
        html=body if state is Visibility.VISIBLE else None,
        edits=_parse_edits(box),
        visibility=state,
        private=private,
        number=int(number),
        ambiguous=moment.ambiguous,
    )


def _parse_state(box: Tag) -> Visibility:
    classes = box.get_attribute_list("class")
    if "comments_list__comment" in classes:
        return Visibility.VISIBLE
    if "comments_list__item" not in classes:
        raise IncompletePageError("page/drift", f"an unknown kind of post: {' '.join(map(str, classes))}")
    removed = box.select_one(".comments_list__item__badge .fa-trash-o")
    return Visibility.REMOVED if removed else Visibility.NOTICE


def _parse_author(box: Tag, post_id: str) -> tuple[str, str]:
    link = box.select_one("a.comment__info__username__link, .comments_list__item__info > span > a")
    found = _USER.search(attribute(link, "href")) if link else None
    if link is None or found is None:
        raise IncompletePageError("page/no-author", f"post {post_id} has no link to its author")
    name = link.select_one("span") or link
    return found.group(1), name.get_text().strip()


def _parse_time(box: Tag, post_id: str, zone: ZoneInfo) -> Moment:
    shown = box.select_one(".comment__info__date > li[title], .comments_list__item__info span[title]")
    try:
        return parse_moment(attribute(shown, "title"), zone)
    except ValueError as error:
        raise IncompletePageError("page/bad-time", f"post {post_id}: {error}") from None


def _parse_edits(box: Tag) -> int:
    mark = box.select_one('.comment__info__date a[href*="/comment/history/"]')
    count = _NUMBERS.search(mark.get_text()) if mark else None
    return int(count.group()) if count else int(mark is not None)


def _parse_paginator(page: Tag) -> tuple[int, int]:
    shown = page.select_one(".comments__footer_menu ul.paginator > li.paginator__pages")
    numbers = [int(n) for n in _NUMBERS.findall(shown.get_text())] if shown else []
    if len(numbers) != 2 or not 1 <= numbers[0] <= numbers[1]:
        raise IncompletePageError("page/no-paginator", "the page doesn't say how many pages there are")
    offered = {int(n) for a in page.select("ul.paginator a") for n in _NEXT.findall(attribute(a, "href"))}
    page_number, pages = numbers
    further = [n for n in offered if n > page_number]
    if bool(further) != (page_number < pages) or any(n > pages for n in further):
        detail = f"page {page_number} of {pages} offers the pages {sorted(offered)}"
        raise IncompletePageError("page/bad-paginator", detail)
    return page_number, pages


def _parse_title(page: Tag) -> str:
    headline = page.select_one("h1.headline")
    if headline is None:
        raise IncompletePageError("page/no-title", "the page has no headline")
    return " ".join("".join(text for text in headline.find_all(string=True, recursive=False)).split())


def _parse_participants(page: Tag) -> tuple[str, ...]:
    links = page.select("li.menu_list__participant a.menu_list__participant__user")
    ids = [found.group(1) for a in links if (found := _USER.search(attribute(a, "href")))]
    if not ids:
        raise IncompletePageError("page/no-participants", "a private conversation without participants")
    return tuple(sorted(ids, key=int))


def parse_topic_list(page: Tag) -> TopicList:
    """Read a page of a list of topics, such as the private conversations.

    Raises:
        NotATopicPage: no list of topics. IncompletePageError: an entry without topic or title.
    """
    box = page.select_one("div.layout__topics")
    if box is None or page.select_one("footer.layout__footer") is None:
        raise NotATopicPage("page/no-list", "the page is no list of topics of Spirit")
    entries = box.select("div.layout__topics__topic")
    topics = tuple(_parse_entry(entry) for entry in entries)
    current = page.select_one("ul.paginator > li.paginator__button > span")
    number = int(current.get_text()) if current else 1
    links = page.select("ul.paginator a")
    offered = {int(n) for a in links for n in _NEXT.findall(attribute(a, "href"))}
    if page.select_one("ul.paginator") is None:
        raise IncompletePageError("page/no-paginator", "the list doesn't say how many pages there are")
    return TopicList(topics, any(n > number for n in offered), parse_viewer(page))


def _parse_entry(entry: Tag) -> TopicLink:
    link = entry.select_one("a.topic__link")
    found = _TOPIC_OF_LINK.search(attribute(link, "href")) if link else None
    if link is None or found is None:
        raise IncompletePageError("page/drift", "an entry of the list has no link to its topic")
    return TopicLink(
        found.group(1), " ".join(link.get_text().split()), urlsplit(attribute(link, "href")).path
    )
