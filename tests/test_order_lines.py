"""The lines of a block as orders are written in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.orders.lines import LogicalLine, block_of, logical_lines
from rules.play.blocks import Block, Header, LinePart
from rules.play.lines import SeenLine


def read(text: str, *, raw: bool = False) -> list[str]:
    """The logical lines of a text."""
    return [line.text for line in logical_lines(block_of(text), raw=raw)]


MARKS = [
    "",
    "1. ",
    "2) ",
    "12.",
    "a) ",
    "- ",
    "– ",
    "— ",
    "-",
    "+ ",
    "• ",
    "•",
    "* ",
    "· ",
    "1.- ",
    "- 1. ",
    "\u00a0•\u00a0",
]


@pytest.mark.parametrize("mark", MARKS)
def test_list_marks_are_taken_off(mark: str) -> None:
    """Those of design.md 2, with a blank behind them or a letter."""
    assert ["producir"] == read(f"{mark}producir")


@pytest.mark.parametrize(
    "line",
    [
        "a CM-5",
        "2 a CM-9",
        "-3 tropas",
        "–2 a CM-5",
        "1.5 x",
        "+2",
        "a",
        "E3: 2",
        "ab) x",
        "1234. x",
        "(a) x",
    ],
)
def test_what_belongs_to_the_order_stays(line: str) -> None:
    """A number or a letter without its dot or bracket is no list mark."""
    assert [line] == read(line)


@pytest.mark.parametrize(
    "line",
    [
        "# nota",
        "#nota",
        "// nota",
        "1. # nota",
        "- // nota",
        "##",
        "---",
        "***",
        "====",
        "•",
        "- ",
        "🙂",
        "…",
        "\\",
    ],
)
def test_comments_rules_and_empty_lines_are_left_out(line: str) -> None:
    """They carry no order."""
    assert ["producir", "mover"] == read(f"producir\n{line}\n\n   \nmover")


@pytest.mark.parametrize("comma", [",", ", ", "，", ",\u200b", ", 🙂", ", :smile:"])
def test_a_comma_at_the_end_goes_on_in_the_next_line(comma: str) -> None:
    """Past comments, rules and empty lines; the next line's list mark is taken off; emoji are nothing."""
    text = f"1. mover E3: 2 a CM-5{comma}\n# nota\n\n- 2 a CM-9{comma}\n3 a CM-12\nproducir"
    shown = comma[0]
    assert [f"mover E3: 2 a CM-5{shown} 2 a CM-9{shown} 3 a CM-12", "producir"] == read(text)


def test_a_comma_at_the_end_of_the_block_stays() -> None:
    """The matcher tells what is missing."""
    assert ["mover E3: 2 a CM-5,"] == read("mover E3: 2 a CM-5,\n# nota")


def test_a_backslash_goes_on_in_raw_text_only() -> None:
    """Rendering eats it."""
    assert ["mover E3: 2 a CM-5", "producir"] == read("mover E3: \\\n2 a CM-5\nproducir", raw=True)
    assert ["mover E3: \\", "2 a CM-5"] == read("mover E3: \\\n2 a CM-5")


def test_struck_parts_are_marked() -> None:
    """One half-struck part spoils the joined line, not the next."""
    lines = (SeenLine(1, "a,"), SeenLine(2, "b", partly_struck=True), SeenLine(3, "c"))
    block = Block(Header(), "bracket", 0, 4, "", tuple(LinePart(line, 0, len(line.text)) for line in lines))
    assert [True, False] == [line.partly_struck for line in logical_lines(block)]


def test_a_place_in_the_joined_line_is_a_place_in_the_post() -> None:
    """Line number and columns of the line as it was written, list mark included."""
    (line,) = logical_lines(block_of("x: y,\n# nota\n2. ñandú z"))
    assert "x: y, ñandú z" == line.text

    def place(start: int, end: int) -> tuple[int, str]:
        found = line.locate(start, end)
        return found.line.number, found.text

    assert (1, "y") == place(3, 4)
    assert (3, "ñandú") == place(6, 11)
    assert (1, "y,") == place(3, 9)
    assert (3, "") == place(13, 14)
    assert (3, "z") == place(12, 99)
    assert 1 == line.first_number


def test_parts_of_a_line_keep_its_columns() -> None:
    """What stands beside a mark is located in the whole line."""
    seen = SeenLine(7, "[órdenes] producir [/órdenes]")
    block = Block(Header(), "bracket", 7, 7, "", (LinePart(seen, 9, 19),))
    (line,) = logical_lines(block)
    assert ("producir", LinePart(seen, 10, 18)) == (line.text, line.locate(0, 8))


PIECES = ("mover,", "1. a", "# c", "", "\u0301x", "n\u0303,", "- ", "\\", "b \\", "🙂,", "²) ª")
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=9), max_size=8).map("\n".join)


@given(texts, st.booleans())
def test_every_character_of_a_line_is_found_in_the_post(text: str, raw: bool) -> None:
    """Parts ascend, lie in their lines and make up the joined text."""
    for line in logical_lines(block_of(text), raw=raw):
        assert line.text == " ".join(part.text for _, part in line.parts)
        for offset, part in line.parts:
            assert 0 <= part.start <= part.end <= len(part.line.text)
            assert part == line.locate(offset, offset + len(part.text)) or not part.text
        numbers = [part.line.number for _, part in line.parts]
        assert numbers == sorted(set(numbers))


@given(texts)
def test_reading_is_stable(text: str) -> None:
    """What was read reads the same again."""

    def again(lines: tuple[LogicalLine, ...]) -> list[str]:
        return [one for line in lines for one in read(line.text)]

    lines = logical_lines(block_of(text))
    joined = [line.text for line in lines]
    assert joined == [line.text for line in logical_lines(block_of(text))]
    assert all(isinstance(one, str) for one in again(lines))


@pytest.mark.parametrize("char", "\v\f\x1c\x85\u2028\u2029")
def test_only_line_ends_end_lines(char: str) -> None:
    """What a page shows as a blank ends no line where a text stands alone either: numbers stay the same."""
    assert 2 == len(block_of(f"andar{char}1\r\nandar 2").lines)
