"""Nothing of ours leaves the forum's own origin, wherever a forum wants to lead us (reliability.md F41).

A second server stands by that must not even be spoken to: so it sees no cookie, no key, no password, no
token. The same tests over every stand-in, in everything that an account does there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from urllib.parse import urljoin

import pytest

from jobs.adapters import ADAPTERS
from processor.forums.http import ForumHttp
from processor.ports import ForumError, Uploading
from reporters.pictures.drawing import DRAW
from rules.play.posts import Published, Uploaded
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOT, SCENE, TITLE, enter
from tests.support.standin import STANDINS, StandIn
from tests.support.trap import Trap

Step = Callable[[], object]
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>'


def list_actions(kind: type[StandIn]) -> list[str]:
    """All that its addresses do; where no table has them, by the methods that answer."""
    views = kind.answering
    tables = [getattr(views, name, ()) for name in ("gets", "posts", "puts")]
    methods = (re.fullmatch("_(?:get|post|put)_(?!action$)([a-z]+)", name) for name in dir(views))
    listed = {action for action, _ in chain(*tables)}
    return sorted(listed or {found[1] for found in methods if found})


ACTIONS = [(kind, action) for kind in STANDINS.values() for action in list_actions(kind)]
NAMES = [f"{kind.software}-{action}" for kind, action in ACTIONS]


@pytest.fixture
def trap() -> Iterator[Trap]:
    """Somebody else's server."""
    with Trap() as server:
        yield server


def live(forum: StandIn) -> list[object]:
    """What an account does in a forum, from logging in on; each step by itself, whatever the others gave.

    Returns what the steps gave that went well.
    """
    bot, topic = enter(forum, BOT), forum.topics[TITLE]
    made: list[object] = []

    def attempt(*steps: Step) -> None:
        for step in steps:
            with suppress(ForumError):
                made.append(step())

    attempt(bot.open, lambda: bot.read_topic(topic), lambda: bot.post(topic, f"hola {len(forum.posts())}"))
    own = next((one.post_id for one in made if isinstance(one, Published)), "2")
    attempt(
        lambda: bot.edit(own, f"adiós {len(forum.events())}"),
        lambda: bot.raw_text(own, topic),
        lambda: bot.read_post(topic, own, 2),
        lambda: bot.probe_topic(topic),
        lambda: bot.probe_edit(own),
        bot.probe_private,
        lambda: bot.find_marker(topic, "ptd1:nada"),
    )
    uploads = bot.capabilities.uploads
    if uploads is not None and isinstance(bot, Uploading):
        desk, picture = bot, (f"mapa.{uploads.kind}", DRAW[uploads.kind](SVG))
        attempt(lambda: desk.upload(topic, *picture))
        handles = [one.handle for one in made if isinstance(one, Uploaded)]
        attempt(lambda: desk.post_with(topic, f"con mapa {len(forum.posts())}", tuple(handles)))
    attempt(lambda: bot.send_private("alice", f"título {len(forum.events())}", "hola"), bot.read_private)
    sent = [one.topic for one in made if isinstance(one, Published) and one.topic not in (None, topic)]
    attempt(*(lambda talk=talk: bot.post(talk, "otra cosa") for talk in sent))
    attempt(*(lambda talk=talk: bot.raw_text(own, talk) for talk in sent))
    return made


@pytest.mark.parametrize(("kind", "action"), ACTIONS, ids=NAMES)
def test_a_redirect_leads_nowhere_else(kind: type[StandIn], action: str, trap: Trap) -> None:
    """Another port, another name, `//host`, another scheme, a host behind an `@`: whatever redirects, and
    wherever to.
    """
    with kind(ACCOUNTS, **SCENE) as forum:
        targets = trap.addresses(forum.url, "/topic/1")
        number = NAMES.index(f"{forum.software}-{action}")
        forum.fail("redirect", action, text=targets[number % len(targets)])
        live(forum)
    assert [] == trap.seen


def _lead_away(forum: StandIn, trap: Trap) -> Callable[[bytes], bytes]:
    """Every address on a page, or in JSON, becomes the other server's; and the page wants to be left."""
    away = f"http://127.0.0.1:{trap.port}".encode()
    refresh = b'<meta http-equiv="refresh" content="0;url=%s/topic/1">' % away

    def mutate(page: bytes) -> bytes:
        page = re.sub(rb'\b(action|href|src)="(?!#)[^"]*"', rb'\1="%s/topic/1"' % away, page)
        return page.replace(forum.url.encode(), away).replace(b"</head>", refresh + b"</head>")

    return mutate


@pytest.mark.parametrize("spared", [(), ("form", "login", "preferences")], ids=["all pages", "once inside"])
@pytest.mark.parametrize("kind", STANDINS.values(), ids=STANDINS)
def test_a_page_that_points_elsewhere_leads_nowhere(
    kind: type[StandIn], spared: Sequence[str], trap: Trap
) -> None:
    """Forms whose action, pages whose next page, a meta refresh that stand at another server."""
    with kind(ACCOUNTS, **SCENE) as forum:
        for n in range(4):
            forum.write_post(forum.topics[TITLE], ALICE.name, f"mensaje {n}")
        for action in set(list_actions(kind)) - set(spared):
            forum.fail("mutate", action, times=99, mutate=_lead_away(forum, trap))
        live(forum)
        assert forum.events("fault")
    assert [] == trap.seen


@pytest.mark.parametrize("kind", STANDINS.values(), ids=STANDINS)
def test_without_such_a_page_all_of_it_works(kind: type[StandIn], trap: Trap) -> None:
    """Else these tests would hold for an adapter that does nothing, or for actions that nobody comes to."""
    with kind(ACCOUNTS, **SCENE) as forum:
        made = live(forum)
        asked = [event.what.split(" ", 1) for event in forum.events("request")]
        done = {found[0] for method, path in asked if (found := forum.views.route(method, path))}
    assert [] == trap.seen
    private = ADAPTERS[kind.software].capabilities.private
    assert (3 if private else 2) <= sum(isinstance(one, Published) for one in made)
    assert len(set(list_actions(kind)) - done) <= 3, done


def test_the_trap_sees_whoever_follows(trap: Trap, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that believes its forum is caught, and what it would have given away is seen."""
    monkeypatch.setattr(ForumHttp, "_resolve", lambda _self, base, target: urljoin(base, target))
    with StandIn(ACCOUNTS, **SCENE) as forum:
        bot = enter(forum, BOT)
        bot.open()
        forum.fail("redirect", "preferences", text=f"http://127.0.0.1:{trap.port}/")
        with suppress(ForumError):
            bot.open()
    assert b"Cookie: " in trap.seen[0]
