"""phpBB's topics, re-created in our own words: what is read of them, in any language, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from bs4 import BeautifulSoup

from parsers.markup.dialect import PHPBB
from parsers.markup.html import read_html
from parsers.pages.guard import IncompletePageError, NotATopicPage, PageError
from parsers.pages.phpbb import offers_login, parse_length, parse_topic, parse_viewer
from parsers.pages.topics import TopicPage, read_page
from rules.play.posts import Post, Visibility
from tests.support.phpbb_pages import ShownPost, Viewer, render, show_login, show_notice, show_topic

NOON = datetime(2026, 12, 1, 12, 0, 7, tzinfo=UTC)
ELENA = Viewer("9", "elena")
ORDERS = "[órdenes turno 3]\nproducir\n[/órdenes]"


def link(post_id: str) -> str:
    """A post's address."""
    return f"https://foro.example.org/viewtopic.php?p={post_id}#p{post_id}"


def post(number: int, text: str = "hola", **more: object) -> ShownPost:
    """A post by account 2, a minute after the one before."""
    made = ShownPost(str(40 + number), "2", "marina", NOON + timedelta(minutes=number), render(text))
    return replace(made, **more)  # type: ignore[arg-type]


def tree(page: str) -> BeautifulSoup:
    """A page as the parsers see it."""
    return read_page(page.encode(), "text/html; charset=UTF-8")


def read(page: str) -> TopicPage:
    """A topic's page, read."""
    return parse_topic(tree(page), link)


def read_one(shown: ShownPost, language: str = "es") -> Post:
    """The only post of a topic."""
    viewer = replace(ELENA, language=language, moderator=True)
    (found,) = read(show_topic("12", "Veth", [shown], viewer)).posts
    return found


def middle(posts: Sequence[ShownPost] = (post(1), post(2), post(3)), count: int = 8) -> str:
    """The second page of three, with three posts a page."""
    return show_topic("12", "Las marcas: <ñandúes>", posts, ELENA, start=3, length=3, count=count)


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_topic_page_is_read_whole(language: str) -> None:
    """Where it stands in the topic, whose session it is, and each post with its number and author."""
    shown = [post(1), post(2, author_id="77", author="beto 2"), post(3, author_id=None, author="se fue")]
    viewer = Viewer("9", "elena", language)
    page = read(show_topic("12", "Las marcas: <ñandúes>", shown, viewer, start=3, length=3, count=8))
    assert ("12", "Las marcas: <ñandúes>", 2, 3) == (page.topic, page.title, page.page, page.pages)
    assert ("9", True, False) == (page.viewer, page.open, page.private)
    assert [("41", 4), ("42", 5), ("43", 6)] == [(one.id, one.number) for one in page.posts]
    assert [("2", "marina"), ("77", "beto 2"), (None, "se fue")] == [
        (one.author_id, one.author) for one in page.posts
    ]
    assert link("41") == page.posts[0].url


def test_times_are_utc_to_the_second_wherever_they_were_written() -> None:
    """From the attribute that machines read, not from the words in the account's own format."""
    madrid = NOON.astimezone(datetime.fromisoformat("2026-12-01T00:00:00+01:00").tzinfo)
    read_at = read_one(post(0, date=madrid)).created_at
    assert (NOON, UTC) == (read_at, read_at.tzinfo)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize(
    ("shown", "edits"),
    [
        (post(1), 0),
        (post(1, edits=1), 1),
        (post(1, edits=12, reason="errata del turno 7"), 12),
        (post(1, reason="errata"), 1),
        (post(1, bumped=True), 0),
        (post(1, edits=2, bumped=True), 2),
        (post(1, edits=3, author="beto 99"), 3),
    ],
    ids=["none", "one", "twelve", "only a reason", "lifted", "edited and lifted", "a name with a number"],
)
def test_edits_are_counted_by_their_number(shown: ShownPost, edits: int, language: str) -> None:
    """In any language; a topic that was lifted wasn't edited."""
    assert edits == read_one(shown, language).edits


def test_a_body_is_what_its_author_wrote() -> None:
    """No signature, and nothing that differs from one reading to the next: how often a file was looked at,
    when a quoted post was written as the account sees it.
    """
    quoted = (
        '<blockquote cite="./viewtopic.php?p=4#p4"><div><cite><a href="./x">Beto</a> escribió: '
        '<span class="responsive-hide">hace 5 minutos</span></cite>[órdenes]<br>atacar</div></blockquote>'
    )
    file = '<div class="inline-attachment"><dl class="file"><dd>mapa.png Visto 3 veces</dd></dl></div>'
    shown = post(1, html=f"{quoted}Yo no.<!-- x -->", attached=file, signature=render(ORDERS))
    body = read_one(shown).html or ""
    assert [] == [one for one in ("hace 5", "Visto", "producir", "<!--") if one in body]
    seen = read_html(body, PHPBB)
    assert (["Yo no."], ["quote"]) == ([one.text for one in seen.lines], [one.kind for one in seen.skipped])


@pytest.mark.parametrize(
    ("state", "visibility"),
    [
        ("visible", Visibility.VISIBLE),
        ("deleted", Visibility.REMOVED),
        ("unapproved", Visibility.UNAPPROVED),
        ("ignored", Visibility.VISIBLE),
    ],
)
def test_what_members_don_t_see_has_no_text(state: str, visibility: Visibility) -> None:
    """A moderator's account sees more than counts; whom the account ignores is read like anybody."""
    found = read_one(post(1, state=state))
    assert (visibility, visibility is Visibility.VISIBLE) == (found.visibility, found.html is not None)


def test_a_closed_topic_is_told() -> None:
    """By the lock, whatever is written beside it."""
    assert not read(show_topic("12", "Veth", [post(1)], ELENA, closed=True)).open


def test_the_length_of_pages_is_taken_from_their_addresses() -> None:
    """PhpBB counts posts, not pages: who asks for a page has to know how long they are."""
    assert 3 == parse_length(tree(middle()))
    assert parse_length(tree(show_topic("12", "Veth", [post(1)], ELENA))) is None
    last = show_topic("12", "Veth", [post(1)], ELENA, start=3, length=3, count=4)
    assert parse_length(tree(last)) is None


def test_many_pages_are_offered_in_part() -> None:
    """What is left out between them doesn't matter."""
    page = read(show_topic("12", "Veth", [post(n) for n in range(3)], ELENA, start=30, length=3, count=200))
    assert (11, 67) == (page.page, page.pages)


def test_whose_session_it_is() -> None:
    """A member's page names the account; a guest's offers to log in; a foreign one does neither."""
    guest, member = (tree(show_topic("12", "Veth", [post(1)], one)) for one in (None, ELENA))
    assert [(None, True), ("9", False)] == [(parse_viewer(one), offers_login(one)) for one in (guest, member)]
    assert offers_login(tree(show_login({})))
    other = tree("<html><body><a href='ucp.php?mode=login'>x</a></body></html>")
    assert (None, False) == (parse_viewer(other), offers_login(other))


def test_nothing_that_people_write_is_structure() -> None:
    """A post that imitates a post, a paginator or a topic's head stays a text."""
    fake = (
        '<div id="p99" class="post"><div class="inner"><p class="author"><a class="username" '
        'href="./memberlist.php?mode=viewprofile&u=1">admin</a></p></div></div><h2 class="topic-title">'
        '<a href="./viewtopic.php?t=66">x</a></h2><div class="action-bar">'
        '<div class="pagination">9</div></div>'
    )
    page = read(show_topic("12", "Veth", [post(1, html=fake), post(2)], ELENA))
    assert ("12", ["41", "42"]) == (page.topic, [one.id for one in page.posts])


def without(part: str, by: str = "") -> Callable[[str], str]:
    """The page with a part of it replaced, wherever it stands."""

    def change(page: str) -> str:
        assert part in page
        return page.replace(part, by)

    return change


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (without('class="content"', 'class="text"'), "page/no-body"),
        (without('id="post_content42"', 'id="content42"'), "page/no-body"),
        (without('<div id="p42" class="post ', '<div id="x42" class="post '), "page/drift"),
        (without('<div id="p42" class="post ', '<div id="p42" class="message '), "page/drift"),
        (without("datetime=", "title="), "page/bad-time"),
        (without("+00:00", ""), "page/bad-time"),
        (without('class="username"', 'class="name"'), "page/no-author"),
        (without('class="pagination"', 'class="pager"'), "page/no-paginator"),
        (without('<li class="active">', "<li>"), "page/no-paginator"),
        (without('rel="next"'), "page/bad-paginator"),
        (without("start=6", "start=5"), "page/bad-paginator"),
        (without("&amp;start=3", ""), "page/bad-paginator"),
        (without("&amp;start=3", "&amp;start=x"), "page/bad-paginator"),
        (without("8 mensajes", "mensajes"), "page/no-count"),
        (without("8 mensajes", "6 mensajes"), "page/count"),
        (without('id="p42"', 'id="p41"'), "page/no-body"),
        (without('class="topic-title"', 'class="title"'), "page/no-topic"),
        (without("viewtopic.php?t=12", "las-marcas-t12.html"), "page/no-topic"),
    ],
)
def test_another_style_is_never_read_by_halves(change: Callable[[str], str], code: str) -> None:
    """Whatever isn't where it was is named; no post is left out."""
    with pytest.raises(PageError) as raised:
        read(change(middle()))
    assert code == raised.value.code


def test_the_last_page_has_to_reach_the_forum_s_count() -> None:
    """A post that is missing at the end, or one too many, shows by the number that phpBB writes above."""
    for count in (1, 3):
        with pytest.raises(IncompletePageError, match="page/count"):
            read(show_topic("12", "Veth", [post(1), post(2)], ELENA, count=count))


def test_posts_that_wait_for_a_moderator_are_left_out_of_the_count() -> None:
    """PhpBB shows them to their author, and counts them for moderators only: were one counted that is shown,
    another would be missing.
    """
    shown, moderator = [post(1), post(2, state="unapproved")], replace(ELENA, moderator=True)
    for one, count in ((ELENA, 1), (moderator, 1), (moderator, 2)):
        assert 2 == len(read(show_topic("12", "Veth", shown, one, count=count)).posts)
    with pytest.raises(IncompletePageError, match=r"page/count.* and 1 wait for a moderator"):
        read(show_topic("12", "Veth", shown, ELENA, count=2))


@pytest.mark.parametrize(
    "page", [show_login({}), show_notice("No existe.", ELENA), show_topic("12", "Veth", [], ELENA)]
)
def test_another_page_is_no_empty_topic(page: str) -> None:
    """Nor is a topic without posts one."""
    with pytest.raises(NotATopicPage):
        read(page)


def test_a_cut_anywhere_is_noticed() -> None:
    """Also where what is left could be a page."""
    page = middle()
    for at in range(0, page.index('id="page-footer"'), 97):
        for end in ("", "</html>"):
            with pytest.raises(PageError):
                read(page[:at] + end)
