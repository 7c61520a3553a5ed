"""Posts are taken out of the topic, and all that follow move up: no order is lost (reliability.md F16)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from jobs.tick import tick
from processor.store import turns
from processor.store.rows import TurnRow
from processor.store.tables import orders
from tests.support.small_night import Night, start_night

SOON = timedelta(minutes=10)


def newest(night: Night) -> TurnRow:
    """The newest turn."""
    with night.service.database.read() as connection:
        return turns.list_turns(connection, "pequena")[-1]


def order(night: Night, *blocks: tuple[str, str]) -> None:
    """What players order in the topic, by account."""
    for author, line in blocks:
        night.forum.write(author, f"[órdenes]\n{line}\n[/órdenes]")


def close(night: Night) -> None:
    """Ticks before and behind the newest turn's deadline, up to its report."""
    due = newest(night).due_at
    for moment in (due - SOON, due + timedelta(minutes=2)):
        night.clock.set(moment)
        tick(night.service)
    for _ in range(4):
        night.clock.sleep(SOON.total_seconds())
        tick(night.service)


def locked(night: Night) -> list[tuple[int, str]]:
    """The orders of all turns, by turn."""
    with night.service.database.read() as connection:
        rows = connection.execute(select(orders.c.turn_id, orders.c.text))
        return sorted((row.turn_id, row.text) for row in rows)


def begin(folder: Path, count: int, *blocks: tuple[str, str]) -> tuple[Night, list[int]]:
    """A first turn with orders and so many posts of chatter."""
    night = start_night(folder / "g", every_days=1)
    tick(night.service)
    chatter = [night.forum.write("2", "¡Qué partida!").id for _ in range(count)]
    order(night, *blocks)
    return night, chatter


@pytest.mark.parametrize("count", [1, 4, 5, 7, 12])
@pytest.mark.parametrize("already_read", [True, False])
def test_older_posts_are_moved_to_another_topic(count: int, already_read: bool, tmp_path: Path) -> None:
    """The turn's orders stand further up than its first post did, and count all the same; so do the next."""
    night, chatter = begin(tmp_path, count, ("2", "tirar a"), ("3", "tirar b"))
    close(night)
    order(night, ("2", "tirar c"), ("3", "tirar d"))
    if already_read:
        night.clock.sleep(3 * SOON.total_seconds())
        tick(night.service)
    for post in chatter:
        night.forum.remove(post)
    close(night)
    order(night, ("2", "tirar e"), ("3", "tirar f"))
    close(night)
    expected = [
        (1, "tirar a"),
        (1, "tirar b"),
        (2, "tirar c"),
        (2, "tirar d"),
        (3, "tirar e"),
        (3, "tirar f"),
    ]
    assert expected == locked(night)


def test_posts_are_moved_while_a_turn_asks(tmp_path: Path) -> None:
    """Where the next turn's posts begin was known before, and moves up with them."""
    night, chatter = begin(tmp_path, 5, ("2", "tirar a"), ("3", "dudar b"))
    close(night)
    for post in chatter:
        night.forum.remove(post)
    night.clock.sleep(3 * SOON.total_seconds())
    tick(night.service)
    order(night, ("2", "tirar c"), ("3", "responder P1 sí"))
    for _ in range(4):
        night.clock.sleep(2 * SOON.total_seconds())
        tick(night.service)
    order(night, ("3", "tirar d"))
    close(night)
    assert [(1, "dudar b"), (1, "tirar a"), (2, "tirar d")] == locked(night)[:3]


def test_the_newest_post_itself_is_gone(tmp_path: Path) -> None:
    """Where nothing tells how far posts have moved, the whole topic is read."""
    night, chatter = begin(tmp_path, 4, ("2", "tirar a"), ("3", "tirar b"))
    close(night)
    order(night, ("2", "tirar c"), ("3", "tirar d"))
    said = night.forum.write("2", "¿Cuándo?")
    night.clock.sleep(3 * SOON.total_seconds())
    tick(night.service)
    for post in (*chatter, said.id):
        night.forum.remove(post)
    close(night)
    assert [(2, "tirar c"), (2, "tirar d")] == locked(night)[2:]
