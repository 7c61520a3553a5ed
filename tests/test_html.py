"""Player text in HTML makes no element and no attribute, and reads as it was written; pages fit a phone."""

from __future__ import annotations

import re

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from reporters.blocks import Fence, Figure, Grid, Heading, Lines, Listing, Piece
from reporters.cleaning import clean_line, clean_lines
from reporters.dialects import ending_for
from reporters.html import HtmlRenderer, page
from reporters.receipts import compose_receipts
from rules.engine.document import Align
from rules.engine.inline import Emphasis, Fixed, Inline, Link, Strong, Text
from tests.support import mini
from tests.support.dialect_pieces import HOSTILE, URL, VISIBLE, document, harmless, some_reading
from tests.support.golden_texts import compare

RENDERER = HtmlRenderer()
PARSER = st.sampled_from(["lxml", "html.parser"])


def tree(html: str, parser: str) -> list[tuple[int, str, tuple[tuple[str, str], ...]]]:
    """Every element in order with its depth and attributes, without the words."""
    return [
        (
            len(list(one.parents)),
            one.name,
            tuple((key, "" if key == "alt" else str(value)) for key, value in one.attrs.items()),
        )
        for one in BeautifulSoup(html, parser).find_all(True)
    ]


@given(PARSER, VISIBLE, VISIBLE, VISIBLE)
def test_foreign_words_make_no_element(parser: str, a: str, b: str, c: str) -> None:
    """Whatever stands in the words, a reader sees the elements that harmless words would give."""
    expected = tree(page("uno", RENDERER.render(harmless())), parser)
    assert expected == tree(page(a, RENDERER.render(document(a, b, c))), parser)


@given(VISIBLE)
def test_foreign_words_make_no_attribute_of_a_picture(text: str) -> None:
    """What a picture shows is told in its words, which can't leave their quotes."""
    renderer = HtmlRenderer(lambda name: name)
    picture = BeautifulSoup(renderer.render([Figure("mapa.svg", (Text(text),))]), "lxml").img
    assert picture is not None
    assert {"src": "mapa.svg", "alt": clean_line(text).strip()} == picture.attrs


@given(PARSER, VISIBLE)
def test_foreign_words_read_as_they_were_written(parser: str, text: str) -> None:
    """Only invisible characters and extra blanks are gone."""
    drawn = RENDERER.render([Lines(((Text(text),),))])
    assert clean_line(text).strip() == BeautifulSoup(drawn, parser).get_text()


@given(HOSTILE.filter(lambda text: bool(clean_lines(text).strip())))
def test_code_holds_its_lines(text: str) -> None:
    """Lines to copy are the lines that were given, blanks included."""
    found = BeautifulSoup(RENDERER.render([Fence(text)]), "html.parser").find_all("code")
    assert [clean_lines(text)] == [one.get_text() for one in found]


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "//x.es/a", "", "ftp://x"])
def test_addresses_are_of_the_web(url: str) -> None:
    """Anything else is shown as words without a link, and as no picture."""
    figure = Figure("a.svg", (Text("mapa"),))
    drawn = HtmlRenderer(lambda name: url).render([Lines(((Link((Text("aquí"),), url),),)), figure])
    assert "<p>aquí</p>\n<p><em>mapa</em></p>" == drawn


def test_an_address_can_not_leave_its_quotes() -> None:
    """Quotes and brackets in an address are entities."""
    link = Link((Text("aquí"),), "https://x.es/\" onclick='a'><b>&c=1")
    found = BeautifulSoup(RENDERER.render([Lines(((link,),))]), "lxml").find_all(True)
    assert [("a", {"href": link.url})] == [(one.name, one.attrs) for one in found if one.name == "a"]


def test_every_piece_has_its_element() -> None:
    """Headings by their level, lines with breaks, lists that go on, tables with heads and numbers aside."""
    run: tuple[Inline, ...] = (Strong((Text("a"), Fixed("b"))), Emphasis((Text("c"),)))
    pieces: list[Piece] = [
        Heading((Text("T"),), 1),
        Lines((run, (Text("d"),))),
        Listing(((Text("e"),),), ordered=True, start=7),
        Grid(((Text("f"),), (Text("g"),)), (((Text("h"),), (Text("1"),)),), (Align.LEFT, Align.RIGHT)),
    ]
    assert [
        "<h1>T</h1>",
        "<p><strong>a<code>b</code></strong><em>c</em><br>",
        "d</p>",
        '<ol start="7">',
        "<li>e</li>",
        "</ol>",
        '<div class="wide"><table>',
        "<thead>",
        '<tr><th scope="col">f</th><th scope="col" class="number">g</th></tr>',
        "</thead>",
        "<tbody>",
        '<tr><td>h</td><td class="number">1</td></tr>',
        "</tbody>",
        "</table></div>",
    ] == RENDERER.render(pieces).split("\n")


def test_what_is_empty_leaves_nothing() -> None:
    """No element stands there for words that are only blanks."""
    empty = (Text(" "), Strong((Text(""),)), Link((Text(""),), URL), Fixed(" "))
    assert "" == RENDERER.render([Heading(empty), Lines((empty,)), Fence("\n")])


@given(VISIBLE)
def test_a_page_has_no_script_and_no_style_of_an_element(text: str) -> None:
    """One sheet in the head, a policy that forbids scripts, and the width of a phone."""
    html = page(text, RENDERER.render(document(text, text, text)))
    soup = BeautifulSoup(html, "lxml")
    attributes = {key for one in soup.find_all(True) for key in one.attrs}
    assert (1, 0) == (len(soup.find_all("style")), len(soup.find_all(["script", "iframe", "object", "link"])))
    assert not {key for key in attributes if key == "style" or key.startswith("on")}
    assert soup.title is not None
    assert clean_line(text).strip() == soup.title.get_text()


def test_a_page_is_made_for_phones() -> None:
    """It takes the device's width, tables move in their own box, and nothing is fetched by scripts."""
    html = page("T", "")
    assert html.startswith('<!DOCTYPE html>\n<html lang="es">')
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in html
    assert ".wide { overflow-x: auto; }" in html
    assert re.search(r"content=\"default-src 'none';", html)


def test_receipts_as_a_page() -> None:
    """The whole post as a file that a browser opens."""
    setting = mini.setting(secret=False, renderer=RENDERER)
    parts = setting.parts("receipts", compose_receipts(setting, some_reading()))
    expected, actual = compare("receipts-open.html", [page("Órdenes recibidas", one) for one in parts])
    assert expected == actual


def test_files_of_html_are_called_so() -> None:
    """A browser opens what ends in `.html`."""
    assert "html" == ending_for(RENDERER)
