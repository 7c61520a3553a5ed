"""What a game's reading asks of its forum, and how soon a change on an older page is seen all the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from jobs.demo.spirit_server import Account, OpeningPost
from jobs.tick import tick
from processor.service.bundle import Service
from processor.service.registering import register_game
from processor.service.waking import read_soon
from processor.store import evidence, turns
from rules.play.turns import TurnRef, TurnStatus
from tests.support.databases import new_database
from tests.support.forum_fixtures import connect
from tests.support.forum_night import ACCOUNTS, TITLE, block
from tests.support.hand_clock import DEADLINE, HandClock
from tests.support.small_game import write_folder
from tests.support.small_night import make_service
from tests.support.standin import StandIn

PAGE = 20
QUARTER = timedelta(minutes=15)


@dataclass
class Topic:
    """A game on a stand-in forum whose clock is turned by hand."""

    forum: StandIn
    service: Service
    clock: HandClock

    def write(self, count: int = 1, text: str = "Nada nuevo.") -> list[str]:
        """Posts by a player who gives no orders, unless the text does."""
        return [self.forum.write_post(self.topic, "alice", text) for _ in range(count)]

    @property
    def topic(self) -> str:
        """The topic's id."""
        return self.forum.topics[TITLE]

    def collect(self, after: timedelta = QUARTER) -> list[str]:
        """The requests of the readings that become due within a while."""
        before = len(self.forum.requests())
        self.clock.sleep(after.total_seconds())
        tick(self.service, patience=0)
        return self.forum.requests()[before:]

    def versions(self, post_id: str) -> list[str | None]:
        """What is stored of a post, version by version."""
        with self.service.database.read() as connection:
            turn = turns.find_attempt(connection, TurnRef("pequena", 1))
            assert turn is not None
            found = evidence.load_versions(connection, turn.id)
        return [one.post.html for one in found if one.post.id == post_id]


def pages(requests: list[str]) -> list[str]:
    """Those that ask for a page of the public topic."""
    return [one for one in requests if one.startswith("GET /topic/") and "/private/" not in one]


@contextmanager
def played(folder: Path, *, hours: float = 100) -> Iterator[Topic]:
    """A game that was opened and read for the first time, so many hours before its deadline."""
    clock = HandClock(DEADLINE - timedelta(hours=hours))
    topics = (OpeningPost(TITLE, "Aquí se juega.", "gm"),)
    with StandIn(ACCOUNTS, topics=topics, comments_per_page=PAGE) as forum:
        forum.follow_clock(clock.now)
        accounts = {"norte": [forum.accounts["alice"], "alice"], "sur": [forum.accounts["bob"], "bob"]}
        told = {"url": forum.url, "topic": forum.topics[TITLE], "accounts": accounts, "reminder": None}
        write_folder(folder, **told)
        database = new_database()
        bot = next(one for one in ACCOUNTS if one.name == "turnero")
        service = make_service(
            database, clock, connect(forum, Account(bot.name, bot.password, zone=bot.zone))
        )
        register_game(service, folder)
        tick(service)
        yield Topic(forum, service, clock)


@pytest.mark.parametrize("before", [0, 7, PAGE - 2])
@pytest.mark.parametrize("new", [0, 1, PAGE, 3 * PAGE])
def test_a_topic_read_again_costs_what_is_new(new: int, before: int, tmp_path: Path) -> None:
    """1 + ceil(new posts / page size) requests for the topic, and none for its session."""
    with played(tmp_path / "g") as one:
        one.write(before)
        one.collect()
        one.write(new)
        asked = one.collect()
    assert len(pages(asked)) <= 1 + -(-new // PAGE)
    assert [] == [request for request in asked if "/user/" in request]


def test_a_turn_of_a_hundred_pages_costs_no_more_to_read_on(tmp_path: Path) -> None:
    """2,000 posts were read once; from then on each look asks for the last page alone."""
    with played(tmp_path / "g") as one:
        one.write(100 * PAGE - 2)
        one.collect()
        assert [1, 1, 1] == [len(pages(one.collect())) for _ in range(3)]
        one.write(1)
        assert len(pages(one.collect())) <= 2


def test_raw_text_is_asked_for_once_for_each_post_with_a_block(tmp_path: Path) -> None:
    """Two posts with blocks, three without: two requests more, in this reading only."""
    with played(tmp_path / "g") as one:
        one.collect()
        one.write(2, block("dado"))
        one.write(3)
        first, second = one.collect(), one.collect()
    assert [2, 0] == [sum("/quote/" in request for request in asked) for asked in (first, second)]


def test_an_edit_on_the_newest_page_is_seen_at_the_next_reading(tmp_path: Path) -> None:
    """The page that is asked for anyway is looked at whole."""
    with played(tmp_path / "g") as one:
        (first, *_) = one.write(5)
        one.collect()
        one.forum.edit_post(first, "Cambiado.")
        one.collect()
        assert 2 == len(one.versions(first))


def test_an_edit_on_an_older_page_is_seen_when_the_last_half_hour_begins(tmp_path: Path) -> None:
    """One whole reading then, and lean ones again from there to the closing one."""
    with played(tmp_path / "g", hours=2) as one:
        (first, *_) = one.write(3 * PAGE)
        one.collect()
        one.forum.edit_post(first, "Cambiado.")
        one.collect()
        assert 1 == len(one.versions(first))
        whole = one.collect(DEADLINE - timedelta(minutes=30) - one.clock.now())
        again = one.collect(timedelta(minutes=2))
        assert (2, True, 1) == (len(one.versions(first)), len(pages(whole)) >= 4, len(pages(again)))


def test_an_edit_just_before_the_deadline_counts_wherever_it_stands(tmp_path: Path) -> None:
    """The closing reading reads the turn's posts whole (F19)."""
    with played(tmp_path / "g", hours=2) as one:
        (order,) = one.write(1, block("viejo"))
        one.forum.write_post(one.topic, "bob", block("suyo"))
        one.write(3 * PAGE)
        one.collect(DEADLINE - timedelta(minutes=3) - one.clock.now())
        one.forum.edit_post(order, block("nuevo"))
        one.collect(timedelta(minutes=5))
        for _ in range(8):
            one.collect(timedelta(minutes=1))
        report = "".join(post["text"] for post in one.forum.posts() if ":report:" in post["text"])
    assert ("nuevo/norte/1" in report, "viejo" in report) == (True, False)


def test_a_deleted_post_counts_as_deleted_after_three_whole_readings(tmp_path: Path) -> None:
    """Posts have moved, so the topic is read whole; and whole again until it is sure that one is gone."""
    with played(tmp_path / "g") as one:
        (first, *_) = one.write(3 * PAGE)
        one.collect()
        one.forum.delete_post(first)
        costs = [len(pages(one.collect())) for _ in range(4)]
        with one.service.database.read() as connection:
            turn = turns.find_attempt(connection, TurnRef("pequena", 1))
            assert turn is not None
            gone = [v.post.id for v in evidence.load_versions(connection, turn.id) if v.missing]
    assert ([first], 1) == (gone, costs[-1])
    assert all(cost >= 4 for cost in costs[:3])


def test_reading_by_command_reads_whole(tmp_path: Path) -> None:
    """`turnero read` sees an edit on an older page at once."""
    with played(tmp_path / "g") as one:
        (first, *_) = one.write(3 * PAGE)
        one.collect()
        one.forum.edit_post(first, "Cambiado.")
        assert read_soon(one.service, "pequena")
        tick(one.service, patience=0)
        assert 2 == len(one.versions(first))


def test_a_turn_that_was_read_on_is_closed_whole(tmp_path: Path) -> None:
    """A stretch of lean readings ends in a published turn like any other."""
    with played(tmp_path / "g", hours=3) as one:
        one.write(1, block("dado"))
        for _ in range(8):
            one.write(5)
            one.collect()
        one.collect(DEADLINE + timedelta(minutes=2) - one.clock.now())
        for _ in range(8):
            one.collect(timedelta(minutes=1))
        with one.service.database.read() as connection:
            turn = turns.find_attempt(connection, TurnRef("pequena", 1))
        assert turn is not None
        assert TurnStatus.PUBLISHED is turn.status
