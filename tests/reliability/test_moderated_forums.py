"""A turn on forums that keep our texts for a moderator: NodeBB hides them even from us, Misago shows us ours.

There nothing but a marker that can be read tells that a text was let through.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from jobs.tick import tick
from processor.service.bundle import Service
from processor.service.registering import register_game
from processor.store import outbox_rows
from processor.store.rows import SendState
from tests.support.databases import new_database
from tests.support.forum_fixtures import ACCOUNTS, BOT, SCENE, TITLE, enter
from tests.support.hand_clock import DEADLINE, HandClock
from tests.support.small_game import write_folder
from tests.support.small_night import make_service
from tests.support.standin import STANDINS, MisagoStandIn, NodebbStandIn, StandIn, XenforoStandIn


@dataclass
class Moderated:
    """A small game there, and its moderator."""

    forum: StandIn
    clock: HandClock
    service: Service

    def moderate(self, *, strictly: bool) -> None:
        """Keep what Turnero writes from now on, or don't."""
        views = self.forum.views
        views.queued = {BOT.name} if strictly else set()

    def let_through(self) -> None:
        """Take all that waits, edits too where the forum keeps those."""
        match self.forum:
            case NodebbStandIn() | XenforoStandIn() as forum:
                for _ in range(len(forum.views.waiting)):
                    forum.views.let_through()
            case MisagoStandIn() as forum:
                forum.views.unapproved.clear()

    def written(self) -> list[str]:
        """Every request so far that may have changed the forum."""
        asked = self.forum.requests()
        return [one for one in asked if not one.startswith("GET") and not one.endswith("/ping")]

    def work(self, minutes: float) -> dict[str, str]:
        """Work for a while; what has become of each part of a text."""
        self.clock.sleep(60 * minutes)
        tick(self.service)
        with self.service.database.read() as connection:
            rows = outbox_rows.list_rows(connection, 1)
        return {f"{row.kind}:{row.part}": row.state.value for row in rows if row.state != SendState.SKIPPED}

    def shown(self) -> list[str]:
        """Kind and part of what Turnero has in the forum, in the order in which it was sent."""
        ours = [post["text"].rsplit("\n", 1)[-1] for post in self.forum.posts() if post["author"] == BOT.name]
        return [":".join(marker.split(":")[3:5]) for marker in ours]


@pytest.fixture(params=["nodebb", "xenforo", "misago"])
def moderated(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Moderated]:
    """The game is registered, and nothing was done yet."""
    with STANDINS[request.param](ACCOUNTS, **SCENE) as forum:
        clock = HandClock()
        forum.follow_clock(clock.now)
        port = enter(forum, BOT, clock=clock.monotonic, sleep=clock.sleep)
        service = make_service(new_database(), clock, port)
        seats = {"norte": [forum.accounts["alice"], "alice"]}
        told = {"url": forum.url, "software": request.param, "topic": forum.topics[TITLE], "accounts": seats}
        register_game(service, write_folder(tmp_path / "g", secret=False, **told))
        yield Moderated(forum, clock, service)


def test_each_text_that_is_let_through_is_found(moderated: Moderated) -> None:
    """Opening and both halves of the report, one after the other; nothing stands there twice."""
    moderated.moderate(strictly=True)
    assert {"open:1": "queued"} == moderated.work(0)
    moderated.let_through()
    assert {"open:1": "sent"} == moderated.work(15)
    moderated.moderate(strictly=False)
    moderated.forum.write_post(moderated.forum.topics[TITLE], "alice", "[órdenes]\ntirar dado\n[/órdenes]")
    assert {"open:1": "sent", "receipts:1": "sent"} == moderated.work(15)
    moderated.moderate(strictly=True)
    moderated.clock.set(DEADLINE + timedelta(minutes=2))
    waits = []
    for _ in range(3):
        states = moderated.work(30)
        waits.append((states["report:1"], states["report:2"]))
        moderated.let_through()
    assert [("queued", "ready"), ("sent", "queued"), ("sent", "sent")] == waits
    assert ["open:1/1", "receipts:1/1", "report:1/2", "report:2/2"] == moderated.shown()


def test_what_is_not_let_through_is_not_sent_again(moderated: Moderated) -> None:
    """However often it is looked for."""
    moderated.moderate(strictly=True)
    moderated.work(0)
    written = moderated.written()
    states = [moderated.work(20) for _ in range(3)]
    assert [{"open:1": "queued"}] * 3 == states
    assert written == moderated.written()
