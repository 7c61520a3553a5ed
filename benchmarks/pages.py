"""A topic page of Spirit to posts, beside the obvious extraction of the same records."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from benchmarks.floors import page as floor
from benchmarks.floors.page import Record
from benchmarks.rounds import ROUNDS, Ratio, compare
from parsers.pages.spirit import parse_topic
from parsers.pages.topics import read_page
from tests.support.spirit_pages import ShownPost, Viewer, render_markdown, show_topic

POSTS = 20
"""Posts of a full page, as Spirit comes."""

_START = datetime(2026, 11, 2, 9, 1, tzinfo=UTC)
_TALK = "La **Liga** avanza por el _vado_; dicen que en [Ceniza](http://foro.example/t/3) nadie duerme. " * 4


def make_page(posts: int) -> bytes:
    """A page with posts of talk and a block of orders each."""
    shown = [
        ShownPost(
            id=str(700 + number),
            number=number,
            author_id=str(2 + number % 6),
            author=f"jugadora{number % 6}",
            date=_START + timedelta(hours=number, minutes=7 if number % 12 else 8),
            html=render_markdown(_write(number)),
            edits=number % 3,
        )
        for number in range(1, posts + 1)
    ]
    return show_topic("7", "Turno 3 de Corvus Majoris", shown, Viewer("1", "turnero")).encode()


def _write(number: int) -> str:
    orders = "\n".join(f"{at}. mover E{at} a CM-{at + number}" for at in range(1, 9))
    return f"{_TALK}\n\n> cito el turno anterior\n\n[órdenes turno 3]\n{orders}\n[/órdenes]\n\n{_TALK}"


def read_posts(page: bytes) -> list[Record]:
    """The same records as the floor's, through everything that a page goes through."""
    topic = parse_topic(read_page(page, "text/html; charset=utf-8"), ZoneInfo("UTC"), str)
    return [
        (one.id, one.number or 0, one.author_id or "", one.author, one.created_at, one.html or "")
        for one in topic.posts
    ]


def measure(posts: int = POSTS, rounds: int = ROUNDS) -> Ratio:
    """A page read, beside the floor. Raises ValueError where the records differ."""
    page = make_page(posts)
    if read_posts(page) != floor.extract(page) or len(read_posts(page)) != posts:
        raise ValueError("page and floor give different posts")
    return compare(lambda: read_posts(page), lambda: floor.extract(page), rounds)
