"""What looked like orders and doesn't count, each with its place and its reason."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reporters.blocks import Piece, line
from reporters.setting import Setting
from rules.engine.messages import Message, msg
from rules.play.reading import SkippedText

_TOLD_LATE = ("late", "edited-late", "doubtful")


def say_skipped(setting: Setting, skipped: Sequence[SkippedText]) -> Iterable[Piece]:
    """A paragraph about quotes, signatures and the like, and one about blocks of people who don't play."""
    told = tuple(dict.fromkeys(_reason(setting, one) for one in skipped))
    if told:
        yield line(setting.say("skipped/list", places=told))


def say_late(setting: Setting, late: Sequence[SkippedText]) -> Iterable[Piece]:
    """A paragraph about what came, or was changed, behind the deadline."""
    told = tuple(dict.fromkeys(_lateness(setting, one) for one in late))
    if told:
        yield line(setting.say("skipped/late-list", posts=told))


def _reason(setting: Setting, one: SkippedText) -> Message:
    known = f"skipped/{one.why}"
    which = known if known in setting.catalogue else "skipped/other"
    return msg(which, post=setting.short(one.post))


def _lateness(setting: Setting, one: SkippedText) -> Message:
    which = f"skipped/{one.why}" if one.why in _TOLD_LATE else "skipped/late"
    seat = setting.name(one.seat) if one.seat is not None else None
    return msg(which, seat=seat, post=setting.short(one.post), time=setting.time(one.post.at))
