"""Raw Markdown and raw BBCode to the same lines as from the rendered post."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from parsers.markup import flavours
from parsers.markup.bbcode_text import BBCodeFlavour, read_bbcode
from parsers.markup.dialect import FLASKBB, MISAGO, SPIRIT
from parsers.markup.html import read_html
from parsers.markup.markdown_text import COMMONMARK, MAX_NESTING, MarkdownFlavour, read_markdown
from parsers.markup.raw import MAX_RAW_CHARS
from parsers.orders.blocks import find_blocks
from parsers.orders.lines import logical_lines
from processor.pipeline.seen import see_post
from rules.play.lines import SeenLine, SeenText, Skip
from rules.play.posts import Post, Precision
from tests.support.bbcode_renderer import RENDERED, render_pairs, render_stack
from tests.support.work import lines_executed

PAGES = Path(__file__).parent / "pages" / "raw"
RENDERER = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": 100})
RENDERER.enable(["table", "strikethrough"])

FORUMS = {
    "spirit": (flavours.SPIRIT, SPIRIT),
    "flaskbb": (flavours.FLASKBB, FLASKBB),
    "misago": (flavours.MISAGO, MISAGO),
}
MARKDOWN = {
    "nodebb": flavours.NODEBB,
    "discourse": flavours.DISCOURSE,
    "flarum": flavours.FLARUM,
    "unknown": flavours.UNKNOWN,
    **{name: flavour for name, (flavour, _) in FORUMS.items()},
}
BBCODE = {
    "phpbb": flavours.PHPBB,
    "mybb": flavours.MYBB,
    "smf": flavours.SMF,
    "xenforo": flavours.XENFORO,
}
BOARD = replace(flavours.PHPBB, roles={**flavours.PHPBB.roles, "s": "struck", "spoiler": "spoiler"})
"""phpBB with the tags that boards add most often."""


def texts(seen: SeenText) -> list[str]:
    """The lines without what is noted of them."""
    return [line.text for line in seen.lines]


def shapes(name: str) -> list[dict[str, str]]:
    """Posts of ours with what that forum's renderer made of them."""
    found: list[dict[str, str]] = json.loads((PAGES / f"{name}.json").read_text(encoding="utf-8"))
    return found


# Markdown


@pytest.mark.parametrize(
    ("raw", "lines"),
    [
        ("uno\ndos\n\ntres", ["uno", "dos", "tres"]),
        ("uno  \ndos\r\ntres\rcuatro", ["uno", "dos", "tres", "cuatro"]),
        ("# uno\ndos\n\n### tres ###", ["# uno", "dos", "### tres"]),
        ("uno\n---\n\ndos\n===", ["## uno", "# dos"]),
        ("uno\n\n---\n\ndos", ["uno", "dos"]),
        ("1. uno\n2. dos\nque sigue\n\n   y acaba\n- tres\n  1) cuatro", [
            "uno", "dos", "que sigue", "y acaba", "tres", "cuatro",
        ]),
        ("| uno | dos |\n|---|---|\n| tres | |", ["uno", "dos", "tres"]),
        ("[uno](http://a.b) <http://c.d> ![tres](e.png)", ["uno http://c.d"]),
        ("*uno* __dos__ 2*3*4 a_b_c", ["uno dos 234 a_b_c"]),
        (r"\*uno\* \[dos\] \\", [r"*uno* [dos] \\"[:-1]]),
        ("&ntilde;&#64;&amp;lt; <b>x</b>", ["ñ@&lt; <b>x</b>"]),
        (":smile: @Tau :)", [":smile: @Tau :)"]),
        ("  uno   dos \t tres", ["uno dos tres"]),
        ("[órdenes turno 3]\nproducir\n[/órdenes]", ["[órdenes turno 3]", "producir", "[/órdenes]"]),
        ("**[órdenes]**\n1. producir\n**[/órdenes]**", ["[órdenes]", "producir", "[/órdenes]"]),
        ("[a]: http://b.c\n\n[uno][a] [dos]", ["uno [dos]"]),
        ("", []),
        ("\n \n\u200b\n", []),
    ],
)  # fmt: skip
def test_markdown_reads_as_its_reader_sees_it(raw: str, lines: list[str]) -> None:
    """Blocks end lines, marks are taken off, links are their text, pictures are none."""
    assert lines == texts(read_markdown(raw))


def test_markdown_code_keeps_lines_and_info_word() -> None:
    """Fences of both kinds, with words behind the first, indented code, an empty fence."""
    raw = "```órdenes turno 3\nproducir\n\n  mover \\\n```\n\n~~~\nx\n~~~\n\n    y\n\n```órdenes\n```"
    assert (
        SeenLine(1, "producir", fence="órdenes", fence_number=1),
        SeenLine(2, "  mover \\", fence="órdenes", fence_number=1),
        SeenLine(3, "x", fence="", fence_number=2),
        SeenLine(4, "y", fence="", fence_number=3),
        SeenLine(5, "", fence="órdenes", fence_number=4),
    ) == read_markdown(raw).lines


def test_markdown_quotes_are_skips_without_numbers() -> None:
    """Nested ones are one, lazy lines belong to them, each is named where it stands."""
    raw = "uno\n\n> > [órdenes]\n> > x\n> cola\nperezosa\n\ndos\n\n> > tres\n\n> ```órdenes\n> y\n> ```"
    seen = read_markdown(raw)
    assert [(1, "uno"), (2, "dos")] == [(line.number, line.text) for line in seen.lines]
    assert (
        Skip("quote", 2, "[órdenes]", has_block=True),
        Skip("quote", 3, "tres", has_block=False),
        Skip("quote", 3, "y", has_block=True),
    ) == seen.skipped


def test_markdown_strike_is_told_from_half_struck() -> None:
    """Whole lines behind a list's mark, parts, and a stretch over several lines."""
    seen = read_markdown("1. ~~uno~~\n2. dos ~~tres~~\n\n~~cuatro\ncinco~~\nseis")
    assert [(True, False), (False, True), (True, False), (True, False), (False, False)] == [
        (line.struck, line.partly_struck) for line in seen.lines
    ]


def test_markdown_inline_code_is_noted() -> None:
    """It is text, too."""
    (line,) = read_markdown("`[órdenes]` y ``a ` b``").lines
    assert ("[órdenes] y a ` b", ("[órdenes]", "a ` b")) == (line.text, line.inline_code)


@pytest.mark.parametrize("raw", ["mover E3: 2 a CM-5, \\\n2 a CM-9", "mover E3: 2 a CM-5,\\\n  2 a CM-9"])
def test_a_backslash_at_a_lines_end_goes_on_where_raw_text_is_read(raw: str) -> None:
    """Rendering eats it; of the numbers nothing changes."""
    seen = read_markdown(f"[órdenes]\n{raw}\n[/órdenes]")
    rendered = read_html(RENDERER.render(f"[órdenes]\n{raw}\n[/órdenes]"), SPIRIT)
    assert [line.number for line in rendered.lines] == [line.number for line in seen.lines]
    (block,) = find_blocks(seen, raw=True).blocks
    joined = [line.text for line in logical_lines(block, raw=True)]
    assert ["mover E3: 2 a CM-5, 2 a CM-9"] == joined


@pytest.mark.parametrize("raw", ["\\\nuno", "**\\\n**uno", "> uno\\\n> dos\n\nuno"])
def test_a_lone_backslash_makes_no_line(raw: str) -> None:
    """Neither does one in a quote show in its excerpt."""
    seen = read_markdown(raw)
    assert "\\" not in texts(seen)
    assert all("\\" not in skip.excerpt for skip in seen.skipped)


PIECES = st.sampled_from((
    "producir", "mover E3: 2 a CM-5,", " ", "  ", "    ", "\n", "\n", "\n\n", "> ", ">", "- ", "1. ", "2) ",
    "* ", "# ", "#", "```", "```órdenes\n", "~~~", "~~", "~~", "*", "**", "_", "`", "``", "---", "===", "|",
    "|-|-|", "\\", "\\*", "\\\n", "[órdenes turno 3]\n", "[/órdenes]\n", "[a](b)", "![c](d)", "[a]: b\n",
    "&amp;", "&ntilde;", "<b>", "<http://a.b>", ":smile:", "@Tau", "\t", "2*3*4", "a_b", "ñ", "+ ", "…",
    "[x] ",
))  # fmt: skip
POSTS = st.lists(PIECES | st.text("abñ 1>*_~`#|\n\\", max_size=4), max_size=30).map("".join)


def without_breaks(seen: SeenText) -> SeenText:
    """Lines without the backslashes that rendering takes for line breaks."""
    lines = (
        line if line.fence is not None else replace(line, text=line.text.rstrip("\\ ")) for line in seen.lines
    )
    return replace(seen, lines=tuple(lines))


@given(POSTS)
def test_raw_markdown_and_its_rendering_give_the_same_lines(raw: str) -> None:
    """All that is noted of lines, and what was left out."""
    rendered = read_html(RENDERER.render(raw), SPIRIT)
    assert without_breaks(rendered) == without_breaks(read_markdown(raw))


@pytest.mark.parametrize("name", FORUMS)
def test_each_forum_s_own_markdown(name: str) -> None:
    """What its renderer was seen to make of each shape of post; FlaskBB's HTML alone loses info words."""
    flavour, dialect = FORUMS[name]
    for shape in shapes(name):
        seen = read_markdown(shape["raw"], flavour)
        if name == "flaskbb":
            lines = (replace(line, fence=line.fence and "") for line in seen.lines)
            seen = replace(seen, lines=tuple(lines))
        assert (shape["shape"], read_html(shape["html"], dialect)) == (shape["shape"], seen)


def test_each_forum_has_the_same_shapes() -> None:
    """Misago some more, in BBCode."""
    names = {name: {shape["shape"] for shape in shapes(name)} for name in FORUMS}
    assert names["spirit"] == names["flaskbb"]
    assert names["spirit"] < names["misago"]


@pytest.mark.parametrize(
    ("raw", "lines", "kinds"),
    [
        ("[quote=ana]\n[órdenes]\n[/quote]\nuno", ["uno"], ["quote"]),
        ("[quote]a[quote]b[/quote]c[/quote]uno", ["uno"], ["quote"]),
        ("[quote]uno", ["[quote]uno"], []),
        ("> a\n\n[b]uno[/b] [s]dos[/s]", ["uno dos"], ["quote"]),
        ("[code]\n  uno\n[/code]", ["  uno"], []),
        ("[url=http://a.b]uno[/url][img]c.png[/img]", ["uno"], []),
        ("\ue000\nuno\n\ue001", ["\ufffd", "uno", "\ufffd"], []),
    ],
)
def test_text_of_unknown_origin_is_read_with_both_kinds_of_quotes(
    raw: str, lines: list[str], kinds: list[str]
) -> None:
    """Nobody's orders count because a text file doesn't say where it comes from."""
    seen = read_markdown(raw, flavours.UNKNOWN)
    assert (lines, kinds) == (texts(seen), [skip.kind for skip in seen.skipped])


def test_a_spoiler_in_markdown_is_marked() -> None:
    """Whether it counts is the game's option."""
    seen = read_markdown("uno\n[spoiler]\ndos\n[/spoiler]\ntres", flavours.MISAGO)
    assert [False, True, False] == [line.spoiler for line in seen.lines]


@pytest.mark.parametrize(
    ("raw", "html"),
    [
        (
            ">! [órdenes]\n>! producir\n>! [/órdenes]\n\nfin",
            '<div class="spoiler">\n<p>[órdenes]<br />\nproducir<br />\n[/órdenes]</p>\n</div>\n<p>fin</p>\n',
        ),
        ("uno >! dos !< tres", '<p>uno <span class="spoiler">dos</span> tres</p>\n'),
        (">! uno\n>\n\ndos", '<div class="spoiler">\n<p>uno</p>\n</div>\n<p>dos</p>\n'),
        (
            "- > uno\n>! dos\n",
            '<ul><li><blockquote><p>uno</p>\n</blockquote></li></ul>\n<div class="spoiler"><p>dos</p></div>',
        ),
        (
            "- > uno\n# dos",
            "<ul>\n<li><blockquote>\n<p>uno</p>\n</blockquote>\n</li>\n</ul>\n<h1>dos</h1>\n",
        ),
        (
            ">! uno\n    >! dos",
            "<blockquote>\n<p>! uno<br />\n&gt;! dos</p>\n</blockquote>\n",
        ),
        (">! uno\n> dos", "<blockquote>\n<p>! uno<br />\ndos</p>\n</blockquote>\n"),
        (">! uno\ndos", "<blockquote>\n<p>! uno<br />\ndos</p>\n</blockquote>\n"),
        ("- >! uno", "<ul>\n<li><blockquote>\n<p>! uno</p>\n</blockquote>\n</li>\n</ul>\n"),
        (
            ">!uno !< dos\n\nx >!!< y",
            '<div class="spoiler">\n<p>uno !&lt; dos</p>\n</div>\n<p>x &gt;!!&lt; y</p>\n',
        ),
        (
            ">! uno\n>!\n>! - dos",
            '<div class="spoiler">\n<p>uno</p>\n<ul>\n<li>dos</li>\n</ul>\n</div>\n',
        ),
    ],
)
def test_spoilers_of_flaskbb_are_no_quotes(raw: str, html: str) -> None:
    """`>!` hides a player's own text, in lines of its own or amid one; all else behind `>` is quoted."""
    assert read_html(html, FLASKBB) == read_markdown(raw, flavours.FLASKBB)


@pytest.mark.parametrize("name", MARKDOWN)
def test_an_item_may_begin_with_a_quote(name: str) -> None:
    """The next item is the author's own again."""
    seen = read_markdown("- > uno\n- dos\n\nfin", MARKDOWN[name])
    assert (["dos", "fin"], ["uno"]) == (texts(seen), [skip.excerpt for skip in seen.skipped])


@pytest.mark.parametrize(
    ("raw", "lines", "kinds"),
    [
        ('[quote="ana, post:3, topic:2"]\n[órdenes]\n[quote]x[/quote]\n[/quote]\n\nuno', ["uno"], ["quote"]),
        ("[quote]uno", ["[quote]uno"], []),
        ("```\n[quote]\n```\nuno [/quote]", ["[quote]", "uno [/quote]"], []),
        ("`[quote]` uno `[/quote]`", ["[quote] uno [/quote]"], []),
        ("<blockquote>uno</blockquote>dos", ["dos"], ["quote"]),
        ('<aside class="quote">\n\n[órdenes]\n\n</aside>\n\n> uno\n\ndos', ["dos"], ["quote", "quote"]),
        ("<b>uno</b><br>dos <!-- tres --> <ahora>", ["uno", "dos <ahora>"], []),
        ("[b]uno[/b] [url=http://a.b]dos[/url][img]c.png[/img]", ["uno dos"], []),
        ("mover E3: 2 a CM-5, \\\n3 a CM-9 \\*", ["mover E3: 2 a CM-5, \\", "3 a CM-9 *"], []),
        ("[code]\n  [quote]uno[/quote]\n[/code]", ["  [quote]uno[/quote]"], []),
    ],
)
def test_markdown_of_discourse_has_quotes_in_bbcode_and_lets_html_through(
    raw: str, lines: list[str], kinds: list[str]
) -> None:
    """What stands in code is nobody's tag, and tags that Discourse doesn't let through are text."""
    seen = read_markdown(raw, flavours.DISCOURSE)
    assert (lines, kinds) == (texts(seen), [skip.kind for skip in seen.skipped])


@pytest.mark.parametrize(
    "raw",
    [
        "<details>\n<summary>Plan B</summary>\n\n<s>esperar</s>\n\n</details>\nfin",
        '[details="Plan B"]\n~~esperar~~\n[/details]\nfin',
        "[spoiler]Plan B\n\n[s]esperar[/s][/spoiler]\nfin",
        '<div class="spoiler">Plan B<br><del>esperar</del></div>\n\nfin',
    ],
)
def test_what_discourse_hides_may_count(raw: str) -> None:
    """Spoilers and details, in BBCode and in HTML, and within them what is struck is struck."""
    assert [("Plan B", True, False), ("esperar", True, True), ("fin", False, False)] == [
        (line.text, line.spoiler, line.struck) for line in read_markdown(raw, flavours.DISCOURSE).lines
    ]


@pytest.mark.parametrize(
    ("raw", "lines", "kinds"),
    [
        ('[quote="Ana"][órdenes]\nhuir', [], ["quote"]),
        ("> huir\n\n[list][*]uno\n[*]dos[/list]", ["uno", "dos"], ["quote"]),
        (">! uno\n>! dos\n\ntres", ["uno", "dos", "tres"], []),
        (">! uno !< dos", ["uno", "dos"], []),
        ('uno ||dos|| @"Ana"#p12', ["uno", "dos", '@"Ana"#p12'], []),
    ],
)
def test_markdown_of_flarum(raw: str, lines: list[str], kinds: list[str]) -> None:
    """Quotes in both ways, spoilers in its own; a quote that isn't closed goes on to the end."""
    seen = read_markdown(raw, flavours.FLARUM)
    assert (lines, kinds) == (texts(seen), [skip.kind for skip in seen.skipped])


# BBCode


@pytest.mark.parametrize(
    ("raw", "lines"),
    [
        ("uno\n\ndos\r\ntres", ["uno", "dos", "tres"]),
        ("[b]uno[/b] [i]d[/i]os [color=red]tres[/color]", ["uno dos tres"]),
        ("[url=http://a.b]uno[/url] [url]http://c.d[/url] [img]http://e.f/g.png[/img]", ["uno http://c.d"]),
        ("[list]\n[*]uno [b]dos[/b]\n[*] tres[*]cuatro[/list]cinco", ["uno dos", "tres", "cuatro", "cinco"]),
        ("[órdenes turno 3]\nproducir :)\n[/órdenes]", ["[órdenes turno 3]", "producir :)", "[/órdenes]"]),
        ("[orders turn 3]\n[ordenes=3]\n[/orders]", ["[orders turn 3]", "[ordenes=3]", "[/orders]"]),
        ("[B]uno[/b] [noexiste]dos[/noexiste] [*]tres", ["uno [noexiste]dos[/noexiste] [*]tres"]),
        ("[size]uno[/size] [img]dos y[/img] [img]tres", ["[size]uno[/size] [img]dos y[/img] [img]tres"]),
        ("<b>&amp; &lt;", ["<b>&amp; &lt;"]),
        ("  uno   dos ", ["uno dos"]),
        ("[quote", ["[quote"]),
        ("", []),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["phpbb", "mybb"])
def test_bbcode_reads_as_its_reader_sees_it(name: str, raw: str, lines: list[str]) -> None:
    """Marks are taken off, what is no known tag or lacks its counterpart's sense is text."""
    assert lines == texts(read_bbcode(raw, BBCODE[name]))


@pytest.mark.parametrize("name", BBCODE)
@pytest.mark.parametrize("opening", ["[quote]", "[quote=\"[X] Ana\" pid='2' dateline='17']", "[QUOTE=Ana]"])
def test_bbcode_quotes_are_skips_at_any_depth(name: str, opening: str) -> None:
    """What stands between and behind them is the author's."""
    cite = f"{opening}[órdenes]\n{opening}dentro[/quote]\nproducir\n[/órdenes][/QUOTE]"
    seen = read_bbcode(f"uno\n{cite}\ndos {cite}tres", BBCODE[name])
    assert [(1, "uno"), (2, "dos"), (3, "tres")] == [(line.number, line.text) for line in seen.lines]
    assert [Skip("quote", line, "[órdenes]", has_block=True) for line in (2, 3)] == list(seen.skipped)


@pytest.mark.parametrize("name", BBCODE)
def test_bbcode_code_keeps_its_lines(name: str) -> None:
    """No tag in it counts, neither does a quote's end."""
    seen = read_bbcode(
        "[quote]a[code]b[/quote]c[/code]d[/quote]\n[code]\n  [b]uno[/b]\n\ndos[/code]", BBCODE[name]
    )
    assert [("  [b]uno[/b]", "", 1), ("dos", "", 1)] == [
        (line.text, line.fence, line.fence_number) for line in seen.lines
    ]
    assert ["quote"] == [skip.kind for skip in seen.skipped]


def test_bbcode_code_may_have_a_word_and_be_empty() -> None:
    """An empty one may be an empty order block."""
    lines = read_bbcode("[code=órdenes]producir[/code][code][/code]", flavours.XENFORO).lines
    assert [("producir", "órdenes"), ("", "")] == [(line.text, line.fence) for line in lines]


@pytest.mark.parametrize(
    ("name", "raw", "lines", "kinds"),
    [
        ("mybb", "uno\n[quote]\ndos", ["uno", "[quote]", "dos"], []),
        ("phpbb", "uno\n[quote]\ndos", ["uno"], ["quote"]),
        ("smf", "uno\n[quote]\ndos", ["uno"], ["quote"]),
        ("mybb", "uno[/quote]\ndos", ["uno[/quote]", "dos"], []),
        ("phpbb", "uno[/quote]\ndos", ["uno[/quote]", "dos"], []),
        ("mybb", "[quote][quote]uno[/quote]\ndos", ["dos"], ["quote"]),
        ("phpbb", "[quote][quote]uno[/quote]\ndos", [], ["quote"]),
        ("mybb", "[quote][quote]uno[/quote]dos[quote]tres[/quote]", ["dos"], ["quote", "quote"]),
        ("mybb", "[quote]uno[/quote]\ndos[/quote]tres", ["dos[/quote]tres"], ["quote"]),
        ("phpbb", "[quote][b]uno[/quote]\ndos[/b]", ["dos[/b]"], ["quote"]),
        ("mybb", "[b]uno\n[url=x]dos\n[/i]tres", ["[b]uno", "[url=x]dos", "[/i]tres"], []),
        ("phpbb", "[b]uno\n[i]dos\n[/u]tres", ["uno", "dos", "[/u]tres"], []),
        ("mybb", "[code]uno\n[b]dos[/b]", ["[code]uno", "dos"], []),
        ("phpbb", "[code]uno\n[b]dos[/b]", ["uno", "[b]dos[/b]"], []),
        ("mybb", "[list]\n[*]uno", ["[list]", "[*]uno"], []),
        ("phpbb", "[list]\n[*]uno", ["uno"], []),
    ],
)
def test_unbalanced_tags_do_what_the_forum_makes_of_them(
    name: str, raw: str, lines: list[str], kinds: list[str]
) -> None:
    """Nothing vanishes: it is a line, or part of a quote that the receipt names."""
    seen = read_bbcode(raw, BBCODE[name])
    assert (lines, kinds) == (texts(seen), [skip.kind for skip in seen.skipped])


@pytest.mark.parametrize(
    ("flavour", "raw", "struck"),
    [
        (
            flavours.MYBB,
            "[s]uno[/s]\n1. [s]dos[/s]\ntres [s]4[/s]",
            [(True, False), (True, False), (False, True)],
        ),
        (flavours.MYBB, "[s]uno\ndos[/s]\ntres", [(True, False), (True, False), (False, False)]),
        (flavours.MYBB, "[s]uno\ndos", [(False, False), (False, False)]),
        (flavours.SMF, "uno\n[s]dos\ntres", [(False, False), (True, False), (True, False)]),
        (BOARD, "[quote][s]x[/quote]\nuno", [(False, False)]),
        (BOARD, "[s]uno[quote]x[/s]y[/quote]dos", [(True, False), (False, False)]),
        (BOARD, "[s]uno[quote]x[/quote]dos[/s]tres", [(True, False), (False, True)]),
    ],
)
def test_bbcode_strike(flavour: BBCodeFlavour, raw: str, struck: list[tuple[bool, bool]]) -> None:
    """Of a quote's strike nothing is left behind it."""
    assert struck == [(line.struck, line.partly_struck) for line in read_bbcode(raw, flavour).lines]


@pytest.mark.parametrize(
    ("name", "raw", "line"),
    [
        ("xenforo", "[spoiler]uno[/spoiler]", SeenLine(1, "uno", spoiler=True)),
        ("xenforo", "[heading=1]uno[/heading]", SeenLine(1, "## uno")),
        ("xenforo", "[icode][órdenes][/icode]", SeenLine(1, "[órdenes]", inline_code=("[órdenes]",))),
        ("xenforo", "[plain][b]uno[/b][/plain]", SeenLine(1, "[b]uno[/b]")),
        ("smf", "[nobbc][s]uno[/s][/nobbc]", SeenLine(1, "[s]uno[/s]")),
        ("smf", "[x]uno", SeenLine(1, "uno")),
        ("mybb", "m&#243;vil &amp; [hr]", SeenLine(1, "móvil &amp;")),
        ("phpbb", "m&#243;vil [hr]", SeenLine(1, "m&#243;vil [hr]")),
        ("smf", "[table][tr][td]uno[/td][/tr][/table]", SeenLine(1, "uno")),
    ],
)
def test_what_only_some_boards_know(name: str, raw: str, line: SeenLine) -> None:
    """Each software has its own tags."""
    assert (line,) == read_bbcode(raw, BBCODE[name]).lines


TAGS = st.sampled_from((
    "producir", "mover E3: 2 a CM-5", " ", "\n", "\n", "\n", "[b]", "[/b]", "[s]", "[/s]", "[quote]",
    "[/quote]", '[quote="ana"]', "[QUOTE=ana]", "[/QUOTE]", "[list]", "[/list]", "[*]", "[code]", "[/code]",
    "[url=http://x]", "[/url]", "[img]http://a.b/c.png[/img]", "[img]", "[color=red]", "[/color]",
    "[color]", "[spoiler]", "[/spoiler]", "[órdenes turno 3]", "[/órdenes]", "<b>", "&amp;", ":)", "[", "]",
    "[/x]",
))  # fmt: skip


@given(st.lists(TAGS, max_size=25).map("".join))
def test_raw_bbcode_and_its_rendering_with_a_stack_give_the_same_lines(raw: str) -> None:
    """However unbalanced the tags are."""
    assert read_html(render_stack(raw), RENDERED) == read_bbcode(raw, BOARD)


WORDS = st.sampled_from((
    "producir", "mover E3: 2 a CM-5", "[órdenes turno 3]", "[/órdenes]", "<b>", "m&#243;vil", "&amp;",
    "[x]", ":)",
))  # fmt: skip
INLINE = st.recursive(
    WORDS,
    lambda inner: st.builds(
        "{1[0]}{0}{1[1]}".format,
        st.lists(inner, min_size=1, max_size=3).map(" ".join),
        st.sampled_from(
            (("[b]", "[/b]"), ("[s]", "[/s]"), ("[url=http://x]", "[/url]"), ("[color=red]", "[/color]"))
        ),
    ),
    max_leaves=5,
)
LINES = st.lists(INLINE | st.sampled_from(("", "[img]http://a.b/c.png[/img]", "[hr]")), max_size=4).map(
    "\n".join
)
LISTS = st.lists(LINES, max_size=3).map(lambda items: "[list]\n[*]" + "\n[*]".join(items) + "[/list]")
# Broken tags stand where MyBB's pairs can't cross each other: what a browser makes of that is its own affair.
BLOCKS = st.recursive(
    LINES | LISTS,
    lambda inner: st.builds(
        "{1[0]}{0}{1[1]}".format,
        st.lists(inner, max_size=4).map("\n".join),
        st.sampled_from((
            ("[quote]", "[/quote]"), ('[quote="ana"]\n', "\n[/quote]"), ("[code]\n", "\n[/code]"),
            ("[quote]", ""), ("", "[/quote]"), ("", "[/b]"), ("", "[/list]"), ("[code]", ""), ("", "[*]"),
        )),
    ),
    max_leaves=10,
)  # fmt: skip


@given(BLOCKS)
def test_raw_bbcode_and_its_rendering_by_pairs_give_the_same_lines(raw: str) -> None:
    """Blocks with and without their counterparts, marks within lines."""
    assert read_html(render_pairs(raw), RENDERED) == read_bbcode(raw, flavours.MYBB)


# any text, hostile text


@given(
    POSTS | st.lists(TAGS, max_size=25).map("".join) | st.text(max_size=60), st.sampled_from(sorted(MARKDOWN))
)
def test_any_text_gives_lines_as_markdown(raw: str, name: str) -> None:
    """Never an exception; numbers ascend by one; each line has text or is an empty code block."""
    check_lines(read_markdown(raw, MARKDOWN[name]))


@given(
    POSTS | st.lists(TAGS, max_size=25).map("".join) | st.text(max_size=60), st.sampled_from(sorted(BBCODE))
)
def test_any_text_gives_lines_as_bbcode(raw: str, name: str) -> None:
    """The same."""
    check_lines(read_bbcode(raw, BBCODE[name]))


def check_lines(seen: SeenText) -> None:
    """What holds of every reading."""
    assert list(range(1, len(seen.lines) + 1)) == [line.number for line in seen.lines]
    assert all(line.text or line.fence is not None for line in seen.lines)
    assert all("\n" not in line.text and "\r" not in line.text for line in seen.lines)


@pytest.mark.parametrize("char", ["\x00", "\ud800"])
def test_broken_characters_are_replaced(char: str) -> None:
    """As in rendered pages."""
    assert ["a\ufffdb"] == texts(read_markdown(f"a{char}b"))
    assert ["a\ufffdb"] == texts(read_bbcode(f"a{char}b", flavours.PHPBB))


def test_text_over_the_caps_is_refused_with_a_reason() -> None:
    """It isn't read in part, and not taken for a post without orders."""
    long, deep = "a" * (MAX_RAW_CHARS + 1), "> " * (MAX_NESTING + 1) + "a"
    refusals = [read_markdown(long), read_bbcode(long, flavours.PHPBB), read_markdown(deep)]
    codes = [seen.refused.code for seen in refusals if seen.refused is not None]
    assert ["parse/post-too-big", "parse/post-too-big", "parse/post-too-deep"] == codes
    assert all(seen.lines == () for seen in refusals)


@pytest.mark.parametrize("name", MARKDOWN)
def test_nothing_is_lost_in_the_depth(name: str) -> None:
    """A text is read whole or refused, however deep it is nested."""
    for depth in range(1, MAX_NESTING + 3):
        for nested in (
            "> " * depth + "orden",
            "".join(f"{'  ' * level}- x\n" for level in range(depth)) + "orden",
        ):
            seen = read_markdown(nested, MARKDOWN[name])
            found = [*texts(seen), *(skip.excerpt for skip in seen.skipped)]
            assert seen.refused is not None or any("orden" in text for text in found)


HOSTILE = (
    "[", "![", "[a](", "*a ", "**a", "***a**b*c ", "_a_", "`", "`a``b", "~~a ", "> a\n", "> a\n# h\n",
    "- a\n  - b\n", "1. a\n", "```x\n", "~~~\n", "a\n-\n", "a|b|c\n|-|\n", "|a|b|\n|-|-|\n",
    "[a]: b\n[a]\n", "\\\n", "&", "<a:", "a\n", "[b]", "[quote]", "[/quote]", '[quote="', "[code]", "[img]",
    "[list][*]", "[b][quote][/b]", "[spoiler][quote]",
)  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("name", MARKDOWN)
def test_the_work_on_markdown_grows_with_the_text_not_faster(name: str, piece: str) -> None:
    """Twice the text, about twice the executed lines."""

    def read(text: str) -> object:
        return read_markdown(text, MARKDOWN[name])

    assert lines_executed(read, piece * 120) <= 2.6 * lines_executed(read, piece * 60)


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.parametrize("name", BBCODE)
def test_the_work_on_bbcode_grows_with_the_text_not_faster(name: str, piece: str) -> None:
    """The same."""

    def read(text: str) -> object:
        return read_bbcode(text, BBCODE[name])

    assert lines_executed(read, piece * 120) <= 2.6 * lines_executed(read, piece * 60)


@pytest.mark.parametrize(
    ("software", "raw"),
    [
        ("spirit", "> [órdenes]\nproducir\n[/órdenes]\n\nmío"),
        ("flaskbb", "> [órdenes]\n> producir\n# Turno\n[/órdenes]\n\nmío"),
        ("nodebb", "> [órdenes]\n> producir\n> [/órdenes]\n\nmío"),
        ("misago", '[quote="@ana"][órdenes]\nproducir\n[/órdenes][/quote]mío'),
        ("phpbb", "mío[quote][órdenes]\nproducir\n[/órdenes]"),
        ("mybb", "[quote='ana' pid='2'][órdenes]\nproducir\n[/órdenes][/quote]mío"),
        ("smf", "[quote author=ana link=msg=2 date=17][órdenes]\nproducir\n[/órdenes][/quote]mío"),
        ("discourse", '[quote="ana, post:3, topic:2"]\n[órdenes]\nproducir\n[/órdenes]\n[/quote]\nmío'),
        ("flarum", '[quote="ana"][órdenes]\nproducir\n[/órdenes][/quote]mío'),
        ("xenforo", '[QUOTE="ana, post: 3, member: 4"][órdenes]\nproducir\n[/órdenes][/QUOTE]mío'),
        ("folder", "[quote][órdenes]\nproducir\n[/órdenes][/quote]\n\n> [órdenes]\n\nmío"),
    ],
)
def test_a_post_s_raw_text_is_read_after_its_forum(software: str, raw: str) -> None:
    """Quoted orders are never the one's who quotes."""
    at = datetime(2027, 3, 1, 12, tzinfo=UTC)
    post = Post("1", "1", "2", "Ana", at, Precision.SECOND, "", raw=raw)
    seen, is_raw = see_post(post, software)
    assert (True, ["mío"]) == (is_raw, texts(seen))
    assert seen.skipped[0].has_block


def test_many_nested_pairs_take_no_longer_each() -> None:
    """Quotes within quotes, closed at the end all at once."""

    def read(text: str) -> object:
        return read_bbcode(text + text.replace("[", "[/"), flavours.MYBB)

    assert lines_executed(read, "[quote]" * 400) <= 2.6 * lines_executed(read, "[quote]" * 200)


def test_flavours_are_values() -> None:
    """A parser is made once for each; a board's own tags make a new one."""
    assert COMMONMARK == MarkdownFlavour()
    assert ["[s]uno[/s]"] == texts(read_bbcode("[s]uno[/s]", flavours.PHPBB))
    assert ["uno"] == texts(read_bbcode("[s]uno[/s]", BOARD))
