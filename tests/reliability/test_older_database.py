"""The start-up check: a database that is older than its forum publishes and resolves nothing (F26)."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from jobs.tick import tick
from processor.backup.restoring import Wanted
from processor.service.bundle import Service
from processor.service.holding import retry
from processor.service.stepping import find_queue
from processor.service.vetting import ALTERED, OLDER
from processor.store import turns as turn_rows
from processor.store.database import Database
from processor.store.rows import TurnRow
from processor.store.tables import outbox, turns
from rules.play.turns import TurnStatus
from tests.reliability.test_night import kinds_of, play_night
from tests.support.backups import new_database, restore, rows_of, save
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import TOPIC, Fault
from tests.support.small_night import Night, start_night

REPORTS = ["1.1:report:1/2", "1.1:report:2/2"]


@pytest.fixture
def night(tmp_path: Path) -> Night:
    """A night that has not begun."""
    return start_night(tmp_path / "g", director="gm")


def old_copy(night: Night, tmp_path: Path, name: str) -> Database:
    """The database as it is now, put aside and looked at again only later."""
    copied = new_database(tmp_path / name)
    shutil.copytree(tmp_path / "g", tmp_path / f"{name}-g")
    save(night.service.database, tmp_path / f"{name}.zip")
    restore(copied, tmp_path / f"{name}.zip", Wanted(into=tmp_path / f"{name}-folders"))
    shutil.copytree(tmp_path / "g", tmp_path / f"{name}-folders" / "pequena", dirs_exist_ok=True)
    return copied


def process_over(night: Night, database: Database) -> Service:
    """A new process over a database, on the same forum and clock."""
    return replace(night.service, database=database, owner="new", vetted=set())


def turn_of(database: Database, number: int = 1) -> TurnRow:
    """A turn of the small game."""
    with database.read() as connection:
        found = [one for one in turn_rows.list_turns(connection, "pequena") if one.ref.turn == number]
    return found[-1]


def work_on(night: Night, service: Service, hours: int = 30) -> None:
    """Let a process tick for longer than any deadline, wait or quiet time."""
    for _ in range(hours):
        tick(service)
        night.clock.sleep(3600)


def open_turn(night: Night) -> None:
    """The first turn is open, with orders of one player and the receipt for them."""
    tick(night.service)
    night.forum.write("2", "[órdenes]\ntirar uno\n[/órdenes]")
    night.clock.sleep(1000)
    tick(night.service)


def public(night: Night) -> list[str]:
    """What stands in the topic by our account."""
    return [post.text for post in night.forum.by_bot(TOPIC)]


def letters(night: Night) -> list[str]:
    """What was written to the director."""
    return [post.text for post in night.forum.by_bot() if post.topic != TOPIC]


# An older copy.


def test_yesterdays_copy_is_held_and_publishes_nothing(night: Night, tmp_path: Path) -> None:
    """The turn was open when it was made; since then its report came out. The reason names the post."""
    open_turn(night)
    old = old_copy(night, tmp_path, "old")
    play_night(night)
    before, told = public(night), letters(night)
    work_on(night, process_over(night, old))
    turn, report = turn_of(old), next(one for one in night.forum.by_bot() if ":report:1/2" in one.text)
    assert (TurnStatus.HELD, OLDER, TurnStatus.OPEN) == (turn.status, turn.held_code, turn.held_from)
    assert f"el mensaje {report.id} del tema es mío" in str(turn.reason)
    assert before == public(night)
    assert [True] == [":older:" in one for one in letters(night)[len(told) :]]
    with old.read() as connection:
        assert [] == [*connection.execute(select(turns.c.id).where(turns.c.number == 2)).scalars()]


def test_a_copy_of_the_file_itself_is_held_too(tmp_path: Path) -> None:
    """Nobody has said `restore`: the file was just put back."""
    night = start_night(tmp_path / "g", director="gm")
    open_turn(night)
    old = old_copy(night, tmp_path, "old")
    before_rows = rows_of(old)
    play_night(night)
    night.clock.sleep(3600)
    assert before_rows == rows_of(old)  # nothing tells it that it was copied
    tick(process_over(night, old))
    assert OLDER == turn_of(old).held_code


@pytest.mark.parametrize("moment", range(10))
def test_whenever_the_copy_was_made_nothing_doubles(moment: int, night: Night, tmp_path: Path) -> None:
    """After each of the first steps of a night a copy; each, put back after the night, leaves it as it is."""
    night.forum.write("2", "[órdenes]\ntirar uno\n[/órdenes]")
    night.forum.write("3", "[órdenes]\ntirar dos\n[/órdenes]")
    night.clock.sleep(60)
    for _ in range(moment):
        tick(night.service, stop=Once())
        if moment > 4 and not is_busy(night.service):
            night.clock.set(DEADLINE + timedelta(minutes=2))
    old = old_copy(night, tmp_path, "old")
    play_night(night)
    before = public(night)
    work_on(night, process_over(night, old))
    after = [one for one in public(night) if not one.startswith("*Duplicado")]
    assert before == after[: len(before)]
    assert 1 == sum(":1.1:report:1/2" in one for one in public(night))
    assert len(set(public(night))) == len(public(night))


def test_retry_alone_doesnt_go_on(night: Night, tmp_path: Path) -> None:
    """The forum still says the same; and there is no second letter about it."""
    open_turn(night)
    old = old_copy(night, tmp_path, "old")
    play_night(night)
    before = public(night)
    service = process_over(night, old)
    work_on(night, service, 3)
    told = letters(night)
    assert 1 == retry(service, "pequena")
    work_on(night, service, 3)
    assert (OLDER, before, told) == (turn_of(old).held_code, public(night), letters(night))


def test_who_has_no_newer_copy_can_go_on(night: Night, tmp_path: Path) -> None:
    """The director deletes what the database doesn't know from the topic; then the turn is played again."""
    open_turn(night)
    old = old_copy(night, tmp_path, "old")
    play_night(night)
    service = process_over(night, old)
    work_on(night, service, 2)
    known = [one.id for one in night.forum.by_bot(TOPIC) if ":open:" in one.text or ":receipts:" in one.text]
    night.forum.posts = [
        one for one in night.forum.posts if one.author != "1" or one.topic != TOPIC or one.id in known
    ]
    retry(service, "pequena")
    tick(service)
    retry(service, "pequena")  # it is late by now, which is another thing to decide
    work_on(night, service, 2)
    assert REPORTS == [one for one in kinds_of(night) if "1.1:report" in one]


def test_a_newer_copy_goes_on_after_an_older_one_was_tried(night: Night, tmp_path: Path) -> None:
    """The letter that the older one has sent is none of the game's texts."""
    open_turn(night)
    old = old_copy(night, tmp_path, "old")
    play_night(night)
    newest = old_copy(night, tmp_path, "newest")
    work_on(night, process_over(night, old), 2)
    work_on(night, process_over(night, newest), 2)
    assert [TurnStatus.PUBLISHED, TurnStatus.OPEN] == [turn_of(newest, one).status for one in (1, 2)]


# As new as the forum.


def test_a_backup_in_the_middle_of_a_night_goes_on_elsewhere(night: Night, tmp_path: Path) -> None:
    """After every step of the night the machine is lost and another restores its last backup: the posts are
    byte for byte those of a night without any of it.
    """
    undisturbed = start_night(tmp_path / "other", director="gm")
    play_steps(undisturbed, lambda machine, number: machine)

    def lose(machine: Service, number: int) -> Service:
        copied = old_copy(replace(night, service=machine), tmp_path, f"m{number}")
        return process_over(night, copied)

    assert play_steps(night, lose) > 8
    assert [one.text for one in undisturbed.forum.by_bot()] == [one.text for one in night.forum.by_bot()]


def play_steps(night: Night, move: Callable[[Service, int], Service]) -> int:
    """A night of single steps, each on the machine that `move` gives after the last; how many it took."""
    night.forum.write("2", "[órdenes]\ntirar uno\n[/órdenes]")
    night.forum.write("3", "[órdenes]\ntirar dos\n[/órdenes]")
    machine, steps = night.service, 0
    while turn_of(machine.database).status is not TurnStatus.PUBLISHED and steps < 60:
        tick(machine, stop=Once())
        steps += 1
        machine = move(machine, steps)
        if not is_busy(machine):
            night.clock.set(max(night.clock.now() + timedelta(minutes=5), DEADLINE + timedelta(minutes=2)))
    return steps


class Once:
    """Says stop after one step."""

    def __init__(self) -> None:
        self._asked = 0

    def __call__(self) -> bool:
        """Whether to stop now."""
        self._asked += 1
        return self._asked > 1


def is_busy(service: Service) -> bool:
    """Whether something is due at this moment."""
    return bool(find_queue(service).due)


def test_a_request_that_may_have_left_explains_its_post(night: Night, tmp_path: Path) -> None:
    """The forum kept the report and the answer was lost: that is no older database."""
    night.forum.post_faults.extend([None, None, Fault.STORE_THEN_DROP])
    night.forum.write("2", "[órdenes]\ntirar uno\n[/órdenes]")
    play_night(night)
    moved = old_copy(night, tmp_path, "moved")
    work_on(night, process_over(night, moved), 2)
    assert REPORTS == [one for one in kinds_of(night) if "1.1:report" in one]
    assert turn_of(moved).held_code != OLDER


def test_a_letter_that_was_sent_since_is_taken_for_sent(night: Night, tmp_path: Path) -> None:
    """Nothing public has happened since, so the copy goes on; the seat gets its letter once."""
    open_turn(night)
    add_letter(night)
    old = old_copy(night, tmp_path, "old")
    tick(night.service)
    work_on(night, process_over(night, old), 1)
    assert 1 == sum("En secreto" in one for one in letters(night))
    with old.read() as connection:
        assert (
            "sent" == connection.execute(select(outbox.c.state).where(outbox.c.title == "Carta")).scalar_one()
        )


def add_letter(night: Night) -> None:
    """A private text that waits to be sent."""
    letter: dict[str, Any] = {"kind": "report-norte", "recipient": "norte", "title": "Carta", "part": 1}
    letter |= {"game_id": "pequena", "track": "", "number": 1, "attempt": 1, "parts": 1, "revision": 1}
    letter |= {"body": "En secreto", "body_sha256": "", "editable": False, "state": "ready"}
    letter |= {"turn_id": turn_of(night.service.database).id}
    letter |= {"marker": "ptd1:pequena:1.1:report-norte:1/1:00000000"}
    with night.service.database.write() as connection:
        connection.execute(outbox.insert().values(**letter))
        connection.execute(update(turns).values(next_at=night.clock.now()))


# The commitment.


def change_commitment(database: Database) -> None:
    """A seed that was made anew."""
    with database.write() as connection:
        connection.execute(update(turns).values(commitment="0" * 64))


def test_another_commitment_than_the_published_one_holds_the_game(night: Night) -> None:
    """A seed that was lost and made anew proves nothing."""
    open_turn(night)
    change_commitment(night.service.database)
    service = process_over(night, night.service.database)
    work_on(night, service, 3)
    turn = turn_of(service.database)
    assert (TurnStatus.HELD, ALTERED) == (turn.status, turn.held_code)
    assert "0" * 64 in str(turn.reason)
    assert [] == [one for one in kinds_of(night) if "report" in one]


def test_a_post_that_says_another_commitment_holds_the_game_until_told_to_go_on(night: Night) -> None:
    """A moderator has edited it, or the database is another game's; the director decides."""
    open_turn(night)
    post = next(one for one in night.forum.by_bot() if ":open:" in one.text)
    night.forum.rewrite(post.id, post.text.replace(turn_of(night.service.database).commitment, "f" * 64))
    service = process_over(night, night.service.database)
    night.clock.set(DEADLINE + timedelta(minutes=2))
    tick(service)
    turn = turn_of(service.database)
    assert (ALTERED, True) == (turn.held_code, f"mensaje {post.id}," in str(turn.reason))
    retry(service, "pequena")
    tick(service)
    assert REPORTS == [one for one in kinds_of(night) if "report" in one]


# What it costs.


def requests_of(night: Night, service: Service) -> int:
    """How many requests a tick makes."""
    before = night.forum.requests
    tick(service)
    return night.forum.requests - before


def test_it_costs_one_request_for_each_process_and_game(night: Night) -> None:
    """And nothing where the first thing that a process does is to read."""
    open_turn(night)
    database = night.service.database

    def to_read(service: Service) -> int:
        with database.write() as connection:
            connection.execute(update(turns).values(reading_at=night.clock.now(), next_at=night.clock.now()))
        return requests_of(night, service)

    fresh = process_over(night, database)
    assert to_read(fresh) == to_read(fresh)

    def to_send(service: Service) -> int:
        with database.write() as connection:
            values: dict[str, Any] = {"state": "ready"}
            connection.execute(update(outbox).where(outbox.c.kind == "receipts").values(**values))
            connection.execute(update(turns).values(next_at=night.clock.now()))
        return requests_of(night, service)

    fresh = process_over(night, database)
    assert [1] == [to_send(fresh) - to_send(fresh)]
