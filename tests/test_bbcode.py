"""Player text in BBCode has no effect in any forum, reads as it was written, and copies as it was typed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import bbcode
import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from reporters.bbcode import MYBB, PHPBB, SMF, XENFORO, BBCodeDialect, BBCodeRenderer
from reporters.bbcode_text import JOINER, escape_code, escape_text
from reporters.blocks import Chapter, Fence, Figure, Grid, Heading, Lines, Listing, Piece
from reporters.cleaning import clean_line, clean_lines
from reporters.dialects import ending_for, renderer_for
from reporters.receipts import compose_receipts
from reporters.split import split
from rules.engine.document import Align
from rules.engine.folding import fold
from rules.engine.inline import Emphasis, Fixed, Inline, Link, Strong, Text
from rules.play.game import ForumSettings
from tests.support import mini
from tests.support.bbcode_renderer import render_pairs, render_stack
from tests.support.dialect_pieces import (
    HOSTILE,
    URL,
    VISIBLE,
    document,
    harmless,
    open_report,
    some_reading,
)
from tests.support.golden_texts import compare

DIALECTS = {"phpbb": PHPBB, "mybb": MYBB, "smf": SMF, "xenforo": XENFORO}
ANY_DIALECT = st.sampled_from(list(DIALECTS.values()))

# The smilies that phpBB 3.3, MyBB 1.8, SMF 2.1 and XenForo 2 come with, told from memory of their lists.
SMILIES = [
    *(":)", ":-)", ";)", ";-)", ":(", ":-(", ":D", ":-D", ":o", ":-o"),
    *(":?", ":-?", "8)", "8-)", ":x", ":-x", ":P", ":-P", ":p", ":|"),
    *(":-|", ":s", ":-/", ":@", ">:(", ">:D", "::)", ":-[", ":-X", ":-\\"),
    *(":-*", ":'(", ":))", "O0", "C:-)", "O:-)", "^-^", "???", ";D", "o_O"),
    *("(y)", "(n)", ":3", ":grin:", ":???:", ":!:", ":?:", ":100:", ":cool:", ":mrgreen:"),
    *(":rolleyes:", ":exclamation:", "B)", "xD", "=)", "<3"),
]
ACTS = re.compile(
    r"\[/?[\w*@+#]|@[\w\"']|\w:[/\w]*//|(?i:www|ftp)\d*\.\w|\w\.(?:es|com|net|org|io|me)\b"
    r"|&#?\w+;|\((?i:c|r|tm|y|n)\)|(?:^|\s)/(?:me|slap)\b|" + "|".join(map(re.escape, SMILIES))
)


def judge() -> bbcode.Parser:
    """A renderer that others wrote, with the tags that it lacks and code without links, as forums have."""
    parser = bbcode.Parser(replace_cosmetic=False)
    for name in ("size", "tt"):
        parser.add_simple_formatter(name, f"<{name}>%(value)s</{name}>")
    literal = {"render_embedded": False, "replace_links": False, "replace_cosmetic": False}
    parser.add_simple_formatter("code", "<code>%(value)s</code>", transform_newlines=False, **literal)
    parser.add_simple_formatter("icode", "<icode>%(value)s</icode>", **literal)
    parser.add_simple_formatter("img", "<img>", **literal)
    return parser


JUDGE = judge()


def render_others(text: str) -> str:
    """HTML as the package `bbcode` makes it.

    After any bracket, even one that begins no tag, it takes what stands between quotes for a tag's value;
    none of the forums does, since a name comes first there. Our own tags have no quotes: so they go.
    """
    html: str = JUDGE.format(text.replace('"', "”").replace("'", "’"))
    return html


RENDERERS = [render_others, render_pairs, render_stack]


def shape(html: str) -> list[tuple[str, str]]:
    """Every element in order with its address; line ends within code aside."""
    found = BeautifulSoup(html, "lxml").find_all(True)
    return [
        (one.name, str(one.get("href", "")))
        for one in found
        if one.name != "br" or one.find_parent("code") is None
    ]


def shown(drawn: str) -> str:
    """A text with the joiner to see."""
    return drawn.replace(JOINER, "‸")


@pytest.mark.parametrize("render", RENDERERS)
@given(ANY_DIALECT, VISIBLE, VISIBLE, VISIBLE)
def test_foreign_words_make_no_element(
    render: Callable[[str], str], dialect: BBCodeDialect, a: str, b: str, c: str
) -> None:
    """Whatever stands in the words, forums see the elements that harmless words would give."""
    renderer = BBCodeRenderer(dialect)
    expected = shape(render(renderer.render(harmless())))
    assert expected == shape(render(renderer.render(document(a, b, c))))


@given(VISIBLE)
def test_foreign_words_leave_nothing_to_act_on(text: str) -> None:
    """No tag, mention, smiley, address or entity is left in the words."""
    drawn = BBCodeRenderer().render([Lines(((Text(text),),))])
    assert None is ACTS.search(drawn)


@pytest.mark.parametrize("smiley", SMILIES)
def test_smilies_are_words(smiley: str) -> None:
    """Also behind a word and in brackets."""
    drawn = escape_text(f"hola {smiley} ({smiley}) {smiley}")
    assert (f"hola {smiley} ({smiley}) {smiley}", False) == (drawn.replace(JOINER, ""), smiley in drawn)


@given(ANY_DIALECT, VISIBLE)
def test_foreign_words_read_as_they_were_written(dialect: BBCodeDialect, text: str) -> None:
    """No letter is replaced, added or lost: only the invisible joiner comes in."""
    drawn = BBCodeRenderer(dialect).render([Lines(((Text(text),),))])
    assert clean_line(text).strip() == drawn.replace(JOINER, "")


@given(HOSTILE)
def test_copied_words_are_read_as_if_they_had_no_joiner(text: str) -> None:
    """What players copy from a post into an order is read like what was typed first."""
    assert fold(text) == fold(escape_text(text))


@pytest.mark.parametrize("render", RENDERERS)
@given(HOSTILE.filter(lambda text: bool(clean_lines(text).strip())))
def test_code_holds_its_lines(render: Callable[[str], str], text: str) -> None:
    """Lines to copy stand in one block as they are, whatever tags they hold."""
    found = BeautifulSoup(render(BBCodeRenderer().render([Fence(text)])), "html.parser").find_all("code")
    inner = "".join(found[0].get_text().replace("”", '"').replace("’", "'").replace(JOINER, "").split())
    expected = "".join(clean_lines(text).replace("”", '"').replace("’", "'").split())
    assert (1, expected) == (len(found), inner)


def test_blocks_to_copy_stand_in_code_untouched() -> None:
    """An order block has no joiner in it, and nothing else has that isn't the end of code."""
    block = "[órdenes turno 4]\n# @Tau :) 8)\nmover 3 CM-1: CM-2 http://x.es [b]\n[/órdenes]"
    assert f"[code]\n{block}\n[/code]" == BBCodeRenderer().render([Fence(block)])


@pytest.mark.parametrize(
    "end", ["[/code]", "[/CODE]", "[code]", "[code=php]", "[ /code ]", "[/icode]", "[php]", "[/html]"]
)
def test_code_can_not_be_ended_from_within(end: str) -> None:
    """Nor opened a second time, since SMF counts both and adds what it misses."""
    assert f"uno [‸{end[1:]} dos" == shown(escape_code(f"uno {end} dos"))


@given(HOSTILE)
def test_json_in_code_stays_the_same_once_it_is_read(text: str) -> None:
    """A proof to be saved has no joiner, which would make it another one."""
    words = clean_line(text)
    drawn = BBCodeRenderer().render([Fence(json.dumps({"a": [words]}, ensure_ascii=False), "json")])
    inner = drawn.removeprefix("[code]\n").removesuffix("\n[/code]")
    acts = re.search(r"\[\s*/?\s*code|&#?\w+;", inner, re.IGNORECASE)
    assert ({"a": [words]}, False, None) == (json.loads(inner), JOINER in inner, acts)


@pytest.mark.parametrize(
    "text",
    [
        "Domingo 6 de diciembre, 22:00 (Madrid): quedan 3 horas; ¿seguro? ¡Sí!",
        "El Imperio - 5 + 2 contra 3 + 1 - vence, pierde 1 tropa y se queda la casilla (CM-33).",
        "12.345 puntos, 50 % y 3/4; «comillas», 'otras' y \"más\" = todo & nada…",
        "Guárdalo como proof.json y escribe turnero verify proof.json.",
    ],
)
def test_ordinary_prose_stays_as_it_is(text: str) -> None:
    """What can do no harm is not touched, least of all commands to copy."""
    assert text == escape_text(text)


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("@Tau mira", "@‸Tau mira"),
        (":smile: 8) ;-)", ":‸smile: 8‸) ;‸-)"),
        ("12:30:15", "12:‸30:‸15"),
        ("https://x.es WWW.json", "https:‸//x‸.es WWW‸.json"),
        ("[órdenes turno 3]", "[‸órdenes turno 3]"),
        ("[b]x[/b] [*]", "[‸b]x[‸/b] [‸*]"),
        ("&#91; &lt;", "&‸#91; &‸lt;"),
        ("(c) (TM) /me baila", "(‸c) (‸TM) /‸me baila"),
    ],
)
def test_what_has_an_effect_has_a_joiner(text: str, drawn: str) -> None:
    """Behind its first character, so that no forum finds the rest."""
    assert drawn == shown(escape_text(text))


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "//x.es/a", "/x", "", "ftp://x"])
def test_addresses_are_of_the_web(url: str) -> None:
    """Anything else is shown as words without a link; forums take addresses only in full."""
    assert "aquí" == BBCodeRenderer().render([Lines(((Link((Text("aquí"),), url),),))])


def test_an_address_can_not_leave_its_tag() -> None:
    """Brackets, quotes and blanks in an address are written as percent signs."""
    link = Link((Text("aquí"),), "https://x.es/a][b]\"'(c d<\ud800")
    drawn = BBCodeRenderer().render([Lines(((link,),))])
    assert "[url=https://x.es/a%5D%5Bb%5D%22%27%28c%20d%3C?]aquí[/url]" == drawn


@pytest.mark.parametrize(
    ("name", "typed", "title", "numbered"),
    [
        ("phpbb", "[i]C-1[/i]", "[size=150][b]T[/b][/size]", "[list=1]"),
        ("mybb", "[i]C-1[/i]", "[size=x-large][b]T[/b][/size]", "[list=1]"),
        ("smf", "[tt]C-1[/tt]", "[size=14pt][b]T[/b][/size]", "[list type=decimal]"),
        ("xenforo", "[icode]C-1[/icode]", "[size=5][b]T[/b][/size]", "[list=1]"),
    ],
)
def test_what_forums_disagree_about(name: str, typed: str, title: str, numbered: str) -> None:
    """Each forum has its own sizes, face for what is typed, and numbered lists."""
    pieces: list[Piece] = [
        Heading((Text("T"),), 1),
        Lines(((Fixed("C-1"),),)),
        Listing(((Text("a"),),), ordered=True),
    ]
    drawn = renderer_for(name).render(pieces)
    assert f"{title}\n\n{typed}\n\n{numbered}\n[*]a\n[/list]" == drawn


def test_a_list_that_goes_on_has_its_numbers() -> None:
    """No tag of all four forums counts from another number than 1."""
    listing = Listing(((Text("a"),), (Text("b"),)), ordered=True, start=7)
    assert "7. a\n8. b" == BBCodeRenderer().render([listing])


def test_marks_inside_marks_are_left_out() -> None:
    """Blanks stand outside, and what is typed is not set off twice in the same way."""
    run: tuple[Inline, ...] = (
        Strong((Text(" a "), Emphasis((Text("b"),)), Fixed("c"))),
        Emphasis((Text("d "), Fixed("e"))),
        Strong((Text(" "),)),
    )
    assert "[b]a b[i]c[/i][/b][i]d e[/i]" == BBCodeRenderer().render([Lines((run,))])


def test_tables_are_aligned_text() -> None:
    """Wide letters count twice, marks on letters don't; the first line begins with no blank."""
    head = ((Text("N"),), (Text("Casa"),), (Text("Campos"),))
    rows = (
        ((Text("10"),), (Text("漢字"),), (Strong((Text("3"),)),)),
        ((Text("2"),), (Text("Rio\u0301 [x]"),), (Text("12"),)),
    )
    drawn = BBCodeRenderer().render([Grid(head, rows, (Align.RIGHT, Align.LEFT, Align.RIGHT))])
    assert [
        "[code]",
        "N   Casa     Campos",
        "--  -------  ------",
        "10  漢字          3",
        " 2  Rio\u0301 [x]      12",
        "[/code]",
    ] == drawn.split("\n")


def test_a_table_without_a_first_title_begins_with_dashes() -> None:
    """MyBB strips the blanks that code begins with."""
    grid = Grid((), (), ())
    named = Grid(((), (Text("a"),)), (((Text("x"),), (Text("y"),)),), (Align.LEFT, Align.LEFT))
    drawn = BBCodeRenderer().render([named])
    assert ("[code]\n-  -\n   a\n-  -\nx  y\n[/code]", "") == (drawn, BBCodeRenderer().render([grid]))


def test_a_picture_has_its_words_below() -> None:
    """Without an address in full its words stand there alone."""
    figure = Figure("mapa.svg", (Text("Mapa de [Veth]"),))
    pictured = BBCodeRenderer(PHPBB, lambda name: f"https://x.es/{name}").render([figure])
    assert ("[img]https://x.es/mapa.svg[/img]\n[i]Mapa de [‸Veth][/i]", "[i]Mapa de [‸Veth][/i]") == (
        shown(pictured),
        shown(BBCodeRenderer(PHPBB, lambda name: f"/media/{name}").render([figure])),
    )


@given(ANY_DIALECT, VISIBLE, VISIBLE, st.integers(400, 900))
def test_parts_fit_and_each_is_whole(dialect: BBCodeDialect, a: str, b: str, limit: int) -> None:
    """Every part is as short as the forum wants, and all that it opens it closes."""
    renderer = BBCodeRenderer(dialect)
    pieces = tuple(document(a, b, "ñu " * 60)) * 2
    parts = split([Chapter("x", pieces)], renderer, len, limit)
    for part in parts:
        words = re.sub(r"\[code\].*?\[/code\]", "", part, flags=re.DOTALL)
        assert None is re.search(r"\[/?code", words)
        for name in ("b", "i", "url", "list", "size", "tt", "icode"):
            opened = re.findall(rf"\[{name}(?:[= ][^\]]*)?\]", words)
            assert words.count(f"[/{name}]") == len(opened)
    assert limit >= max(map(len, parts))


@pytest.mark.parametrize("software", list(DIALECTS))
def test_a_report_in_each_dialect(software: str) -> None:
    """The whole report of an open game; `‸` stands for the joiner."""
    expected, actual = compare(f"report-open.{software}.txt", [shown(one) for one in open_report(software)])
    assert expected == actual


def test_receipts_in_bbcode() -> None:
    """Orders as understood, numbered, with what is wrong below; `‸` stands for the joiner."""
    setting = mini.setting(secret=False, renderer=renderer_for("phpbb"))
    parts = setting.parts("receipts", compose_receipts(setting, some_reading()))
    expected, actual = compare("receipts-open.phpbb.txt", [shown(one) for one in parts])
    assert expected == actual


def test_the_report_has_its_links_and_no_others() -> None:
    """Another program's renderer finds the links to posts, and none of a player."""
    links = [href for part in open_report("phpbb") for tag, href in shape(render_others(part)) if tag == "a"]
    assert [URL.replace("41", "52")] == links


def test_files_of_a_dialect_are_called_by_what_they_hold() -> None:
    """BBCode and plain text are opened by any editor."""
    names = ("spirit", "folder", "phpbb")
    assert ["md", "txt", "txt"] == [ending_for(renderer_for(one)) for one in names]


def test_a_game_whose_forum_writes_bbcode_gets_that_of_phpbb() -> None:
    """In what it reads as in what it is given to paste."""
    carried = ForumSettings("folder", "", "", "", "Europe/Madrid", dialect="bbcode")
    assert "phpbb" == carried.markup
    assert "[b]Tau[/b]" == renderer_for(carried.markup).render([Lines(((Strong((Text("Tau"),)),),))])
