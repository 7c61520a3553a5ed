"""How much a night says to its database: counts, which hold on any machine, and where it commits."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, func, insert, select

from jobs.tick import tick
from processor.service.bundle import LoadedGame
from processor.store import evidence, outbox_rows, turns
from processor.store.tables import games, orders, outbox, post_versions, results, rolls
from processor.store.tables import turns as turns_table
from rules.play.outgoing import TOPIC, Outgoing
from rules.play.posts import Post, Precision, Reading
from rules.play.turns import TurnStatus
from tests.support.hand_clock import DEADLINE
from tests.support.small_game import load_game
from tests.support.small_night import Night, start_night
from tests.support.statements import commits, statements

CLOSED = DEADLINE + timedelta(minutes=2)


@pytest.fixture
def night(tmp_path: Path) -> Night:
    """A game whose first turn is open."""
    made = start_night(tmp_path / "g")
    tick(made.service)
    return made


def close_with(folder: Path, count: int) -> tuple[list[str], Night]:
    """What is said while a turn with so many orders is read for the last time, locked, resolved and sent."""
    night = start_night(folder)
    tick(night.service)
    for author, seat in (("2", "norte"), ("3", "sur")):
        lines = "\n".join(f"tirar {seat}{number}" for number in range(count // 2))
        night.forum.write(author, f"[órdenes]\n{lines}\n[/órdenes]")
    night.clock.set(CLOSED)
    with statements(night.service.database) as said:
        tick(night.service)
    return said, night


def test_five_thousand_orders_cost_no_more_statements_than_ten(tmp_path: Path) -> None:
    """Lock, resolution and outbox go in as a few long statements; and each order is a row of its seat."""
    few, _ = close_with(tmp_path / "few", 10)
    many, night = close_with(tmp_path / "many", 5_000)
    with night.service.database.read() as connection:
        norte = select(orders.c.text).where(orders.c.seat == "norte").order_by(orders.c.number)
        written = connection.execute(norte).scalars().all()
        rolled = connection.execute(select(func.count()).select_from(rolls)).scalar_one()
        assert turns.find_turn(connection, 1).status is TurnStatus.PUBLISHED
    assert ([f"tirar norte{number}" for number in range(2_500)], 5_000) == (written, rolled)
    assert Counter(few) == Counter(many)


def test_a_report_of_many_parts_goes_into_the_outbox_at_once(night: Night) -> None:
    """However long it is; a changed text replaces all its parts at once too."""

    def put(kind: str, parts: int, word: str) -> int:
        text = Outgoing(kind, TOPIC, tuple(f"{word} {part}" for part in range(parts)), editable=True)
        with night.service.database.write("pequena") as connection:
            turn = turns.find_turn(connection, 1)
            with statements(night.service.database) as said:
                outbox_rows.put(connection, 1, turn.ref, (text,), {}, "vacío")
        return len(said)

    few = [put("corto", 2, word) for word in ("antes", "después")]
    many = [put("largo", 200, word) for word in ("antes", "después")]
    assert few == many


def test_a_thousand_posts_are_stored_like_one(night: Night) -> None:
    """Evidence of a lively topic is a few long statements, new posts and changed ones alike."""

    def store(first: int, count: int, text: str) -> int:
        read = tuple(_post(number, text) for number in range(first, first + count))
        reading = Reading("7", read, first, first + count - 1, DEADLINE)
        database = night.service.database
        with database.write("pequena") as connection, statements(database) as said:
            evidence.store_reading(connection, "pequena", 1, reading, read)
        return len(said)

    few = [store(1_000, 1, "antes"), store(1_000, 1, "después")]
    many = [store(2_000, 1_000, "antes"), store(2_000, 1_000, "después")]
    with night.service.database.read() as connection:
        found = select(post_versions.c.version, func.count()).group_by(post_versions.c.version)
        counts = {row[0]: row[1] for row in connection.execute(found)}
    assert {1: 1_001 + 1, 2: 1_001} == counts  # the director's opening post has one version
    assert few == many


def _post(number: int, text: str) -> Post:
    return Post(
        str(number), "7", "2", "alice", DEADLINE, Precision.SECOND, f"u/{number}", html=text, number=number
    )


def test_an_idle_tick_over_ten_thousand_games_looks_up_two_things(night: Night) -> None:
    """What is due, and when something will be; no game's folder is opened."""
    _add_games(night, 10_000)
    loaded: list[Path] = []

    def load(folder: Path) -> LoadedGame:
        loaded.append(folder)
        return load_game(folder)

    service = replace(night.service, pipeline=replace(night.service.pipeline, load_game=load))
    with statements(service.database) as said:
        done = tick(service)
    assert (0, [], 2) == (done.steps, loaded, len(said))


def _add_games(night: Night, count: int) -> None:
    """Games like the night's, with a turn that is open and one that is published."""
    with night.service.database.write() as connection:
        game = connection.execute(select(games)).mappings().one()
        turn = connection.execute(select(turns_table)).mappings().one()
        bare = {key: value for key, value in turn.items() if key != "id"}
        names = [f"g{number}" for number in range(count)]
        connection.execute(insert(games), [{**game, "id": name} for name in names])
        for number, status, next_at in ((1, "published", None), (2, "open", CLOSED)):
            own = bare | {"number": number, "status": status, "next_at": next_at, "reading_at": CLOSED}
            connection.execute(insert(turns_table), [{**own, "game_id": name} for name in names])


def test_each_transition_is_a_commit_of_its_own(tmp_path: Path) -> None:
    """From planned to published in eight steps, none of them merged with another (reliability.md 2.1)."""
    night = start_night(tmp_path / "g")
    with commits(night.service.database, _look) as seen:
        tick(night.service)
        night.forum.write("2", "[órdenes]\ntirar dado\n[/órdenes]")
        night.clock.set(CLOSED)
        tick(night.service)
    passed = [status for status, _ in groupby(one["status"] for one in seen)]
    assert ["planned", "open", "locked", "resolving", "resolved", "publishing", "published"] == passed
    states = [[one["rows"].get(row, "") for one in seen] for row in seen[-1]["rows"]]
    sent = [[state for state, _ in groupby(one)] for one in states]
    assert [["", "ready", "sending", "sent"]] * len(sent) == sent
    assert {"open", "receipts", "report"} == {kind for kind, _, _ in seen[-1]["rows"]}


def test_a_resolved_turn_is_one_commit(tmp_path: Path) -> None:
    """Result, dice, the next turn and every text appear at once, with the state."""
    night = start_night(tmp_path / "g")
    with commits(night.service.database, _look) as seen:
        tick(night.service)
        night.forum.write("2", "[órdenes]\ntirar dado\n[/órdenes]")
        night.clock.set(CLOSED)
        tick(night.service)
    at = next(index for index, one in enumerate(seen) if one["status"] == "resolved")
    before, after = seen[at - 1], seen[at]
    report = {part: after["rows"].get(("report", part, 1)) for part in (1, 2)}
    assert (0, 0, 1, None) == (*before["stored"], before["rows"].get(("report", 1, 1)))
    assert (1, 1, 2, {1: "ready", 2: "ready"}) == (*after["stored"], report)


def _look(connection: Connection) -> dict[str, Any]:
    """The first turn's status, its texts' states, and how many results, dice and turns there are."""
    tables = (results, rolls, turns_table)
    stored = tuple(connection.execute(select(func.count()).select_from(one)).scalar_one() for one in tables)
    first = select(turns_table.c.status).where(turns_table.c.number == 1)
    rows = select(outbox.c.kind, outbox.c.part, outbox.c.revision, outbox.c.state)
    return {
        "status": connection.execute(first).scalar(),
        "rows": {(row.kind, row.part, row.revision): row.state for row in connection.execute(rows)},
        "stored": stored,
    }
