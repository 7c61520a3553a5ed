"""What everybody is told when the director changes a turn's deadline, stops its clock or lets it go on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from reporters.blocks import Chapter, Lines, Run
from reporters.setting import Setting
from rules.engine.messages import Param, Quoted


@dataclass(frozen=True, slots=True)
class ClockNews:
    """What was before. old: the deadline, UTC. was_paused: whether the clock stood still.

    reasons: the director's, for everybody to read. ready: whether it closes because everybody is ready.
    grace: whether it stays open for who has no orders.
    """

    old: datetime
    was_paused: bool
    reasons: tuple[str, ...] = ()
    ready: bool = False
    grace: bool = False


def compose_clock_notice(setting: Setting, news: ClockNews) -> list[Chapter]:
    """Until when there is time now, until when there was, and why."""
    reasons = (setting.say("deadline/reason", reason=Quoted(one)) for one in news.reasons)
    return [Chapter("deadline", (Lines((_said(setting, news), *reasons)),))]


def _said(setting: Setting, news: ClockNews) -> Run:
    turn: dict[str, Param] = {"turn": setting.ref.turn, "track": setting.ref.track}
    if setting.deadline.paused:
        return setting.say("deadline/paused", **turn)
    which = "deadline/resumed" if news.was_paused else "deadline/changed"
    which = "deadline/ready" if news.ready else "deadline/grace" if news.grace else which
    new, old = setting.moment_with_utc(setting.deadline.at), setting.moment(news.old)
    return setting.say(which, new=new, old=old, **turn)
