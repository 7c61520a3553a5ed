"""MyBB's pages, re-created: every kind of post, and what is no page of a topic."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from bs4 import Tag

from parsers.pages import mybb
from parsers.pages.guard import IncompletePageError, NotATopicPage, PageError
from parsers.pages.mybb_forms import find_wait, parse_quote
from parsers.pages.mybb_letters import parse_folder, parse_letter
from parsers.pages.mybb_time import Face
from parsers.pages.topics import TopicPage, read_page
from processor.pipeline.seen import see_post
from rules.play.posts import Precision, Visibility
from tests.support import mybb_pages
from tests.support.mybb_pages import ShownPost, Viewer

NOW = datetime(2026, 11, 29, 20, 3, tzinfo=UTC)
FACE = Face(("m-d-Y",), timedelta(hours=1))
ELENA = Viewer("9", "elena", 1.0)
DAY = timedelta(days=1)


def shown(number: int, html: str = "hola", **more: object) -> ShownPost:
    """A post by account 2."""
    post = ShownPost(str(100 + number), number, "2", "marina", NOW - DAY * (10 - number), html)
    return replace(post, **more)  # type: ignore[arg-type]


def topic(*posts: ShownPost, change: Callable[[str], str] = str, page: int = 1, pages: int = 1) -> TopicPage:
    """A page as the parser reads it. change: of its text."""
    text = mybb_pages.show_topic("12", "Turno 3: <ñ> & más", posts, ELENA, NOW, page=page, pages=pages)
    return mybb.parse_topic(tree(change(text)), FACE, lambda post_id: f"p{post_id}")


def tree(text: str) -> Tag:
    """A page's tree."""
    return read_page(text.encode(), None)


def test_a_page_is_read_with_all_that_it_shows() -> None:
    """Ids, positions, times in UTC, the title, whose page it is, and that one may answer."""
    page = topic(shown(1), shown(2, author_id="31", author="Ana del Sur", signature="[órdenes] huir"))
    assert ("12", "Turno 3: <ñ> & más", 1, 1, True) == (
        page.topic,
        page.title,
        page.page,
        page.pages,
        page.open,
    )
    first, second = page.posts
    assert ("101", 1, "2", "marina", "p101") == (
        first.id,
        first.number,
        first.author_id,
        first.author,
        first.url,
    )
    assert (NOW - 9 * DAY, Precision.MINUTE, 0, None) == (
        first.created_at,
        first.precision,
        first.edits,
        first.edited_at,
    )
    assert ("31", "Ana del Sur", "hola") == (second.author_id, second.author, second.html)


def test_posts_of_guests_and_of_accounts_that_are_gone_are_nobody_s() -> None:
    """A name without a link is only shown."""
    (post,) = topic(shown(1, author_id=None, author="Quien fue")).posts
    assert (None, "Quien fue") == (post.author_id, post.author)


def test_an_edit_tells_when() -> None:
    """In the words of any language, by the date in it; without one it is an edit all the same."""
    (post,) = topic(shown(1, edited=NOW - DAY)).posts
    assert (1, NOW - DAY) == (post.edits, post.edited_at)
    (odd,) = topic(
        shown(1, edited=NOW),
        change=lambda text: text.replace("Hace un rato", "x").replace(
            f'title="{ELENA.show(NOW)}"', 'title=""', 2
        ),
    ).posts
    assert odd.edits == 1


def test_what_moderators_see_of_others_is_told_apart() -> None:
    """A post that was taken away has no text for us; one that waits has one and doesn't count."""
    gone, waits = topic(shown(1, shade="deleted_post"), shown(2, shade="unapproved_post")).posts
    assert (Visibility.REMOVED, None) == (gone.visibility, gone.html)
    assert (Visibility.UNAPPROVED, "hola") == (waits.visibility, waits.html)


def test_a_long_topic_has_numbers_with_marks() -> None:
    """`#1,234` is a position like any other."""
    page = topic(shown(1231, date=NOW), page=124, pages=124)
    assert (1231, 124) == (page.posts[0].number, page.page)


def test_orders_are_read_and_what_is_none_is_not() -> None:
    """Quotes, struck text, code and signatures say nothing; a smiley is no word."""
    block = "[órdenes]\nmover {0}\n[/órdenes]"
    text = (
        f"[quote='ana' pid='4' dateline='1']{block.format('lejos')}[/quote]\n[s]{block.format('tarde')}[/s]\n"
        f"[code]{block.format('ejemplo')}[/code]\n{block.format('Norte')} :)"
    )
    (post,) = topic(shown(1, mybb_pages.render(text), signature="[órdenes]<br />huir<br />[/órdenes]")).posts
    seen, raw = see_post(post, "mybb")
    assert not raw
    kept = [line.text for line in seen.lines if line.fence is None and not line.struck]
    assert ["[órdenes]", "mover Norte"] == [line for line in kept if line][:2]
    assert not any("lejos" in line or "tarde" in line or "huir" in line for line in kept)


def test_the_head_of_a_quote_is_no_part_of_a_post() -> None:
    """It tells when the quoted post was written, in words that change from day to day."""
    quoted = mybb_pages.render("[quote=ana]uno[/quote]dos")
    later = quoted.replace("hace un rato", "11-29-2026, 08:03 PM")
    before, after = (topic(shown(1, html)).posts[0].html for html in (quoted, later))
    assert before == after
    assert "uno" in (before or "")


def test_addresses_that_mybb_rewrites_are_read() -> None:
    """`thread-12-post-101.html#pid101`, `user-2.html`, `thread-12-page-2.html`."""

    def rewrite(text: str) -> str:
        text = text.replace("showthread.php?tid=12&amp;pid=", "thread-12-post-")
        text = text.replace("showthread.php?tid=12&amp;page=", "thread-12-page-")
        return text.replace("member.php?action=profile&amp;uid=", "user-")

    page = topic(shown(4), page=2, pages=3, change=rewrite)
    assert ("12", 2, 3, "2", "9") == (page.topic, page.page, page.pages, page.posts[0].author_id, page.viewer)


@pytest.mark.parametrize(("page", "pages"), [(1, 1), (1, 2), (2, 2), (2, 7), (7, 7)])
def test_pages_are_counted_by_the_paginator_of_the_topic(page: int, pages: int) -> None:
    """Not by that of the forum, which stands above it among the ways back."""
    read = topic(shown(3 * page - 2), page=page, pages=pages)
    assert (page, pages) == (read.page, read.pages)


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("page/no-paginator", lambda text: text.replace("pagination_current", "x")),
        ("page/no-paginator", lambda text: text.replace('class="pagination"', 'class="x"')),
        ("page/no-paginator", lambda text: text.replace("Páginas (3)", "Páginas")),
        ("page/bad-paginator", lambda text: text.replace("Páginas (3)", "Páginas (2)")),
        ("page/bad-paginator", lambda text: text.replace("Páginas (3)", "Páginas (4)", 1)),
        ("page/no-body", lambda text: text.replace("post_body", "x", 1)),
        ("page/no-body", lambda text: text.replace('id="pid_104"', 'id="pid_7"')),
        ("page/drift", lambda text: text.replace('id="posts">', 'id="posts"><div class="post_body"></div>')),
        ("page/drift", lambda text: text.replace('"post " style="" id="post_105"', '"x" id="post_105"')),
        ("page/drift", lambda text: text.replace("tid=12&amp;pid=105", "tid=13&amp;pid=105")),
        ("page/drift", lambda text: text.replace("#pid105", "#pid106")),
        ("page/drift", lambda text: text.replace('class="active"', "")),
        ("page/threaded", lambda text: text.replace("mode=threaded", "mode=linear")),
        ("page/drift", lambda text: text.replace("post_head", "x")),
        ("page/no-author", lambda text: text.replace("author_information", "x")),
        ("page/bad-time", lambda text: text.replace("post_date", "x")),
        ("page/unknown-date", lambda text: text.replace("11-23-2026", "23. Nov 2026")),
        ("page/gap", lambda text: text.replace(">#5<", ">#7<")),
        ("page/no-topic", lambda text: re.sub('"post |post_1|post_body', "x", text)),
    ],
)  # fmt: skip
def test_a_page_that_lacks_something_is_refused(code: str, change: Callable[[str], str]) -> None:
    """Whatever another theme leaves out or names otherwise: a named error, never fewer posts."""
    with pytest.raises(PageError, match=code):
        topic(shown(4), shown(5), page=2, pages=3, change=change)


def test_a_first_page_that_begins_later_has_lost_its_paginator() -> None:
    """Post 4 stands on no first page."""
    with pytest.raises(IncompletePageError, match="page/no-paginator"):
        topic(shown(4))


def test_what_the_forum_says_in_place_of_a_topic_is_told() -> None:
    """Missing or forbidden, which are one page in MyBB; its words are the director's to read."""
    page = tree(mybb_pages.show_notice("El tema no existe.", ELENA, NOW))
    with pytest.raises(NotATopicPage, match=r"forum/missing: El tema no existe\."):
        mybb.parse_topic(page, FACE, str)
    assert None is mybb.parse_notice(tree(mybb_pages.show_topic("12", "x", [shown(1)], ELENA, NOW)))


def test_whose_page_it_is() -> None:
    """A member's has a way out, a guest's a way in, and the page that leads on is nobody's."""
    member, guest = (tree(mybb_pages.frame("", one, NOW)) for one in (ELENA, Viewer(None)))
    leads = tree(mybb_pages.show_redirect("Gracias.", "showthread.php?tid=1&pid=4#pid4"))
    assert [("9", False), (None, True), (None, False)] == [
        (mybb.parse_viewer(one), mybb.offers_login(one)) for one in (member, guest, leads)
    ]
    assert ("showthread.php?tid=1&pid=4#pid4", "Gracias.") == mybb.find_refresh(leads)
    assert None is mybb.find_refresh(member)


@pytest.mark.parametrize(
    ("location", "post", "thread"),
    [
        ("showthread.php?tid=1&pid=4#pid4", "4", "1"),
        ("http://127.0.0.1/foro/thread-1-post-4.html#pid4", "4", "1"),
        ("showthread.php?tid=1", None, "1"),
        ("private.php#pid4", None, None),
        ("showthread.php?tid=1#pidx4", None, "1"),
    ],
)
def test_where_an_answer_leads(location: str, post: str | None, thread: str | None) -> None:
    """To a post, or to its topic only."""
    assert (post, thread) == (mybb.find_post(location), mybb.find_topic(location))


@pytest.mark.parametrize(
    ("offered", "text"),
    [
        ("[quote=\"ana\" pid='5' dateline='1795982636']\nuno\n[/quote]\n\n", "uno"),
        ("[quote='a\"b' pid='5' dateline='1795982636']\nuno\n[/quote]\n\n", "uno"),
        ("[quote='a' pid='5' dateline='1']\n[quote=x]2[/quote]\nuno\n[/quote]", "[quote=x]2[/quote]\nuno"),
        ("[quote='a' pid='5' dateline='1']\nuno [/quote] dos\n[/quote]\n", "uno [/quote] dos"),
        ("[quote=\"ana\" pid='5' dateline='1']\n\n[/quote]\n\n", ""),
        ('[quote="ana"]\nuno\n  dos\n[/quote]', "uno\n  dos"),
        ("[quote=\"ana\" pid='5' dateline='1']\n* ana se va\n[/quote]\n\n", None),
        ("[quote=\"ana\" pid='5' dateline='1']\nuno", None),
        ("uno\n[/quote]", None),
        ("", None),
    ],
)  # fmt: skip
def test_a_text_is_taken_out_of_its_quote_exactly(offered: str, text: str | None) -> None:
    """What one quotes is what was typed, or it isn't given: `/me` becomes a line that one could type."""
    quote = parse_quote(offered)
    assert text == (None if quote is None else quote.text)


def test_a_quote_tells_the_second() -> None:
    """The post's time in numbers, and which post it is."""
    quote = parse_quote("[quote=\"ana\" pid='5' dateline='1795982636']\nuno\n[/quote]")
    assert quote is not None
    assert ("ana", "5", datetime(2026, 11, 29, 20, 3, 56, tzinfo=UTC)) == (
        quote.author,
        quote.post_id,
        quote.written_at,
    )


@pytest.mark.parametrize(
    ("said", "wait"),
    [
        ("Please wait 61 more seconds.", 61.0),
        ("Espera 5 segundos más antes de volver a escribir.", 5.0),
        ("Bitte warte noch 1 Sekunde.", 1.0),
        ("El mensaje es corto: al menos 5 caracteres, y tiene 2.", None),
        ("El tema está cerrado.", None),
        ("Error 90210", None),
        ("Espera 0 segundos.", None),
    ],
)
def test_the_wait_is_the_only_number(said: str, wait: float | None) -> None:
    """In any language; several numbers are about something else."""
    assert wait == find_wait([said])


def test_a_folder_is_read_whole() -> None:
    """Numbers and subjects without what answering puts before them."""
    entries = [("7", "RE: Re: Alfa", "2", "ana"), ("5", "Fw: Órdenes", "3", "beto")]
    text = mybb_pages.show_folder(entries, ELENA, NOW, 2, 3, "private.php?fid=0")
    folder = parse_folder(tree(text))
    assert (2, 3, [("7", "Alfa"), ("5", "Órdenes")]) == (
        folder.page,
        folder.pages,
        [(one.id, one.title) for one in folder.envelopes],
    )
    assert () == parse_folder(tree(mybb_pages.show_folder([], ELENA, NOW, 1, 1, "x"))).envelopes


@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("page/drift", lambda text: text.replace("check[5]", "check[6]")),
        ("page/drift", lambda text: text.replace("action=read&amp;pmid=5", "action=x&amp;pmid=5")),
        ("page/drift", lambda text: text.replace('name="check[7]"', "")),
        ("page/no-folder", lambda text: text.replace("do_stuff", "x")),
    ],
)
def test_a_folder_that_lacks_something_is_refused(code: str, change: Callable[[str], str]) -> None:
    """No message is overlooked because a theme shows it otherwise."""
    entries = [("7", "Alfa", "2", "ana"), ("5", "Beta", "3", "beto")]
    text = mybb_pages.show_folder(entries, ELENA, NOW, 1, 1, "private.php?fid=0")
    with pytest.raises(PageError, match=code):
        parse_folder(tree(change(text)))


def test_a_letter_tells_who_can_read_it() -> None:
    """Sender and recipients, all of them: nothing secret goes where one too many stands."""
    text = mybb_pages.show_letter("7", "Re: Alfa", shown(1), [("9", "elena"), ("4", "dora")], ELENA, NOW)
    letter = parse_letter(tree(text), FACE)
    assert ("7", "Alfa", "2", ("2", "4", "9"), NOW - 9 * DAY, "hola") == (
        letter.id,
        letter.title,
        letter.author_id,
        letter.people,
        letter.sent_at,
        letter.html,
    )
    with pytest.raises(NotATopicPage, match="forum/missing"):
        parse_letter(tree(mybb_pages.show_notice("No existe.", ELENA, NOW)), FACE)
    with pytest.raises(IncompletePageError, match="page/drift"):
        parse_letter(tree(text.replace("pmid=7", "x=7")), FACE)
