"""An open turn follows its override file: the deadline it has now, and what the players are told of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from parsers.files.errors import FileErrors, FileProblem
from parsers.files.override import Override, Void
from processor.pipeline.context import PlayContext
from processor.pipeline.given import override_file
from processor.pipeline.override_entries import Refused, fault, read_entries
from processor.pipeline.schedule import offset_at
from processor.pipeline.texts import setting_of
from processor.pipeline.turn_clock import keyed_entries, run_clock
from processor.pipeline.void_entries import Standing, require_voidable
from reporters.clock_notice import ClockNews, compose_clock_notice
from rules.play.clock import TurnClock
from rules.play.outgoing import TOPIC, Outgoing
from rules.play.turns import Deadline


@dataclass(frozen=True, slots=True)
class Followed:
    """What a file makes of a turn's clock.

    clock: as it is from now on, unchanged where there are problems. texts: what the players are told.
    problems: why the file can't be followed, in the director's words.
    """

    clock: TurnClock
    texts: tuple[Outgoing, ...] = ()
    problems: tuple[str, ...] = ()


def follow_clock(play: PlayContext, clock: TurnClock, text: str, now: datetime) -> Followed:
    """Apply the schedule entries of an override file to an open turn's clock.

    text: of the file, "" for none. now: UTC; entries that weren't known begin then.
    """
    file = override_file(play)
    try:
        overrides = read_entries(text, file, play.ref.attempt)
    except FileErrors as wrong:
        return Followed(clock, problems=tuple(one.say(play.catalogue) for one in wrong.problems))
    bad = _find_bad_void(play, overrides, file)
    if bad is not None:
        return Followed(clock, problems=(bad.say(play.catalogue),))
    night = play.game.schedule.night
    found = run_clock(clock, overrides, play.deadline.zone, now, file, night=night)
    if isinstance(found, FileProblem):
        return Followed(clock, problems=(found.say(play.catalogue),))
    if (found.due, found.paused_at) == (clock.due, clock.paused_at):
        return Followed(found)
    offset = offset_at(found.due, play.deadline.zone)
    told = replace(found, notices=clock.notices + 1, offset=offset)
    return Followed(told, (_notice(play, clock, told, overrides),))


def _find_bad_void(play: PlayContext, overrides: Sequence[Override], file: str) -> FileProblem | None:
    """What is wrong with an entry that voids an attempt, while the turn isn't locked."""
    standing = Standing(play.ref.turn, play.ref.attempt, opened=True, locked=False)
    for entry in overrides:
        try:
            if isinstance(entry, Void):
                require_voidable(entry, standing)
        except Refused as refused:
            return fault(file, entry, refused.code, refused.wrong, refused.right)
    return None


def _notice(play: PlayContext, old: TurnClock, new: TurnClock, overrides: Sequence[Override]) -> Outgoing:
    """What everybody is told of a changed deadline; a text of its own each time, so that it is sent once."""
    known = {one.key for one in old.changes}
    reasons = tuple(
        entry.reason for key, entry in keyed_entries(overrides) if key not in known and not entry.secret
    )
    deadline = Deadline(new.due, play.deadline.zone, new.paused_at is not None)
    setting = setting_of(replace(play, deadline=deadline))
    # The grace is given at the deadline, where nothing else changes: then the difference is the grace itself.
    graced = bool(new.grace) and new.due - old.due == new.grace and not reasons
    news = ClockNews(old.due, old.paused_at is not None, reasons, new.due == new.early, graced)
    kind = f"deadline-{new.notices}"
    return Outgoing(kind, TOPIC, setting.parts(kind, compose_clock_notice(setting, news)))
