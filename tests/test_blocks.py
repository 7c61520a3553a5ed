"""Finding the order blocks of a post, and naming everything that was meant to be one."""

from __future__ import annotations

from html import escape
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.markup.dialect import SPIRIT
from parsers.markup.html import read_html
from parsers.orders.blocks import find_blocks
from parsers.orders.limits import MAX_BLOCK_CHARS, MAX_ORDERS
from parsers.orders.lines import MAX_LINE_CHARS, logical_lines
from rules.engine.diagnostics import error
from rules.play.blocks import BlockScan, Header
from rules.play.lines import SeenLine, SeenText, Skip
from tests.support.work import lines_executed

PAGES = Path(__file__).parent / "pages" / "markup"


def seen(text: str) -> SeenText:
    """Lines as a forum without markup would show them."""
    return SeenText(tuple(SeenLine(number, line) for number, line in enumerate(text.split("\n"), 1)))


def fenced(text: str, word: str = "") -> SeenText:
    """One code block."""
    lines = enumerate(text.split("\n"), 1)
    return SeenText(tuple(SeenLine(number, line, fence=word, fence_number=1) for number, line in lines))


def orders(scan: BlockScan) -> list[list[str]]:
    """The logical lines of each block that may count."""
    return [[line.text for line in logical_lines(block)] for block in scan.blocks]


def codes(scan: BlockScan) -> list[tuple[int, str]]:
    """Line and code of each problem."""
    return [(problem.line, problem.code.removeprefix("parse/")) for problem in scan.problems]


# right blocks


@pytest.mark.parametrize(
    "mark",
    [
        "[órdenes turno 3]",
        "[ordenes turno 3]",
        "[ORDENES  TURNO 3]",
        "[ órdenes: turno 3 ]",
        "[orders turn 3]",
        "[o\u0301rdenes\u00a0turno\u200b 3]",
        "**[órdenes turno 3]**",
        "1. [órdenes del turno nº 3]",
        "- [órdenes turno: 3]:",
        "# [Órdenes para el turno 3º]",
        "📜 [órdenes turno 3] 📜",
        "［órdenes turno 3］",
    ],
)
@pytest.mark.parametrize(
    "end", ["[/órdenes]", "[/ORDENES]", "[ / orders ]", "## [/ordenes]", "**[/órdenes]**."]
)
def test_case_accents_blanks_and_decoration_do_not_matter(mark: str, end: str) -> None:
    """What can't be misunderstood is accepted."""
    scan = find_blocks(seen(f"Hola\n{mark}\nproducir\n{end}\nadiós"))
    assert [["producir"]] == orders(scan)
    assert (3, ()) == (scan.blocks[0].header.turn, scan.problems)
    assert (2, 4) == (scan.blocks[0].first_line, scan.blocks[0].last_line)


@pytest.mark.parametrize(
    ("mark", "header"),
    [
        ("[órdenes]", Header()),
        ("[órdenes turno 12]", Header(turn=12, words=("turno", "12"))),
        ("[órdenes como Tau]", Header(seat_name="Tau", words=("como", "Tau"))),
        (
            "[órdenes como Casa  del Norte turno 3]",
            Header(turn=3, seat_name="Casa del Norte", words=("como", "Casa", "del", "Norte", "turno", "3")),
        ),
        ("[órdenes como «La Horda, 2ª»]", Header(seat_name="La Horda, 2ª", words=("como", "«La Horda, 2ª»"))),
        (
            "[orders as @Tau, standing]",
            Header(seat_name="Tau", standing=True, words=("as", "Tau", "standing")),
        ),
        ("[órdenes permanentes]", Header(standing=True, words=("permanentes",))),
        ("[órdenes turno 3 añade]", Header(turn=3, append=True, words=("turno", "3", "añade"))),
        ("[orders append]", Header(append=True, words=("append",))),
        ("[órdenes duelo turno 3]", Header(turn=3, track="duelo", words=("duelo", "turno", "3"))),
        ("[órdenes turno 3 El Paso]", Header(turn=3, track="El Paso", words=("turno", "3", "El", "Paso"))),
        (
            "[órdenes de duelo del turno 3]",
            Header(turn=3, track="de duelo", words=("de", "duelo", "del", "turno", "3")),
        ),
    ],
)
def test_header_words_may_stand_in_any_order(mark: str, header: Header) -> None:
    """`turno N`, `como NAME`, `permanentes`, `añade`; what is left over names a track."""
    scan = find_blocks(seen(f"{mark}\nx\n[/órdenes]"))
    assert ((), header) == (scan.problems, scan.blocks[0].header)


def test_known_tracks_end_a_name_and_are_no_misspelling() -> None:
    """A track called `turba` is close to `turno`, and `duelo` could belong to a name."""
    scan = find_blocks(
        seen("[órdenes como Tau duelo]\nx\n[/órdenes]\n[órdenes turbo]\nx\n[/órdenes]"),
        tracks=("Duelo", "turbo"),
    )
    assert [("Tau", "duelo"), (None, "turbo")] == [
        (one.header.seat_name, one.header.track) for one in scan.blocks
    ]


def test_content_may_stand_beside_the_marks() -> None:
    """On one line, and several blocks on one line."""
    scan = find_blocks(seen("[órdenes] producir [/órdenes] y [órdenes] mover E3 [/órdenes] gracias"))
    assert [["producir"]] == orders(scan)
    assert [(1, "mark-not-first")] == codes(scan)
    scan = find_blocks(seen("[órdenes] producir [/órdenes] [órdenes] mover E3 [/órdenes] gracias"))
    assert [["producir"], ["mover E3"]] == orders(scan)


def test_each_block_is_judged_by_itself() -> None:
    """A broken later block doesn't touch an earlier right one, nor the other way round."""
    scan = find_blocks(
        seen("[órdenes]\na\n[/órdenes]\n[órdenes turno tres]\nb\n[/órdenes]\n[órdenes]\nc\n[/órdenes]")
    )
    assert [["a"], ["c"]] == orders(scan)
    assert [(4, "bad-turn")] == codes(scan)
    assert [4] == [block.first_line for block in scan.refused]


def test_an_empty_block_is_empty_and_a_hollow_one_is_refused() -> None:
    """Empty withdraws; one with comments, struck lines or a quote only is a mistake."""
    assert [True] == [block.is_empty for block in find_blocks(seen("[órdenes turno 3]:\n[/órdenes]")).blocks]
    assert [True] == [block.is_empty for block in find_blocks(fenced("", "órdenes")).blocks]
    for hollow in ("# nota", "// nota", "---", "- # nota"):
        assert [(1, "nothing-counts")] == codes(find_blocks(seen(f"[órdenes]\n{hollow}\n[/órdenes]")))
    struck = (SeenLine(1, "[órdenes]"), SeenLine(2, "x", struck=True), SeenLine(3, "[/órdenes]"))
    assert [(1, "nothing-counts")] == codes(find_blocks(SeenText(struck)))
    quote = (Skip("quote", 2, "x", has_block=False),)
    assert [(1, "nothing-counts")] == codes(
        find_blocks(SeenText((struck[0], SeenLine(2, "[/órdenes]")), quote))
    )


def test_a_quote_before_or_behind_a_block_is_not_inside() -> None:
    """Only what stands between the marks makes a block hollow."""
    lines = (SeenLine(1, "[órdenes]"), SeenLine(2, "[/órdenes]"))
    skips = (Skip("quote", 1, "x", has_block=False), Skip("quote", 3, "x", has_block=False))
    assert [True] == [block.is_empty for block in find_blocks(SeenText(lines, skips)).blocks]


# what was meant to be a block


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[órdenes turno 3]\nproducir", [(1, "unclosed-block")]),
        ("producir\n[/órdenes]", [(2, "close-without-open")]),
        ("[órdenes]\na\n[órdenes]\nb", [(1, "unclosed-block"), (3, "unclosed-block")]),
        ("[ordnes turno 3]\nproducir\n[/órdenes]", [(1, "misspelt-open")]),
        ("[orden]\nproducir\n[/orden]", [(1, "misspelt-open")]),
        ("[[órdenes turno 3]]\nproducir\n[[/órdenes]]", [(1, "mark-not-first")]),
        ("[órdenes turno 3\nproducir\n[/órdenes]", [(1, "misspelt-open")]),
        ("[órdenes turno 3)\nproducir", [(1, "misspelt-open")]),
        ("órdenes turno 3]\nproducir\n[/órdenes]", [(1, "misspelt-open")]),
        ("{órdenes}\nproducir\n{/órdenes}", [(1, "misspelt-open")]),
        ("(órdenes turno 3)\nproducir", [(1, "misspelt-open")]),
        ("<órdenes turno 3>\nproducir\n</órdenes>", [(1, "misspelt-open")]),
        ("[órdеnes turno 3]\nproducir\n[/órdenes]", [(1, "misspelt-open")]),
        ("[órdenes]\nproducir\n[/ordnes]", [(3, "misspelt-close")]),
        ("[órdenes]\nproducir\n[/órdenes", [(3, "misspelt-close")]),
        ("[órdenes]\nproducir\n[\\órdenes]", [(3, "misspelt-close")]),
        ("[órdenes]\nproducir\n[órdenes/]", [(3, "misspelt-close")]),
        ("[órdenes]\nproducir\n/órdenes]", [(3, "misspelt-close")]),
        ("[órdenes]\nproducir\n/órdenes", [(3, "misspelt-close")]),
        ("[órdenes]\nproducir\n[fin de las órdenes]", [(3, "misspelt-close")]),
        ("[órdenes]\nproducir [/orden]", [(2, "misspelt-close")]),
        ("Van: [órdenes turno 3]\nproducir\n[/órdenes]", [(1, "mark-not-first")]),
        ("Van: [órdenes turno 3] producir [/órdenes]", [(1, "mark-not-first")]),
        ("```órdenes turno 3\nproducir\n```\n[órdenes]\na\n[/órdenes]", [(1, "fence-stayed-text")]),
        ("~~~ órdenes\nproducir\n~~~", [(1, "fence-stayed-text")]),
        ("[órdenes]\n[ordenes]]\nx", [(1, "unclosed-block"), (2, "unclosed-block")]),
        ("[órdenes turno 3]\nproducir\n[órdenes]", [(3, "misspelt-close")]),
        ("[órdenes]\nproducir\n[órdenes]\n\n[órdenes]\na\n[/órdenes]", [(3, "misspelt-close")]),
        ("[órdenes]\nproducir\n[órdenes turno 3]", [(1, "unclosed-block"), (3, "unclosed-block")]),
    ],
)
def test_what_was_meant_as_a_mark_is_told_once(text: str, expected: list[tuple[int, str]]) -> None:
    """One mistake, one problem, with its line; what stands in the broken block is no news."""
    scan = find_blocks(seen(text))
    assert expected == codes(scan)
    assert all(problem.text == text.split("\n")[problem.line - 1] for problem in scan.problems)


@pytest.mark.parametrize(
    "text",
    [
        "Órdenes turno 3",
        "Órdenes:",
        "# Órdenes del turno 3",
        "(Órdenes más abajo)",
        "(ver órdenes)",
        "Escribid [órdenes turno 3] al principio.",
        "[orden del día] hablamos luego",
        "[Ordenanza] no es lo mismo",
        "Mis órdenes [ya veréis] son estas",
        "Recibí órdenes de [b]Tau[/b]",
        "«Órdenes», dijo",
        "bordes [x]",
        "http://foro.example/ordenes/3",
        "``` código",
        "~~~",
        "a/órdenes",
        "[spoiler]algo[/spoiler]",
        "",
    ],
)
def test_prose_about_orders_is_no_problem(text: str) -> None:
    """A bracket or fence at the word, close to a right mark: less is nothing."""
    assert BlockScan() == find_blocks(seen(text))


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("[ordnes turno 3]", "[órdenes turno 3]"),
        ("{Órdenes, como Tau}", "[órdenes como Tau]"),
        ("[ordrs turn 3", "[orders turn 3]"),
        ("```órdenes turno 3", "[órdenes turno 3]"),
    ],
)
def test_a_misspelt_opening_comes_with_the_right_one(written: str, right: str) -> None:
    """The header's words are kept; the span is the mark's."""
    (problem,) = find_blocks(seen(written)).problems
    assert right == getattr(problem.finding.message.params["right"], "text", None)
    assert problem.finding.span is not None
    assert written == problem.text[problem.finding.span.start : problem.finding.span.end]


@pytest.mark.parametrize(
    ("words", "code", "spanned", "suggest"),
    [
        ("turno tres", "bad-turn", "tres", "[órdenes turno 3]"),
        ("turno mañana", "bad-turn", "mañana", None),
        ("turno", "turn-without-number", "turno", None),
        ("turno como Tau", "turn-without-number", "turno", None),
        ("turno 1234567", "turn-too-big", "1234567", None),
        ("turno ３", "foreign-digits", "３", "[órdenes turno 3]"),
        ("turno ½", "foreign-digits", "½", None),
        ("turno3", "header-word", "turno3", "[órdenes turno 3]"),
        ("3", "header-word", "3", "[órdenes turno 3]"),
        ("turnno 3", "header-word", "turnno", "[órdenes turno 3]"),
        ("permanente", "header-word", "permanente", "[órdenes permanentes]"),
        ("añadir", "header-word", "añadir", "[órdenes añade]"),
        ("duelo turno 3 rojo", "header-word", "rojo", None),
        ("turno 3 turno 4", "header-twice", "turno", None),
        ("como", "seat-without-name", "como", None),
        ("turnо 3", "look-alike", "turnо", "[órdenes turno 3]"),
        ("a" * 300, "header-too-long", " " + "a" * 300, None),
    ],
)
def test_a_wrong_header_word_refuses_the_block(
    words: str, code: str, spanned: str, suggest: str | None
) -> None:
    """With the word's place, and the mark as it should be where that can be told."""
    scan = find_blocks(seen(f"[órdenes {words}]\nproducir\n[/órdenes]"))
    first = scan.problems[0]
    assert ((), 1, f"parse/{code}") == (scan.blocks, len(scan.refused), first.code)
    assert first.finding.span is not None
    assert spanned == first.text[first.finding.span.start : first.finding.span.end]
    assert (() if suggest is None else (suggest,)) == first.finding.suggest


def test_a_struck_block_is_named_not_counted() -> None:
    """Outside a block struck lines are only worth naming where they open one; inside each is."""
    lines = (
        ("[órdenes]", True),
        ("a", True),
        ("[/órdenes]", True),
        ("[órdenes]", False),
        ("b", True),
        ("c", False),
    )
    text = SeenText(
        (
            *(SeenLine(n, line, struck=struck) for n, (line, struck) in enumerate(lines, 1)),
            SeenLine(7, "[/órdenes]"),
        )
    )
    scan = find_blocks(text)
    assert [["c"]] == orders(scan)
    assert (
        Skip("struck", 1, "[órdenes]", has_block=True),
        Skip("struck", 5, "b", has_block=False),
    ) == scan.skipped


@pytest.mark.parametrize("place", [0, 2])
def test_a_half_struck_mark_is_a_problem(place: int) -> None:
    """`[órdenes turno ~~2~~ 3]` can't be read either way."""
    lines = [SeenLine(1, "[órdenes turno 23]"), SeenLine(2, "a"), SeenLine(3, "[/órdenes]")]
    lines[place] = SeenLine(place + 1, lines[place].text, partly_struck=True)
    scan = find_blocks(SeenText(tuple(lines)))
    assert ([], [(place + 1, "half-struck-mark")]) == (orders(scan), codes(scan))


# code


@pytest.mark.parametrize(
    ("word", "text", "turn"),
    [
        ("órdenes", "producir", None),
        ("Ordenes", "turno 3\nproducir", 3),
        ("orders", "como Tau turno 3\nproducir", 3),
        ("órdenes", "órdenes turno 3\nproducir", 3),
        ("órdenes", "[órdenes turno 3]\nproducir\n[/órdenes]", 3),
        ("órdenes", "[órdenes turno 3]\nproducir", 3),
        ("órdenes", "turno 3\nproducir\n[/órdenes]", 3),
        ("", "órdenes turno 3\nproducir", 3),
        ("auto", "Órdenes: turno 3\nproducir", 3),
        ("", "[órdenes turno 3]\nproducir\n[/órdenes]", 3),
    ],
)
def test_a_code_block_is_an_order_block_by_its_word_or_its_first_line(
    word: str, text: str, turn: int | None
) -> None:
    """Forums lose info words, so the first line may say it."""
    scan = find_blocks(fenced(text, word))
    assert ([["producir"]], ()) == (orders(scan), scan.problems)
    assert turn == scan.blocks[0].header.turn


def test_an_order_that_begins_like_a_header_stays_an_order() -> None:
    """`añadir` is a verb in some games; `turno` is never one."""
    assert [["añade planta"]] == orders(find_blocks(fenced("añade planta", "órdenes")))
    assert [(1, "bad-turn")] == codes(find_blocks(fenced("turno tres\nproducir", "órdenes")))


@pytest.mark.parametrize(
    ("word", "text"), [("python", "orders = 5"), ("", "producir"), ("", "ejemplo:\n[órdenes]\nx\n[/órdenes]")]
)
def test_other_code_is_an_example(word: str, text: str) -> None:
    """It is named, with whether it shows a block."""
    scan = find_blocks(fenced(text, word))
    assert ((), ()) == (scan.blocks, scan.problems)
    assert [("code", "[órdenes]" in text)] == [(skip.kind, skip.has_block) for skip in scan.skipped]


def test_a_misspelt_info_word_is_a_problem() -> None:
    """```` ```ordnes ```` is meant."""
    scan = find_blocks(fenced("producir", "ordnes"))
    assert ([(1, "misspelt-fence")], ["code"]) == (codes(scan), [skip.kind for skip in scan.skipped])


def test_an_unclosed_bracket_inside_code_ends_with_the_code() -> None:
    """What follows the code block doesn't belong to it."""
    text = SeenText((*fenced("[órdenes]\nproducir").lines, SeenLine(3, "hola"), SeenLine(4, "[/órdenes]")))
    assert [(1, "unclosed-block"), (4, "close-without-open")] == codes(find_blocks(text))


def test_an_order_fence_inside_an_open_block_leaves_that_unclosed() -> None:
    """The fence counts by itself."""
    fence = SeenLine(3, "mover", fence="órdenes", fence_number=1)
    scan = find_blocks(SeenText((SeenLine(1, "[órdenes]"), SeenLine(2, "producir"), fence)))
    assert ([["mover"]], [(1, "unclosed-block")]) == (orders(scan), codes(scan))


def test_code_inside_the_marks_counts_unless_the_game_says_otherwise() -> None:
    """Some players wrap their orders to keep smileys out."""
    code = SeenLine(2, "producir", fence="", fence_number=1)
    text = SeenText((SeenLine(1, "[órdenes]"), code, SeenLine(3, "[/órdenes]")))
    assert [["producir"]] == orders(find_blocks(text))
    scan = find_blocks(text, code_counts=False)
    assert ([], [(1, "part-does-not-count")]) == (orders(scan), codes(scan))
    assert ["code"] == [skip.kind for skip in scan.skipped]


def test_without_code_no_fence_counts() -> None:
    """The option is about fences, too; the receipt names the block."""
    scan = find_blocks(fenced("producir", "órdenes"), code_counts=False)
    assert ((), (Skip("code", 1, "producir", has_block=True),)) == (scan.blocks, scan.skipped)


def test_spoilers_count_unless_the_game_says_otherwise() -> None:
    """Whole blocks in spoilers, and spoilers in blocks."""
    lines = enumerate(("[órdenes]", "producir", "[/órdenes]"), 1)
    text = SeenText(tuple(SeenLine(number, line, spoiler=True) for number, line in lines))
    assert [["producir"]] == orders(find_blocks(text))
    scan = find_blocks(text, spoilers_count=False)
    assert ((), (Skip("spoiler", 1, "[órdenes]", has_block=True),)) == (scan.blocks, scan.skipped)
    half = SeenText((SeenLine(1, "[órdenes]"), text.lines[1], SeenLine(3, "[/órdenes]")))
    assert [(1, "part-does-not-count")] == codes(find_blocks(half, spoilers_count=False))


@pytest.mark.parametrize(
    ("text", "sources", "code"),
    [
        ("órdenes turno 3 producir", ("órdenes turno 3\nproducir",), "fence-became-inline-code"),
        ("órdenes", ("órdenes",), "fence-became-inline-code"),
        ("Va: órdenes producir", ("órdenes\nproducir",), "fence-became-inline-code"),
        ("[órdenes turno 3]", ("[órdenes turno 3]",), "marks-in-inline-code"),
        ("Así: [orders]x[/orders], ¿no?", ("[orders]x[/orders]",), "marks-in-inline-code"),
    ],
)
def test_a_block_that_became_inline_code_is_a_problem(text: str, sources: tuple[str, ...], code: str) -> None:
    """The forum destroyed it; the receipt says so."""
    scan = find_blocks(SeenText((SeenLine(1, text, inline_code=sources),)))
    assert ([], [(1, code)]) == (orders(scan), codes(scan))


def test_marks_in_backticks_line_by_line_are_told_once() -> None:
    """Opening, order and closing, each in backticks."""
    lines = enumerate(("[órdenes]", "producir", "[/órdenes]"), 1)
    text = SeenText(tuple(SeenLine(number, line, inline_code=(line,)) for number, line in lines))
    assert [(1, "marks-in-inline-code")] == codes(find_blocks(text))


def test_a_mark_shown_in_a_sentence_is_an_example() -> None:
    """Named as code, no problem; inside a block such a line stays an order line."""
    shown = SeenLine(1, "Empieza con [órdenes turno 3] y ya", inline_code=("[órdenes turno 3]",))
    scan = find_blocks(SeenText((shown,)))
    assert ((), [("code", True)]) == (scan.problems, [(skip.kind, skip.has_block) for skip in scan.skipped])
    inside = SeenText(
        (SeenLine(1, "[órdenes]"), SeenLine(2, "mover a", inline_code=("a",)), SeenLine(3, "[/órdenes]"))
    )
    assert [["mover a"]] == orders(find_blocks(inside))


def test_an_order_shown_as_a_title_is_named() -> None:
    """`producir` above `---` becomes a heading in Markdown; raw text has no such accident."""
    text = seen("[órdenes]\n# nota\n## producir\nmover\n[/órdenes]")
    scan = find_blocks(text)
    assert [["mover"]] == orders(scan)
    assert (Skip("heading", 3, "## producir", has_block=False),) == scan.skipped
    assert () == find_blocks(text, raw=True).skipped


# limits


def test_a_block_over_a_limit_is_refused_whole() -> None:
    """Characters of the block, characters of a joined line, orders; each at its bound and one over."""

    def block(*lines: str) -> BlockScan:
        return find_blocks(seen("\n".join(("[órdenes]", *lines, "[/órdenes]"))))

    full = ["a" * 100] * (MAX_BLOCK_CHARS // 100)
    assert [] == codes(block(*full))
    assert [(1, "block-too-long")] == codes(block(*full, "a"))
    half = "b" * (MAX_LINE_CHARS // 2 - 1) + ","
    assert [] == codes(block(half, half[1:], "", "# " + "c" * MAX_LINE_CHARS))
    assert [(3, "line-too-long")] == codes(block("producir", half, half))
    assert [] == codes(block(*["producir"] * MAX_ORDERS))
    assert [(1, "too-many-orders")] == codes(block(*["producir"] * (MAX_ORDERS + 1)))
    assert [] == codes(block(*["producir", "clave: valor", "si no, mover"] * MAX_ORDERS))


def test_a_post_that_was_not_read_is_a_problem() -> None:
    """Never taken for a post without orders."""
    scan = find_blocks(SeenText(refused=error("parse/post-too-deep", limit=200)))
    assert [(1, "post-too-deep")] == codes(scan)


# whole posts


def test_a_whole_post_of_spirit() -> None:
    """From the page to the lines: a list with the closing mark in its last item, and a fence."""
    page = (PAGES / "spirit.html").read_text(encoding="utf-8")
    scan = find_blocks(read_html(page, SPIRIT))
    first, second = orders(scan)
    assert ["producir", "mover E3: 2 a CM-5, 2 a CM-9 :thumbsup:", "invadir CM-40 CM-41"] == first
    assert (["producir"], True) == (second, scan.blocks[1].header.standing)
    assert ["quote", "struck", "code"] == [skip.kind for skip in scan.skipped]
    assert () == scan.problems


@pytest.mark.parametrize(
    ("html", "code"),
    [
        ("<p><code>órdenes turno 3\nproducir</code></p>", "fence-became-inline-code"),
        ("<p><del>~órdenes turno 3<br>\nproducir<br>\n~</del></p>", "fence-became-struck"),
        ("<p>```órdenes turno 3</p>\n<p>producir</p>\n<p>```<br>\nfin</p>", "fence-stayed-text"),
        ("<p><a href='x'>órdenes turno 3</a><br>\nproducir<br>\n[/órdenes]</p>", "close-without-open"),
        ("<p>producir<br>\n[/órdenes]</p>", "close-without-open"),
        ("<p>[órdenes]<br>\nproducir</p>\n<h2>[/ordnes]</h2>", "misspelt-close"),
    ],
)
def test_what_spirit_destroys_is_an_error_in_the_receipt(html: str, code: str) -> None:
    """Info words of several words, a mark taken for a link, a mark taken for a link's definition."""
    scan = find_blocks(read_html(html, SPIRIT))
    assert ([], [code]) == (orders(scan), [problem.code.removeprefix("parse/") for problem in scan.problems])


# any text

WORDS = (
    "[órdenes] [/órdenes] [órdenes turno 3] [orders [/ordnes] {órdenes} ```órdenes ``` órdenes turno 3 "
    "como Tau añade producir mover E3: CM-5, # // --- \\ , [ ] ( ) 🙂 1. a)"
)
line_texts = st.lists(st.sampled_from(WORDS.split(" ")) | st.text(max_size=6), max_size=6).map(" ".join)
seen_lines = st.builds(
    SeenLine,
    number=st.just(0),
    text=line_texts.map(lambda text: text.replace("\n", " ")),
    fence=st.none(),
    struck=st.booleans(),
    partly_struck=st.booleans(),
    inline_code=st.lists(line_texts, max_size=2).map(tuple),
    spoiler=st.booleans(),
    fence_number=st.just(0),
)
fences = st.lists(
    st.tuples(seen_lines, st.sampled_from([None, None, None, "", "órdenes", "ordnes"])), max_size=12
)


def number(lines: list[tuple[SeenLine, str | None]]) -> SeenText:
    """Lines of a made-up post: each with a fence word is a code block of its own."""
    return SeenText(
        tuple(
            SeenLine(
                at,
                one.text,
                word,
                one.struck,
                one.partly_struck,
                one.inline_code,
                one.spoiler,
                at if word is not None else 0,
            )
            for at, (one, word) in enumerate(lines, 1)
        )
    )


@given(fences, st.booleans(), st.booleans(), st.booleans())
def test_any_text_gives_blocks_or_problems(
    lines: list[tuple[SeenLine, str | None]],
    raw: bool,
    code: bool,
    spoilers: bool,
) -> None:
    """Never an exception; all in reading order; blocks lie apart; every part and span lies in its line."""
    text = number(lines)
    scan = find_blocks(text, raw=raw, code_counts=code, spoilers_count=spoilers)
    assert scan == find_blocks(text, raw=raw, code_counts=code, spoilers_count=spoilers)
    for places in (
        [block.first_line for block in scan.blocks],
        [problem.line for problem in scan.problems],
        [skip.line for skip in scan.skipped],
    ):
        assert places == sorted(places)
    blocks = sorted((*scan.blocks, *scan.refused), key=lambda block: block.first_line)
    assert all(one.last_line <= two.first_line for one, two in pairwise(blocks))
    for problem in scan.problems:
        span = problem.finding.span
        assert span is None or 0 <= span.start <= span.end <= len(problem.text)
    for block in blocks:
        for line in logical_lines(block, raw=raw):
            assert line.text == " ".join(part.text for _, part in line.parts)


@given(
    st.lists(st.sampled_from(["mover E3: 2 a CM-5,", "2 a CM-9", "producir", "# nota", "- b"]), min_size=1)
)
def test_a_page_reads_like_the_text_it_shows(lines: list[str]) -> None:
    """Rendered with `br`, as paragraphs, or plain: the same orders with the same numbers."""
    text = ["[órdenes turno 3]", *lines, "[/órdenes]"]
    plain = find_blocks(seen("\n".join(text)))
    for html in ("<br>\n".join(map(escape, text)), "".join(f"<p>{escape(line)}</p>\n" for line in text)):
        assert plain == find_blocks(read_html(html, SPIRIT))


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "[órdenes ",
        "[órdenes]",
        "[/",
        "!",
        "1. ",
        "```órdenes ",
        "fin de ",
        "de ",
        "(órdenes",
        "/",
        "[órdenes x] ",
    ],
)
def test_hostile_lines_cost_little(piece: str) -> None:
    """Twice the line, about twice the executed lines."""

    def find(line: str) -> object:
        return find_blocks(
            SeenText((SeenLine(1, "[órdenes]"), SeenLine(2, line), SeenLine(3, f"{line}[órdenes]")))
        )

    short, long = (piece * (size // len(piece)) for size in (2_000, 4_000))
    assert lines_executed(find, long) <= 2.5 * lines_executed(find, short) + 500
