"""What becomes of a text that the forum refuses, for a moment or for good (reliability.md F8, F40)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from jobs.commands.status_text import describe_game
from jobs.commands.tick import describe_trouble
from jobs.tick import tick
from processor.outbox import MOST_ATTEMPTS, wait_after
from processor.service.holding import retry
from processor.service.looking import look_at
from processor.service.registering import register_game
from processor.store import games, outbox_rows
from processor.store.rows import SendState
from rules.play.turns import TurnStatus
from tests.reliability.test_night import AFTER, kinds_of, status_of
from tests.reliability.test_queue import ORDERS, letters, pass_hours, states
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import Fault
from tests.support.small_game import write_folder
from tests.support.small_night import Night, start_night


@pytest.fixture
def night(tmp_path: Path) -> Night:
    """A night that has not begun."""
    return start_night(tmp_path / "g", director="gm")


def trouble(night: Night) -> list[str]:
    """What `turnero tick` says of the game; it ends with 1 where it says anything."""
    with night.service.database.read() as connection:
        row = games.get_game(connection, "pequena")
    return [line.partition(":report")[0] for line in describe_trouble(night.service, row)]


@pytest.mark.parametrize(("asked", "seconds"), [(10.0, 10), (0.0, 1), (61.5, 61.5), (86_400.0, 3600)])
def test_a_forum_is_asked_again_when_it_said(asked: float, seconds: float, night: Night) -> None:
    """Neither earlier nor later; who asks for a day is asked again after an hour."""
    night.forum.post_faults.append(Fault.REFUSE_FOR_NOW)
    night.forum.wait = asked
    tick(night.service, patience=0)
    night.clock.sleep(seconds - 0.5)
    tick(night.service, patience=0)
    before = kinds_of(night)
    night.clock.sleep(0.5)
    tick(night.service, patience=0)
    assert ([], ["1.1:open:1/1"]) == (before, kinds_of(night))


def test_a_forum_that_keeps_asking_for_a_moment_is_not_asked_all_the_time() -> None:
    """Four times it is believed; the twenty attempts take the best part of a day."""
    waits = [wait_after(attempts, 10.0) for attempts in range(1, MOST_ATTEMPTS)]
    assert [10, 10, 10, 10, 60, 120, 240] == [one.total_seconds() for one in waits[:7]]
    assert timedelta(hours=8) < sum(waits, timedelta()) < timedelta(hours=12)


def test_other_games_go_on_meanwhile(night: Night, tmp_path: Path) -> None:
    """A flood refusal keeps back one game's text and nobody else's."""
    write_folder(tmp_path / "h", id="otra", topic="8")
    night.forum.write("9", "Aquí también.", "8")
    register_game(night.service, tmp_path / "h")
    night.forum.post_faults.append(Fault.REFUSE_FOR_NOW)
    night.forum.wait = 1800.0
    tick(night.service, patience=0)
    opened = sorted((kinds_of(night), kinds_of(night, "8")))
    night.clock.sleep(1800)
    tick(night.service, patience=0)
    assert [[], ["1.1:open:1/1"]] == opened
    assert [["1.1:open:1/1"]] * 2 == [kinds_of(night), kinds_of(night, "8")]


def test_a_refused_opening_is_told_while_there_is_time(night: Night) -> None:
    """The topic is closed: the turn reads on, the director has a letter, `tick` says so with each run, and
    `status` what to do.
    """
    night.forum.post_faults.append(Fault.REFUSE)
    tick(night.service)
    night.forum.write("2", ORDERS)
    pass_hours(night, 0.5)
    said = trouble(night)
    told = [post.text for post in night.forum.by_bot("1000")]
    with night.service.database.read() as connection:
        (held,) = outbox_rows.list_rows(connection, 1, SendState.HELD)
    why = "el foro dice «the topic is closed»"
    assert [f"✘ pequena: no he podido publicar `{held.marker}`: {why}"] == said
    assert [True] == [f"No he podido publicar {held.marker}: {why}" in one for one in told]
    with night.service.database.read() as connection:
        row = games.get_game(connection, "pequena")
    shown = list(describe_game(night.service, look_at(night.service, row), night.clock.now(), "g"))
    at = shown.index(f"✘ No he podido publicar `{held.marker}`: {why}")
    assert "`turnero retry g`" in shown[at + 1]
    assert (TurnStatus.OPEN, 1) == (status_of(night), retry(night.service, "pequena"))
    tick(night.service)
    night.clock.set(AFTER)
    tick(night.service)
    assert (TurnStatus.PUBLISHED, []) == (status_of(night), trouble(night))


def test_a_refused_report_is_told_where_no_letter_arrives(night: Night) -> None:
    """The account is banned, so the letter about it is refused, too: `tick` ends with an error."""
    tick(night.service)
    night.forum.write("2", ORDERS)
    night.clock.set(DEADLINE - timedelta(minutes=40))
    tick(night.service)
    night.clock.set(AFTER)
    night.forum.post_faults.extend([Fault.REFUSE] * 5)
    tick(night.service)
    (line,) = trouble(night)
    assert (TurnStatus.HELD, [], True) == (status_of(night), letters(night), "está detenido" in line)


def test_a_letter_to_a_player_that_is_refused_is_told_once(night: Night) -> None:
    """Their mailbox is full: the turn goes on, and the director knows what didn't arrive."""
    tick(night.service)
    night.forum.whisper("3", ORDERS)
    night.forum.write("2", ORDERS)
    night.forum.post_faults.extend([None, Fault.REFUSE])
    night.clock.set(DEADLINE - timedelta(minutes=40))
    tick(night.service)
    night.clock.set(AFTER)
    tick(night.service)
    told = [text for text in letters(night) if ":refused-receipt-sur:" in text]
    assert (TurnStatus.PUBLISHED, "held", 1) == (
        status_of(night),
        states(night, "receipt-sur")[0],
        len(told),
    )
