"""Spirit's topic pages and lists, re-created by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from bs4 import BeautifulSoup

from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.spirit import parse_topic, parse_topic_list, parse_viewer
from parsers.pages.topics import TopicLink, TopicPage, check_times, read_page
from rules.play.posts import Precision, Visibility
from tests.support.spirit_pages import ShownPost, Viewer, frame, show_list, show_login, show_topic

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
BOT = Viewer("7", "turnero", "Europe/Madrid")
POSTS = (
    ShownPost("11", 1, "1", "gamemaster", NOON, "<p>Hola</p>"),
    ShownPost(
        "15", 2, "2", "alice", NOON + timedelta(minutes=5), "<p>[órdenes]<br>\nmover<br>\n[/órdenes]</p>", 2
    ),
    ShownPost("17", 3, "3", "bob", NOON + timedelta(hours=13), kind="removed"),
    ShownPost("18", 4, "1", "gamemaster", NOON + timedelta(hours=13), kind="lock"),
)


def link(post_id: str) -> str:
    """A post's address."""
    return f"https://foro.example.org/comment/{post_id}/find/"


def parse(page: str, zone: str = "Europe/Madrid") -> TopicPage:
    """Read a page as it would arrive."""
    return parse_topic(read_page(page.encode(), "text/html; charset=utf-8"), ZoneInfo(zone), link)


def page_of(posts: Sequence[ShownPost], viewer: Viewer | None = BOT) -> str:
    """A page with these posts."""
    return show_topic("9", "Turno 3", posts, viewer)


def test_every_kind_of_post_is_read() -> None:
    """Comments, removed comments and notices of the forum keep their numbers, authors and times."""
    page = parse(page_of(POSTS))
    assert [post.visibility for post in page.posts] == [
        *(Visibility.VISIBLE, Visibility.VISIBLE),
        *(Visibility.REMOVED, Visibility.NOTICE),
    ]
    assert [(post.id, post.number, post.author_id, post.edits) for post in page.posts] == [
        *(("11", 1, "1", 0), ("15", 2, "2", 2)),
        *(("17", 3, "3", 0), ("18", 4, "1", 0)),
    ]
    assert [post.created_at - NOON for post in page.posts][1:3] == [timedelta(minutes=5), timedelta(hours=13)]
    assert [post.html is None for post in page.posts] == [False, False, True, True]
    assert {post.precision for post in page.posts} == {Precision.MINUTE}
    assert page.posts[1].url == link("15")


def test_what_the_page_itself_says() -> None:
    """Topic, title, place in the paginator, session and whether one can reply."""
    page = parse(show_topic("9", "Turno <3> & «ñ»", POSTS, BOT, page=2, pages=5))
    assert (page.topic, page.title, page.page, page.pages) == ("9", "Turno <3> & «ñ»", 2, 5)
    assert (page.viewer, page.private, page.participants, page.open) == ("7", False, (), True)
    assert not parse(show_topic("9", "x", POSTS, BOT, closed=True)).open


def test_a_guest_s_page_is_read_too() -> None:
    """A saved page without a session is a topic page without viewer."""
    page = parse(page_of(POSTS, None), "UTC")
    assert (page.topic, page.viewer, page.open) == ("9", None, False)


def test_a_conversation_has_its_participants() -> None:
    """Private conversations list who can read them, by account id in numeric order."""
    people = (Viewer("12", "alice"), Viewer("7", "turnero"))
    page = parse(show_topic("9", "x", POSTS, BOT, participants=people))
    assert (page.private, page.participants) == (True, ("7", "12"))
    assert page.posts[0].private


def test_an_ambiguous_time_is_marked() -> None:
    """A post in the hour that comes twice says so."""
    post = replace(POSTS[0], date=datetime(2026, 10, 25, 1, 30, tzinfo=UTC))
    assert parse(page_of([post])).posts[0].ambiguous
    assert not parse(page_of([post]), "UTC").posts[0].ambiguous


@pytest.mark.parametrize(
    "html",
    [
        '<p>id="c9" data-pk="99" data-number="9"</p>',
        "<p>&lt;div class=&quot;comments_list__comment js-comment&quot; data-pk=&quot;5&quot;&gt;</p>",
        "<p>/comment/bookmark/1/create/ Page 1 of 9</p>",
        '<pre><code class="lang-x">&lt;/div&gt;&lt;/div&gt;\n&lt;/html&gt;</code></pre>',
        '<p><a href="/comment/1/publish/">x</a> <a href="/topic/1/x/">y</a> <a href="/user/1/g/">@g</a></p>',
    ],
)
def test_what_players_write_is_not_taken_for_structure(html: str) -> None:
    """Neither attributes nor addresses nor tags in a post's text change what is read around it."""
    page = parse(page_of([replace(POSTS[0], html=html), POSTS[1]]))
    assert (page.topic, [post.id for post in page.posts], page.pages) == ("9", ["11", "15"], 1)


def test_a_poll_s_token_is_not_part_of_the_text() -> None:
    """The session's token in a poll's form would make every reading look like an edit."""
    poll = '<form><input type="hidden" name="csrfmiddlewaretoken" value="{}"><input name="choices"></form>'
    one, other = (parse(page_of([replace(POSTS[0], html=poll.format(token))])) for token in ("a", "b"))
    assert one == other


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('id="c2"', 'id="c3"'),
        ('id="c2"', ""),
        ('data-number="2"', 'data-number="4"'),
        ('data-number="1"', 'data-number="0"'),
        ('data-pk="15"', 'data-pk="11"'),
        ('data-pk="15"', 'data-pk=""'),
        ('data-pk="15"', 'data-pk="x"'),
        ('comments_list__item js-comment" id="c3"', 'other js-comment" id="c3"'),
        ('comments_list__item js-comment" id="c3"', 'comments_list__item" id="c3"'),
        ('<div class="comment__text', '<div class="text'),
        ("comment__footer", "foot"),
        ('href="/user/2/alice/"', 'href="/member/2/"'),
        ('<li title="Nov. 29, 2026, 1:05 p.m."', "<li"),
        ("Nov. 29, 2026, 1:05 p.m.", "today"),
        ("Page 1 of 1", "Page 1"),
        ("Page 1 of 1", "Page 2 of 1"),
        ("Page 1 of 1", "Page 1 of 2"),
        ("Page 1 of 1</li>", 'Page 1 of 1</li><li><a href="?page=2">&gt;</a></li>'),
        ('<h1 class="headline">', "<h1>"),
    ],
)
def test_a_page_with_one_thing_amiss_is_refused_whole(old: str, new: str) -> None:
    """A part missing, doubled or out of order means that the structure isn't known: no posts at all are
    read.
    """
    page = page_of(POSTS)
    assert page.count(old) >= 1
    with pytest.raises(IncompletePageError):
        parse(page.replace(old, new, 1))


@pytest.mark.parametrize(
    "page",
    [
        show_login("t"),
        show_list([("1", "x")], BOT),
        frame("<h1>Server Error</h1>", BOT),
        frame("", None),
        page_of([]),
        "<!doctype html><html><body>Checking your browser</body></html>",
    ],
    ids=["login", "list", "error", "empty", "topic without posts", "interstitial"],
)
def test_other_pages_are_no_topic(page: str) -> None:
    """A login form, a list, an error or a wall before the forum is never a topic without posts."""
    with pytest.raises(NotATopicPage):
        parse(page)


def test_a_page_of_two_topics_is_refused() -> None:
    """Where form and script name different topics, nothing is believed."""
    page = page_of(POSTS).replace("/comment/bookmark/9/", "/comment/bookmark/8/")
    with pytest.raises(NotATopicPage, match="8, 9"):
        parse(page)


def test_a_post_in_another_s_body_is_refused() -> None:
    """Containers inside containers (broken markup upstream) can't tell whose text is whose."""
    page = page_of(POSTS)
    nested = page.replace("<p>Hola</p>", '<p>Hola</p><div class="js-comment" data-pk="4"></div>')
    with pytest.raises(IncompletePageError, match="page/drift"):
        parse(nested)


def test_a_list_of_topics_is_read() -> None:
    """Entries with id, title and path, and whether there are further pages."""
    page = read_page(show_list([("4", "Asiento  «Tau»"), ("3", "x < y")], BOT, 1, 2).encode(), None)
    topics = parse_topic_list(page)
    assert topics.topics == (
        TopicLink("4", "Asiento «Tau»", "/topic/private/4/4-x/"),
        TopicLink("3", "x < y", "/topic/private/3/3-x/"),
    )
    assert (topics.further, topics.viewer) == (True, "7")
    last = read_page(show_list([("1", "z")], BOT, 2, 2).encode(), None)
    assert not parse_topic_list(last).further


def test_an_empty_list_is_a_list() -> None:
    """An account without conversations has none; another page is no empty list."""
    assert parse_topic_list(read_page(show_list([], BOT).encode(), None)).topics == ()
    with pytest.raises(NotATopicPage):
        parse_topic_list(read_page(show_login("t").encode(), None))


def test_the_viewer_is_the_header_s_account() -> None:
    """A profile link in a post says nothing about whose session it is."""
    assert parse_viewer(BeautifulSoup(page_of(POSTS), "lxml")) == "7"
    assert parse_viewer(BeautifulSoup(page_of(POSTS, None), "lxml")) is None


def test_a_post_may_not_come_from_the_future() -> None:
    """Two minutes of slack, no more."""
    posts = parse(page_of(POSTS[:2])).posts
    check_times(posts, NOON + timedelta(minutes=3))
    with pytest.raises(IncompletePageError, match="page/wrong-zone"):
        check_times(posts, NOON + timedelta(minutes=2, seconds=59))
