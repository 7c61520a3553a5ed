"""SMF's topic pages, re-created in our own words: what is read of them, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from parsers.markup.dialect import SMF
from parsers.markup.html import read_html
from parsers.pages.guard import IncompletePageError, NotATopicPage, PageError
from parsers.pages.smf import parse_topic
from parsers.pages.smf_frame import (
    check_answer,
    find_message,
    find_refusal,
    find_topic,
    offers_login,
    parse_complaints,
    parse_paging,
    parse_viewer,
    parse_zone,
    read_clock,
)
from parsers.pages.topics import TopicPage, read_page
from rules.play.posts import Precision, Visibility
from tests.support import smf_pages
from tests.support.smf_pages import Eye, ShownPost, render, show_topic

NOON = datetime(2026, 12, 1, 11, 0, tzinfo=UTC)
MADRID = ZoneInfo("Europe/Madrid")
EYE = Eye(NOON, "4", "turnero", "Europe/Madrid", "es")
SHAPE = Path(__file__).parent / "shapes" / "smf21.html"
FORM = smf_pages.show_form(EYE, "/index.php?action=post2", {"topic": "12", "last_msg": "46", "seqnum": "x"})
ORDERS = "[órdenes turno 3]\nproducir\n[/órdenes]"
QUOTED = f"[quote=ana]{ORDERS}[/quote]"
POSTS = (
    ShownPost("41", 16, "2", "ana", NOON - timedelta(hours=30), render(ORDERS), signature=render(ORDERS)),
    ShownPost("42", 17, "3", "beto 2", NOON - timedelta(hours=3), render(f"{QUOTED}Yo no.")),
    ShownPost("44", 18, "", "quien-se-fue", NOON - timedelta(hours=2), "Adiós", NOON - timedelta(hours=1)),
    ShownPost("46", 19, "4", "turnero", NOON, "Informe", waiting=True),
)  # fmt: skip


def topic(**changes: object) -> str:
    """The second of three pages of a topic."""
    options: dict[str, object] = {"page": 2, "pages": 3, "form": FORM, **changes}
    return show_topic("12", "Las marcas: <ñandúes>", POSTS, EYE, **options)  # type: ignore[arg-type]


def read(text: str, now: datetime = NOON) -> TopicPage:
    """A page as the adapter reads it."""
    page = read_page(text.encode(), "text/html; charset=UTF-8")
    return parse_topic(page, read_clock(page, MADRID, now), lambda post_id: f"https://foro/{post_id}")


def test_a_topic_page_is_read_whole() -> None:
    """Where it stands in the topic, whose it is, and each post with its number and author."""
    page = read(topic())
    assert ("12", "Las marcas: <ñandúes>", 2, 3) == (page.topic, page.title, page.page, page.pages)
    assert ("4", True, False) == (page.viewer, page.open, page.private)
    assert [("41", 16), ("42", 17), ("44", 18), ("46", 19)] == [(p.id, p.number) for p in page.posts]
    assert ["2", "3", None, "4"] == [post.author_id for post in page.posts]
    assert ["ana", "beto 2", "quien-se-fue", "turnero"] == [post.author for post in page.posts]
    assert "https://foro/41" == page.posts[0].url


def test_the_opening_post_has_no_number() -> None:
    """SMF counts answers; only the first post of the first page is the first."""
    first = [ShownPost("7", 1, "2", "ana", NOON, "Hola"), ShownPost("9", 2, "2", "ana", NOON, "Sigo")]
    page = read(show_topic("12", "x", first, EYE))
    assert [1, 2] == [post.number for post in page.posts]
    assert (1, 1, False) == (page.page, page.pages, page.open)
    with pytest.raises(IncompletePageError, match="page/drift"):
        read(show_topic("12", "x", first, EYE, page=2, pages=2))


def test_times_and_edits_are_those_of_the_account_s_words() -> None:
    """Today and yesterday by the page's clock; an edit's name stands behind its time."""
    page = read(topic())
    assert [NOON - timedelta(hours=hours) for hours in (30, 3, 2, 0)] == [p.created_at for p in page.posts]
    assert {Precision.SECOND} == {post.precision for post in page.posts}
    assert [(0, None), (0, None), (1, NOON - timedelta(hours=1)), (0, None)] == [
        (post.edits, post.edited_at) for post in page.posts
    ]


def test_an_edit_whose_time_is_not_understood_is_still_an_edit() -> None:
    """When it was is unknown then, and nobody takes it for never."""
    post = read(topic().replace("<strong>Hoy</strong> a las 11:00:00 by", "hace una hora by")).posts[2]
    assert (1, None) == (post.edits, post.edited_at)


def test_a_body_is_what_its_author_wrote() -> None:
    """No signature; above a quote stands a date that changes by the day, which is no edit."""
    page = read(topic())
    assert "[órdenes turno 3]<br/>producir<br/>[/órdenes]" == page.posts[0].html
    seen = read_html(page.posts[1].html or "", SMF)
    assert (["Yo no."], ["quote"]) == ([one.text for one in seen.lines], [one.kind for one in seen.skipped])
    assert "<cite>" not in (page.posts[1].html or "")


def test_a_post_that_waits_for_a_moderator_has_no_text() -> None:
    """For its author, who sees a notice, and for moderators, who see a colour."""
    page = read(topic())
    assert (Visibility.UNAPPROVED, None) == (page.posts[3].visibility, page.posts[3].html)
    for mark in ("approvebg", "noticebox"):
        bare = topic().replace("approvebg" if mark == "noticebox" else "noticebox", "windowbg")
        assert Visibility.UNAPPROVED is read(bare).posts[3].visibility


def test_what_people_write_is_no_structure() -> None:
    """A body with a form, page numbers or an error in it, as an administrator can write, changes nothing."""
    fake = '<div id="fatal_error"><div id="topic_gone" class="padding">x</div></div>'
    fake += '<span class="current_page">9</span><form id="quickModForm" action="?topic=7.0"></form>'
    page = read(show_topic("12", "x", [ShownPost("7", 1, "2", "ana", NOON, fake)], EYE))
    assert ("12", 1, 1, [1]) == (page.topic, page.page, page.pages, [post.number for post in page.posts])


def test_the_page_s_clock_proves_the_account_s_zone() -> None:
    """Where it shows another time than the forum's answers, every deadline would be off."""
    read(topic(), NOON + timedelta(minutes=4))
    with pytest.raises(IncompletePageError, match=r"page/wrong-zone.*Europe/Madrid"):
        read(topic(), NOON + timedelta(hours=1))
    text = topic().replace('<div class="user">', '<div class="usuario">')
    assert [post.created_at for post in read(topic()).posts] == [p.created_at for p in read(text).posts]
    with pytest.raises(IncompletePageError, match=r"page/time-format: 01-12-2026"):
        read(topic().replace(EYE.clock(), "01-12-2026, 12:00:00"))


Change = Callable[[str], str]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda text: text.replace('class="post_wrapper"', 'class="envoltorio"'), "page/drift"),
        (lambda text: text.replace('class="inner" data-msgid="42"', 'class="interior"'), "page/drift"),
        (lambda text: text.replace('id="msg_42"', 'id="msg_43"'), "page/no-body"),
        (lambda text: text.replace('id="msg42"', 'id="msgx"'), "page/drift"),
        (lambda text: text.replace("<h4>", "<h5>").replace("</h4>", "</h5>"), "page/no-author"),
        (lambda text: text.replace("profile;u=3", "profile"), "page/no-author"),
        (lambda text: text.replace("<h4>", '<h4><a href="?action=profile;u=9">x</a>'), "page/no-author"),
        (lambda text: text.replace('class="page_number', 'class="numero'), "page/drift"),
        (lambda text: text.replace(">#16<", ">#17<"), "page/gap"),
        (lambda text: text.replace('rel="nofollow" class="smalltext"', 'class="s"'), "page/bad-time"),
        (lambda text: text.replace("<strong>Hoy</strong> a las", "Aujourd'hui à"), "page/time-format: Auj"),
        (lambda text: text.replace('id="modified_42"', 'id="m_42"'), "page/drift"),
        (lambda text: text.replace("windowbg", "otrofondo"), "page/drift"),
        (lambda text: text.replace("current_page", "actual"), "page/no-paginator"),
        (lambda text: text.replace("nav_page", "pagina"), "page/bad-paginator"),
        (lambda text: text.replace("topic=12.30", "topic=12.31"), "page/bad-paginator"),
        (lambda text: text.replace('current_page">2', 'current_page">dos'), "page/bad-paginator"),
        (lambda text: text.replace('topic=12.30"><span', 'topic=12.60"><span'), "page/bad-paginator"),
        (lambda text: text.replace("quickmod2;topic=12.", "quickmod2;topic=13."), "page/no-topic"),
        (lambda text: text.replace('id="quickModForm"', 'id="form"'), "page/drift"),
        (lambda text: text.replace('id="msg42"', 'id="msg41"').replace('id="msg_42"', 'id="msg_41"').replace(
            'id="modified_42"', 'id="modified_41"'), "page/repeated-post"),
    ],
)  # fmt: skip
def test_another_theme_is_an_error_and_no_shorter_topic(change: Change, expected: str) -> None:
    """Where something isn't where SMF's templates put it, the whole page is refused by name."""
    changed = change(topic())
    assert changed != topic()
    with pytest.raises(PageError, match=expected):
        read(changed)


def test_another_page_is_no_empty_topic() -> None:
    """A list, the login form, an empty frame."""
    for text in (smf_pages.frame("", EYE), smf_pages.show_login(EYE), smf_pages.show_box("inbox", (), EYE)):
        with pytest.raises(NotATopicPage, match="page/no-topic"):
            read(text)
    with pytest.raises(NotATopicPage, match="page/no-posts"):
        read(show_topic("12", "x", (), EYE))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("topic_gone", "forum/missing: No se puede."),
        ("cannot_view_board", r"forum/forbidden: No se puede. \(cannot_view_board\)"),
        ("topic_locked", "forum/forbidden"),
        ("loadavg_display_disabled", r"page/error: No se puede. \(loadavg"),
        ("", r"page/error: No se puede.$"),
    ],
)
def test_errors_are_told_apart_by_smf_s_own_names(name: str, expected: str) -> None:
    """The words are for the director, in whatever language."""
    with pytest.raises(NotATopicPage, match=expected):
        read(smf_pages.show_error(EYE, name, "No se puede."))


@pytest.mark.parametrize(
    ("name", "waits", "final"),
    [
        ("post_WaitTime_broken", True, False),
        ("pm_too_many_per_hour", True, False),
        ("cannot_post_reply_any", False, True),
        ("error_form_already_submitted", False, False),
    ],
)
def test_refusals_of_forms(name: str, waits: bool, final: bool) -> None:
    """What passes by itself, what doesn't, and what tells nothing."""
    refusal = find_refusal(read_page(smf_pages.show_error(EYE, name, "No.").encode(), None))
    assert refusal is not None
    assert (waits, final, "No.") == (refusal.must_wait, refusal.is_final, refusal.said)


@pytest.mark.parametrize(
    ("page", "pages", "expected"),
    [(1, 1, None), (1, 2, 15), (2, 2, None), (2, 3, 15), (3, 3, 15), (1, 9, 15)],
)
def test_page_numbers_tell_how_long_pages_are(page: int, pages: int, expected: int | None) -> None:
    """By where each number leads; of two pages the second leads to the beginning only."""
    shown = smf_pages.show_pages(page, pages, 15, "/index.php?topic=1.{start}")
    paging = parse_paging(read_page(f"<!DOCTYPE html><html>{shown}</html>".encode(), None), ".pagesection")
    assert (page, pages, expected) == (paging.page, paging.pages, paging.length)


def test_addresses_without_a_query() -> None:
    """A forum may write them so that searchers like them better."""
    page = read(re.sub(r"\?topic=12\.([0-9]+)", r"/topic,12.\1.html", topic()))
    assert ("12", 2, 3) == (page.topic, page.page, page.pages)
    for location in ("?topic=12.msg46#msg46", "/topic,12.msg46.html#msg46"):
        assert ("12", "46") == (find_topic(location), find_message(location))
    for location in ("?topic=12.new#new", "/topic,12.new.html#new", "?topic=12.0"):
        assert ("12", None) == (find_topic(location), find_message(location))
    assert (None, None) == (find_topic("?board=1.0#topic=12.0"), find_message("?action=profile;u=3"))


def test_whose_page_it_is() -> None:
    """A member's number, from the menu, or where the theme has none there from SMF's own script."""
    page = read_page(topic().encode(), None)
    assert ("4", False) == (parse_viewer(page), offers_login(page))
    other = read_page(topic().replace("showalerts;u=4", "showalerts").encode(), None)
    assert "4" == parse_viewer(other)
    guest = read_page(smf_pages.frame("", Eye(NOON)).encode(), None)
    assert (None, True) == (parse_viewer(guest), offers_login(guest))
    foreign = read_page(b"<!DOCTYPE html><html><body>hola</body></html>", None)
    assert (None, False) == (parse_viewer(foreign), offers_login(foreign))


def test_the_zone_is_the_chosen_one() -> None:
    """None where the account has left it to the forum, or mustn't choose."""
    assert "Europe/Madrid" == parse_zone(read_page(smf_pages.show_preferences(EYE).encode(), None))
    unset = smf_pages.show_preferences(EYE).replace('value="Europe/Madrid" selected', 'value="x"')
    unset = unset.replace('<option value="">', '<option value="" selected>')
    assert parse_zone(read_page(unset.encode(), None)) is None


def test_maintenance_is_no_lost_session() -> None:
    """Everybody gets a form to log in then, which is no reason to try."""
    shown = '<form action="?action=login2"><div class="login" id="maintenance_mode"></div></form>'
    with pytest.raises(NotATopicPage, match="page/maintenance"):
        check_answer(smf_pages.frame(shown, Eye(NOON)).encode())
    check_answer(topic().encode())


def test_complaints_are_the_forum_s_words() -> None:
    """Of a form that comes back, of a refused login, of an error; a form without any says nothing."""
    form = smf_pages.show_form(EYE, "x", {}, said="El mensaje está vacío.")
    login, error = smf_pages.show_login(EYE, "Clave mala"), smf_pages.show_error(EYE, "x", "No.")
    said = [parse_complaints(read_page(text.encode(), None)) for text in (
        smf_pages.frame(form, EYE), login, error, smf_pages.frame(FORM, EYE)
    )]  # fmt: skip
    assert [("El mensaje está vacío.",), ("Clave mala",), ("No.",), ()] == said
