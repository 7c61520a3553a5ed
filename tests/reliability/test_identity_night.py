"""Nights on which posts change their author, their place or their looks: what counts, and who is told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from processor.store.tables import orders
from rules.play.game import FormerPlayer, Seat
from rules.play.posts import Visibility
from rules.play.turns import TurnStatus
from tests.support.fair_night import CLOSED, PLAYERS, FairNight, block, start_night
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import Kept

NEW = "77"
"""The account of who takes over Ana's seat."""
BEFORE, LAST = (DEADLINE - timedelta(minutes=minutes) for minutes in (60, 20))
Change = Callable[[FairNight, Kept], None]


def locked(night: FairNight, seat: str = "Ana") -> list[str]:
    """A seat's orders with which the turn was resolved."""
    with night.service.database.read() as connection:
        rows = connection.execute(select(orders.c.seat, orders.c.text).order_by(orders.c.position))
        return [row.text for row in rows if row.seat == seat]


def close(night: FairNight) -> None:
    """The deadline passes, and what is due behind it is done."""
    night.tick(at=CLOSED)
    for _ in range(4):
        night.tick(after=timedelta(minutes=10))


def replace_ana(night: FairNight, since: datetime) -> None:
    """Ana's seat is somebody else's from then on, as the director writes it into the game's file."""
    loaded = night.service.pipeline.load_game(night.folder)
    seats = tuple(_pass_on(seat, since) if seat.id == "Ana" else seat for seat in loaded.game.seats)
    changed = replace(loaded, game=replace(loaded.game, seats=seats))
    pipeline = replace(night.service.pipeline, load_game=lambda _folder: changed)
    night.service = replace(night.service, pipeline=pipeline)
    night.forum.accounts |= {"nueva": NEW}


def _pass_on(seat: Seat, since: datetime) -> Seat:
    return replace(seat, account=NEW, login="nueva", former=(FormerPlayer(seat.account, since),))


@pytest.fixture
def night(tmp_path: Path) -> FairNight:
    """An open turn in which Bea has ordered."""
    made = start_night(tmp_path / "g")
    made.tick()
    made.post("Bea", "trabajar")
    return made


def test_who_takes_over_a_seat_orders_from_then_on(night: FairNight) -> None:
    """The former player's newer block counts for nothing, the new one's does."""
    night.post("Ana", "trabajar")
    night.tick(at=BEFORE)
    replace_ana(night, night.clock.now())
    night.clock.sleep(60)
    night.forum.write(NEW, block("jugar en Tómbola"))
    night.clock.sleep(60)
    night.post("Ana", "pregonar")
    night.tick(at=LAST)
    close(night)
    assert ["jugar en Tómbola"] == locked(night)


def test_what_the_former_player_ordered_stands_until_the_new_one_orders(night: FairNight) -> None:
    """The seat had orders, and they were given by who held it then."""
    night.post("Ana", "trabajar")
    night.tick(at=BEFORE)
    replace_ana(night, night.clock.now())
    night.tick(at=LAST)
    close(night)
    assert ["trabajar"] == locked(night)


def test_the_new_player_reads_nothing_of_the_former_one_s(tmp_path: Path) -> None:
    """Letters go into a conversation of their own; nothing more goes into the old one."""
    night = start_night(tmp_path / "g", secret=True)
    night.tick()
    night.whisper("Ana", "trabajar")
    night.tick(at=BEFORE)
    old = {topic for topic, (_, people) in night.forum.conversations.items() if PLAYERS["Ana"][0] in people}
    written = {topic: len(night.forum.by_bot(topic)) for topic in old}
    replace_ana(night, night.clock.now())
    night.clock.sleep(60)
    night.forum.whisper(NEW, block("jugar en Tómbola"))
    night.tick(at=LAST)
    close(night)
    new = {topic for topic, (_, people) in night.forum.conversations.items() if NEW in people}
    assert (set(), written) == (old & new, {topic: len(night.forum.by_bot(topic)) for topic in old})
    assert any(night.forum.by_bot(topic) for topic in new)


def _hide(_night: FairNight, post: Kept) -> None:
    post.visibility = Visibility.REMOVED


def _queue(_night: FairNight, post: Kept) -> None:
    post.visibility = Visibility.UNAPPROVED


def _delete(night: FairNight, post: Kept) -> None:
    night.forum.remove(post.id)


def _append(night: FairNight, post: Kept) -> None:
    """A later post, which the forum has merged into the older one."""
    night.forum.rewrite(post.id, f"{post.text}\n\n{block('pregonar')}")


def _disown(_night: FairNight, post: Kept) -> None:
    """The account is deleted, and its posts have none."""
    post.author = ""


@pytest.mark.parametrize("change", [_hide, _queue, _delete, _append])
def test_what_happens_to_a_post_behind_the_deadline_changes_nothing(night: FairNight, change: Change) -> None:
    """It was read in time: hidden, put into moderation, deleted or merged with a late one, it counts as it
    was.
    """
    post = night.post("Ana", "trabajar")
    night.tick(at=LAST)
    night.clock.set(DEADLINE + timedelta(seconds=70))
    change(night, post)
    close(night)
    assert (["trabajar"], TurnStatus.PUBLISHED) == (locked(night), night.status())


@pytest.mark.parametrize("change", [_hide, _delete])
def test_what_a_moderator_takes_away_in_time_counts_for_nothing(night: FairNight, change: Change) -> None:
    """Nobody can read it any more, and its author can still write another."""
    post = night.post("Ana", "trabajar")
    night.tick(at=BEFORE)
    change(night, post)
    for minutes in (50, 40, 30, 20, 10):
        night.tick(at=DEADLINE - timedelta(minutes=minutes))
    close(night)
    assert ([], ["trabajar"]) == (locked(night), locked(night, "Bea"))


def test_a_post_that_waits_for_a_moderator_counts_once_it_is_let_through(night: FairNight) -> None:
    """The time at which it was written decides, and that it can be read at the closing."""
    first, second = night.post("Ana", "trabajar"), night.forum.write(PLAYERS["Ciro"][0], block("trabajar"))
    for post in (first, second):
        _queue(night, post)
    night.tick(at=LAST)
    first.visibility = Visibility.VISIBLE
    close(night)
    assert (["trabajar"], []) == (locked(night), locked(night, "Ciro"))


def test_posts_that_the_forum_merged_in_time_count_as_they_stand(night: FairNight) -> None:
    """Two posts in a row became one: its last block is the newest word."""
    post = night.post("Ana", "trabajar")
    night.tick(at=BEFORE)
    _append(night, post)
    night.tick(at=LAST)
    close(night)
    assert ["pregonar"] == locked(night)[-1:]


def test_a_deleted_account_s_post_is_nobody_s(night: FairNight) -> None:
    """Without an account it isn't known whose it is; the name alone never decides."""
    post = night.post("Ana", "trabajar")
    night.tick(at=BEFORE)
    _disown(night, post)
    night.tick(at=LAST)
    close(night)
    assert ([], TurnStatus.PUBLISHED) == (locked(night), night.status())
