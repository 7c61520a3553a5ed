"""Text files with copied posts: what a director may write, and what is told of what can't be read."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.catalogues import load_catalogue
from parsers.files.copied import CopiedPost, parse_copied, unknown_author
from parsers.files.copied_dates import CopiedMoment, parse_copied_date
from parsers.files.errors import FileErrors
from rules.play.posts import Precision

MADRID = ZoneInfo("Europe/Madrid")
BLOCK = "[órdenes turno 3]\nproducir\n[/órdenes]"
HEAD = "autor: Marina77\nfecha: 2026-12-06 21:30\n"


def parse(text: str) -> tuple[CopiedPost, ...]:
    """Read a file of a game in Madrid."""
    return parse_copied(text, "a.txt", MADRID)


def wrong(text: str) -> list[tuple[int | None, str]]:
    """Line and code of each mistake."""
    with pytest.raises(FileErrors) as raised:
        parse(text)
    return [(one.line, one.code) for one in raised.value.problems]


@pytest.mark.parametrize(
    ("text", "expected", "precision"),
    [
        ("2026-12-06 21:30", datetime(2026, 12, 6, 20, 30, tzinfo=UTC), Precision.MINUTE),
        ("2026-7-6 9:30", datetime(2026, 7, 6, 7, 30, tzinfo=UTC), Precision.MINUTE),
        ("2026-12-06T21:30:05", datetime(2026, 12, 6, 20, 30, 5, tzinfo=UTC), Precision.SECOND),
        ("2026-12-06T21:30:00Z", datetime(2026, 12, 6, 21, 30, tzinfo=UTC), Precision.SECOND),
        ("2026-12-06T21:30-05:00", datetime(2026, 12, 7, 2, 30, tzinfo=UTC), Precision.MINUTE),
        ("06/12/2026 21:30", datetime(2026, 12, 6, 20, 30, tzinfo=UTC), Precision.MINUTE),
        ("6/12/2026, 21:30:59", datetime(2026, 12, 6, 20, 30, 59, tzinfo=UTC), Precision.SECOND),
    ],
)
def test_dates_as_people_copy_them(text: str, expected: datetime, precision: Precision) -> None:
    """ISO with or without a zone, and the day in front; times without a zone are the game's."""
    assert CopiedMoment(expected, precision) == parse_copied_date(text, MADRID)


def test_the_hour_that_comes_twice_is_the_first_one_and_marked() -> None:
    """The night on which the clock is put back; who knows better writes the offset."""
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert CopiedMoment(first, Precision.MINUTE, ambiguous=True) == parse_copied_date(
        "25/10/2026 2:30", MADRID
    )
    second = parse_copied_date("2026-10-25 02:30+01:00", MADRID)
    assert (datetime(2026, 10, 25, 1, 30, tzinfo=UTC), False) == (second.utc, second.ambiguous)


@pytest.mark.parametrize(
    "text",
    [
        *("", "ayer", "2026-12-06", "21:30", "12/31/2026 21:30", "2026-12-06 25:00", "2026-02-30 10:00"),
        *(
            "06-12-2026 21:30",
            "2026-12-06 21:30 CET",
            "29/03/2026 02:30",
            "0000-01-01 10:00",
            "2026-12-06 21:30+99:00",
        ),
    ],
)
def test_what_is_no_date_is_never_guessed(text: str) -> None:
    """Nor is an hour that the clock skipped in the night on which it is put forward."""
    with pytest.raises(ValueError, match=r"\S"):
        parse_copied_date(text, MADRID)


def test_a_post_with_everything() -> None:
    """Each word of the header, in Spanish and in English, whatever its case and accents."""
    head = "Autor: Marina 77 \nFECHA: 2026-12-06 21:30\nNúmero: #41\nid: p-7\nprivado: Sí\n"
    head += "Editado: 2026-12-06 21:40\n"
    (post,) = parse(f"\ufeff{head}enlace: https://foro.example/p7\n\n{BLOCK}\n\n")
    edited = CopiedMoment(datetime(2026, 12, 6, 20, 40, tzinfo=UTC), Precision.MINUTE)
    assert ("Marina 77", 41, "p-7", True, edited) == (
        post.author,
        post.number,
        post.id,
        post.private,
        post.edited,
    )
    assert (BLOCK, "https://foro.example/p7", 1) == (post.text, post.link, post.line)
    english = parse(f"author: Ann\ndate: 2026-12-06 21:30\nprivate: no\nnumber: 4\n\n{BLOCK}")
    assert [("Ann", False, 4, None)] == [(one.author, one.private, one.number, one.edited) for one in english]


def test_several_posts_in_one_file() -> None:
    """Each begins with a line of dashes and a header; dashes within a text are part of it."""
    first, second = parse(
        f"\r\n{HEAD}\r\nUno\r\n\r\n---\r\n\r\ntres\r\n-----\r\n\r\n"
        f"autor: luis\r\nfecha: 1/12/2026 8:00\r\n{BLOCK}"
    )
    assert ("Marina77", "Uno\n\n---\n\ntres") == (first.author, first.text)
    assert ("luis", BLOCK, 12) == (second.author, second.text, second.line)


def test_the_text_stays_as_it_was_posted() -> None:
    """Colons, blanks in front and quotes of others are no header."""
    text = "  data: lo de antes\n> autor: luis\nMaestra: acelerar\n[quote]fecha: hoy[/quote]"
    (post,) = parse(f"{HEAD}\n{text}\n")
    assert text == post.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [(1, "copied/header")]),
        (BLOCK, [(1, "copied/header")]),
        (f"autor: Marina77\n\n{BLOCK}", [(1, "copied/missing")]),
        (f"autor:\nfecha: 2026-12-06 21:30\n\n{BLOCK}", [(1, "copied/missing")]),
        (f"autor: Marina77\nfecha: 6 de diciembre\n\n{BLOCK}", [(2, "copied/date")]),
        (
            f"{HEAD}editado: luego\nprivado: quizá\nnúmero: 0\n\n",
            [(3, "copied/date"), (4, "copied/truth"), (5, "copied/number")],
        ),
        (f"{HEAD}privdo: sí\n\n{BLOCK}", [(3, "copied/word")]),
        (f"{HEAD}autora: luis\n\n{BLOCK}", [(3, "copied/twice")]),
        (
            f"{HEAD}\n{BLOCK}\n---\nautro: luis\nfecha: 1/12/2026 8:00\n",
            [(8, "copied/word")],
        ),
        (f"{HEAD}\n{BLOCK}\nautor: luis\nfecha: 1/12/2026 8:00\n\n{BLOCK}", [(7, "copied/inside")]),
        (f"{HEAD}\n{BLOCK}\nfecha: 1/12/2026 8:00\nautor: luis\n\n{BLOCK}", [(7, "copied/inside")]),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(text: str, expected: list[tuple[int, str]]) -> None:
    """Nothing is passed over: a header that isn't one would give one player's orders to another."""
    assert expected == wrong(text)


def test_what_is_wrong_says_what_would_be_right() -> None:
    """In Spanish and in English, with file and line."""
    with pytest.raises(FileErrors) as raised:
        parse(f"{HEAD}privdo: sí\n\n{BLOCK}")
    assert (
        "a.txt, línea 3: no conozco «privdo:» en la cabecera de un mensaje. ¿Querías decir «privado»?"
        == raised.value.say(load_catalogue("es"))
    )
    assert (
        "a.txt, line 3: I don't know “privdo:” in a post's header. Did you mean “privado”?"
        == raised.value.say(load_catalogue("en"))
    )


KNOWN = ("Marina77", "luis", "Ana")


@pytest.mark.parametrize(
    "author", ["marina77", "Мarina77", "Marina_77", "Marina 77", "Luis", "ana", "Ana\u200b", "Marina7"]
)
def test_who_looks_like_a_player_is_refused(author: str) -> None:
    """Case, accents, other scripts, invisible characters and slips: a name is written exactly."""
    (post,) = parse(f"autor: {author}\nfecha: 2026-12-06 21:30\n\nHola")
    problem = unknown_author(post, KNOWN)
    assert problem is not None
    assert (1, "copied/author") == (problem.line, problem.code)


@pytest.mark.parametrize("author", [*KNOWN, "El Máster", "Nuria", "luisa-maria"])
def test_players_and_strangers_are_fine(author: str) -> None:
    """Who isn't like anybody is a spectator, whose posts may lie there."""
    (post,) = parse(f"autor: {author}\nfecha: 2026-12-06 21:30\n\nHola")
    assert unknown_author(post, KNOWN) is None


LINES = st.text(alphabet="aá -:>[]/\t0\u200b", max_size=12)


@given(st.lists(st.lists(LINES, max_size=6), min_size=1, max_size=4))
def test_texts_come_out_as_they_went_in(texts: list[list[str]]) -> None:
    """Whatever stands in the posts, their texts come out one by one, and none gets into another."""
    posts = ["\n".join(lines).strip("\n") for lines in texts]
    file = "\n---\n".join(
        f"autor: a{at}\nfecha: 2026-12-06 21:3{at}\n\n{post}" for at, post in enumerate(posts)
    )
    assert [(f"a{at}", post) for at, post in enumerate(posts)] == [
        (one.author, one.text) for one in parse(file)
    ]


@given(st.text(max_size=300))
def test_any_file_is_read_or_told(text: str) -> None:
    """No text of a director breaks the reader."""
    assert all(line is not None for line in problem_lines(text))


def problem_lines(text: str) -> list[int | None]:
    """Lines of the mistakes of a file, none where it can be read."""
    try:
        parse(text)
    except FileErrors as told:
        return [one.line for one in told.problems]
    return []
