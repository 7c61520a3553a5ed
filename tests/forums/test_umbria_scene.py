"""A scene of Comunidad Umbría that is read from its site: which posts there are, and what is no scene."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from processor.forums.http import ForumHttp, Limits
from processor.forums.pace import Pace, origin_of
from processor.forums.umbria import GAP, UmbriaScene
from processor.ports import ForumError, IncompletePage, NotATopic, Unreachable
from rules.play.posts import Post, Precision
from tests.support.hand_clock import HandClock
from tests.support.umbria_site import SCENE, Told, UmbriaSite, serve

NOON = datetime(2026, 12, 2, 12, 0, tzinfo=UTC)


@pytest.fixture
def clock() -> HandClock:
    """The site's clock and ours."""
    return HandClock(NOON)


@pytest.fixture
def site(clock: HandClock) -> Iterator[UmbriaSite]:
    """Seven posts of two players, on three pages."""
    made = UmbriaSite(clock.now)
    for number in range(7):
        made.write(number % 2 + 2, "marina" if number % 2 else "luis", f"<p>mensaje {number}</p>")
        clock.sleep(60)
    with serve(made):
        yield made


def read(site: UmbriaSite, clock: HandClock, zone: str = "Europe/Madrid", **more: object) -> tuple[Post, ...]:
    """What a guest reads, or whoever lends a session."""
    pace = Pace(GAP, clock.monotonic, clock.sleep)
    limits = Limits(gap=GAP, retries=0, deadline=5.0)
    http = ForumHttp(
        origin_of(site.address), limits=limits, pace=pace, clock=clock.monotonic, sleep=clock.sleep
    )
    return UmbriaScene(http, site.address, zone, **more).read()  # type: ignore[arg-type]


def paths(site: UmbriaSite) -> list[str]:
    """What was asked for, behind the scene's path."""
    return [path.removeprefix(SCENE) for path, _ in site.asked]


def test_all_pages_are_read_and_the_ends_twice(site: UmbriaSite, clock: HandClock) -> None:
    """Each post once, in the order of its time, with its account; the site is asked slowly."""
    before = clock.now()
    posts = read(site, clock)
    assert [str(701 + number) for number in range(7)] == [post.id for post in posts]
    assert ["2", "3"] * 3 + ["2"] == [post.author_id for post in posts]
    assert (NOON, Precision.MINUTE) == (posts[0].created_at, posts[0].precision)
    assert f"{site.address}#msj701" == posts[0].url
    # No page links to itself, so the first one is met again under the address that the others have for it.
    assert ["", "?pagina=2", "?pagina=1", "?pagina=3", "", "?pagina=3"] == paths(site)
    assert clock.now() - before >= timedelta(seconds=GAP * (len(site.asked) - 1))


def test_the_account_decides_and_the_character_is_shown(site: UmbriaSite, clock: HandClock) -> None:
    """Two accounts may play characters of one name."""
    assert {("2", "luis", "Alguien"), ("3", "marina", "Alguien")} == {
        (post.author_id, post.author, post.character) for post in read(site, clock)
    }


def test_a_scene_on_one_page_is_asked_for_once(site: UmbriaSite, clock: HandClock) -> None:
    """Nothing leads anywhere else."""
    site.posts = site.posts[:2]
    assert ["701", "702"] == [post.id for post in read(site, clock)]
    assert [""] == paths(site)


def test_what_players_link_is_no_page_of_the_scene(site: UmbriaSite, clock: HandClock) -> None:
    """Their texts are taken out before links are looked for; links to elsewhere and to itself are none."""
    site.posts = []
    site.write(2, "luis", f'<a href="{SCENE}?pagina=9">9</a> <a href="/otra/escena?pagina=2">2</a>')
    elsewhere = ("/otra/escena?pagina=2", f"https://x.example{SCENE}?pagina=2", f"{SCENE}#2", f"{SCENE}/mapa")
    links = "".join(f'<a href="{address}">2</a>' for address in elsewhere)
    site.instead[SCENE] = lambda body: Told(body=body.replace("</body>", f"{links}</body>"))
    assert 1 == len(read(site, clock))
    assert [""] == paths(site)


def test_pages_may_be_told_by_a_number_in_their_path(site: UmbriaSite, clock: HandClock) -> None:
    """Behind the scene's own address."""
    site.posts = site.posts[:1]
    site.instead[SCENE] = lambda body: Told(body=body.replace("</body>", f'<a href="{SCENE}/2">2</a></body>'))
    site.instead[f"{SCENE}/2"] = lambda body: Told(body=body.replace("msj701", "msj702"))
    assert ["701", "702"] == [post.id for post in read(site, clock)]


def test_links_that_show_only_their_neighbours_lead_to_all(site: UmbriaSite, clock: HandClock) -> None:
    """A long scene shows the first, the last and those beside the own page."""

    def thinned(page: int) -> Callable[[str], Told]:
        far = [
            f'<a href="{SCENE}?pagina={at}">{at}</a>' for at in range(1, 8) if abs(at - page) > 1 and at != 7
        ]

        def answer(body: str) -> Told:
            for link in far:
                body = body.replace(link, "")
            return Told(body=body)

        return answer

    site.per_page = 1
    site.instead = {f"{SCENE}?pagina={at}": thinned(at) for at in range(1, 8)} | {SCENE: thinned(1)}
    assert 7 == len(read(site, clock))


@pytest.mark.parametrize(("hidden", "whole"), [((4,), False), ((4, 5), False), ((1,), True), ((1, 4), False)])
def test_pages_to_which_no_link_leads_are_missed(
    site: UmbriaSite, clock: HandClock, hidden: tuple[int, ...], whole: bool
) -> None:
    """A number below the highest that nobody links is that of the first page, or the scene isn't whole."""
    site.per_page = 1

    def hide(body: str) -> Told:
        for number in hidden:
            body = body.replace(f'<a href="{SCENE}?pagina={number}">{number}</a>', "")
        return Told(body=body)

    site.instead = dict.fromkeys((SCENE, *(f"{SCENE}?pagina={at}" for at in range(1, 8))), hide)
    if whole:
        assert 7 == len(read(site, clock))
        return
    with pytest.raises(IncompletePage, match="umbria/gap"):
        read(site, clock)


def test_a_page_that_is_shown_for_another_is_noticed(site: UmbriaSite, clock: HandClock) -> None:
    """A site that answers with its last page whatever is asked."""
    last = site.show(3, "")
    site.instead[f"{SCENE}?pagina=2"] = lambda _: Told(body=last)
    with pytest.raises(IncompletePage, match="umbria/repeated"):
        read(site, clock)


def test_posts_that_move_while_they_are_read_are_noticed(site: UmbriaSite, clock: HandClock) -> None:
    """Somebody's post is taken away between two pages: one that follows would be overlooked."""
    site.write(2, "luis", "<p>mensaje 7</p>")

    def moving(body: str) -> Told:
        site.delete("701")
        return Told(body=body)

    site.instead[f"{SCENE}?pagina=2"] = moving
    with pytest.raises(IncompletePage, match="forum/shifted"):
        read(site, clock)


def test_a_post_that_comes_while_they_are_read_is_no_mistake(site: UmbriaSite, clock: HandClock) -> None:
    """It stands at the end, and is read the next time."""

    def growing(body: str) -> Told:
        site.write(2, "luis", "<p>otro</p>")
        return Told(body=body)

    site.instead[f"{SCENE}?pagina=2"] = growing
    assert 7 <= len(read(site, clock))


LOGIN = '<!DOCTYPE html><html><body><form action="/login"><input name="clave"></form></body></html>'


@pytest.mark.parametrize(
    ("told", "kind", "code"),
    [
        (lambda _: Told(body=LOGIN), NotATopic, "page/no-topic"),
        (lambda _: Told(location="/entrar", status=302), NotATopic, "umbria/elsewhere"),
        (lambda _: Told(status=403, body=LOGIN), NotATopic, "forum/forbidden"),
        (lambda _: Told(status=404, body=LOGIN), NotATopic, "forum/missing"),
        (lambda _: Told(status=503, body="en obras"), Unreachable, "forum/status"),
        (lambda _: Told(body="{}", kind="application/json"), NotATopic, "page/no-html"),
        (lambda body: Told(body=body[: len(body) // 2]), IncompletePage, "page/cut"),
        (lambda body: Told(body=body.replace("mensaje", "entrada")), NotATopic, "page/no-posts"),
        (lambda body: Told(body=body.replace("linkAvatar", "lA")), IncompletePage, "page/no-author"),
        (
            lambda body: Told(body=body.replace('class="fecha"', 'class="f"', 1)),
            IncompletePage,
            "page/bad-time",
        ),
        (
            lambda body: Told(body=body.replace('class="texto"', 'class="t"', 1)),
            IncompletePage,
            "page/no-body",
        ),
        (lambda body: Told(body=body.replace("<body>", '<body id="msj9">')), IncompletePage, "page/drift"),
        (lambda body: Told(body=body, kind="text/html; charset=ascii"), IncompletePage, "page/wrong-charset"),
    ],
)
@pytest.mark.parametrize("path", ["", "?pagina=3"])
def test_what_is_no_whole_page_of_the_scene_is_an_error(
    site: UmbriaSite,
    clock: HandClock,
    path: str,
    told: Callable[[str], Told],
    kind: type[ForumError],
    code: str,
) -> None:
    """On the first page and on a later one: never a scene with fewer posts."""
    site.instead[f"{SCENE}{path}"] = lambda body: told(
        body.replace("mensaje 0", "ñandú").replace("mensaje 6", "ñandú")
    )
    with pytest.raises(kind) as raised:
        read(site, clock)
    assert code == raised.value.code


def test_a_guest_sends_no_cookies_and_says_who_asks(site: UmbriaSite, clock: HandClock) -> None:
    """The agent is no crawler's."""
    read(site, clock)
    assert {""} == {cookies for _, cookies in site.asked}
    assert not any("bot" in agent.lower() or "python-requests" in agent for agent in site.agents)


def test_a_lent_session_is_sent_with_each_request(site: UmbriaSite, clock: HandClock) -> None:
    """As the browser has it, whatever else stands in it."""
    read(site, clock, session=" sesion=secreta; otra=a=b ;")
    assert {"sesion=secreta; otra=a=b"} == {cookies for _, cookies in site.asked}


@pytest.mark.parametrize("session", ["contraseña", "=x", "a=b; c", ";"])
def test_what_is_no_session_is_told_before_anything_is_asked(
    site: UmbriaSite, clock: HandClock, session: str
) -> None:
    """A password in the file is no cookie, and isn't said again."""
    with pytest.raises(ForumError, match="umbria/session") as raised:
        read(site, clock, session=session)
    assert "contraseña" not in str(raised.value)
    assert [] == site.asked


def test_a_lent_session_goes_nowhere_else(site: UmbriaSite, clock: HandClock) -> None:
    """Where the site leads to another host, that one is never asked."""
    other = UmbriaSite(clock.now)
    with serve(other):
        site.instead[SCENE] = lambda _: Told(status=302, location=other.address)
        with pytest.raises(ForumError, match="forum/foreign-address"):
            read(site, clock, session="sesion=secreta")
    assert [] == other.asked


def test_notes_are_private_messages_by_option(site: UmbriaSite, clock: HandClock) -> None:
    """They are read with the session of whoever may see them, and not without the option."""
    site.write(3, "marina", "<p>Salgo.</p>", "<p>[órdenes]</p>")
    assert [] == [post for post in read(site, clock, session=site.session) if post.private]
    noted = [post for post in read(site, clock, session=site.session, notes=True) if post.private]
    assert [("708n", "3")] == [(post.id, post.author_id) for post in noted]


def test_without_a_note_in_sight_the_session_may_be_over(site: UmbriaSite, clock: HandClock) -> None:
    """Orders in notes would be missing without a word."""
    site.write(3, "marina", "<p>Salgo.</p>", "<p>[órdenes]</p>")
    with pytest.raises(NotATopic, match="umbria/no-notes"):
        read(site, clock, session="sesion=caducada", notes=True)


def test_times_ahead_of_the_site_s_clock_are_in_another_zone(site: UmbriaSite, clock: HandClock) -> None:
    """Whoever reads sees other hours than `zone` says."""
    with pytest.raises(IncompletePage, match="page/wrong-zone"):
        read(site, clock, "America/Mexico_City")
