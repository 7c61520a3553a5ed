"""Reminders: a word before the deadline to who has no orders yet."""

from __future__ import annotations

from datetime import timedelta

from reporters.blocks import Chapter, line
from reporters.setting import Setting
from rules.engine.messages import msg
from rules.play.reading import SeatReading


def compose_reminder(setting: Setting, own: SeatReading, left: timedelta) -> list[Chapter]:
    """How long there is, that nothing has come (or nothing valid), and what happens then."""
    hours = max(1, round(left / timedelta(hours=1)))
    text = setting.say(
        "reminder/text",
        hours=hours,
        turn=setting.ref.turn,
        track=setting.ref.track,
        deadline=setting.moment(setting.deadline.at),
        broken=int(own.latest is not None),
        policy=msg(f"reminder/{setting.game.policies.nmr.value}"),
    )
    return [Chapter("reminder", (line(text),))]
