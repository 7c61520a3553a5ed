"""What readers are told of attempts at a turn: that one was voided, that a report is of another one, what
differs, and how many seeds kept their promise (docs/adr/0011-attempts.md).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reporters.blocks import Chapter, Fence, Heading, Lines, Listing, Piece, Run, line
from reporters.setting import Setting
from rules.engine.messages import Param, Quoted
from rules.play.attempts import Redo, Tally, ToldLines, VoidedTurn


@dataclass(frozen=True, slots=True)
class Rerun:
    """What a report of a later attempt says at its top.

    before: what the reader was told of the attempt that the report replaces, None where nothing was.
    now: what the reader is told of this one.
    """

    redo: Redo
    before: ToldLines | None
    now: ToldLines


def compose_void_notice(setting: Setting, redo: Redo, voided: Sequence[VoidedTurn]) -> list[Chapter]:
    """What is voided and why, what happens next, and the seeds that are known from now on."""
    first, later = voided[0], tuple(one.turn for one in voided[1:])
    told: dict[str, Param] = {"turn": redo.turn, "track": setting.ref.track, "keeps": int(redo.keeps)}
    what = [setting.say("void/what", published=int(first.published), **told)]
    what += [setting.say("void/later", turns=later, count=len(later))] if later else []
    what += [setting.say("void/reason", reason=Quoted(redo.reason))] if redo.reason else []
    following = setting.say("void/next", later=later[0] if later else None, **told)
    chapters = [
        Chapter("title", (Heading(setting.say("void/title", game=setting.game.title, **told), 1),)),
        Chapter("what", (Lines(tuple(what)), line(following))),
    ]
    return chapters + [Chapter("seed", tuple(_seed(setting, one))) for one in voided if one.seed]


def _seed(setting: Setting, one: VoidedTurn) -> Iterable[Piece]:
    proven = one.proof is not None
    facts: dict[str, Param] = {"seed": one.seed, "commitment": one.commitment, "proof": int(proven)}
    yield line(setting.say("void/seed", turn=one.turn, attempt=one.attempt, **facts), keep=proven)
    if one.proof is not None:
        yield Fence(json.dumps(one.proof, separators=(",", ":")), "json")


def tell_rerun(setting: Setting, rerun: Rerun) -> Iterable[Piece]:
    """That a report is of another attempt, why, and what differs from the one before."""
    redo, attempt = rerun.redo, setting.ref.attempt
    told = rerun.before is not None
    again = setting.say(
        "report/rerun",
        turn=setting.ref.turn,
        attempt=attempt,
        keeps=int(redo.keeps),
        published=int(told),
        voided=None if redo.turn == setting.ref.turn else redo.turn,
    )
    lines = [again]
    lines += [setting.say("void/reason", reason=Quoted(redo.reason))] if redo.reason else []
    yield Lines(tuple(lines))
    if rerun.before is None:
        return
    changes = tuple(_say_changes(setting, rerun.before, rerun.now))
    if changes:
        yield line(setting.say("report/differs"), keep=True)
        yield Listing(changes)
    else:
        yield line(setting.say("report/same"))


def _say_changes(setting: Setting, before: ToldLines, now: ToldLines) -> Iterable[Run]:
    """Lines about the same thing that are other now, then what isn't told any more, then what is new."""
    old, new = dict(one for one in before if one[0]), dict(one for one in now if one[0])
    for about in (*old, *(one for one in new if one not in old)):
        if old.get(about) != new.get(about):
            was, becomes = old.get(about), new.get(about)
            yield setting.say("report/change", before=_quote(was), after=_quote(becomes))
    for which, lines in (("report/no-longer", _minus(before, now)), ("report/newly", _minus(now, before))):
        yield from (setting.say(which, line=Quoted(one)) for one in lines)


def _quote(text: str | None) -> Quoted | None:
    return None if text is None else Quoted(text)


def _minus(these: ToldLines, those: ToldLines) -> Iterable[str]:
    """The lines about nothing of their own that stand in one telling and not in the other."""
    left = Counter(text for about, text in those if not about)
    for about, text in these:
        if about:
            continue
        if left[text]:
            left[text] -= 1
        else:
            yield text


def say_tally(setting: Setting, tally: Tally) -> Run:
    """How many turns were proven, voided, and left unproven so far."""
    told = {"voided": tally.voided, "unproven": tally.unproven, "late": tally.late}
    return setting.say("report/tally", proven=tally.proven, **told)
