"""Pages saved from a browser: whose they are, and what several saves of a topic prove together."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from jobs.catalogues import load_catalogue
from parsers.pages.guard import NotATopicPage, PageError
from parsers.pages.saved import READABLE, OtherSoftware, SavedPage, parse_saved
from processor.forums.folder_pages import Joined, join_pages
from rules.play.posts import Precision
from tests.support import mybb_pages, phpbb_pages, smf_pages
from tests.support.spirit_pages import ShownPost, Viewer, show_login, show_topic
from tests.support.umbria_pages import UmbriaPost, show_scene

NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
DIRECTOR = Viewer("9", "elena", "Europe/Madrid")
HOUR = timedelta(hours=1)
LATER = datetime(2030, 1, 1, tzinfo=UTC)
PAGES = Path(__file__).parent
CLOCK = '<i id="current_time">12-01-2026, 12:00</i>'


def post(number: int, html: str = "<p>Hola</p>", edits: int = 0) -> ShownPost:
    """A post by account 2, a minute after the one before."""
    return ShownPost(str(100 + number), number, "2", "marina", NOON + timedelta(minutes=number), html, edits)


def save(
    numbers: range | list[ShownPost], *, page: int = 1, pages: int = 1, hours: int = 1, file: str = ""
) -> SavedPage:
    """A page of topic 12, saved so many hours after noon."""
    posts = [post(one) for one in numbers] if isinstance(numbers, range) else numbers
    text = show_topic("12", "Veth", posts, DIRECTOR, page=page, pages=pages)
    name = file or f"p{page}-{hours}.html"
    return parse_saved(text.encode(), name, NOON + hours * HOUR, ZoneInfo("Europe/Madrid"), lambda _: "")


def said(joined: Joined) -> list[tuple[str, str]]:
    """What is missing, in Spanish."""
    catalogue = load_catalogue("es")
    return [(file, catalogue.text(wrong)) for file, wrong in joined.problems]


def test_a_page_is_known_by_its_fingerprint() -> None:
    """A browser's own comment on top and absolute addresses don't matter."""
    text = show_topic("12", "Veth", [post(1)], DIRECTOR).strip()
    text = "<!-- saved from url=(0040)https://foro.example.org/topic/12/ -->\n" + text.replace(
        'href="/', 'href="https://foro.example.org/'
    )
    page = parse_saved(text.encode(), "a.html", NOON + HOUR, ZoneInfo("Europe/Madrid"), lambda _: "")
    assert ("spirit", "12", 1, 1) == (page.software, page.topic, page.page, page.pages)
    assert [("101", "2")] == [(one.id, one.author_id) for one in page.posts]
    scene = show_scene([UmbriaPost(7, 4321, "Ana", "01/12/2026, 12:30", "<p>Hola</p>")])
    umbria = parse_saved(scene.encode(), "b.html", NOON + HOUR, ZoneInfo("Europe/Madrid"), lambda _: "")
    assert ("umbria", None, "4321") == (umbria.software, umbria.pages, umbria.posts[0].author_id)
    assert ("spirit", "umbria", "flaskbb", "phpbb", "mybb", "xenforo", "smf", "nodebb") == READABLE


def test_a_topic_of_flaskbb_and_a_conversation() -> None:
    """A topic says which of how many pages it is; a conversation is one page, known by its first message."""
    zone = ZoneInfo("UTC")
    topic = parse_saved((PAGES / "flaskbb" / "topic.html").read_bytes(), "a.html", LATER, zone, str)
    assert ("flaskbb", "12", False, 2, 3) == (
        topic.software,
        topic.topic,
        topic.private,
        topic.page,
        topic.pages,
    )
    assert ["ana", "beto_2", "carla", None, "ana"] == [post.author_id for post in topic.posts]
    letters = parse_saved((PAGES / "flaskbb" / "conversation.html").read_bytes(), "b.html", LATER, zone, str)
    assert (True, 1, 1) == (letters.private, letters.page, letters.pages)
    first = letters.posts[0]
    assert (letters.topic, True) == (first.topic, first.private)
    assert {f"{letters.topic}m"} == {one.id[: len(letters.topic) + 1] for one in letters.posts}


def test_a_topic_of_phpbb() -> None:
    """Its times have their zone, whatever the account sees, and it says which of how many pages it is."""
    shown = phpbb_pages.ShownPost("7", "2", "marina", NOON)
    viewer = phpbb_pages.Viewer("9", "elena")
    text = phpbb_pages.show_topic("12", "Veth", [shown], viewer, count=4, length=3, start=3)
    body = text.replace('href="./', 'href="https://foro.example.org/').encode()
    page = parse_saved(body, "a.html", LATER, ZoneInfo("America/Santiago"), str)
    assert ("phpbb", "12", 2, 2) == (page.software, page.topic, page.page, page.pages)
    assert [("7", 4, NOON, "2")] == [
        (one.id, one.number, one.created_at, one.author_id) for one in page.posts
    ]


def test_a_topic_of_smf_has_the_day_of_its_own_clock() -> None:
    """Saved the day after, "today" is still the day on which the page was made."""
    eye = smf_pages.Eye(NOON, "9", "elena", "Europe/Madrid", "es")
    written = [
        smf_pages.ShownPost(str(10 + n), 15 + n, "2", "marina", NOON - timedelta(hours=16 * n), "Hola")
        for n in (2, 1)
    ]
    renumbered = [replace(one, number=16 + at) for at, one in enumerate(written)]
    shown = smf_pages.show_topic("12", "Veth", renumbered, eye, page=2, pages=2).encode()
    page = parse_saved(shown, "a.html", NOON + 26 * HOUR, ZoneInfo("Europe/Madrid"), str)
    assert ("smf", "12", 2, 2) == (page.software, page.topic, page.page, page.pages)
    assert [NOON - timedelta(hours=16 * n) for n in (2, 1)] == [post.created_at for post in page.posts]
    coarse = re.sub(rb"(:[0-9]{2}):[0-9]{2}\b", rb"\1", shown)
    page = parse_saved(coarse, "a.html", NOON + HOUR, ZoneInfo("Europe/Madrid"), str)
    assert {Precision.MINUTE} == {post.precision for post in page.posts}
    bare = shown.replace(b'<div class="user">', b'<div class="usuario">')
    with pytest.raises(PageError, match="page/no-clock"):
        parse_saved(bare, "a.html", NOON + HOUR, ZoneInfo("Europe/Madrid"), str)
    error = smf_pages.show_error(eye, "topic_gone", "El tema no existe.")
    with pytest.raises(PageError, match=r"forum/missing: El tema no existe\."):
        parse_saved(error.encode(), "a.html", NOON + HOUR, ZoneInfo("Europe/Madrid"), str)


def test_a_topic_of_mybb() -> None:
    """The clock at its foot tells how dates are written; it has to be saved while that is right."""
    shown = mybb_pages.ShownPost("7", 4, "2", "marina", NOON - HOUR)
    viewer = mybb_pages.Viewer("9", "elena", 1.0, "%d.%m.%Y", "%H:%M")
    body = mybb_pages.show_topic("12", "Veth", [shown], viewer, NOON, page=2, pages=2).encode()
    page = parse_saved(body, "a.html", NOON + HOUR / 10, ZoneInfo("Europe/Madrid"), str)
    assert ("mybb", "12", 2, 2) == (page.software, page.topic, page.page, page.pages)
    assert [("7", 4, NOON - HOUR, "2")] == [
        (one.id, one.number, one.created_at, one.author_id) for one in page.posts
    ]
    for saved_at, zone in ((NOON + HOUR, "Europe/Madrid"), (NOON, "Europe/London")):
        with pytest.raises(PageError, match="page/unknown-clock"):
            parse_saved(body, "a.html", saved_at, ZoneInfo(zone), str)


@pytest.mark.parametrize(
    ("name", "software"), [("xf2", "xenforo"), ("nodebb", "nodebb"), ("umbria", "umbria")]
)
def test_pages_that_are_read_by_their_shape_prove_only_themselves(name: str, software: str) -> None:
    """Nothing tells how many there are, so the director has to say that none is missing."""
    body = (PAGES / "shapes" / f"{name}.html").read_bytes()
    page = parse_saved(body, "a.html", LATER, ZoneInfo("Europe/Madrid"), str)
    assert (software, "7" if name == "nodebb" else "", None, None) == (
        page.software,
        page.topic,
        page.page,
        page.pages,
    )
    assert ["31"] == [post.author_id for post in page.posts]
    assert join_pages([page]).until is None


def test_notes_of_umbria_are_read_by_option_only() -> None:
    """They are for few: where the game wants them, they are private messages of whoever wrote the post."""
    body = (PAGES / "shapes" / "umbria.html").read_bytes()
    page = parse_saved(body, "a.html", LATER, ZoneInfo("Europe/Madrid"), str, notes=True)
    post, notes = page.posts
    assert [("880041", False), ("880041n", True)] == [(one.id, one.private) for one in (post, notes)]
    assert ("31", post.created_at, post.url) == (notes.author_id, notes.created_at, notes.url)
    assert "pregonar" in (notes.html or "")


@pytest.mark.parametrize(
    "page",
    [
        '<html id="XF" class="XenForo"><body><form></form></body></html>',
        '<html><body><ul component="topic"></ul></body></html>',
        '<html><body><nav class="flaskbb-navbar"></nav></body></html>',
        '<html><body><div id="listaMensajes"></div></body></html>',
        '<html><body id="phpbb"><form id="login"></form></body></html>',
        f'<html><p id="container"><i id="header"><i id="panel"></i></i>{CLOCK}</html>',
    ],
)
def test_a_known_forum_s_page_without_posts_is_no_topic(page: str) -> None:
    """It is told so, instead of that its program isn't known."""
    with pytest.raises(NotATopicPage) as raised:
        parse_saved(f"<!DOCTYPE html>{page}".encode(), "a.html", NOON, ZoneInfo("UTC"), str)
    assert not isinstance(raised.value, OtherSoftware)


@pytest.mark.parametrize(
    ("mark", "name"),
    [
        ('<div class="x">forum software by <b>vBulletin</b></div>', "vBulletin"),
        ("<script>var my_post_key = 'x';</script>", "MyBB"),
        ('<meta name="generator" content="Discourse 3.1">', "Discourse"),
        ("<p>Powered by Flarum</p>", "Flarum"),
        ("<p>Nada</p>", ""),
    ],
)
def test_other_software_is_refused_by_name(mark: str, name: str) -> None:
    """A page that can't be read is never an empty one."""
    text = f"<!DOCTYPE html><html><body>{mark}<p>[órdenes]</p></body></html>"
    with pytest.raises(OtherSoftware) as raised:
        parse_saved(text.encode(), "a.html", NOON, ZoneInfo("UTC"), lambda _: "")
    assert name == raised.value.name


def test_a_login_page_and_a_cut_one_are_no_topic() -> None:
    """Nor is a page that holds posts of after it was saved: its time or its zone is another."""
    whole = show_topic("12", "Veth", [post(1)], DIRECTOR)
    for text, at in ((show_login("t"), NOON), (whole[: len(whole) // 2], NOON + HOUR), (whole, NOON - HOUR)):
        with pytest.raises(PageError):
            parse_saved(text.encode(), "a.html", at, ZoneInfo("Europe/Madrid"), lambda _: "")


def test_pages_that_join_prove_each_other() -> None:
    """From the first page to the last, all that was there when the oldest of them was saved."""
    joined = join_pages([save(range(4, 6), page=2, pages=2, hours=3), save(range(1, 4), pages=2, hours=2)])
    assert ([1, 2, 3, 4, 5], ()) == ([one.number for one in joined.posts], joined.problems)
    assert NOON + 2 * HOUR == joined.until


def test_later_pages_alone_are_read_and_prove_nothing() -> None:
    """Nobody has to save a topic from its beginning; then its director says that nothing is missing."""
    joined = join_pages([save(range(4, 6), page=2, pages=2)])
    assert (2, (), None) == (len(joined.posts), joined.problems, joined.until)


def test_a_page_that_is_missing_is_named() -> None:
    """The newest save says how many there are."""
    joined = join_pages([save(range(1, 4), pages=2), save(range(4, 7), page=2, pages=4, hours=2)])
    assert [
        ("p2-2.html", "falta la página 3 de 4"),
        ("p2-2.html", "falta la página 4 de 4"),
    ] == said(joined)
    assert joined.until is None


def test_pages_between_which_posts_moved_are_saved_again() -> None:
    """A post was taken out after the first page was saved, so one more moved onto it."""
    joined = join_pages([save(range(1, 4), pages=2), save(range(5, 7), page=2, pages=2, hours=2)])
    assert [("p1-1.html", "no encaja con p2-2.html: entre una y otra se movieron mensajes")] == said(joined)


def test_an_older_save_takes_nothing_back() -> None:
    """A post in two saves is one post with two versions, by when they were saved, in whatever order they
    come; what is equal in both is one version.
    """
    before = save([post(1), post(2, "<p>uno</p>")], hours=1)
    after = save([post(1), post(2, "<p>dos</p>", 1), post(3)], hours=3)
    between = save([post(1), post(2, "<p>uno</p>")], hours=2)
    for pages in ([before, between, after], [after, before, between]):
        joined = join_pages(pages)
        assert [
            ("101", "<p>Hola</p>", NOON + HOUR),
            ("102", "<p>uno</p>", NOON + HOUR),
            ("102", "<p>dos</p>", NOON + 3 * HOUR),
            ("103", "<p>Hola</p>", NOON + 3 * HOUR),
        ] == [(one.id, one.html, one.seen_at) for one in joined.posts]


def test_what_a_newer_save_no_longer_shows_is_gone() -> None:
    """A post that was deleted between two saves isn't there any more."""
    joined = join_pages([save(range(1, 4), hours=1), save(range(1, 3), hours=2)])
    assert ["101", "102"] == [one.id for one in joined.posts]
