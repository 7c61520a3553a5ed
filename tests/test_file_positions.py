"""TOML files: the lines of their keys, and what a director reads where the syntax is wrong."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.catalogues import load_catalogue
from parsers.files.errors import FileErrors, FileProblem
from parsers.files.positions import DEEPEST, index_lines, shown_key
from parsers.files.toml import read_toml

TEXT = '''\
title = "a"  # "no = 1"
"Íñigo" = 'x'

[state.cells]
CM-33 = { owner = "Imperio", "a/b" = [1,
  2, { deep = 3 }] }
long = """
[not.a.table]
key = 1 ""
"""
same.dotted . key = true

[[turn]]
number = 1
[[turn.override]]
die = "x"
[[turn.override]]
die = """"quoted""""
[turn.expect]
held = [
  "a", # ]
  'b]',

  "c",
]
[[turn]]
number = 2
[turn.expect.report.Imperio]
raw = \'\'\'
\\
\'\'\'
after = 2026-12-06 10:00:00
'''


def only_problem(text: str) -> FileProblem:
    """The one thing that is wrong with a text."""
    with pytest.raises(FileErrors) as raised:
        read_toml(text, "game.toml")
    (problem,) = raised.value.problems
    return problem


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 1),
        (("Íñigo",), 2),
        (("state",), 4),
        (("state", "cells"), 4),
        (("state", "cells", "CM-33", "owner"), 5),
        (("state", "cells", "CM-33", "a/b", 0), 5),
        (("state", "cells", "CM-33", "a/b", 1), 6),
        (("state", "cells", "CM-33", "a/b", 2, "deep"), 6),
        (("state", "cells", "long"), 7),
        (("state", "cells", "same", "dotted", "key"), 11),
        (("turn",), 13),
        (("turn", 0, "number"), 14),
        (("turn", 0, "override", 0), 15),
        (("turn", 0, "override", 1), 17),
        (("turn", 0, "override", 1, "die"), 18),
        (("turn", 0, "expect", "held"), 20),
        (("turn", 0, "expect", "held", 1), 22),
        (("turn", 0, "expect", "held", 2), 24),
        (("turn", 1), 26),
        (("turn", 1, "expect", "report", "Imperio", "raw"), 29),
        (("turn", 1, "expect", "report", "Imperio", "after"), 32),
        (("turn", 1, "expect", "report", "Imperio", "missing"), 28),
        (("turn", 1, "number", "missing", 4), 27),
    ],
)
def test_every_key_has_its_line(path: tuple[str | int, ...], line: int) -> None:
    """In tables, lists, dotted and quoted keys, inline tables, behind long texts; else what stands around."""
    assert line == index_lines(TEXT).line_of(path)


def test_a_missing_key_of_the_whole_file_has_no_line() -> None:
    """Nothing stands around it."""
    assert index_lines(TEXT).line_of(("ruleset",)) is None


def test_line_ends_and_a_byte_order_mark_move_no_line() -> None:
    """Files saved on Windows are read like others."""
    file = read_toml("\ufeff" + TEXT.replace("\n", "\r\n"), "game.toml")

    assert 32 == file.positions.line_of(("turn", 1, "expect", "report", "Imperio", "after"))


def test_a_key_is_shown_as_a_director_counts() -> None:
    """Entries of lists count from 1, keys that need quotation marks have them."""
    assert 'turn#2.dice."invasion/CM-40"#1' == shown_key(("turn", 1, "dice", "invasion/CM-40", 0))


def paths_of(data: Any, above: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    """Every path of parsed data."""
    found = {above} if above else set()
    if isinstance(data, dict):
        return found.union(*(paths_of(value, (*above, key)) for key, value in data.items()))
    if isinstance(data, list):
        return found.union(*(paths_of(value, (*above, place)) for place, value in enumerate(data)))
    return found


PIECES = st.sampled_from(
    [*"ab1.=[]{},# \n\"'\\é", "[[", "]]", '"""', "'''", "\n[a]\n", "\n[[b]]\n", "\na=", "1,2", "b.c=", '"é"']
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join))
def test_what_is_toml_has_a_line_for_each_path_and_what_is_not_has_one_problem(text: str) -> None:
    """Whatever the text: either data with the same paths as the positions, or one error of size or syntax."""
    try:
        data = tomllib.loads(text)
    except ValueError:
        problem = only_problem(text)
        assert "file/syntax" == problem.code
        assert 1 <= (problem.line or 0) <= text.count("\n") + 1
        return
    assert paths_of(data) <= set(read_toml(text, "game.toml").positions.lines)


KEYS = st.sampled_from(["a", "b", "CM-1", '"x y"', "'é'", "a.b", 'c."d/e"'])
VALUES = st.recursive(
    st.sampled_from(["1", '"t"', "'#'", '"""\nx = 1\n"""', "'''a''b\n'''", "2026-12-06 10:00:00", "-1.5e3"]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda parts: "[\n" + ",\n".join(parts) + "]")
        | st.lists(inner, max_size=2).map(
            lambda parts: "{ " + ", ".join(f"k{place} = {part}" for place, part in enumerate(parts)) + " }"
        )
    ),
    max_leaves=6,
)


@given(st.lists(st.tuples(st.sampled_from(["[[turn]]", "[state]", ""]), KEYS, VALUES), max_size=6))
def test_the_line_noted_for_a_key_is_the_line_it_was_written_on(entries: list[tuple[str, str, str]]) -> None:
    """Behind any values, in tables and lists of tables: each mark is found on the line it was written on."""
    lines: list[str] = []
    marks: dict[str, int] = {}
    for place, (header, key, value) in enumerate(entries):
        mark = f"mark{place}"
        above = f"\n[own{place}]" if header != "[[turn]]" else f"\n{header}"
        text = f"{above}\n{key} = {value}\n{mark} = 0"
        lines += text.split("\n")
        marks[mark] = len(lines)
    file = read_toml("\n".join(lines), "game.toml")

    assert marks == {
        str(path[-1]): line for path, line in file.positions.lines.items() if str(path[-1]).startswith("mark")
    }


@pytest.mark.parametrize(
    ("text", "line", "wrong"),
    [
        ("a = 1\nb 2\n", 2, "detrás de la clave no hay un signo «=»"),
        ("a = 1\nÍñigo = 2\n", 2, "esta línea no es ni una clave ni una tabla"),
        ("a = sí\n", 1, "este valor no se entiende"),
        ("a = 1 b = 2\n", 1, "detrás del valor sobra algo"),
        ("[a]\n[a]\n", 2, "la tabla «a» ya se abrió antes"),
        ("[a.b]\n[a.b]\n", 2, "la tabla «a.b» ya se abrió antes"),
        ("a = 1\na = 2\n", 2, "esta clave ya tiene un valor"),
        ("a = { b = 1, b = 2 }\n", 1, "la clave «b» está dos veces entre las mismas llaves"),
        ("a = [1]\n[[a]]\n", 2, "esta tabla ya está escrita en otro sitio y no se puede ampliar aquí"),
        ("a = [1 2]\n", 1, "la lista no se cierra"),
        ("a = { b = 1 c = 2 }\n", 1, "la tabla entre llaves no se cierra en su línea"),
        ("[[turn]\n", 1, "el encabezado de la tabla no se cierra"),
        ('a = "\\d"\n', 1, "dentro de comillas dobles, «\\» empieza un código y éste no existe"),
        ('a = "\\u12"\n', 1, "detrás de «\\u» falta el número de un carácter"),
        ("a.ñ = 1\n", 1, "aquí tenía que empezar una clave"),
        ("a = 2026-02-30\n", 1, "esa fecha no existe"),
        ('a = "b\nc = 1\n', 1, "aquí no puede estar el carácter «\\n»"),
        ("* a\n", 1, "esta línea no es ni una clave ni una tabla"),
        ("a = " + "9" * 5000 + "\n", None, "ese número es demasiado largo"),
        ('a = 1\nb = """\ntexto\n\nc = 2\n', 2, 'lo que se abre con """ no se cierra'),
        ("a = 1\nb = [\n1,\n\n", 2, "lo que se abre con [ no se cierra"),
        ("a = 1\nb =", 2, "este valor no se entiende"),
    ],
)  # fmt: skip
def test_a_syntax_error_says_what_is_wrong_there(text: str, line: int | None, wrong: str) -> None:
    """One error, in Spanish, on the line where the director has to look."""
    problem = only_problem(text)

    assert ("game.toml", line, "file/syntax", wrong) == (
        problem.file,
        problem.line,
        problem.code,
        load_catalogue("es").text(problem.wrong),
    )


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 5000, "a = " + "{ b = " * 5000, ".".join("a" * (DEEPEST + 1)) + " = 1"]
)
def test_absurd_nesting_is_one_error(text: str) -> None:
    """It is refused before anything recurses."""
    assert ("file/too-deep", 1) == (only_problem(text).code, only_problem(text).line)
