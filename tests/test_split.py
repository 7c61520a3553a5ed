"""Long texts are split where a reader would: nothing is lost, each part is valid, and each fits."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from reporters.blocks import Chapter, Fence, Grid, Heading, Lines, Listing, Piece, Run
from reporters.markdown import MarkdownRenderer
from reporters.plain import PlainRenderer
from reporters.split import TooSmall, split, split_pieces
from rules.engine.document import Align
from rules.engine.inline import Emphasis, Fixed, Link, Strong, Text
from tests.support import mini

RENDERER = MarkdownRenderer()
COMMONMARK = MarkdownIt("commonmark").enable(["table"])
URL = "https://foro.example/c/1/"

WORD = st.text(alphabet="abcñé `*|12.", min_size=1, max_size=12)
WORDS = st.lists(WORD, min_size=1, max_size=12).map(" ".join)
INLINE = st.one_of(
    WORDS.map(Text),
    WORDS.map(lambda text: Strong((Text(text),))),
    WORDS.map(lambda text: Emphasis((Text(text), Fixed("x")))),
    WORD.map(Fixed),
    WORD.map(lambda text: Link((Text(text),), URL)),
)
RUN = st.lists(INLINE, min_size=1, max_size=3).map(tuple)
ROWS = st.lists(st.tuples(RUN, RUN), min_size=1, max_size=8).map(tuple)
HEAD = ((Text("Casa"),), (Text("Campos"),))
PIECE = st.one_of(
    RUN.map(lambda run: Heading(run, 2)),
    st.lists(RUN, min_size=1, max_size=6).map(lambda runs: Lines(tuple(runs))),
    st.lists(RUN, min_size=1, max_size=6).map(lambda runs: Listing(tuple(runs), ordered=True)),
    ROWS.map(lambda rows: Grid(HEAD, rows, (Align.LEFT, Align.RIGHT))),
    st.lists(WORDS, min_size=1, max_size=12).map(lambda lines: Fence("\n".join(lines))),
)
CHAPTERS = st.lists(
    st.lists(PIECE, min_size=1, max_size=2).map(lambda pieces: Chapter("x", tuple(pieces))), max_size=3
)


def text(words: str) -> Run:
    """A line of words."""
    return (Text(words),)


def chapter(*pieces: Piece) -> Chapter:
    """A chapter."""
    return Chapter("x", pieces)


def letters(parts: tuple[str, ...]) -> str:
    """What is read, without blanks, marks of lists and heads of tables."""
    plain = "".join(parts).replace("CasaCampos", "")
    return re.sub(r"[\s·`.|-]|\d", "", plain)


@given(CHAPTERS, st.integers(300, 900), st.integers(1, 2))
def test_parts_fit_and_nothing_is_lost(chapters: list[Chapter], limit: int, line_end: int) -> None:
    """Every part is short enough as the forum counts, and together they say what the whole says."""

    def size(drawn: str) -> int:
        return len(drawn) + drawn.count("\n") * (line_end - 1)

    parts = split(chapters, RENDERER, size, limit)
    words = split(chapters, PlainRenderer(), size, limit)
    whole = split(chapters, PlainRenderer(), size, 10**9)
    heads = re.compile(r"Casa +Campos\n-+ +-+\n")
    assert all(size(part) <= limit for part in parts)
    assert letters(tuple(heads.sub("", one) for one in whole)) == letters(
        tuple(heads.sub("", one) for one in words)
    )


@given(CHAPTERS, st.integers(300, 900))
def test_each_part_is_valid_on_its_own(chapters: list[Chapter], limit: int) -> None:
    """No fence is left open and no table stands without its head."""
    for part in split(chapters, RENDERER, len, limit):
        tokens = COMMONMARK.parse(part)
        fences = [one for one in tokens if one.type == "fence"]
        rows = part.count("\n| --- ")
        assert (len(re.findall(r"(?m)^```", part)) // 2, rows) == (
            len(fences),
            sum(one.type == "table_open" for one in tokens),
        )


def test_a_text_that_fits_is_one_part() -> None:
    """Nothing is split without need."""
    chapters = [chapter(Lines((text("uno"),))), chapter(Lines((text("dos"),)))]
    assert ("uno\n\ndos",) == split(chapters, RENDERER, len, 8)


def test_a_split_falls_between_chapters() -> None:
    """A chapter that fits into a part of its own is not torn."""
    chapters = [chapter(Lines((text("uno"),))), chapter(Lines((text("dos"),)), Lines((text("tres"),)))]
    assert ("uno", "dos\n\ntres") == split(chapters, RENDERER, len, 10)


def test_a_title_stays_with_what_it_titles() -> None:
    """Neither a heading nor words that belong to the block behind them stand last in a part."""
    chapters = [
        chapter(
            Lines((text("a" * 20),)),
            Heading(text("Título")),
            Lines((text("b" * 20),)),
            Lines((text("Copia:"),), keep=True),
            Fence("c" * 20),
        )
    ]
    parts = split(chapters, RENDERER, len, 45)
    assert ("a" * 20, f"## Título\n\n{'b' * 20}", f"Copia:\n\n```text\n{'c' * 20}\n```") == parts


def test_a_table_is_split_between_rows_with_its_head_again() -> None:
    """Each part shows which column is which."""
    rows = tuple((text(f"casa {number}"), text("1")) for number in range(4))
    parts = split([chapter(Grid(HEAD, rows, (Align.LEFT, Align.RIGHT)))], PlainRenderer(), len, 60)
    head = "Casa    Campos\n------  ------\n"
    assert (f"{head}casa 0       1\ncasa 1       1", f"{head}casa 2       1\ncasa 3       1") == parts


def test_a_numbered_list_goes_on_with_its_number() -> None:
    """The third item is the third in the next part, too."""
    items = tuple(text(word * 6) for word in "abcd")
    assert ("1. aaaaaa\n2. bbbbbb", "3. cccccc\n4. dddddd") == split(
        [chapter(Listing(items, ordered=True))], RENDERER, len, 20
    )


def test_a_fence_is_never_torn_where_it_fits() -> None:
    """It goes to the next part whole; only one that is longer than a part is cut, between its lines."""
    short = [chapter(Lines((text("a" * 20),)), Fence("b\nb"))]
    long = [chapter(Fence("\n".join("abcdefgh")))]
    assert (("a" * 20, "```text\nb\nb\n```"), ("```text\na\nb\nc\nd\n```", "```text\ne\nf\ng\nh\n```")) == (
        split(short, RENDERER, len, 25),
        split(long, RENDERER, len, 19),
    )


def test_line_ends_count_as_the_forum_counts_them() -> None:
    """Where a line end takes two characters, a text of many lines is longer than it looks."""
    chapters = [chapter(Lines(tuple(text("a") for _ in range(4))))]
    drawn = "a  \na  \na  \na"
    assert (1, 2) == (
        len(split(chapters, RENDERER, len, len(drawn))),
        len(split(chapters, RENDERER, mini.SPIRIT.size, len(drawn))),
    )


def test_no_room_at_all_is_told() -> None:
    """A limit of nothing is a mistake of the settings, not a loop."""
    with pytest.raises(TooSmall):
        split_pieces([chapter(Lines((text("palabra"),)))], RENDERER, len, 3)


def test_parts_leave_room_for_the_marker_and_say_which_they_are() -> None:
    """With the marker below, every part of a long report fits into a post of Spirit."""
    setting = mini.setting()
    chapters = [chapter(Lines((text("palabra " * 300),))) for _ in range(4)]
    parts = setting.parts("report-casa-del-rio", chapters)
    marker = setting.ref.marker("report-casa-del-rio", 4, len(parts), "0" * 64)
    sizes = [mini.SPIRIT.size(f"{part}\n\n`{marker}`") for part in parts]
    assert (True, "*Turno 3 · parte 2 de 4*", False) == (
        max(sizes) <= 3000,
        parts[1].split("\n")[0],
        parts[0].startswith("*"),
    )
