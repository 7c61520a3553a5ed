"""A post's rendered HTML to the lines that its reader sees."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.markup.dialect import DIALECTS, MISAGO, MYBB, PHPBB, SPIRIT, XENFORO, HtmlDialect
from parsers.markup.guard import MAX_CHARS, MAX_DEPTH, MAX_TAG_CHARS, MAX_TAGS, find_refusal
from parsers.markup.html import read_html
from processor.pipeline.seen import FLAVOURS
from rules.engine.text import tokenize
from rules.play.lines import SeenLine, Skip
from tests.support.work import lines_executed

PAGES = Path(__file__).parent / "pages" / "markup"

PHPBB_LINES = [
    "[órdenes turno 3]",
    "mover E3: 2 a CM-5 :)",
    "[/órdenes]",
    "[órdenes]",
    "producir",
    "[/órdenes]",
    "un secreto",
]


def texts(html: str, dialect: HtmlDialect = SPIRIT) -> list[str]:
    """The lines of a body."""
    return [line.text for line in read_html(html, dialect).lines]


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<p>uno<br>\ndos</p>\n<p>tres</p>", ["uno", "dos", "tres"]),
        ("uno<br />dos<br><br>tres", ["uno", "dos", "tres"]),
        ("<ul>\n<li>uno</li>\n<li><p>dos</p>\n<ol><li>tres</li></ol></li>\n</ul>", ["uno", "dos", "tres"]),
        ("<ol><li>uno<li>dos</ol>", ["uno", "dos"]),
        ("<table><tr><th>uno</th><td>dos</td></tr><tr><td>tres</td></tr></table>", ["uno", "dos", "tres"]),
        ("<div>uno</div><div>dos<hr>tres</div>", ["uno", "dos", "tres"]),
        ("<dl><dt>uno<dd>dos</dl><section>tres</section>", ["uno", "dos", "tres"]),
        ("<h1>uno</h1><h3>dos</h3>", ["# uno", "### dos"]),
        ("<h2>uno<br>dos</h2>tres", ["## uno", "## dos", "tres"]),
        ("<p>  mucho \n\t espacio  </p>", ["mucho espacio"]),
        ("<p>&nbsp;</p><p>\u200b</p><p> </p>", []),
        ("", []),
    ],
)
def test_blocks_of_the_page_end_lines(html: str, lines: list[str]) -> None:
    """`br` and every block element end a line; empty lines are none."""
    assert lines == texts(html)


@pytest.mark.parametrize(
    "html",
    [
        "pro<b>du</b>cir",
        "p<span style='color: red'>r</span>oducir",
        "<a href='x'>producir</a>",
        "pro<wbr>ducir",
        "pro<!-- nota -->ducir",
        "<desconocido>producir</desconocido>",
        "producir<script>alert(1)</script><style>b {}</style><template>x</template><noscript>y</noscript>",
        "producir<textarea>x</textarea><button>Mostrar</button><select><option>z</select>",
        "producir<img src='mapa.png' alt='un mapa'>",
    ],
)
def test_inline_markup_adds_nothing(html: str) -> None:
    """No word is split, and nothing that isn't text gets in."""
    assert ["producir"] == texts(html)


@pytest.mark.parametrize("stray", ["</br>", "</p>", "</BR >", "</div>", "</body></html>"])
def test_a_stray_end_tag_never_glues_two_lines(stray: str) -> None:
    """Browsers break at `</br>` and `</p>`; the parser drops them."""
    assert ["uno", "dos"] == texts(f"uno{stray}dos")


def test_lines_are_numbered_as_the_author_counts_them() -> None:
    """Lines with text count; quotes and empty lines take no number."""
    seen = read_html("<p>uno</p><blockquote>cita<br>larga</blockquote><p><br>dos</p><p>tres</p>", SPIRIT)
    assert [(1, "uno"), (2, "dos"), (3, "tres")] == [(line.number, line.text) for line in seen.lines]
    assert (Skip("quote", 2, "cita", has_block=False),) == seen.skipped


def test_emoji_pictures_read_as_their_text() -> None:
    """Spirit's emoji is an empty `i`; other pictures have an alternative text."""
    assert ["producir :smile:"] == texts('producir <i class="tw tw-smile" title=":smile:"></i>')
    smilie = '<img src="s.gif" class="smilie" alt="" data-shortname=":)" title="Sonrisa">'
    assert ["mover E3 :)"] == texts(f"mover E3 {smilie}", XENFORO)
    assert ["2:D3"] == texts('2<img class="smilies" alt=":D" src="x">3', PHPBB)


def test_a_mention_is_its_text() -> None:
    """Spirit makes links of names."""
    assert ["atacar a @Tau"] == texts(
        'atacar a <a class="comment-mention" rel="nofollow" href="/user/3/">@Tau</a>'
    )


# quotes and other text that isn't the author's


def nested(depth: int) -> str:
    """A quote of a quote of …, with text behind each."""
    inner = nested(depth - 1) if depth else ""
    return (
        f"<blockquote><p>[órdenes]<br>cita {depth}</p>{inner}<p>cola {depth}<br>[/órdenes]</p></blockquote>"
    )


@given(
    st.integers(0, 30), st.sampled_from(["", "<p>antes</p>"]), st.sampled_from(["<p>después</p>", "después"])
)
def test_nested_quotes_never_leak(depth: int, before: str, after: str) -> None:
    """At any depth only what stands outside is the author's."""
    seen = read_html(before + nested(depth) + after, SPIRIT)
    assert (["antes"] if before else []) + ["después"] == [line.text for line in seen.lines]
    assert [("quote", True)] == [(skip.kind, skip.has_block) for skip in seen.skipped]


def test_a_skipped_quote_says_where_it_stands_and_how_its_block_begins() -> None:
    """What the receipt needs to name it."""
    quote = "<blockquote><p>@ana said:</p><p>[órdenes turno 3]<br>producir<br>[/órdenes]</p></blockquote>"
    seen = read_html(f"<p>uno</p>{quote}<p>dos</p>{quote}", SPIRIT)
    skips = [Skip("quote", line, "[órdenes turno 3]", has_block=True) for line in (2, 3)]
    assert skips == list(seen.skipped)


def test_long_excerpts_are_cut() -> None:
    """At most 80 characters."""
    seen = read_html(f"<blockquote>{'a' * 200}</blockquote>", SPIRIT)
    assert "a" * 79 + "…" == seen.skipped[0].excerpt


def test_a_quoted_code_block_of_orders_is_a_block() -> None:
    """An order fence inside a quote is worth naming, too."""
    seen = read_html('<blockquote><pre><code class="lang-órdenes">producir</code></pre></blockquote>', SPIRIT)
    assert [True] == [skip.has_block for skip in seen.skipped]


@pytest.mark.parametrize(
    ("dialect", "page", "lines", "kinds"),
    [
        (
            PHPBB,
            "phpbb",
            PHPBB_LINES,
            ["quote", "signature"],
        ),
        (XENFORO, "xenforo", ["mover E3", "sangrado, no citado", "esperar"], ["quote"]),
        (MISAGO, "misago", ["mover E3"], ["quote"]),
    ],
)
def test_each_dialect_has_its_own_quotes(
    dialect: HtmlDialect, page: str, lines: list[str], kinds: list[str]
) -> None:
    """Selectors decide what is a quote, a signature, a spoiler; titles and buttons are nobody's text."""
    seen = read_html((PAGES / f"{page}.html").read_text(encoding="utf-8"), dialect)
    assert lines == [line.text for line in seen.lines]
    assert kinds == [skip.kind for skip in seen.skipped]


BODIES: dict[str, str] = json.loads((PAGES / "dialects.json").read_text(encoding="utf-8"))
"""A post of ours as each software shows it: quoted {q}, struck {x}, an order {o} with a smiley, code {c}."""


@pytest.mark.parametrize("software", sorted(DIALECTS))
def test_a_post_reads_alike_whatever_forum_shows_it(software: str) -> None:
    """What is quoted is left out, what is struck is noted, code is code, and a smiley ends no order."""
    orders = {"q": "citado", "x": "tachado", "o": "mover E1 a CM-5", "c": "ejemplo"}

    seen = read_html(BODIES[software].format_map(orders), DIALECTS[software])

    assert {"quote"} == {skip.kind for skip in seen.skipped}
    struck, order, code = seen.lines
    assert ("tachado", True) == (struck.text, struck.struck)
    assert ["mover", "e1", "a", "cm-5"] == [token.folded for token in tokenize(order.text)]
    assert ("ejemplo", True) == (code.text, code.fence is not None)


def test_every_software_whose_raw_text_is_known_has_its_pages_known() -> None:
    """A game on it may hand in either."""
    assert set(FLAVOURS) <= set(DIALECTS)


def test_a_whole_post_of_spirit() -> None:
    """Quotes within quotes, a heading as a comment, an ordered list that has swallowed the closing mark,
    code.
    """
    seen = read_html((PAGES / "spirit.html").read_text(encoding="utf-8"), SPIRIT)
    assert (Skip("quote", 1, "[órdenes turno 3]", has_block=True),) == seen.skipped
    assert (
        SeenLine(1, "# Turno 3"),
        SeenLine(2, "Aquí va, @tau :smile:"),
        SeenLine(3, "[órdenes turno 3]"),
        SeenLine(4, "# mis tropas"),
        SeenLine(5, "producir"),
        SeenLine(6, "construir generador en CM-9", struck=True),
        SeenLine(7, "mover E3: 2 a CM-5,"),
        SeenLine(8, "2 a CM-9 :thumbsup:"),
        SeenLine(9, "invadir CM-40 CM-41", partly_struck=True),
        SeenLine(10, "[/órdenes]"),
        SeenLine(11, "El código no cuenta:"),
        SeenLine(12, 'print("hola")', fence="python", fence_number=1),
        SeenLine(13, "y esto sí:"),
        SeenLine(14, "permanentes", fence="órdenes", fence_number=2),
        SeenLine(15, "producir", fence="órdenes", fence_number=2),
    ) == seen.lines


def test_spoilers_are_marked_not_dropped() -> None:
    """Whether they count is the game's option."""
    html = (
        'uno<div class="quotetitle"><b>Spoiler:</b></div><div class="quotecontent"><div>dos</div></div>tres'
    )
    assert [("uno", False), ("dos", True), ("tres", False)] == [
        (line.text, line.spoiler) for line in read_html(html, PHPBB).lines
    ]


def test_a_quote_inside_a_spoiler_stays_a_quote() -> None:
    """The outermost part that doesn't count names it."""
    html = '<div class="quotecontent"><blockquote>cita</blockquote>mía</div>'
    assert ["mía"] == texts(html, PHPBB)


# struck text


@pytest.mark.parametrize(
    ("html", "struck", "partly"),
    [
        ("<del>producir</del>", True, False),
        ("1. <del>producir</del>", True, False),
        ("a) <s>producir</s>.", True, False),
        ("<strike>pro</strike><b><del>ducir</del></b>", True, False),
        ("producir <del>dos</del>", False, True),
        ("<del>2</del> 3 tropas", False, True),
        ("producir", False, False),
        ("producir <del> </del>", False, False),
        ("<del>—</del> producir", False, False),
    ],
)
def test_struck_text_is_told_from_half_struck(html: str, struck: bool, partly: bool) -> None:
    """Letters and digits decide; a list mark in front and punctuation don't."""
    (line,) = read_html(html, SPIRIT).lines
    assert (struck, partly) == (line.struck, line.partly_struck)


def test_strike_of_several_lines_strikes_each() -> None:
    """`~~` around a whole block."""
    seen = read_html("<p><del>uno<br>\ndos</del><br>tres</p>", SPIRIT)
    assert [True, True, False] == [line.struck for line in seen.lines]


def test_a_line_through_style_strikes() -> None:
    """MyBB strikes with a style."""
    html = '<span style="TEXT-DECORATION:line-through" class="mycode_s">huir</span><br>mover'
    assert [True, False] == [line.struck for line in read_html(html, MYBB).lines]


def test_markup_left_open_stays_in_its_own_post() -> None:
    """Each body is read alone."""
    assert [True] == [line.struck for line in read_html("<s>uno", SPIRIT).lines]
    assert [False] == [line.struck for line in read_html("dos", SPIRIT).lines]


# code


def test_a_code_block_keeps_its_lines_and_its_info_word() -> None:
    """Spirit's rendering of a fence; indentation is kept, empty lines are none."""
    html = '<pre><code class="lang-órdenes">producir\n\n  mover &lt;E3&gt;\n</code></pre>\n<p>chao</p>'
    lines = read_html(html, SPIRIT).lines
    assert [("producir", "órdenes", 1), ("  mover <E3>", "órdenes", 1), ("chao", None, 0)] == [
        (line.text, line.fence, line.fence_number) for line in lines
    ]


@pytest.mark.parametrize(
    ("html", "word"),
    [
        ('<pre><code class="hljs language-órdenes">x</code></pre>', "órdenes"),
        ('<pre class="lang-orders"><code>x</code></pre>', "orders"),
        ('<pre data-lang="órdenes"><code>x</code></pre>', "órdenes"),
        ("<pre><code>x</code></pre>", ""),
        ("<pre>x</pre>", ""),
    ],
)
def test_the_info_word_is_found_wherever_forums_put_it(html: str, word: str) -> None:
    """Prefixes and attributes differ, and some forums lose it."""
    assert [word] == [line.fence for line in read_html(html, SPIRIT).lines]


def test_neighbouring_code_blocks_are_told_apart() -> None:
    """Numbers count code blocks, not lines."""
    lines = read_html("<pre>a\nb</pre><pre>c</pre>", SPIRIT).lines
    assert [1, 1, 2] == [line.fence_number for line in lines]


def test_an_empty_code_block_leaves_one_line_without_text() -> None:
    """It may be an empty order block, which withdraws orders: that must not vanish."""
    lines = read_html('<p>uno</p><pre><code class="lang-órdenes">\n</code></pre>', SPIRIT).lines
    assert (SeenLine(1, "uno"), SeenLine(2, "", fence="órdenes", fence_number=1)) == lines


def test_titles_of_code_boxes_are_dropped() -> None:
    """`Código: Seleccionar todo` is the forum's; `br` and nbsp inside are layout."""
    body = '<div class="body"><code>uno<br />&nbsp;dos</code></div>'
    html = f'<div class="codeblock"><div class="title">Code:</div>{body}</div>'
    assert [("uno", ""), ("\xa0dos", "")] == [(line.text, line.fence) for line in read_html(html, MYBB).lines]


def test_inline_code_is_text_and_is_noted_with_its_line_breaks() -> None:
    """Spirit makes inline code of ```` ```órdenes turno 3 ````; the breaks are only left in the source."""
    (line,) = read_html("<p><code>órdenes turno 3\nproducir\nmover</code></p>", SPIRIT).lines
    assert "órdenes turno 3 producir mover" == line.text
    assert ("órdenes turno 3\nproducir\nmover",) == line.inline_code
    assert line.fence is None


def test_inline_code_belongs_to_the_line_it_begins_in() -> None:
    """Two of one line, none of the next."""
    first, second = read_html("<code>a</code> y <code>b<b>c</b></code><br>d", SPIRIT).lines
    assert (("a", "bc"), ()) == (first.inline_code, second.inline_code)


# any text, hostile text


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("a" * (MAX_CHARS + 1), "parse/post-too-big"),
        ("<b>" * (MAX_TAGS + 1), "parse/post-too-many-tags"),
        ("<!--" * (MAX_TAGS + 1), "parse/post-too-many-tags"),
        ("<div>" * (MAX_DEPTH + 1), "parse/post-too-deep"),
        ("<p a='" + "x" * MAX_TAG_CHARS + "'>", "parse/post-long-tag"),
        ("uno <a href='x", "parse/post-cut"),
        ("uno <!-- dos", "parse/post-cut"),
    ],
)
def test_a_body_over_the_caps_is_refused_with_a_reason(body: str, code: str) -> None:
    """It is not parsed, and not taken for a post without orders."""
    seen = read_html(body, SPIRIT)
    assert seen.refused is not None
    assert (code, ()) == (seen.refused.code, seen.lines)


@pytest.mark.parametrize(
    "body",
    ["a" * MAX_CHARS, "<br>" * MAX_TAGS, "<div>" * MAX_DEPTH, "<p>uno" * 900, "a < b > c", "<li>x" * 900],
)
def test_a_body_within_the_caps_is_read(body: str) -> None:
    """The bounds themselves, and elements that forums leave open."""
    assert find_refusal(body) is None


TAGS = (
    "<p> </p> <br> </br> <b> </b> <del> </del> <s> <blockquote> </blockquote> <ul><li> </li></ul> <pre> "
    "</pre> <pre><code> </code></pre> <code> </code> <h2> </h2> <table><td> </table> <div> </div> <!-- --> "
    "&nbsp; &#0; [órdenes] [/órdenes] producir </body> <script> </script> <textarea> </textarea>"
)
pieces = st.lists(st.sampled_from(TAGS.split(" ")) | st.text(max_size=8).map(escape), max_size=25).map(
    " ".join
)


@given(pieces)
def test_any_markup_gives_lines_or_a_refusal(html: str) -> None:
    """Never an exception; numbers ascend by one; each line has text or is an empty code block."""
    seen = read_html(html, SPIRIT)
    assert list(range(1, len(seen.lines) + 1)) == [line.number for line in seen.lines]
    assert all(line.text or line.fence is not None for line in seen.lines)
    assert all("\n" not in line.text for line in seen.lines)


@given(
    st.lists(st.text(alphabet="abcñ 0-9<>&\"'`[]/", min_size=1).filter(lambda text: text.strip()), min_size=1)
)
def test_escaped_text_comes_back_in_the_order_it_was_written(lines: list[str]) -> None:
    """Paragraphs and `br` alike."""
    expected = [" ".join(line.split()) for line in lines]
    assert expected == texts("<br>\n".join(escape(line) for line in lines))
    assert expected == texts("\n".join(f"<p>{escape(line)}</p>" for line in lines))


@given(pieces)
def test_reading_twice_gives_the_same(html: str) -> None:
    """Lines are values."""
    assert read_html(html, SPIRIT) == read_html(html, SPIRIT)


def test_broken_characters_are_replaced_not_fatal() -> None:
    """Halves of surrogates and NUL can't be encoded or end the parse."""
    assert ["a\ufffdb\ufffdc"] == texts("a\ud800b\x00c")


@pytest.mark.parametrize(
    "piece", ["<p>uno</p>", "<del>a</del><br>", "<blockquote>a</blockquote>b", "<code>x</code> "]
)
def test_the_work_grows_with_the_page_not_faster(piece: str) -> None:
    """Twice the page, about twice the executed lines."""

    def read(html: str) -> object:
        return read_html(html, SPIRIT)

    assert lines_executed(read, piece * 200) <= 2.5 * lines_executed(read, piece * 100)
