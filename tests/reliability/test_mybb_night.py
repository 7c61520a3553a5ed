"""A night of the small game on MyBB's stand-in, which appends receipts, and both parts of the report, to one
post: each text stands there once, whatever answer is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from jobs.tick import tick
from processor.forums.http import ForumHttp
from processor.forums.mybb import MybbForum
from processor.service.bundle import Service
from processor.service.registering import register_game
from processor.store import turns
from rules.play.joined import split_texts
from rules.play.turns import TurnRef, TurnStatus
from tests.support.databases import new_database
from tests.support.forum_fixtures import QUICK
from tests.support.forum_night import ACCOUNTS, PASSWORD, TITLE, TOPICS, block
from tests.support.hand_clock import DEADLINE, HandClock
from tests.support.small_game import write_folder
from tests.support.small_night import make_service
from tests.support.standin import MybbStandIn

WHOLE = ["1.1:open:1/1", "1.1:receipts:1/1", "1.1:report:1/2", "1.1:report:2/2"]


@dataclass
class MybbNight:
    """The small game on MyBB, with its minute between two texts; the clock is turned by hand."""

    forum: MybbStandIn
    clock: HandClock
    service: Service

    def play(self, kind: str | None = None, where: str = "", times: int = 1) -> None:
        """Opening; half an hour before the deadline an order in the topic; receipts; the deadline and after.

        kind, where, times: of what goes wrong with what is sent from the deadline on.
        """
        tick(self.service)
        self.clock.set(DEADLINE - timedelta(minutes=30))
        self.forum.write_post(self.forum.topics[TITLE], "alice", block("dado"))
        tick(self.service)
        self.clock.sleep(900)
        tick(self.service)
        self.clock.set(DEADLINE + timedelta(minutes=2))
        if kind is not None:
            self.forum.fail(kind, where, times=times)
        for _ in range(4):
            tick(self.service)
            self.clock.sleep(130)

    def texts(self) -> list[list[str]]:
        """Our texts by the post in which they stand."""
        mine = (post for post in self.forum.posts() if post["author"] == "turnero")
        return [list(split_texts(post["text"])) for post in mine]

    def status(self) -> TurnStatus:
        """Where the turn is."""
        with self.service.database.read() as connection:
            turn = turns.find_attempt(connection, TurnRef("pequena", 1))
        assert turn is not None
        return turn.status


@pytest.fixture
def night(tmp_path: Path) -> Iterator[MybbNight]:
    """A night that has not begun."""
    clock = HandClock()
    with MybbStandIn(ACCOUNTS, topics=TOPICS, rate_limits=True) as forum:
        forum.follow_clock(clock.now)
        http = ForumHttp(forum.url, limits=QUICK, clock=clock.monotonic, sleep=clock.sleep)
        service = make_service(new_database(), clock, MybbForum(forum.url, "turnero", PASSWORD, http))
        known = {"url": forum.url, "software": "mybb", "topic": forum.topics[TITLE]}
        register_game(service, write_folder(tmp_path / "g", **known))
        yield MybbNight(forum, clock, service)


def kinds(texts: list[str]) -> list[str]:
    """Their markers, without game and hash."""
    return [":".join(text.split("\n")[-1].split(":")[2:5]) for text in texts]


def test_receipts_and_report_share_a_post(night: MybbNight) -> None:
    """MyBB appends both parts to the receipts, which are edited by themselves all the same."""
    night.play()
    assert [WHOLE[:1], WHOLE[1:]] == [kinds(texts) for texts in night.texts()]
    assert TurnStatus.PUBLISHED is night.status()
    receipts = night.texts()[1][0]
    assert ("tirar dado" in receipts, "Cerrado: " in receipts) == (True, True)


@pytest.mark.parametrize(
    ("kind", "where", "times"),
    [
        ("store-then-drop", "edit", 1),
        ("store-then-drop", "publish", 2),
        ("drop-before-store", "publish", 2),
        ("error-after", "publish", 1),
        ("flood", "publish", 1),
    ],
)
def test_a_lost_answer_leaves_one_copy_of_each(kind: str, where: str, times: int, night: MybbNight) -> None:
    """Of the receipts' last edit, of the report's first part, of both parts: what was stored is found in the
    middle of the post, what wasn't is sent again.
    """
    night.play(kind, where, times)
    assert sorted(WHOLE) == sorted(kinds([text for texts in night.texts() for text in texts]))
    assert TurnStatus.PUBLISHED is night.status()
    assert "Cerrado: " in night.texts()[1][0]
