"""Reminders: a word before the deadline to who has no orders yet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import timedelta

from reporters.blocks import Chapter, Lines, Run, line
from reporters.setting import Setting
from rules.engine.inline import Mention, Text
from rules.engine.messages import Param, msg
from rules.play.reading import SeatReading

_MENTIONABLE = re.compile(r"[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*")


def compose_reminder(setting: Setting, own: SeatReading, left: timedelta) -> list[Chapter]:
    """How long there is, that nothing has come (or nothing valid), and what happens then."""
    policy = msg(f"reminder/{setting.game.policies.nmr.value}")
    text = setting.say(
        "reminder/text", **_when(setting, left), broken=int(own.latest is not None), policy=policy
    )
    return [Chapter("reminder", (line(text),))]


def compose_call(setting: Setting, seats: Iterable[str], left: timedelta) -> list[Chapter]:
    """The same for everybody to read, where there are no private messages: who is reminded, with a mention
    where the forum has them.
    """
    lines = [setting.say("reminder/call", **_when(setting, left))]
    lines += [_call(setting, seat) for seat in seats]
    policy = setting.say(f"reminder/call-{setting.game.policies.nmr.value}")
    return [Chapter("reminder", (Lines(tuple(lines)), line(policy)))]


def _when(setting: Setting, left: timedelta) -> dict[str, Param]:
    return {
        "hours": max(1, round(left / timedelta(hours=1))),
        "turn": setting.ref.turn,
        "track": setting.ref.track,
        "deadline": setting.moment(setting.deadline.at),
    }


def _call(setting: Setting, seat: str) -> Run:
    name = setting.say("reminder/seat", seat=setting.name(seat))
    login = setting.game.seat(seat).login or ""
    if not (setting.forum.mentions and _MENTIONABLE.fullmatch(login)):
        return name
    return (*name, Text(" "), Mention(login))
