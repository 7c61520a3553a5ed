"""From what a forum holds to the receipt: whatever people write, it is answered and nothing breaks."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st

from parsers.markup.dialect import DIALECTS
from parsers.pages.guard import PageError
from parsers.pages.spirit import parse_topic
from parsers.pages.topics import read_page
from processor.pipeline.context import PlayContext, PostVersion
from processor.pipeline.reading import read_turn, wants_raw
from processor.pipeline.seen import FLAVOURS
from processor.pipeline.texts import receipts
from rules.play.posts import Post
from rules.play.reading import TurnReading
from tests.support.fair import BOT, DEADLINE, Topic, at, make_play
from tests.support.spirit_pages import ShownPost, Viewer, show_topic

RAW = (*sorted(FLAVOURS), "folder")
PIECES = (
    "[órdenes turno 3]", "[/órdenes]", "[ordenes añade]", "[órdenes como Bea]",
    "[órdenes turno ٣]", "[ordnes]", "```órdenes turno 3", "```", "~~~", "[órdenes permanentes]",
    "[/orden]", "`[órdenes]`", "ninguna", "listo", "jugar en Tómbola", "jugarr en Tomb",
    "casi: tirar", "csi: x", "si llueve: trabajar", "si no: pregonar", "sino: trabajar", ": trabajar",
    "Nico: pregonar", "Ana: trabajar,", "retar a Bea por 2", "retar a Bea por 1.000",
    "hurtar @Bea", "esperar a que Bea juegue: jugar en tiro", "vender gorra en Tómbola",
    "responder P1 aceptar", "responder", "contratar orquesta", "# nota", "- trabajar",
    "1. pregonar.", "trabajar; pregonar", "> cita", "~~trabajar~~", "~~tra~~bajar", "[quote]",
    "[/quote]", "[spoiler]", "[/spoiler]", "[s]", "[/s]", "[code]", "[/code]", "[list][*]",
    "| a | b |\n|---|---|", "\\", "→", "«", "\u200b", "\u202e", "\u00a0", "ｊ", "о", "²", "😀", ":)",
    "&ntilde;", "&nbsp", "<b>", "</div>", "<blockquote>", "<pre><code>", "<s>", "<p", "<!--",
    "\x00", "\ud800",
)  # fmt: skip
TEXTS = st.text(max_size=120) | st.lists(
    st.tuples(st.sampled_from(PIECES) | st.text(max_size=6), st.sampled_from(("\n", "\n\n", " ", ""))),
    max_size=24,
).map(lambda pairs: "".join(piece + end for piece, end in pairs))
TAGS = st.sampled_from((
    "<p>", "</p>", "<br>", "</br>", "<ul>", "<li>", "</ul>", "<blockquote>", "</blockquote>",
    "<del>", "</del>", "<s>", "<b>", "</b>", "<pre>", "<code>", "</code>", "</pre>",
    "<table><tr><td>", "</table>", "<details>", "</details>", "<h2>", "</h2>", "<script>", "<div>",
    "</div>", '<img class="smilie" alt=":)">', "<aside>", "<",
))  # fmt: skip
PAGES = st.lists(TAGS | st.sampled_from(PIECES) | st.text(max_size=6), max_size=30).map("".join)


def answer(play: PlayContext, versions: list[PostVersion]) -> TurnReading:
    """Read the posts, and say in the forum's dialect what became of them."""
    reading = read_turn(play, versions, BOT)
    said = receipts(play, reading, None)

    assert all(part.strip() for text in said for part in text.parts)
    assert bool(said) or not any(seat.latest for seat in reading.seats)
    for seat in reading.seats:
        numbers = [line.number for block in seat.in_force for line in block.lines if line.number]
        assert list(range(1, len(numbers) + 1)) == numbers
        assert all(line.order or line.findings for block in seat.in_force for line in block.lines)
    return reading


@given(TEXTS, st.sampled_from(RAW), st.booleans())
def test_any_text_is_answered_in_every_dialect(text: str, software: str, secret: bool) -> None:
    """As typed: orders or what is wrong with them, lines numbered without gaps, never an exception."""
    topic = Topic()
    topic.post("Ana", text, 60)
    topic.post("Bea", text, 50, private=True)

    answer(make_play(software=software, secret=secret), topic.versions)


@given(PAGES, st.sampled_from(sorted(DIALECTS)))
def test_any_page_is_answered_in_every_dialect(html: str, software: str) -> None:
    """As shown: unbalanced, nested, cut, hostile."""
    topic = Topic()
    topic.post("Ana", "", 60)
    first = topic.versions[0]
    shown = replace(first, post=replace(first.post, raw=None, html=html))

    wants_raw(shown.post, software)
    answer(make_play(software=software), [shown])


GOOD = "<p>[órdenes turno 3]<br>\njugar en Tómbola<br>\ntrabajar<br>\n[/órdenes]</p>"
PAGE = show_topic(
    "7",
    "La feria",
    [
        ShownPost("11", 1, "11", "Ana", DEADLINE - timedelta(hours=2), GOOD),
        ShownPost("12", 2, "12", "Bea", DEADLINE - timedelta(hours=1), "<p>[órdenes]<br>\npregonar</p>"),
    ],
    Viewer(BOT, "turnero", "UTC"),
)
CUTS = st.lists(
    st.tuples(st.integers(0, len(PAGE)), st.integers(0, 40), TAGS | st.sampled_from(PIECES) | st.just("")),
    max_size=4,
)


def posts_of(page: str) -> tuple[Post, ...]:
    """The posts of a page, none where the page is refused."""
    body = page.encode("utf-8", "replace")
    with suppress(PageError):
        return parse_topic(
            read_page(body, "text/html; charset=utf-8"), ZoneInfo("UTC"), lambda one: one
        ).posts
    return ()


@given(CUTS)
def test_a_mutated_page_is_refused_or_answered(cuts: list[tuple[int, int, str]]) -> None:
    """Something is cut out of a page, or put into it: it is refused whole, or each post is answered."""
    page = PAGE
    for start, length, piece in cuts:
        page = page[:start] + piece + page[start + length :]

    versions = [PostVersion(post, at(30), at(30)) for post in posts_of(page)]

    answer(make_play(software="spirit"), versions)


def test_the_page_itself_is_read() -> None:
    """What the mutations start from: one block counts, one isn't closed."""
    versions = [PostVersion(post, at(30), at(30)) for post in posts_of(PAGE)]

    reading = answer(make_play(software="spirit"), versions)

    assert ["jugar en Tómbola"] == [order.text for order in reading.seat("Ana").orders]
    latest = reading.seat("Bea").latest
    assert latest is not None
    assert ["parse/unclosed-block"] == [one.code for line in latest.lines for one in line.findings]
