"""Markup that a post leaves open never costs another player a post, nor gives one's text to another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from bs4 import Tag

from parsers.pages import flaskbb, mybb, phpbb, smf, spirit, umbria
from parsers.pages.guard import PageError
from parsers.pages.smf_frame import read_clock
from parsers.pages.topics import read_page
from processor.pipeline.seen import see_post
from rules.play.posts import Post
from tests.pages.test_mybb_topic import ELENA, FACE, NOW
from tests.pages.test_smf_topic import EYE, NOON
from tests.support import flaskbb_pages, mybb_pages, phpbb_pages, smf_pages, spirit_pages, umbria_pages

MADRID = ZoneInfo("Europe/Madrid")
WRITTEN = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)
SIGNED = "firma"
OPEN = (
    *("<div>" * count for count in range(1, 6)),
    *("</div>" * count for count in range(1, 6)),
    *("<s>", "<strike>", "<b><i>", "<blockquote>", "</blockquote>", "<ul><li>", "<table><tr><td>"),
    *("<a href='x'>", "<form>", "<template>", "<script>", "<textarea>", "<xmp>", "<!--", "</body></html>"),
)


def show_spirit(bodies: Sequence[str]) -> str:
    """A page of Spirit."""
    posts = [
        spirit_pages.ShownPost(str(n), n, str(30 + n), f"u{n}", WRITTEN, html)
        for n, html in enumerate(bodies, 1)
    ]
    return spirit_pages.show_topic("7", "x", posts, spirit_pages.Viewer("9", "bot", "Europe/Madrid"))


def show_flaskbb(bodies: Sequence[str]) -> str:
    """A page of FlaskBB."""
    posts = [
        flaskbb_pages.ShownPost(str(n), n, f"u{n}", WRITTEN, html, signature=SIGNED)
        for n, html in enumerate(bodies, 1)
    ]
    return flaskbb_pages.show_topic("7", "x", posts, "bot")


def show_phpbb(bodies: Sequence[str]) -> str:
    """A page of phpBB."""
    posts = [
        phpbb_pages.ShownPost(str(n), str(30 + n), f"u{n}", WRITTEN, html, signature=SIGNED)
        for n, html in enumerate(bodies, 1)
    ]
    return phpbb_pages.show_topic("7", "x", posts, phpbb_pages.Viewer("9", "bot"))


def show_mybb(bodies: Sequence[str]) -> str:
    """A page of MyBB."""
    posts = [
        mybb_pages.ShownPost(str(n), n, str(30 + n), f"u{n}", NOW, html, signature=SIGNED)
        for n, html in enumerate(bodies, 1)
    ]
    return mybb_pages.show_topic("7", "x", posts, ELENA, NOW)


def show_smf(bodies: Sequence[str]) -> str:
    """A page of SMF."""
    posts = [
        smf_pages.ShownPost(str(n), n, str(30 + n), f"u{n}", NOON, html, signature=SIGNED)
        for n, html in enumerate(bodies, 1)
    ]
    return smf_pages.show_topic("7", "x", posts, EYE)


def show_umbria(bodies: Sequence[str]) -> str:
    """A page of Comunidad Umbría."""
    posts = [
        umbria_pages.UmbriaPost(n, 30 + n, f"u{n}", "24/01/2027, 0:05", html, SIGNED)
        for n, html in enumerate(bodies, 1)
    ]
    return umbria_pages.show_scene(posts)


def parse_smf(page: Tag) -> Sequence[Post]:
    """The posts of a page of SMF."""
    return smf.parse_topic(page, read_clock(page, MADRID, NOON), str).posts


PAGES: dict[str, tuple[Callable[[Sequence[str]], str], Callable[[Tag], Sequence[Post]]]] = {
    "spirit": (show_spirit, lambda page: spirit.parse_topic(page, MADRID, str).posts),
    "flaskbb": (show_flaskbb, lambda page: flaskbb.parse_topic(page, str).posts),
    "phpbb": (show_phpbb, lambda page: phpbb.parse_topic(page, str).posts),
    "mybb": (show_mybb, lambda page: mybb.parse_topic(page, FACE, str).posts),
    "smf": (show_smf, parse_smf),
    "umbria": (show_umbria, lambda page: umbria.parse_scene(page, MADRID, str)),
}


def read(software: str, bodies: Sequence[str]) -> list[list[tuple[str, bool]]]:
    """Each post's lines, and whether they count as struck out."""
    show, parse = PAGES[software]
    posts = parse(read_page(show(bodies).encode(), "text/html; charset=utf-8"))
    return [[(line.text, line.struck) for line in see_post(post, software)[0].lines] for post in posts]


@pytest.mark.parametrize("software", PAGES)
@pytest.mark.parametrize("broken", [1, 2])
def test_what_one_post_leaves_open_ends_with_it(software: str, broken: int) -> None:
    """Either the page is refused, or all others say what they said: none is gone, struck, or in its text."""
    bodies = [f"<p>orden {n}</p>" for n in range(3)]
    whole = read(software, bodies)
    assert [[(f"orden {n}", False)] for n in range(3)] == whole
    for markup in OPEN:
        try:
            found = read(software, [*bodies[:broken], f"<p>mía</p>{markup}fin", *bodies[broken + 1 :]])
        except PageError:
            continue
        assert (markup, 3) == (markup, len(found))
        others = [lines for n, lines in enumerate(found) if n != broken]
        assert (markup, [lines for n, lines in enumerate(whole) if n != broken]) == (markup, others)
        text = " ".join(line for line, _ in found[broken])
        assert (markup, False) == (markup, SIGNED in text or "orden" in text)
