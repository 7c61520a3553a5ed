"""What `turnero check` tells of an override file: what each entry would change, before and after."""

from __future__ import annotations

from collections.abc import Iterable

from jobs.commands.paper import draw_pieces, indent, paper_setting
from jobs.speech import catalogue, say
from parsers.files.override import Ruling, SetDie, UseBeacon, Void
from parsers.files.override_tables import FALL_BACK
from processor.pipeline.previewing import Lines, Step
from processor.service.previewing import Preview
from processor.service.voiding import FoundVoid
from reporters.blocks import line
from reporters.corrections import say_corrections
from reporters.findings import draw_line, gather
from reporters.setting import Setting
from rules.play.attempts import Orders

NOT_READ_YET = "override/no-post"
"""A post that isn't stored is looked for in the forum when the turn is read or resolved."""


def describe_preview(preview: Preview) -> Iterable[str]:
    """The file's entries, each with what it changes."""
    setting = paper_setting(preview.play)
    yield say("cli/would-change", file=preview.file, turn=preview.play.ref.turn, open=int(not preview.locked))
    for step in preview.steps:
        yield from _describe_step(step, setting)
    yield from (f"  ✘ {one}" for one in preview.problems)


def describe_void(found: FoundVoid) -> tuple[bool, str]:
    """What an entry that voids an attempt will do, or why it can't be followed; whether that is wrong."""
    if found.problem is not None:
        return True, f"✘ {found.problem.say(catalogue())}"
    ref, entry = found.turn.ref, found.entry
    keeps = int(entry.orders is Orders.KEEP)
    return (
        False,
        f"⚠ {say('cli/would-void', file=found.file, turn=ref.turn, attempt=ref.attempt, keeps=keeps)}",
    )


def is_wrong(preview: Preview) -> bool:
    """Whether the turn would be held for the file as it is."""
    wrong = [one.problem for one in preview.steps if one.problem is not None]
    return bool(preview.problems) or any(one.code != NOT_READ_YET for one in wrong)


def _describe_step(step: Step, setting: Setting) -> Iterable[str]:
    if step.problem is not None:
        unread = step.problem.code == NOT_READ_YET
        yield f"  {'⚠' if unread else '✘'} {step.problem.say(setting.catalogue)}"
        if unread:
            yield f"      {say('cli/would-look-again')}"
        return
    secret = f" ({say('cli/secret')})" if step.entry.secret else ""
    yield f"  {step.entry.place}. {_what(step, setting)}{secret}"
    yield from _draw("cli/before", step.before, setting)
    yield from _draw("cli/after", step.after, setting)


def _what(step: Step, setting: Setting) -> str:
    if step.event is not None:
        return draw_pieces(line(run) for run in say_corrections(setting, [step.event]))
    match step.entry:
        case SetDie(address=address, values=values):
            return say("cli/would-roll", address=address, values=tuple(str(one) for one in values))
        case Void(attempt=attempt, orders=orders):
            return say("cli/void-entry", attempt=attempt, keeps=int(orders is Orders.KEEP))
        case UseBeacon(value=value):
            return say("cli/beacon-entry", without=int(value == FALL_BACK))
        case Ruling(question=question, answer=answer, if_asked=ahead):
            return say("cli/would-answer", question=question, answer=answer, ahead=int(ahead))
    return step.entry.reason


def _draw(which: str, lines: Lines, setting: Setting) -> Iterable[str]:
    """Order lines as a receipt has them: as understood, or why not."""
    for seat, one in lines:
        drawn = draw_pieces(gather(draw_line(setting, one, carets=False))).strip()
        yield indent(f"{say(which, seat=setting.name(seat).text)} {drawn}", "      ")
