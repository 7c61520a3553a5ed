"""Who has no orders is reminded once before the deadline (design.md 1, *Remind*)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from jobs.tick import tick
from processor.checkpoints import Checkpoint, DieAt
from tests.reliability.test_clock import DAY, Crash, crash, write
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import TOPIC, Fault
from tests.support.small_night import Night, start_night

BLOCK = "[órdenes]\ntirar dado\n[/órdenes]"
BEFORE = DEADLINE - timedelta(minutes=60)
"""When the reminder of these nights is due."""


def begin(folder: Path, reminder: float | None = 1) -> Night:
    """An open turn of a game that reminds an hour before the deadline; one of two has ordered."""
    night = start_night(folder / "g", reminder=reminder)
    tick(night.service)
    night.forum.write("2", BLOCK)
    return night


def go_to(night: Night, *moments: datetime) -> None:
    """Time goes on to each moment, and what is due is done."""
    for moment in moments:
        night.clock.set(moment)
        tick(night.service)


def reminders(night: Night) -> list[tuple[str, str]]:
    """Kind and text of the reminders that stand in the forum."""
    lines = [post.text.split("\n") for post in night.forum.by_bot() if post.topic != TOPIC]
    return [(one[-1].split(":")[3], one[0]) for one in lines if one[-1].split(":")[3].startswith("reminder")]


def test_who_has_no_orders_is_reminded_once(tmp_path: Path) -> None:
    """In private, at its moment, and only who hasn't ordered."""
    night = begin(tmp_path)
    go_to(night, BEFORE - timedelta(minutes=1))
    assert [] == reminders(night)
    go_to(night, *(BEFORE + timedelta(minutes=minutes) for minutes in (1, 16, 40, 62, 70)))
    assert [("reminder-sur", "Faltan 1 horas: 06/12/2026 21:00 UTC")] == reminders(night)


def test_the_moment_of_the_reminder_is_kept(tmp_path: Path) -> None:
    """The topic is read then, and who orders just before isn't reminded."""
    night = begin(tmp_path)
    go_to(night, BEFORE - timedelta(minutes=7))
    assert BEFORE == tick(night.service).next_at
    night.forum.write("3", BLOCK)
    go_to(night, BEFORE)
    assert [] == reminders(night)


@pytest.mark.parametrize("reminder", [None, 3])
def test_some_turns_have_no_reminder(reminder: float | None, tmp_path: Path) -> None:
    """Where the game wants none, and where the opening has only just told the deadline."""
    night = begin(tmp_path, reminder)
    go_to(night, BEFORE, DEADLINE - timedelta(minutes=5))
    assert [] == reminders(night)


def test_an_extension_reminds_again_where_there_is_time(tmp_path: Path) -> None:
    """A day more has its own reminder; half an hour more doesn't repeat the one that was just sent."""
    night = begin(tmp_path)
    go_to(night, BEFORE + timedelta(minutes=1))
    write(night, 'extend = "24h"')
    go_to(night, BEFORE + timedelta(minutes=20), BEFORE + timedelta(minutes=40))
    assert ["reminder-sur"] == [kind for kind, _ in reminders(night)]
    go_to(night, BEFORE + DAY + timedelta(minutes=1), BEFORE + DAY + timedelta(minutes=20))
    assert [
        ("reminder-sur", "Faltan 1 horas: 06/12/2026 21:00 UTC"),
        ("reminder-sur-2", "Faltan 1 horas: 07/12/2026 21:00 UTC"),
    ] == reminders(night)


def test_a_short_extension_does_not_repeat_the_reminder(tmp_path: Path) -> None:
    """The notice tells the new deadline; its reminder would be over already."""
    night = begin(tmp_path)
    go_to(night, BEFORE + timedelta(minutes=1))
    write(night, "deadline = 2026-12-06T22:10:00")
    go_to(night, *(BEFORE + timedelta(minutes=minutes) for minutes in (20, 40, 60, 68)))
    assert ["reminder-sur"] == [kind for kind, _ in reminders(night)]


def test_a_deadline_moved_near_reminds_at_once(tmp_path: Path) -> None:
    """There is less time than everybody thought."""
    night = begin(tmp_path, 0.5)
    write(night, "deadline = 2026-12-06T20:30:00")
    go_to(night, DEADLINE - timedelta(minutes=104))
    assert ["reminder-sur"] == [kind for kind, _ in reminders(night)]


def test_nobody_is_reminded_in_a_pause(tmp_path: Path) -> None:
    """Its deadline isn't known; after it the reminder comes an hour before the new one."""
    night = begin(tmp_path)
    write(night, "pause = true")
    go_to(night, DEADLINE - timedelta(minutes=90), DEADLINE, DEADLINE + timedelta(minutes=30))
    assert [] == reminders(night)
    write(night, "pause = true", "resume = true")
    go_to(night, DEADLINE + timedelta(minutes=50))
    go_to(night, DEADLINE + timedelta(minutes=90))
    assert ["reminder-sur"] == [kind for kind, _ in reminders(night)]


def test_without_private_messages_the_topic_reminds_once(tmp_path: Path) -> None:
    """One post for all who haven't ordered, and again where a later deadline has its own."""
    night = begin(tmp_path)
    night.forum.capabilities = replace(night.forum.capabilities, private=False)
    go_to(night, BEFORE - timedelta(minutes=1))
    assert [] == calls(night)
    go_to(night, *(BEFORE + timedelta(minutes=minutes) for minutes in (1, 16, 40)))
    assert ["reminder: Faltan: sur"] == calls(night)
    write(night, 'extend = "24h"')
    go_to(night, *(BEFORE + DAY + timedelta(minutes=minutes) for minutes in (-40, 1, 16)))
    night.forum.write("3", BLOCK)
    assert ["reminder: Faltan: sur"] == calls(night)[:1]


def test_without_private_messages_nobody_is_called_who_has_ordered(tmp_path: Path) -> None:
    """There is no post where all have."""
    night = begin(tmp_path)
    night.forum.capabilities = replace(night.forum.capabilities, private=False)
    night.forum.write("3", BLOCK)
    go_to(night, BEFORE + timedelta(minutes=1), BEFORE + timedelta(minutes=16))
    assert [] == calls(night)


def calls(night: Night) -> list[str]:
    """Kind and text of the reminders that stand in the topic."""
    lines = [post.text.split("\n") for post in night.forum.by_bot(TOPIC)]
    return [f"{one[-1].split(':')[3]}: {one[0]}" for one in lines if ":reminder" in one[-1]]


MOMENTS = ("claimed", "archived", "receipts-queued", "marked", "leaving", "answered", "posted", "settled")


@pytest.mark.parametrize("where", [Checkpoint(one) for one in MOMENTS])
def test_a_worker_that_dies_reminds_once(where: Checkpoint, tmp_path: Path) -> None:
    """Wherever the process dies, one reminder stands in the forum."""
    night = begin(tmp_path)
    go_to(night, BEFORE - timedelta(minutes=10))
    night.clock.set(BEFORE)
    with pytest.raises(Crash):
        tick(night.worker("b", DieAt(where, 1, crash)))
    night.service = night.worker("c")
    go_to(night, *(BEFORE + timedelta(minutes=minutes) for minutes in (10, 25, 40)))
    assert ["reminder-sur"] == [kind for kind, _ in reminders(night)]


def test_a_reminder_of_unknown_fate_is_found_again(tmp_path: Path) -> None:
    """The forum's answer is lost: it is looked for and not sent a second time."""
    night = begin(tmp_path)
    go_to(night, BEFORE - timedelta(minutes=10))
    night.forum.post_faults.append(Fault.STORE_THEN_DROP)
    go_to(night, *(BEFORE + timedelta(minutes=minutes) for minutes in (0, 10, 25)))
    assert ["reminder-sur"] == [kind for kind, _ in reminders(night)]
