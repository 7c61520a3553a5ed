"""The director moves the deadline of a night that is under way (design.md 4, *Schedule*)."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from jobs.tick import tick
from processor.checkpoints import Checkpoint, DieAt
from processor.service.holding import retry
from processor.store import turns
from processor.store.rows import TurnRow
from rules.play.turns import TurnRef, TurnStatus
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import TOPIC, Fault
from tests.support.small_night import Night, start_night

AFTER = timedelta(minutes=2)
DAY = timedelta(hours=24)


def turn_of(night: Night, number: int = 1) -> TurnRow:
    """A turn as stored."""
    with night.service.database.read() as connection:
        turn = turns.find_attempt(connection, TurnRef("pequena", number))
    assert turn is not None
    return turn


def write(night: Night, *lines: str, number: int = 1) -> None:
    """The director's file with one entry for each line."""
    text = "\n".join(f'[[override]]\n{line}\nreason = "Cayó el foro"\n' for line in lines)
    path = night.folder / "overrides" / f"turn-{number:03}.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def begin(night: Night) -> None:
    """The turn is open, and somebody has ordered."""
    tick(night.service)
    night.forum.write("2", "[órdenes]\ntirar dado\n[/órdenes]")
    night.clock.sleep(60)


def go_to(night: Night, moment: datetime) -> None:
    """Time goes on to a moment, and what is due is done."""
    night.clock.set(moment)
    tick(night.service)


def notices(night: Night) -> list[str]:
    """Kinds of the notices about the deadline."""
    markers = [post.text.split("\n")[-1].split(":") for post in night.forum.by_bot(TOPIC)]
    return [parts[3] for parts in markers if parts[3].startswith("deadline")]


@pytest.mark.parametrize("line", ['extend = "24h"', 'extend = "1d"', "deadline = 2026-12-07T22:00:00"])
def test_a_turn_closes_at_its_new_deadline(line: str, tmp_path: Path) -> None:
    """It stays open over the old one, whoever orders meanwhile counts, and the players are told once."""
    night = start_night(tmp_path / "g")
    begin(night)
    write(night, line)
    go_to(night, DEADLINE + AFTER)
    assert (TurnStatus.OPEN, DEADLINE + DAY) == (turn_of(night).status, turn_of(night).due_at)
    night.forum.write("3", "[órdenes]\ntirar segundo\n[/órdenes]")
    for hours in (1, 2, 3):
        go_to(night, DEADLINE + timedelta(hours=hours))
    go_to(night, DEADLINE + DAY + AFTER)
    public = "".join(post.text for post in night.forum.by_bot(TOPIC))
    assert (TurnStatus.PUBLISHED, ["deadline-1"]) == (turn_of(night).status, notices(night))
    assert ("segundo/sur/1" in public, "Tarde" in public) == (True, False)


def test_an_entry_that_comes_in_the_last_minute_counts(tmp_path: Path) -> None:
    """The file is read before anything is closed, however long nobody has looked at it."""
    night = start_night(tmp_path / "g")
    begin(night)
    go_to(night, DEADLINE - timedelta(minutes=1))
    write(night, 'extend = "24h"')
    go_to(night, DEADLINE + AFTER)
    assert TurnStatus.OPEN is turn_of(night).status


def test_an_entry_that_comes_while_the_forum_is_read_counts(tmp_path: Path) -> None:
    """What is frozen is the file whose deadline was kept."""
    night = start_night(tmp_path / "g")
    begin(night)
    night.clock.set(DEADLINE + AFTER)
    service = night.worker("b", DieAt(Checkpoint.CLOSING_READ, 1, lambda: write(night, 'extend = "24h"')))
    tick(service, patience=0)
    assert (TurnStatus.OPEN, DEADLINE + DAY) == (turn_of(night).status, turn_of(night).due_at)


def test_the_next_turn_keeps_to_the_schedule(tmp_path: Path) -> None:
    """A deadline moved forward doesn't make the next turn close on the day that this one had."""
    night = start_night(tmp_path / "g", first="2026-12-08T22:00")
    begin(night)
    write(night, "deadline = 2026-12-06T22:00:00")
    go_to(night, DEADLINE - timedelta(minutes=90))
    go_to(night, DEADLINE + AFTER)
    assert TurnStatus.PUBLISHED is turn_of(night).status
    assert DEADLINE + timedelta(days=9) == turn_of(night, 2).due_at


def test_a_paused_turn_waits_and_reads_on(tmp_path: Path) -> None:
    """It doesn't close, orders are still receipted, and the deadline moves by the length of the pause."""
    night = start_night(tmp_path / "g")
    begin(night)
    write(night, "pause = true")
    go_to(night, DEADLINE - timedelta(minutes=90))
    paused_at = turn_of(night).clock.paused_at
    assert paused_at is not None
    go_to(night, DEADLINE + DAY)
    night.forum.write("3", "[órdenes]\ntirar enpausa\n[/órdenes]")
    go_to(night, DEADLINE + DAY + timedelta(minutes=20))
    receipts = next(post for post in night.forum.by_bot(TOPIC) if ":receipts:" in post.text)
    assert (TurnStatus.OPEN, True) == (turn_of(night).status, "enpausa" in receipts.text)
    write(night, "pause = true", "resume = true")
    go_to(night, DEADLINE + DAY + timedelta(minutes=40))
    due = turn_of(night).due_at
    assert DEADLINE + (DEADLINE + DAY + timedelta(minutes=40) - paused_at) == due
    go_to(night, due + AFTER)
    public = "".join(post.text for post in night.forum.by_bot(TOPIC))
    assert (TurnStatus.PUBLISHED, ["deadline-1", "deadline-2"]) == (turn_of(night).status, notices(night))
    assert "enpausa/sur/1" in public


def test_a_file_that_cannot_be_read_keeps_the_turn_from_closing(tmp_path: Path) -> None:
    """It may hold an extension; until the deadline it disturbs nothing."""
    night = start_night(tmp_path / "g", director="gm")
    begin(night)
    write(night, 'extend = "mañana"')
    go_to(night, DEADLINE - timedelta(minutes=30))
    assert TurnStatus.OPEN is turn_of(night).status
    go_to(night, DEADLINE + AFTER)
    held = turn_of(night)
    assert (TurnStatus.HELD, TurnStatus.OPEN, "override") == (held.status, held.held_from, held.held_code)
    write(night, 'extend = "24h"')
    retry(night.service, "pequena")
    tick(night.service)
    assert (TurnStatus.OPEN, DEADLINE + DAY) == (turn_of(night).status, turn_of(night).due_at)


def test_time_can_be_given_to_a_turn_held_for_want_of_orders(tmp_path: Path) -> None:
    """Nobody had ordered; the director gives a day more and retries."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    go_to(night, DEADLINE + AFTER)
    assert "nmr" == turn_of(night).held_code
    write(night, 'extend = "24h"')
    retry(night.service, "pequena")
    tick(night.service)
    assert (TurnStatus.OPEN, ["deadline-1"]) == (turn_of(night).status, notices(night))


class Crash(BaseException):
    """The process is gone."""


def crash() -> None:
    """Go."""
    raise Crash


MOMENTS = ("claimed", "marked", "leaving", "answered", "posted", "settled", "released")


@pytest.mark.parametrize("where", [Checkpoint(one) for one in MOMENTS])
def test_a_worker_that_dies_tells_the_players_once(where: Checkpoint, tmp_path: Path) -> None:
    """Wherever the process dies between the changed file and the notice, the notice stands there once."""
    night = start_night(tmp_path / "g")
    begin(night)
    tick(night.service)
    write(night, 'extend = "24h"')
    night.clock.sleep(900)
    with pytest.raises(Crash):
        tick(night.worker("b", DieAt(where, 1, crash)))
    for minutes in (10, 20, 30):
        night.clock.sleep(60 * minutes)
        tick(night.worker("c"))
    assert (DEADLINE + DAY, ["deadline-1"]) == (turn_of(night).due_at, notices(night))


def test_a_notice_of_unknown_fate_is_found_again(tmp_path: Path) -> None:
    """The forum's answer is lost: the notice is looked for and not posted a second time."""
    night = start_night(tmp_path / "g")
    begin(night)
    tick(night.service)
    write(night, 'extend = "24h"')
    night.forum.post_faults.append(Fault.STORE_THEN_DROP)
    for _ in range(3):
        night.clock.sleep(900)
        tick(night.service)
    assert ["deadline-1"] == notices(night)
