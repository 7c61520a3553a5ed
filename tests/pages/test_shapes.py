"""A post of each forum's shape, from its page to the orders that count: what its author wrote, no more."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from parsers.markup.dialect import DIALECTS
from parsers.markup.html import read_html
from parsers.pages.guard import IncompletePageError, NotATopicPage, PageError
from parsers.pages.saved import parse_saved
from parsers.pages.shaped import ShownPost, read_posts, show_posts
from parsers.pages.shapes import SHAPES
from parsers.pages.topics import read_page
from processor.pipeline.context import PostVersion
from processor.pipeline.reading import read_turn
from processor.pipeline.seen import FLAVOURS, NoDialect, see_post
from rules.play.game import Policies
from rules.play.posts import Post, Precision
from rules.play.reading import TurnReading
from tests.support import flaskbb_pages, mybb_pages, phpbb_pages, smf_pages, spirit_pages
from tests.support.fair import BOT, at, make_play, texts

PAGES = Path(__file__).parent / "shapes"
SAMPLES = Path(__file__).parents[3] / "shared" / "samples" / "shapes"
"""Where pages of other programs lie beside the repository; they aren't part of it, and may be missing."""
MADRID = ZoneInfo("Europe/Madrid")
WRITTEN = datetime(2027, 5, 2, 19, 14, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Shape:
    """What a page's post has to be read as. time, edited: as shown."""

    software: str
    time: str
    edited: str = ""
    character: str = ""


TABLE = {
    "umbria": Shape("umbria", "02/05/2027, 21:14", character="Doña Perpetua"),
    "phpbb33": Shape(
        "phpbb",
        "2027-05-02T19:14:00+00:00",
        "Última edición por MareaAlta el Dom May 02, 2027 9:20 pm, editado 1 vez en total.",
    ),
    "xf2": Shape("xenforo", "2027-05-02T21:14:00+0200", "2027-05-02T21:20:00+0200"),
    "discourse-js": Shape("discourse", "1809285240000", "1809285600000"),
    "nodebb": Shape("nodebb", "2027-05-02T19:14:00.000Z", "2027-05-02T19:20:00.000Z"),
    "mybb": Shape(
        "mybb",
        "05-02-2027, 09:14 PM",
        "(Este mensaje fue modificado por última vez: 05-02-2027, 09:20 PM por MareaAlta.)",
    ),
    "smf21": Shape("smf", "Hoy a las 21:14:00", "Última modificación: Hoy a las 21:20:10 por MareaAlta"),
}
"""The shapes of `samples/shapes/expected.json`, by their names there."""
DATED = ("umbria", "xf2", "discourse-js", "nodebb")
"""Shapes whose times are read without knowing how a board writes them."""
HIDING = ("phpbb33", "xf2", "discourse-js", "misago", "flaskbb", "flarum")
"""Pages that know spoilers."""
NO_SPOILERS = ("spirit", "nodebb", "mybb", "smf", "phpbb")
"""Softwares whose raw text knows none."""


def parse(name: str) -> tuple[ShownPost, ...]:
    """The posts of one of our pages."""
    page = read_page((PAGES / f"{name}.html").read_bytes(), "text/html; charset=utf-8")
    return show_posts(page, SHAPES[TABLE[name].software])


def as_post(text: dict[str, Any]) -> Post:
    """A post of Ana's on the fair's last day."""
    return Post("41", "7", "31", "MareaAlta", at(60), Precision.MINUTE, "", number=2, **text)


def read(post: Post, software: str, *, spoilers: bool = False) -> TurnReading:
    """What the turn makes of a post, as the receipt tells it."""
    play = make_play(
        software=software, accounts={"Ana": "31", "Bea": "32"}, policies=Policies(spoilers=spoilers)
    )
    return read_turn(play, [PostVersion(post, at(59), at(59))], BOT)


def find_body(name: str) -> tuple[str, str]:
    """The body of the post that a page shows, and its software."""
    if name in TABLE:
        return parse(name)[0].body, TABLE[name].software
    html = (PAGES / f"{name}.html").read_text(encoding="utf-8")
    return html, name  # the samples of these hold bodies alone


SIGNATURE = "[órdenes turno 3]<br>\ntrabajar<br>\n[/órdenes]"
LATER = WRITTEN + timedelta(minutes=8)


def show_spirit(html: str) -> str:
    """A whole page of Spirit."""
    shown = spirit_pages.ShownPost("41", 1, "31", "MareaAlta", WRITTEN, html)
    return spirit_pages.show_topic(
        "7", "La feria", [shown], spirit_pages.Viewer(BOT, "turnero", "Europe/Madrid")
    )


def show_flaskbb(html: str) -> str:
    """A whole page of FlaskBB, which has the signature in the body."""
    shown = flaskbb_pages.ShownPost(
        "41", 1, "MareaAlta", WRITTEN, html, LATER, signature=f"<p>{SIGNATURE}</p>"
    )
    return flaskbb_pages.show_topic("7", "La feria", [shown], "turnero")


def show_phpbb(html: str) -> str:
    """A whole page of phpBB."""
    shown = phpbb_pages.ShownPost("41", "31", "MareaAlta", WRITTEN, html, edits=1, signature=SIGNATURE)
    return phpbb_pages.show_topic("7", "La feria", [shown], phpbb_pages.Viewer(BOT, "turnero"))


def show_mybb(html: str) -> str:
    """A whole page of MyBB."""
    shown = mybb_pages.ShownPost("41", 1, "31", "MareaAlta", WRITTEN, html, LATER, signature=SIGNATURE)
    viewer = mybb_pages.Viewer(BOT, "turnero", offset=2.0)
    return mybb_pages.show_topic("7", "La feria", [shown], viewer, LATER)


def show_smf(html: str) -> str:
    """A whole page of SMF."""
    shown = smf_pages.ShownPost("41", 1, "31", "MareaAlta", WRITTEN, html, LATER, signature=SIGNATURE)
    eye = smf_pages.Eye(LATER, BOT, "turnero", "Europe/Madrid", "es")
    return smf_pages.show_topic("7", "La feria", [shown], eye)


WHOLE: dict[str, tuple[str, Callable[[str], str]]] = {
    "phpbb33": ("31", show_phpbb),
    "mybb": ("31", show_mybb),
    "smf21": ("31", show_smf),
    "spirit": ("31", show_spirit),
    "flaskbb": ("MareaAlta", show_flaskbb),
}
"""Shapes whose software has a parser of its own, with the account that it finds."""


@pytest.mark.parametrize("name", WHOLE)
def test_the_same_body_on_a_whole_page(name: str) -> None:
    """What the software's own parser cuts out of it is read alike, signatures included."""
    body, software = find_body(name)
    account, show = WHOLE[name]
    page = parse_saved(show(body).encode(), f"{name}.html", LATER, MADRID, str)
    (post,) = page.posts
    assert (software, account, "MareaAlta", WRITTEN) == (
        page.software,
        post.author_id,
        post.author,
        post.created_at.replace(second=0),
    )
    assert (name != "spirit") == bool(post.edits or post.edited_at)
    assert ["jugar en Tómbola"] == texts_of(read(as_post({"html": post.html}), software))


LABELS = (
    "Código", "Seleccionar", "Spoiler", "Mostrar", "Ampliar", "quote", "última vez", "Última", "Perpetua\n",
    "x.example", "Notas de juego", "Show full", "escribió", "said", "wrote",
)  # fmt: skip
SHOWN = (*TABLE, "misago", "flaskbb", "spirit", "flarum")
RAW: dict[str, str] = json.loads((PAGES / "raw.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", SHOWN)
def test_what_a_player_wrote_counts_and_nothing_else(name: str) -> None:
    """One order behind a struck one and before a smiley; what is quoted, shown as code, signed, hidden,
    linked or said in another's notes is nobody's.
    """
    body, software = find_body(name)
    reading = read(as_post({"html": body}), software)
    assert ["jugar en Tómbola"] == texts_of(reading)
    assert "quote" in {one.why for one in reading.skipped}


@pytest.mark.parametrize("name", SHOWN)
def test_labels_of_the_forum_are_nobody_s_words(name: str) -> None:
    """Titles of code and spoilers, buttons, notes of edits, a character's name, captions of links."""
    body, software = find_body(name)
    seen, _ = see_post(as_post({"html": body}), software)
    told = "\n".join(line.text for line in seen.lines)
    assert [] == [label for label in LABELS if label in told]
    assert "Dos a la diana" in told


def texts_of(reading: TurnReading) -> list[str]:
    """Ana's orders, smileys behind them left off."""
    found = texts(reading, "Ana")
    for smiley in (" :-)", " :)", " 🙂", " :slight_smile:", " :smile:", " :Smile:"):
        found = [text.removesuffix(smiley) for text in found]
    return found


@pytest.mark.parametrize("name", HIDING)
def test_a_spoiler_counts_where_the_game_lets_it(name: str) -> None:
    """The block in it is the newest of the post then; the button's label is nobody's order."""
    body, software = find_body(name)
    assert ["pregonar"] == texts_of(read(as_post({"html": body}), software, spoilers=True))


@pytest.mark.parametrize("software", sorted(RAW))
def test_the_same_as_typed(software: str) -> None:
    """Raw BBCode and raw Markdown of each forum."""
    post = as_post({"raw": RAW[software]})
    reading = read(post, software)
    assert ["jugar en Tómbola"] == texts_of(reading)
    assert "quote" in {one.why for one in reading.skipped}
    hidden = texts_of(read(post, software, spoilers=True))
    assert (["jugar en Tómbola"] if software in NO_SPOILERS else ["pregonar"]) == hidden


def test_every_flavour_has_its_raw_shape() -> None:
    """Whose raw text is read has a post here."""
    assert set(FLAVOURS) == set(RAW)


@pytest.mark.parametrize("name", TABLE)
def test_who_wrote_when(name: str) -> None:
    """The account's number and name, the time and the note of an edit as the page shows them."""
    (post,) = parse(name)
    shape = TABLE[name]
    number = {"umbria": "880041"}.get(name, "41")
    assert (number, "31", "MareaAlta") == (post.id, post.account, post.author)
    assert (shape.time, shape.edited, shape.character) == (post.time, post.edited, post.character)


@pytest.mark.parametrize("name", DATED)
def test_times_are_understood(name: str) -> None:
    """To UTC, with the account's zone where the page says none."""
    page = read_page((PAGES / f"{name}.html").read_bytes(), None)
    ((post, _),) = read_posts(page, SHAPES[TABLE[name].software], MADRID, str)
    assert WRITTEN == post.created_at
    edited = None if name == "umbria" else WRITTEN.replace(minute=20)
    assert (edited, int(edited is not None)) == (post.edited_at, post.edits)


@pytest.mark.parametrize("name", ["phpbb33", "mybb", "smf21"])
def test_notes_of_edits_that_a_board_words_are_left_to_its_adapter(name: str) -> None:
    """A time that nobody knows how to read is no time."""
    page = read_page((PAGES / f"{name}.html").read_bytes(), None)
    with pytest.raises(IncompletePageError):
        read_posts(page, SHAPES[TABLE[name].software], MADRID, str)


@pytest.mark.parametrize("name", TABLE)
@pytest.mark.parametrize("place", ["post", "body", "author", "time", "id"])
def test_another_theme_is_an_error_and_no_topic_without_orders(name: str, place: str) -> None:
    """Where a selector matches nothing, the page is refused."""
    page = read_page((PAGES / f"{name}.html").read_bytes(), None)
    shape = SHAPES[TABLE[name].software]
    gone: Any = "div.otro" if place in ("post", "body") else ("div.otro@id", "(.+)")
    with pytest.raises(PageError):
        show_posts(page, replace(shape, **{place: gone}))


@pytest.mark.parametrize("name", TABLE)
def test_a_post_within_a_post_is_refused(name: str) -> None:
    """As unclosed markup makes it: one player's text would be another's."""
    text = (PAGES / f"{name}.html").read_text(encoding="utf-8")
    shape = SHAPES[TABLE[name].software]
    page = read_page(text.encode(), None)
    (body,) = page.select(shape.body)
    body.append(read_page(text.replace("41", "42").encode(), None).select(shape.post)[0])
    with pytest.raises(IncompletePageError):
        show_posts(page, shape)


def test_a_page_whose_quotes_nobody_knows_is_not_read() -> None:
    """Old forums quote in plain boxes: what can't be told from the author's own words counts for nobody."""
    quote = '<div style="margin:20px"><div class="smallfont">Quote:</div><table><tr><td>[órdenes]</td></tr>'
    with pytest.raises(NoDialect, match="vbulletin"):
        see_post(as_post({"html": f"{quote}</table></div>"}), "vbulletin")


def test_a_page_without_posts_is_no_topic() -> None:
    """A login form, maintenance, another program."""
    page = read_page(b"<!DOCTYPE html><html><body><form></form></body></html>", None)
    for shape in SHAPES.values():
        with pytest.raises(NotATopicPage):
            show_posts(page, shape)


def test_guests_have_no_account() -> None:
    """A post without an account is nobody's."""
    text = (PAGES / "xf2.html").read_text(encoding="utf-8").replace('data-user-id="31"', 'data-user-id="0"')
    (post,) = show_posts(read_page(text.encode(), None), SHAPES["xenforo"])
    assert (None, "MareaAlta") == (post.account, post.author)


# the shapes that lie beside the repository


def list_samples() -> dict[str, Any]:
    """What is expected of the pages beside the repository, nothing where there are none."""
    path = SAMPLES / "expected.json"
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def test_no_known_shape_is_missing() -> None:
    """Each has its page here, its selectors in one place, and its software a dialect."""
    assert list_samples().keys() <= TABLE.keys()
    for name, shape in TABLE.items():
        assert (PAGES / f"{name}.html").is_file()
        assert shape.software in SHAPES
        assert shape.software in DIALECTS


def test_the_pages_beside_the_repository_are_read_as_expected() -> None:
    """Author, time and the one order of each, as the file beside them says."""
    for name, expected in list_samples().items():
        fragment = (SAMPLES / expected["file"]).read_bytes()
        page = read_page(
            b"<!DOCTYPE html><html><body>" + fragment + b"</body></html>", "text/html; charset=utf-8"
        )
        software = TABLE[name].software
        (post,) = show_posts(page, SHAPES[software])
        seen = read_html(post.body, DIALECTS[software])
        live = [
            line.text for line in seen.lines if not line.struck and not line.spoiler and line.fence is None
        ]
        orders = [text for text in live if text.startswith("#")]
        assert (name, expected["author"]) == (name, post.author)
        assert (name, True) == (name, expected["time_as_shown"].startswith(post.time))
        assert (name, len(expected["orders_expected"])) == (name, len(orders))
        assert all(
            got.startswith(text) for got, text in zip(orders, expected["orders_expected"], strict=True)
        )
