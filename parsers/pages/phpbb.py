"""Pages of phpBB 3.3's topics in prosilver and styles made of it, and whose session they show.

Only structure that phpBB's own templates write is trusted, and never a word: boards speak many languages, and
members choose how times are written. What pages say in numbers is compared with what they show.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

from bs4 import Comment, Tag

from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.topics import TopicPage, attribute, check_numbers
from rules.play.posts import Post, Precision, Visibility

_POST = re.compile("p([0-9]{1,18})")
_NUMBER = re.compile("[0-9]+")
_PAGER = ".action-bar .pagination, .topic-actions .pagination"
_REPLY = '.action-bar a[href*="posting.php?mode=reply"], .topic-actions a[href*="posting.php?mode=reply"]'
_NAME = ".username, .username-coloured"
# What phpBB writes into a body and that differs from one reading to the next: when a quoted post was written
# as the reader's account shows it, how often a file was looked at.
_PASSING_CLASSES = ("responsive-hide", "inline-attachment")
_PASSING = "blockquote cite .responsive-hide, .inline-attachment"


def query_of(link: Tag | None, name: str) -> str | None:
    """What a link's address says under a name, None where it doesn't."""
    return find_in(attribute(link, "href"), name)


def find_in(address: str, name: str) -> str | None:
    """What an address says under a name, None where it doesn't."""
    found = parse_qs(urlsplit(address).query).get(name)
    return found[0] if found else None


def account_of(link: Tag | None) -> str | None:
    """The account's id in a link to its profile, None where it leads elsewhere, as for accounts that are
    gone.
    """
    number = query_of(link, "u") if query_of(link, "mode") == "viewprofile" else None
    return number if number and number.isdecimal() else None


def words_of(tag: Tag | None) -> str:
    """What a reader reads there, blanks folded."""
    return " ".join(tag.get_text(" ").split()) if tag else ""


def find_count(pager: Tag | None) -> int | None:
    """The first number in a paginator's own words, which tell how much there is; None where there is none."""
    texts = pager.find_all(string=True, recursive=False) if pager else []
    found = _NUMBER.search(" ".join(text for text in texts if not isinstance(text, Comment)))
    return int(found.group()) if found else None


def parse_viewer(page: Tag) -> str | None:
    """Account id of the session that the page was made for, None for a guest."""
    menu = page.find(id="nav-main")  # searching on from here saves most of a long page
    if not isinstance(menu, Tag) or menu.select_one('a[href*="mode=logout"]') is None:
        return None
    links = menu.select("#username_logged_in a[href]")
    return next((number for link in links if (number := account_of(link))), None)


def offers_login(page: Tag) -> bool:
    """Whether the page is phpBB's, made for a guest."""
    menu = page.find(id="nav-main")
    if not isinstance(menu, Tag) or menu.select_one('a[href*="mode=logout"]') is not None:
        return False
    return menu.select_one('a[href*="ucp.php?mode=login"]') is not None


def parse_topic(page: Tag, link: Callable[[str], str]) -> TopicPage:
    """Read a topic page, whole or not at all.

    The posts' bodies are taken out of the tree first, so that nothing people write is mistaken for structure.

    page: what `read_page` gave; without its posts' bodies afterwards. link: makes a post's address from its
    id.

    Raises:
        NotATopicPage: the page has none of a topic's marks.
        IncompletePageError: posts lacking parts, a paginator that says otherwise than its links, or another
        number of posts than the forum counts.
    """
    rows = _find_rows(page)
    bodies = [_take_body(row) for row in rows]
    _check_rows(page, rows)
    head = page.select_one("h2.topic-title > a[href]")
    topic = query_of(head, "t")
    if head is None or topic is None or not topic.isdecimal():
        raise NotATopicPage("page/no-topic", "no topic page")
    if not rows:
        raise NotATopicPage("page/no-posts", "a topic page has at least one post, this page has none")
    if page.select_one("#page-footer") is None:
        raise IncompletePageError("page/cut", "the page ends without its footer")
    start = _parse_start(query_of(head, "start"))
    posts = tuple(
        _parse_post(row, body, topic, start + at, link)
        for at, (row, body) in enumerate(zip(rows, bodies, strict=True), 1)
    )
    check_numbers(posts)
    number, pages = _parse_pager(page, start, len(posts))
    _check_count(page, posts, last=number == pages)
    reply = page.select_one(_REPLY)
    return TopicPage(
        topic=topic,
        title=words_of(head),
        private=False,
        page=number,
        pages=pages,
        posts=posts,
        viewer=parse_viewer(page),
        participants=(),
        open=reply is not None and reply.select_one(".fa-lock") is None,
    )


def parse_length(page: Tag) -> int | None:
    """How many posts a page of the topic has, from the addresses of its other pages; None where there are
    none, or only the first one.
    """
    for link in page.select(f":is({_PAGER}) li > a[href]"):
        start, shown = query_of(link, "start"), words_of(link)
        if start and start.isdecimal() and shown.isdecimal() and int(shown) > 1:
            return int(start) // (int(shown) - 1) or None
    return None


def _find_rows(page: Tag) -> list[Tag]:
    rows = [row for row in page("div", class_="post") if _POST.fullmatch(attribute(row, "id"))]
    return [row for row in rows if row.find_parent("div", class_="content") is None]


def _take_body(row: Tag) -> Tag:
    number = attribute(row, "id")[1:]
    found = [row]
    place = (("class", "inner"), ("class", "postbody"), ("id", f"post_content{number}"), ("class", "content"))
    for kind, value in place:
        found = [one for holder in found for one in _children(holder, kind, value)]
    if len(found) != 1:
        raise IncompletePageError("page/no-body", f"post {number} has no text of its own")
    return found[0].extract()


def _children(holder: Tag, kind: str, value: str) -> list[Tag]:
    return list(holder.find_all("div", attrs={kind: value}, recursive=False))


def _check_rows(page: Tag, rows: list[Tag]) -> None:
    """All that looks like a post must be one of them: else the style is another, or a post isn't closed."""
    marked = len(page.select("div.post")) + len(page.select('[id^="post_content"]'))
    if marked != 2 * len(rows):
        detail = f"{marked} things look like posts or their contents, {len(rows)} posts stand in their place"
        raise IncompletePageError("page/drift", detail)


def _parse_start(said: str | None) -> int:
    if said is None:
        return 0
    if not said.isdecimal():
        raise IncompletePageError("page/bad-paginator", f"the page begins behind post {said!r}")
    return int(said)


def _parse_post(row: Tag, body: Tag, topic: str, number: int, link: Callable[[str], str]) -> Post:
    post_id = attribute(row, "id")[1:]
    author = row.select_one(f"p.author :is({_NAME})")
    if author is None:
        raise IncompletePageError("page/no-author", f"post {post_id} doesn't say whose it is")
    state = _parse_state(row)
    return Post(
        id=post_id,
        topic=topic,
        author_id=account_of(author),
        author=words_of(author),
        created_at=_parse_time(row.select_one("p.author > time"), post_id),
        precision=Precision.SECOND,
        url=link(post_id),
        html=_inner_html(body) if state is Visibility.VISIBLE else None,
        edits=_parse_edits(row),
        visibility=state,
        number=number,
    )


def _parse_state(row: Tag) -> Visibility:
    if "deleted" in row.get_attribute_list("class"):
        return Visibility.REMOVED
    waiting = row.select_one("p.post-notice.unapproved")
    return Visibility.UNAPPROVED if waiting else Visibility.VISIBLE


def _parse_time(shown: Tag | None, post_id: str) -> datetime:
    """UTC, to the second: what stands in the machine-readable attribute, never the words."""
    try:
        moment = datetime.fromisoformat(attribute(shown, "datetime"))
    except ValueError:
        raise IncompletePageError("page/bad-time", f"post {post_id} has no time") from None
    if moment.tzinfo is None:
        raise IncompletePageError("page/bad-time", f"post {post_id} has a time without its zone")
    return moment.astimezone(UTC).replace(microsecond=0)


def _parse_edits(row: Tag) -> int:
    """How often a post was edited, 0 where nothing tells: the last number of the notice, which begins with a
    date. Notices of posts that were lifted begin with an empty line, those of removed ones say so.
    """
    for notice in row.select("div.notice:not(.post_deleted_msg)"):
        if len(notice.find_all("br", recursive=False)) > 1 and not _opening_words(notice):
            continue
        for reason in notice("em"):
            reason.decompose()
        numbers = _NUMBER.findall(notice.get_text(" "))
        return max(1, int(numbers[-1])) if numbers else 1
    return 0


def _opening_words(notice: Tag) -> str:
    before: list[str] = []
    for part in notice.children:
        if isinstance(part, Tag) and part.name == "br":
            break
        before.append(part.get_text())
    return "".join(before).strip()


def _inner_html(body: Tag) -> str:
    for passing in body.select(_PASSING) if body.find(class_=_PASSING_CLASSES) else ():
        passing.decompose()
    for comment in body.find_all(string=lambda text: isinstance(text, Comment)):
        comment.extract()
    return body.decode_contents().strip()


def _parse_pager(page: Tag, start: int, shown: int) -> tuple[int, int]:
    """Number of the page and of pages. Raises IncompletePageError where its parts contradict each other."""
    pager = page.select_one(_PAGER)
    if pager is None:
        raise IncompletePageError("page/no-paginator", "the page doesn't say how many pages there are")
    number, named = _read_pager(pager)
    pages = max([number, *named])
    length = shown if number < pages else (start // (number - 1) if number > 1 else shown)
    at = {number: start, **named}
    further = pager.select_one("a[rel=next]") is not None
    if further != (number < pages) or any(begin != (one - 1) * length for one, begin in at.items()):
        detail = f"page {number} begins behind post {start} and offers {named or 'no other'}"
        raise IncompletePageError("page/bad-paginator", detail)
    return number, pages


def _read_pager(pager: Tag) -> tuple[int, dict[int, int]]:
    """The page's number, and where the pages begin that it offers; of several it is marked, of one it stands
    in words, bold as the number of pages is.
    """
    active = pager.select_one("li.active > span")
    if active is not None and words_of(active).isdecimal():
        links = [link for link in pager.select("li > a[href]") if words_of(link).isdecimal()]
        return int(words_of(active)), {
            int(words_of(link)): _parse_start(query_of(link, "start")) for link in links
        }
    bold = [words_of(one) for one in pager.select("strong")]
    if active is None and bold == ["1", "1"]:
        return 1, {}
    raise IncompletePageError("page/no-paginator", f"the paginator says {words_of(pager)!r}")


def _check_count(page: Tag, posts: tuple[Post, ...], last: bool) -> None:
    """Compare with the forum's own count of the topic's posts.

    It leaves out those that wait for a moderator, save for moderators. Where it doesn't leave out what the
    page shows, phpBB has counted the page from the topic's end, and another post is missing.
    """
    count = find_count(page.select_one(_PAGER))
    if count is None:
        raise IncompletePageError("page/no-count", "the page doesn't say how many posts the topic has")
    most = posts[-1].number or 0
    waiting = sum(post.visibility is Visibility.UNAPPROVED for post in posts)
    right = {most - waiting, most} if _is_moderator(page) else {most - waiting}
    if not (count in right if last else count > most - waiting):
        detail = f"the forum counts {count} posts, the page ends with number {most}"
        waits = f", and {waiting} wait for a moderator" if waiting else ""
        raise IncompletePageError("page/count", detail + waits)


def _is_moderator(page: Tag) -> bool:
    menu = page.find(id="nav-main")
    return isinstance(menu, Tag) and menu.select_one('a[href*="mcp.php"]') is not None
