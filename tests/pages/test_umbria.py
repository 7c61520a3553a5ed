"""Scenes of Comunidad Umbría, re-created by hand from what is known of its posts."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from parsers.markup.dialect import UMBRIA
from parsers.markup.html import read_html
from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.topics import read_page
from parsers.pages.umbria import parse_scene
from rules.play.posts import Post, Precision
from tests.support.umbria_pages import UmbriaPost, show_scene

MADRID = ZoneInfo("Europe/Madrid")
BLOCK = "<p>[órdenes turno 3]<br />\nproducir<br />\n[/órdenes]</p>"
ANA = UmbriaPost(700123, 4321, "Añil & Co", "23/01/2027, 20:58", f"<blockquote>{BLOCK}</blockquote>{BLOCK}")
LUIS = UmbriaPost(
    700125, 17, "luis", "24/01/2027, 0:05", "<p><strike>[órdenes]</strike></p>", "<p>¿A caballo?</p>"
)


def parse(page: str) -> tuple[Post, ...]:
    """Read a page as it was saved."""
    return parse_scene(read_page(page.encode(), None), MADRID, lambda post_id: f"https://x.example/{post_id}")


def test_posts_are_read_with_their_accounts_and_times() -> None:
    """The account's number decides, not the name; times are the reader's, to the minute."""
    posts = parse(show_scene([ANA, LUIS]))
    assert [
        (
            "700123",
            "4321",
            "Añil & Co",
            datetime(2027, 1, 23, 19, 58, tzinfo=UTC),
            "https://x.example/700123",
        ),
        ("700125", "17", "luis", datetime(2027, 1, 23, 23, 5, tzinfo=UTC), "https://x.example/700125"),
    ] == [(one.id, one.author_id, one.author, one.created_at, one.url) for one in posts]
    assert {Precision.MINUTE} == {one.precision for one in posts}


def test_quotes_and_private_notes_are_nobody_s_orders() -> None:
    """What a player quotes doesn't count, and notes to the director aren't in the text at all."""
    quoting, noting = parse(show_scene([ANA, LUIS]))
    lines = [one.text for one in read_html(quoting.html or "", UMBRIA).lines if not one.struck]
    assert ["[órdenes turno 3]", "producir", "[/órdenes]"] == lines
    assert "caballo" not in (noting.html or "")


@pytest.mark.parametrize("count", [1, 2, 3])
def test_unclosed_markup_never_gives_one_player_s_text_to_another(count: int) -> None:
    """A player's unclosed elements swallow notes or the next post: such a page is refused whole."""
    broken = UmbriaPost(1, 1, "a", "23/01/2027, 20:58", "<div>" * count + "hola", "<p>secreto</p>")
    with pytest.raises(IncompletePageError):
        parse(show_scene([broken, LUIS]))


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('title="luis"', "", "page/no-author"),
        ("/comunidad/companeros/17", "/comunidad/otros/17", "page/no-author"),
        ("24/01/2027, 0:05", "hoy, 0:05", "page/bad-time"),
        ("24/01/2027, 0:05", "28/03/2027, 2:30", "page/bad-time"),
        ("24/01/2027, 0:05", "31/02/2027, 2:30", "page/bad-time"),
        ("msj700125", "msj700123", "page/repeated-post"),
        ('class="texto"', 'class="text"', "page/no-body"),
        ("msj700125", "msjx", "page/drift"),
        ('class="wrapMensaje"', 'class="wrapMensaje" id="msj9"', "page/drift"),
    ],
)
def test_a_page_that_is_built_otherwise_is_refused(old: str, new: str, code: str) -> None:
    """Half a page of posts would look like a page with few posts."""
    page = show_scene([ANA, LUIS])
    assert old in page
    with pytest.raises(IncompletePageError) as raised:
        parse(page.replace(old, new))
    assert code == raised.value.code


def test_a_page_without_posts_is_no_empty_scene() -> None:
    """A login page, or a scene with nothing in it, proves nothing."""
    with pytest.raises(NotATopicPage):
        parse(show_scene([]))
    with pytest.raises(NotATopicPage):
        parse("<!DOCTYPE html><html><body><form>Identifícate</form></body></html>")
