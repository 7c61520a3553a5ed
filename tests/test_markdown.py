"""Player text in Markdown has no effect of any kind, and reads as it was written."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from reporters.blocks import Fence, Figure, Grid, Heading, Lines, Listing, Piece
from reporters.cleaning import clean_line, clean_lines
from reporters.markdown import MarkdownRenderer, code_span, escape_text, fence
from rules.engine.document import Align
from rules.engine.inline import Emphasis, Fixed, Link, Strong, Text

RENDERER = MarkdownRenderer()
COMMONMARK = MarkdownIt("commonmark").enable(["table", "strikethrough"])
URL = "https://foro.example/comment/41/find/"

PIECES = [
    *"@:*_~`#<>[]()!|\\$&-+=^.1a ñ",
    *("@bob", ":smile:", "**", "__", "```", "~~", "](", "](http://x)", "[a](b)", "![a](b)", "[a]: b"),
    *("<b>", "</pre>", "<http://x>", "<!--", "# ", "- ", "1. ", "1) ", "> ", "---", "===", "|---|"),
    *("\\(", "\\)", "$$", "&lt;", "&#64;", "http://x.es", "www.x.es", "\n", "\r\n", "\t", "\u2424"),
    *("\u202e", "\x00", "\x1b[31m", "\u200b", "\ud800", "\u00a0", "    ", "{{7*7}}", "%(x)s"),
    *("[poll name=a]", "[/poll]", "[^1]", "\\begin{a}", "\\end{a}", "[quote]", "[/código]"),
]
HOSTILE = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=9).map("".join)
VISIBLE = HOSTILE.filter(lambda text: bool(clean_line(text).strip()))

# What django-spirit (mistune 0.8.4 and its own additions) acts on wherever it stands, as forums.md tells.
SPIRIT_INLINE = re.compile(
    r"@[\w.+-]|:[A-Za-z0-9_+-]+:|https?://|[\\`*_\[\]<~|]|&(?!#\d+;)#?\w+;|\$\$", flags=re.UNICODE
)
SPIRIT_LINE_START = re.compile(r" *(?:#|>|[*+-]|=|\d+[.)](?:\s|$)|\$\$| {4})")


def shape(markdown: str) -> list[tuple[str, str, str]]:
    """What a CommonMark reader makes of it: every element with its tag and address, without the words."""

    def walk(tokens: list[Token]) -> list[tuple[str, str, str]]:
        found = []
        for one in tokens:
            if one.type not in ("text", "text_special", "inline", "code_inline"):
                found.append((one.type, one.tag, str(one.attrs.get("href", ""))))
            found += walk(one.children or [])
        return found

    return walk(COMMONMARK.parse(markdown))


def words(markdown: str) -> str:
    """What a CommonMark reader shows, without blanks."""
    return "".join(html.unescape(re.sub(r"<[^>]*>", "", COMMONMARK.render(markdown))).split())


def document(a: str, b: str, c: str) -> list[Piece]:
    """Every kind of piece with foreign words in every place."""
    own = Link((Text("mensaje #41"),), URL)
    return [
        Heading((Text(a),), 1),
        Lines(((Strong((Text(a),)), Text(" — "), own, Text(" "), Text(b)), (Text(c),), (Text(b), Text(a)))),
        Lines(((Text(c), Link((Text(a),), URL), Text(" "), Text(c)),)),
        Listing(((Text(a),), (Text(b), Text(" "), Emphasis((Text(c),)))), ordered=True),
        Lines(((Text(c),),)),
        Listing(((Text(b),), (Text(c),))),
        Grid(((Text(a),), (Text(b),)), (((Text(c),), (Text(a),)),), (Align.LEFT, Align.RIGHT)),
        Fence("sembrar\n" + a + "\ncosechar"),
        Figure("map.svg", (Text("mapa "), Text(b))),
    ]


@given(VISIBLE, VISIBLE, VISIBLE)
def test_foreign_words_make_no_element(a: str, b: str, c: str) -> None:
    """Whatever stands in the words, a CommonMark reader sees the elements that harmless words would give."""
    assert shape(RENDERER.render(document("uno", "dos", "tres"))) == shape(RENDERER.render(document(a, b, c)))


@given(VISIBLE)
def test_foreign_words_leave_nothing_for_spirit_to_act_on(text: str) -> None:
    """No mention, emoji, address, mark or entity is left in the words, nor anything that begins a block."""
    drawn = RENDERER.render([Lines(((Text(text),),))])
    assert (None, None) == (SPIRIT_INLINE.search(drawn), SPIRIT_LINE_START.match(drawn))


@given(VISIBLE)
def test_foreign_words_read_as_they_were_written(text: str) -> None:
    """Entities are shown as the characters: only invisible ones and extra blanks are gone."""
    drawn = RENDERER.render([Lines(((Text(text),),))])
    assert "".join(clean_line(text).split()) == words(drawn)


@given(VISIBLE)
def test_code_reads_as_it_was_typed(text: str) -> None:
    """Code holds the typed words and nothing leaves it, ticks and borders included."""
    children = COMMONMARK.parse(code_span(clean_line(text).strip()))[1].children or []
    assert [("code_inline", clean_line(text).strip())] == [(one.type, one.content) for one in children]


@given(HOSTILE.filter(lambda text: bool(clean_lines(text).strip())))
def test_a_fence_holds_its_lines(text: str) -> None:
    """Lines to copy stand in one block as they are, whatever ticks they hold."""
    tokens = COMMONMARK.parse(fence(text))
    assert [("fence", clean_lines(text) + "\n")] == [(one.type, one.content) for one in tokens]


@given(HOSTILE, HOSTILE)
def test_code_after_a_link_can_not_end_it(a: str, b: str) -> None:
    """Spirit looks for the end of a link even in code behind it: no `](` may stand there."""
    own = Link((Text("mensaje #41"),), URL)
    drawn = RENDERER.render([Lines(((own, Text(" "), Fixed(a)), (Fixed(b),)))])
    assert 1 == drawn.count("](")


@pytest.mark.parametrize(
    "text",
    [
        "Domingo 6 de diciembre, 22:00 (Madrid): quedan 3 horas; ¿seguro? ¡Sí!",
        "El Imperio - 5 + 2 contra 3 + 1 - vence, pierde 1 tropa y se queda la casilla (CM-33).",
        "12.345 puntos, 50 % y 3/4; «comillas», 'otras' y \"más\" = todo & nada…",
    ],
)
def test_ordinary_prose_stays_as_it_is(text: str) -> None:
    """What can do no harm is not touched, so that the source stays readable."""
    assert text == escape_text(text, at_start=True)


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("@Tau mira", "&#64;Tau mira"),
        (":smile:", "&#58;smile:"),
        ("12:30:15", "12&#58;30:15"),
        ("https://x.es", "https&#58;//x&#46;es"),
        ("[órdenes turno 3]", "&#91;órdenes turno 3&#93;"),
        ("# título", "&#35; título"),
        ("1. uno", "1&#46; uno"),
        ("2*3*4", "2&#42;3&#42;4"),
        ("&lt;b>", "&#38;lt;b>"),
    ],
)
def test_what_has_an_effect_stands_as_an_entity(text: str, drawn: str) -> None:
    """Numeric entities: a backslash stops neither mentions nor emoji."""
    assert drawn == escape_text(text, at_start=True)


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "//x.es/a", "", "ftp://x"])
def test_addresses_are_of_the_web(url: str) -> None:
    """Anything else is shown as words without a link."""
    assert "aquí" == RENDERER.render([Lines(((Link((Text("aquí"),), url),),))])


def test_an_address_can_not_leave_its_brackets() -> None:
    """Brackets and blanks in an address are written as percent signs."""
    link = Link((Text("aquí"),), 'https://x.es/a) [b](c "d')
    assert "[aquí](https://x.es/a%29%20%5Bb%5D%28c%20%22d)" == RENDERER.render([Lines(((link,),))])


def test_marks_next_to_each_other_stay_apart() -> None:
    """Neighbours of one kind are one, and a mark never touches another's stars."""
    run = (
        Strong((Text("a"),)),
        Strong((Text("b"),)),
        Emphasis((Text("c"),)),
        Text("!"),
        Link((Text("d"),), "/x"),
    )
    assert "**ab**c&#33;[d](/x)" == RENDERER.render([Lines((run,))])


def test_a_picture_shows_its_words_where_it_has_no_address() -> None:
    """With an address it is a picture, without one its words stand there."""
    figure = Figure("mapa.svg", (Text("Mapa de [Veth]"),))
    drawn = MarkdownRenderer(lambda name: f"/media/{name}").render([figure])
    assert ("![Mapa de &#91;Veth&#93;](/media/mapa.svg)", "*Mapa de &#91;Veth&#93;*") == (
        drawn,
        RENDERER.render([figure]),
    )


def test_words_of_a_picture_say_nothing_of_its_size() -> None:
    """Discourse reads behind a bar how big to show it, and whether it is a film."""
    figure = Figure("mapa.svg", (Text("Los A|video|50x50](/x)"),))
    drawn = MarkdownRenderer(lambda name: f"/media/{name}").render([figure])
    assert "![Los A/video/50x50&#93;(/x)](/media/mapa.svg)" == drawn


def test_pieces_have_an_empty_line_between_them() -> None:
    """Spirit sees no table without one."""
    grid = Grid(((Text("a"),),), (((Text("b"),),),), (Align.LEFT,))
    assert "antes\n\n| a |\n| --- |\n| b |" == RENDERER.render([Lines(((Text("antes"),),)), grid])
