"""The director's corrections and answers as reports list them, each with its reason."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from reporters.blocks import Run
from reporters.setting import Setting
from rules.engine.audience import DIRECTOR_SEAT
from rules.engine.events import Event
from rules.engine.messages import Code, Message, Param, Quoted, msg
from rules.engine.questions import AnswerSource

CORRECTED = "engine/corrected"
ANSWERED = "engine/answered"
DROPPED = "engine/correction-dropped"
MOOT = "engine/moot-answer"
CORRECTIONS = frozenset((CORRECTED, DROPPED))
ANSWERS = frozenset((ANSWERED, MOOT))
CLOCK = frozenset(("deadline", "extend", "pause", "resume"))
"""Corrections of the deadline, whose values are moments."""
_ORDER = re.compile(r"(?P<seat>.+)#(?P<number>\d+)")


def say_corrections(setting: Setting, events: Sequence[Event]) -> tuple[Run, ...]:
    """A line for each correction: what, from what to what, why; and for each that was taken out again."""
    return tuple(setting.catalogue.say(_correction(setting, one)) for one in events)


def _correction(setting: Setting, one: Event) -> Message:
    if one.id != CORRECTED:
        return Message(one.id, one.data)
    data = one.data
    which = f"report/corrected-{'order' if _is_own_order(one) else data['change']}"
    if which not in setting.catalogue:
        which = "report/corrected-other"
    old, new = data.get("old"), data.get("new")
    if data["change"] in CLOCK:
        old, new = _moment(setting, old), _moment(setting, new)
    old, new = _counted(old), _counted(new)
    target = _posted(setting, data) if "seats" in data else _target(setting, str(data.get("target") or ""))
    what = msg(which, old=old, new=new, **target)
    return msg("report/correction", what=what, reason=data.get("reason"), late=data.get("late"))


def _is_own_order(one: Event) -> bool:
    """Whether the director has given an order of their own."""
    return one.seat == DIRECTOR_SEAT and one.data["change"] == "add"


def _counted(value: Param) -> Param:
    """A value of the state; 0 is a value too, which texts would take for none."""
    return "0" if value == 0 and isinstance(value, int) else value


def _moment(setting: Setting, value: Param) -> Param:
    """A deadline as readers see it; events hold it as ISO text."""
    return setting.moment(datetime.fromisoformat(value)) if isinstance(value, str) else value


def _posted(setting: Setting, data: Mapping[str, Param]) -> dict[str, Param]:
    """Whose post it is and which."""
    seats = data["seats"]
    names = tuple(setting.name(str(seat)) for seat in seats) if isinstance(seats, tuple) else ()
    return {"seat": names, "number": data.get("shown"), "path": data.get("target")}


def _target(setting: Setting, target: str) -> dict[str, Param]:
    """Whose order it is and which, or the path as written."""
    order = _ORDER.fullmatch(target)
    if order is not None:
        return {"seat": setting.name(order["seat"]), "number": int(order["number"]), "path": target}
    return {"seat": setting.name(target), "number": None, "path": target}


def say_answers(setting: Setting, events: Sequence[Event]) -> tuple[Run, ...]:
    """A line for each answer: question, answer, whose it is, and what was known by then; and one for all that
    nobody was asked about, since the game's policy is the default.
    """
    unasked = [one for one in events if one.id == ANSWERED and one.data["source"] == AnswerSource.POLICY]
    lines = [_answer(setting, one) for one in events if one not in unasked]
    if unasked:
        ids = tuple(Code(str(one.data["question"])) for one in unasked)
        lines.append(msg("report/unasked", count=len(ids), questions=ids))
    return tuple(map(setting.catalogue.say, lines))


def _answer(setting: Setting, one: Event) -> Message:
    if one.id != ANSWERED:
        return Message(one.id, one.data)
    data = one.data
    before = int(not data.get("after_dice"))
    source = msg(f"report/answer-{data['source']}", seat=setting.name(str(data["to"])), before=before)
    answer = data["answer"]
    shown: Param = Quoted(answer) if isinstance(answer, str) else answer
    facts = {"question": data["question"], "answer": shown, "reason": data.get("reason")}
    return msg("report/answer", source=source, after=data.get("after_dice"), **facts)
