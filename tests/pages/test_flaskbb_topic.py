"""FlaskBB's pages, re-created in our own words: topics, conversations, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from parsers.markup.dialect import FLASKBB
from parsers.markup.html import read_html
from parsers.pages.flaskbb import (
    check_answer,
    find_post,
    parse_complaints,
    parse_conversation,
    parse_conversations,
    parse_raw,
    parse_topic,
    parse_viewer,
)
from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.topics import TopicPage, read_page
from processor.pipeline.reading import wants_raw
from rules.play.posts import Visibility
from tests.support import flaskbb_pages

PAGES = Path(__file__).parent / "flaskbb"


def tree(name: str) -> BeautifulSoup:
    """A page as the parsers see it."""
    return read_page((PAGES / name).read_bytes(), "text/html; charset=utf-8")


def link(post_id: str) -> str:
    """A post's address."""
    return f"https://foro.example.org/post/{post_id}"


@pytest.fixture
def page() -> TopicPage:
    """The second of three pages of a topic, as a moderator sees it."""
    return parse_topic(tree("topic.html"), link)


def test_a_topic_page_is_read_whole(page: TopicPage) -> None:
    """Where it stands in the topic, whose it is, and each post with its number and author."""
    assert ("12", "Las marcas: <ñandúes>", 2, 3) == (page.topic, page.title, page.page, page.pages)
    assert ("elena", True, False) == (page.viewer, page.open, page.private)
    assert [("41", 4), ("42", 5), ("44", 6), ("45", 7), ("46", 8)] == [(p.id, p.number) for p in page.posts]
    assert ["ana", "beto_2", "carla", None, "ana"] == [post.author_id for post in page.posts]
    assert "quien-se-fue" == page.posts[3].author
    assert link("41") == page.posts[0].url


def test_times_are_taken_from_their_attribute(page: TopicPage) -> None:
    """In UTC whatever zone they are written in, to the second; the day somebody joined is none of them."""
    expected = [
        datetime(2026, 12, 1, 19, minute, second, tzinfo=UTC) for minute, second in ((0, 1), (5, 0), (6, 0))
    ]
    assert expected == [post.created_at for post in page.posts[:3]]
    assert (1, datetime(2026, 12, 1, 19, 30, tzinfo=UTC)) == (page.posts[0].edits, page.posts[0].edited_at)
    assert (0, None) == (page.posts[1].edits, page.posts[1].edited_at)


def test_a_body_is_what_its_author_wrote(page: TopicPage) -> None:
    """No signature, no button, no comment of the template."""
    assert "<p>[órdenes turno 3]<br/>\nproducir<br/>\n[/órdenes]</p>" == page.posts[0].html
    assert "Show full quote" not in (page.posts[1].html or "")
    seen = read_html(page.posts[1].html or "", FLASKBB)
    assert (["Yo no."], ["quote"]) == ([one.text for one in seen.lines], [one.kind for one in seen.skipped])


def test_a_hidden_post_has_no_text(page: TopicPage) -> None:
    """Not even for the moderator who still sees it."""
    assert (Visibility.REMOVED, None) == (page.posts[4].visibility, page.posts[4].html)


def test_code_is_worth_asking_for_the_text_as_typed(page: TopicPage) -> None:
    """FlaskBB loses the word behind a fence; in Spirit, which keeps it, code alone asks for nothing."""
    assert [True, False, True, False] == [wants_raw(post, "flaskbb") for post in page.posts[:4]]
    assert not wants_raw(page.posts[2], "spirit")


def test_a_signature_left_in_a_body_is_none_of_the_text() -> None:
    """The dialect knows it, too: whoever reads a body from elsewhere takes no order from it."""
    html = '<p>hola</p><div class="post-signature"><p>[órdenes]<br/>atacar<br/>[/órdenes]</p></div>'
    seen = read_html(html, FLASKBB)
    assert (["hola"], ["signature"]) == ([one.text for one in seen.lines], [one.kind for one in seen.skipped])


def test_a_conversation_is_read_whole() -> None:
    """Its messages have ids of their own kind; somebody whose account is gone is nobody."""
    read = parse_conversation(tree("conversation.html"), "c5", ("ana", "turnero"), "https://foro/c/5")
    assert ("c5", "Alfa: Tau", True, ("ana", "turnero")) == (
        read.topic,
        read.title,
        read.private,
        read.participants,
    )
    assert [("c5m3", "turnero", 1), ("c5m8", None, 2)] == [(p.id, p.author_id, p.number) for p in read.posts]
    assert ({True}, False) == ({post.private for post in read.posts}, read.open)
    assert "https://foro/c/5#mid8" == read.posts[1].url


def test_what_is_missing_is_told_though_the_forum_says_200() -> None:
    """`None Unknown Error` is never an empty topic."""
    with pytest.raises(NotATopicPage, match="forum/missing"):
        check_answer((PAGES / "missing.html").read_bytes())
    check_answer((PAGES / "topic.html").read_bytes())


def test_a_false_success_inside_a_post_is_none() -> None:
    """Whoever writes those words into a post doesn't make the topic disappear."""
    post = flaskbb_pages.ShownPost("1", 1, "ana", datetime(2026, 12, 1, tzinfo=UTC))
    text = "<title>None Unknown Error</title>"
    shown = flaskbb_pages.render(text)
    assert text not in shown
    made = flaskbb_pages.show_topic("12", "x", [post], "ana")
    check_answer(made.encode())


SPOILERS: dict[str, Callable[[str], str]] = {
    "no body": lambda page: page.replace('class="post-content" id="pid42"', 'class="post-text"'),
    "another's body": lambda page: page.replace('id="pid42"', 'id="pid43"'),
    "no number": lambda page: page.replace("<strong>#5</strong>", ""),
    "a gap": lambda page: page.replace("<strong>#5</strong>", "<strong>#9</strong>"),
    "no time": lambda page: page.replace('datetime="2026-12-01T19:05:00.999999+00:00"', ""),
    "no zone": lambda page: page.replace("19:05:00.999999+00:00", "19:05:00.999999"),
    "no author": lambda page: page.replace('class="author-name"', 'class="name"', 2),
    "no paginator": lambda page: page.replace('class="pagination"', 'class="pages"'),
    "a page that isn't offered": lambda page: page.replace("page=3", "page=2"),
    "half of the posts": lambda page: page.replace('class="row post-row"', 'class="row post-line"', 2),
    "a post in a post": lambda page: page.replace("<p>Adiós.</p>", '<div class="post-row" id="99"></div>'),
    "twice the same": lambda page: page.replace('"42"', '"41"').replace('"pid42"', '"pid41"'),
}


@pytest.mark.parametrize("name", SPOILERS)
def test_a_page_with_one_thing_amiss_is_refused_whole(name: str) -> None:
    """A changed theme or a garbled page is never a page with fewer posts (F15, F17)."""
    spoilt = SPOILERS[name]((PAGES / "topic.html").read_text(encoding="utf-8"))
    assert spoilt != (PAGES / "topic.html").read_text(encoding="utf-8")
    with pytest.raises(IncompletePageError):
        parse_topic(read_page(spoilt.encode(), None), link)


@pytest.mark.parametrize("name", ["conversation.html", "list"])
def test_another_page_is_no_topic(name: str) -> None:
    """Nor is a topic a conversation or a list of them."""
    made = flaskbb_pages.show_list([], "ana", 1, 1)
    other = read_page(made.encode(), None) if name == "list" else tree(name)
    with pytest.raises(NotATopicPage):
        parse_topic(other, link)
    with pytest.raises(NotATopicPage):
        parse_conversation(tree("topic.html"), "c5", (), "")
    with pytest.raises(NotATopicPage):
        parse_conversations(tree("topic.html"))


def test_a_guest_s_page_shows_no_viewer() -> None:
    """A link to somebody's profile makes nobody the viewer."""
    guest = flaskbb_pages.frame('<a class="btn" href="/user/ana">ana</a>', None)
    assert parse_viewer(BeautifulSoup(guest, "lxml")) is None
    assert "elena" == parse_viewer(tree("topic.html"))


def test_complaints_are_the_forum_s_words() -> None:
    """What stands ready for scripts, such as the limits on attachments, was never said."""
    form = flaskbb_pages.show_form("", "t", {}, "content", wrong=["Sin texto no."])
    page = flaskbb_pages.frame(form, "ana", said=["Nadie te deja"])
    assert ("Nadie te deja", "Sin texto no.") == parse_complaints(BeautifulSoup(page, "lxml"))


@pytest.mark.parametrize("markup", ["<textarea>", "<script>", "<!--", "<div>", "<div><div>", "</div></div>"])
def test_what_a_message_leaves_open_costs_no_other(markup: str) -> None:
    """Orders may be among those that it would swallow."""
    shown = [
        flaskbb_pages.ShownMessage(str(n), "ana", datetime(2026, 12, 1, n, tzinfo=UTC), html)
        for n, html in enumerate((f"<p>uno</p>{markup}", "<p>dos</p>"), 1)
    ]
    page = flaskbb_pages.show_conversation("5", "x", shown, "turnero", "t", ())
    with pytest.raises(IncompletePageError):
        parse_conversation(read_page(page.encode(), None), "c5", ("ana", "turnero"), "")


TYPED = (
    "hola",
    "> cita\n>\n> otra",
    "uno\n\n  dos  \n>tres",
    "```órdenes\nx\n```",
    "> **[a](/b) wrote:**\n>\n> x",
)


@pytest.mark.parametrize("text", TYPED)
def test_a_raw_text_comes_out_of_its_quote(text: str) -> None:
    """Whatever it holds, quotes of quotes too; line ends are LF."""
    for quoted in (flaskbb_pages.quote("ana", text, "5"), flaskbb_pages.quote("ana", text, None)):
        assert text == parse_raw(quoted.encode(), "text/html; charset=utf-8")
        assert text == parse_raw(quoted.replace("\n", "\r\n").encode(), None)


@pytest.mark.parametrize("body", ["", "hola", "> hola\n>\n> x", "> **[a](/user/a) wrote:**\n>\nx"])
def test_an_answer_that_is_no_quote_is_no_text(body: str) -> None:
    """Nothing is made up."""
    with pytest.raises(NotATopicPage):
        parse_raw(body.encode(), "text/html; charset=utf-8")


def test_only_a_post_s_address_is_one() -> None:
    """The id after posting comes from the redirect."""
    found = [find_post(one) for one in ("https://f/post/17", "/post/17/raw", "/topic/17-x", "/auth/login")]
    assert ["17", None, None, None] == found
