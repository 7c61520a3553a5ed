"""Caps and decoding before any parser sees a page (reliability.md 6.1 e, F15, F29)."""

from __future__ import annotations

import pytest

from parsers.pages.guard import IncompletePageError, NotATopicPage, check_caps, check_end, decode_page

BOMBS = {
    "four megabytes of text": b"x" * (4 * 1024 * 1024 + 1),
    "nested div": b"<div>" * 201,
    "nested b": b"<b>" * 100_000,
    "a million open tags": b"<i>" * 1_000_000,
    "attributes": b"<a " + b"x=1 " * 200_000 + b">",
    "one long attribute": b'<a title="' + b"x" * 20_000 + b'">',
    "comment flood": b"<!--" * 300_000,
    "declaration flood": b"<!" * 500_000,
    "unclosed tag": b"<p " + b"y" * 20_000,
    "less-than flood": b"<" * 60_001,
    "nul byte": b"<p>mover\x00 E3</p>",
    "mixed case": b"<DiV>" * 300,
}


@pytest.mark.parametrize("body", BOMBS.values(), ids=BOMBS.keys())
def test_bombs_are_refused(body: bytes) -> None:
    """Each kind of page that would burn or fool a parser is refused before one starts."""
    with pytest.raises(IncompletePageError):
        check_caps(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"x < y <= z << 2 > 1",
        b"<div>" * 200 + b"</div>" * 200,
        b"<p>" * 20_000,
        b"<ul>" + b"<li>a" * 5000 + b"</ul>",
        b"<table>" + b"<tr><td>1<td>2" * 3000 + b"</table>",
        b"<br>" * 30_000 + b"<img src=x>" * 10_000,
        b"<br/>" * 1000 + b"<path d='M0 0' />" * 1000,
        b"</div>" * 500 + b"<div>" * 150,
        b"x" * (4 * 1024 * 1024),
    ],
)
def test_honest_pages_pass(body: bytes) -> None:
    """Long, flat, sloppily closed but harmless pages are not refused."""
    check_caps(body)


@pytest.mark.parametrize(
    ("body", "header", "expected"),
    [
        ("ñandú €".encode(), "text/html; charset=utf-8", "ñandú €"),
        ("ñandú".encode(), 'text/html; charset="UTF-8"', "ñandú"),
        ("ñandú".encode("latin-1"), "text/html; charset=ISO-8859-1", "ñandú"),
        ("ñandú €".encode("cp1252"), "text/html; charset=iso-8859-1", "ñandú €"),
        ("ñandú €".encode("iso8859-15"), "text/html;charset=ISO-8859-15", "ñandú €"),
        ('<meta charset="windows-1252">ñ'.encode("cp1252"), "text/html", '<meta charset="windows-1252">ñ'),
        (
            "<meta http-equiv=x content='text/html; charset=latin1'>ñ".encode("cp1252"),
            None,
            "<meta http-equiv=x content='text/html; charset=latin1'>ñ",
        ),
        ("ñandú".encode(), None, "ñandú"),
        (b"\xef\xbb\xbfhola", "text/html", "hola"),
        ('<meta charset="latin1">ñ'.encode(), "text/html; charset=utf-8", '<meta charset="latin1">ñ'),
    ],
)
def test_the_header_s_charset_holds_then_the_page_s_then_utf_8(
    body: bytes, header: str | None, expected: str
) -> None:
    """Decoding goes by what is declared, in this order, and never by guessing."""
    assert decode_page(body, header) == expected


@pytest.mark.parametrize(
    ("body", "header"),
    [
        ("ñandú".encode("latin-1"), "text/html; charset=utf-8"),
        ("ñandú".encode("latin-1"), None),
        (b"ma\xc3", "text/html; charset=utf-8"),
        (b"\x81", "text/html; charset=windows-1252"),
        ("ñ".encode(), "text/html; charset=us-ascii"),
        (b"hola", "text/html; charset=rot13"),
        (b"hola", "text/html; charset=unicode_escape"),
        (b"hola", "text/html; charset=nonsense-8"),
    ],
)
def test_undecodable_pages_are_incomplete(body: bytes, header: str | None) -> None:
    """Bytes that are none of the charset's letters, or a charset that is none: refused, nothing is
    replaced.
    """
    with pytest.raises(IncompletePageError, match=r"charset"):
        decode_page(body, header)


@pytest.mark.parametrize(
    "page", ["", " \n", "<!doc", "\n\n<!DOCTYPE html>\n<html>", "<html><body>x</body>", "<html></htm"]
)
def test_a_page_without_its_end_is_incomplete(page: str) -> None:
    """HTML that doesn't end with its closing tag was cut."""
    with pytest.raises(IncompletePageError, match="page/cut"):
        check_end(page)


@pytest.mark.parametrize("page", ["down for maintenance", '{"error": 1}', "<p>x</p>", "%PDF-1.4"])
def test_what_is_no_html_page_is_no_topic(page: str) -> None:
    """Other answers are told apart from cut pages."""
    with pytest.raises(NotATopicPage):
        check_end(page)


def test_a_whole_page_passes() -> None:
    """Blanks and case around the last tag don't matter."""
    check_end("<!doctype html><html><body></body></HTML>\n\n")
