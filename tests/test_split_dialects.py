"""Long texts in every forum's own markup: each part fits as it counts and is whole, and nothing is lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from jobs.adapters import ADAPTERS
from reporters.blocks import Chapter, Fence, Figure, Grid, Heading, Lines, Listing, Piece, Run
from reporters.dialects import renderer_for
from rules.engine.document import Align
from rules.engine.inline import Emphasis, Fixed, Link, Strong, Text
from rules.play.posts import Capabilities
from tests.support import mini

SMALLEST = 700
"""A post that takes no more is none in which a report can be read."""
SOFTWARE = (*sorted(ADAPTERS), "folder", "umbria", "html")
BBCODE = ("phpbb", "mybb", "smf", "xenforo")
MARKDOWN = ("discourse", "flarum", "flaskbb", "misago", "nodebb", "spirit")
COMMONMARK = MarkdownIt("commonmark").enable("table")
HEAD = ((Text("Casa"),), (Text("Campos"),))
KINDS = ("lines", "listing", "numbered", "grid", "fence", "heading", "figure")
SHAPES = st.lists(
    st.lists(
        st.tuples(st.sampled_from(KINDS), st.integers(1, 25), st.integers(1, 10)), min_size=1, max_size=3
    ),
    min_size=1,
    max_size=4,
)
WORD = re.compile(r"w[0-9]{4}")


def limited(software: str, limit: int | None = None) -> Capabilities:
    """What the forum can do. limit: of its posts, None: its own."""
    known = ADAPTERS[software].capabilities if software in ADAPTERS else mini.SPIRIT
    return known if limit is None else replace(known, max_chars=limit, max_private=None)


def chapters_of(shapes: list[list[tuple[str, int, int]]]) -> list[Chapter]:
    """Chapters in which each word stands once. shapes: of each piece its kind, its units, words in a unit."""
    words = (f"w{number:04}" for number in count())
    return [Chapter("x", tuple(piece_of(words, *one) for one in chapter)) for chapter in shapes]


def piece_of(words: Iterator[str], kind: str, units: int, length: int) -> Piece:
    """A piece of that kind, with every mark in its first unit."""

    def text(many: int = length) -> str:
        return " ".join(next(words) for _ in range(many))

    def run() -> Run:
        return (Text(f"{text()} "), Strong((Text(text(1)),)), Text(" "), Emphasis((Fixed(text(1)),)))

    match kind:
        case "lines":
            link = Link((Text(text(1)),), "https://foro.example/c/1/")
            return Lines(((link, Text(" "), *run()), *(run() for _ in range(units))))
        case "listing" | "numbered":
            return Listing(tuple(run() for _ in range(units)), ordered=kind == "numbered")
        case "grid":
            rows = tuple(((Text(text(1)),), (Text(text(2)),)) for _ in range(units))
            return Grid(HEAD, rows, (Align.LEFT, Align.RIGHT))
        case "fence":
            return Fence("\n".join(text() for _ in range(units)))
        case "heading":
            return Heading((Text(text()),), 2)
        case _:
            return Figure("map.svg", (Text(text()),))


def posts_of(software: str, chapters: list[Chapter], forum: Capabilities) -> tuple[str, ...]:
    """What the forum is given, markers and all."""
    setting = mini.setting(renderer=renderer_for(software), forum=forum)
    bodies = setting.parts("report-casa-del-rio", chapters)
    return tuple(
        f"{body}\n\n{setting.ref.marker('report-casa-del-rio', part, len(bodies), '0' * 64)}"
        for part, body in enumerate(bodies, 1)
    )


@pytest.mark.parametrize("software", SOFTWARE)
@settings(max_examples=6)
@given(SHAPES, st.integers(SMALLEST, 2500))
def test_every_part_fits_and_nothing_is_lost(
    software: str, shapes: list[list[tuple[str, int, int]]], limit: int
) -> None:
    """Every word stands there once and in its place; no fence, table, list or mark is left open."""
    forum, chapters = limited(software, limit), chapters_of(shapes)
    posts = posts_of(software, chapters, forum)
    (whole,) = posts_of(software, chapters, limited(software, 10**6))
    assert max(map(forum.size, posts)) <= limit
    assert WORD.findall(whole) == [word for post in posts for word in WORD.findall(post)]
    for post in posts:
        assert post.split("\n")[-1].startswith("ptd1:valle:3.1:report-casa-del-rio:")
        assert software not in BBCODE or open_tags(post) == {}
        assert software not in MARKDOWN or is_whole(post)


def is_whole(post: str) -> bool:
    """Whether Markdown sees every table of a part with its head, and the marker as a paragraph at its end."""
    tokens = COMMONMARK.parse(post)
    tables = sum(one.type == "table_open" for one in tokens)
    return tokens[-2].content == post.rsplit("\n", maxsplit=1)[-1] and post.count("\n| --- ") == tables


def open_tags(body: str) -> dict[str, int]:
    """Tags of BBCode that aren't closed in a part, or not opened there."""
    opened = Counter(re.findall(r"\[([a-z]+)(?:=[^\]\n]*| [^\]\n]*)?\]", body))
    opened.subtract(re.findall(r"\[/([a-z]+)\]", body))
    return {tag: times for tag, times in opened.items() if times}


@pytest.mark.parametrize("software", sorted(ADAPTERS))
def test_a_report_of_many_pages_fits_into_posts_of_the_forum(software: str) -> None:
    """With the forum's own limit: numbered parts, half full at least; a second run gives the same bytes."""
    forum = limited(software)
    shapes = [[("lines", 30, 12), ("grid", 40, 2), ("fence", 30, 8), ("listing", 40, 12)]] * 6
    posts = posts_of(software, chapters_of(shapes), forum)
    sizes = [forum.size(post) for post in posts]
    numbers = [post.split("\n")[-1].split(":")[4] for post in posts]
    assert posts == posts_of(software, chapters_of(shapes), forum)
    assert [f"{part}/{len(posts)}" for part in range(1, len(posts) + 1)] == numbers
    assert max(sizes) <= forum.max_chars
    assert len(posts) <= 1 + sum(sizes) // (forum.max_chars // 2)
