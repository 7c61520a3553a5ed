"""Reports of a turn: what happened to whom, how things stand, corrections and dice, and the next turn.

A report is made of what its viewer may know and of nothing else: the rule set's document is built from the
viewer's own views and events, and everything around it comes as `ReportFacts` for that viewer (design.md 6).
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from reporters.blocks import Chapter, Fence, Heading, Lines, Listing, Piece, Run, line
from reporters.corrections import say_answers, say_corrections
from reporters.dates import say_day
from reporters.facts import NextTurn, ReportFacts
from reporters.layout import lay_out
from reporters.orders_template import BlockHead, write_common_template, write_template
from reporters.rolls import say_rolls
from reporters.setting import Setting
from reporters.skipped import say_late
from rules.engine.inline import Strong
from rules.engine.messages import Message, Name, msg
from rules.engine.ruleset import Template


def compose_report(setting: Setting, facts: ReportFacts) -> list[Chapter]:
    """The report for one viewer, public or a seat's."""
    chapters = [Chapter("title", tuple(_title(setting, facts)))]
    chapters += _happened(setting, facts)
    chapters += _dealt_with(setting, facts)
    chapters += _dice(setting, facts)
    if facts.outcome is not None and facts.public:
        chapters.append(Chapter("outcome", tuple(_outcome(setting, facts))))
    if facts.next is not None:
        chapters.append(Chapter("next", tuple(_next(setting, facts, facts.next))))
    return chapters


def _title(setting: Setting, facts: ReportFacts) -> Iterable[Piece]:
    ref = setting.ref
    if facts.public:
        words = setting.say("report/title", turn=ref.turn, track=ref.track, game=setting.game.title)
    else:
        seat = setting.name(facts.viewer)
        words = setting.say(
            "report/private-title", turn=ref.turn, track=ref.track, game=setting.game.title, seat=seat
        )
    yield Heading(words, 1)
    if ref.attempt > 1:
        yield line(setting.say("report/rerun", attempt=ref.attempt))


def _happened(setting: Setting, facts: ReportFacts) -> Iterable[Chapter]:
    """The rule set's document without its title; without a document the events one by one."""
    if facts.document is not None:
        yield from lay_out(facts.document, setting.catalogue, titled=False)
        return
    told = tuple(setting.catalogue.say(Message(one.id, one.data)) for one in facts.events)
    yield Chapter("events", (Listing(told) if told else line(setting.say("report/nothing")),))


def _dealt_with(setting: Setting, facts: ReportFacts) -> Iterable[Chapter]:
    """Corrections, answers and late posts."""
    pieces: list[Piece] = []
    if facts.corrections:
        pieces += _listed(setting, "report/corrections", say_corrections(setting, facts.corrections))
    if facts.veiled:
        told = tuple(msg("report/correction-veiled", seat=setting.name(seat)) for seat in facts.veiled)
        pieces.append(line(setting.say("report/corrections-veiled", seats=told)))
    if facts.answers:
        pieces += _listed(setting, "report/answers", say_answers(setting, facts.answers))
    pieces += say_late(setting, facts.late)
    if pieces:
        yield Chapter("director", tuple(pieces))


def _listed(setting: Setting, title: str, lines: tuple[Run, ...]) -> Iterable[Piece]:
    yield Lines(((Strong(setting.say(title)),),), keep=True)
    yield Listing(lines)


def _dice(setting: Setting, facts: ReportFacts) -> Iterable[Chapter]:
    """What fell, then the seed and the commitment, then the proof to copy where it fits into a post."""
    proof = facts.proof
    if proof is None or (not facts.public and not facts.rolls):
        return
    if facts.rolls:
        title = "report/dice" if facts.public else "report/dice-private"
        yield Chapter("dice", (line(setting.say(title), keep=True), Listing(say_rolls(setting, facts.rolls))))
    else:
        yield Chapter("dice", (line(setting.say("report/no-dice")),))
    day = say_day(facts.committed_at, setting.game.zone, setting.language) if facts.committed_at else None
    seed: list[Run] = [setting.say("report/seed", turn=setting.ref.turn, seed=str(proof["seed"]))]
    seed.append(setting.say("report/commitment", day=day, commitment=str(proof["commitment"])))
    if facts.groups and facts.public:
        seed.append(setting.say("report/groups", groups=facts.groups))
    yield Chapter("seed", (Lines(tuple(seed)),))
    yield _proof(setting, facts)


def _proof(setting: Setting, facts: ReportFacts) -> Chapter:
    text = json.dumps(facts.proof, separators=(",", ":"))
    whole: tuple[Piece, ...] = (line(setting.say("report/verify"), keep=True), Fence(text, "json"))
    if setting.fits(whole):
        return Chapter("proof", whole)
    return Chapter("proof", (line(setting.say("report/verify-long", file=facts.file)),))


def _outcome(setting: Setting, facts: ReportFacts) -> Iterable[Piece]:
    if facts.outcome is None:
        return
    yield line(setting.say("report/finished", reason=facts.outcome.reason), keep=True)
    ranks = tuple(
        setting.say("report/rank", seats=tuple(map(setting.name, seats))) for seats in facts.outcome.ranking
    )
    yield Listing(ranks, ordered=True)


def _next(setting: Setting, facts: ReportFacts, following: NextTurn) -> Iterable[Piece]:
    deadline = setting.moment_with_utc(following.deadline.at)
    yield line(setting.say("report/next", turn=following.turn, track=setting.ref.track, deadline=deadline))
    if facts.public:
        yield line(
            setting.say("report/next-commitment", commitment=following.commitment, groups=following.groups)
        )
        yield from public_template(setting, following)
    else:
        yield from private_template(setting, following, facts.viewer)


def public_template(setting: Setting, following: NextTurn) -> Iterable[Piece]:
    """The block that everybody may see: each seat's facts where nothing is hidden, else an empty one."""
    head = BlockHead(following.turn, setting.ref.track)
    yield line(setting.say("opening/template"), keep=True)
    if setting.secret:
        yield Fence(write_template(head, Template(), setting.catalogue))
        yield line(setting.say("opening/template-private"))
    elif following.several or any(one.lines for one in following.templates.values()):
        for seat, template in following.templates.items():
            yield Fence(_seat_block(setting, following, seat, template, setting.name(seat)))
    else:
        shown = {setting.name(seat): template for seat, template in following.templates.items()}
        yield Fence(write_common_template(head, shown, setting.catalogue))


def private_template(setting: Setting, following: NextTurn, seat: str) -> Iterable[Piece]:
    """A seat's own block, with what it has."""
    yield line(setting.say("opening/template"), keep=True)
    template = following.templates.get(seat, Template())
    yield Fence(_seat_block(setting, following, seat, template, None))


def _seat_block(
    setting: Setting, following: NextTurn, seat: str, template: Template, shown: Name | None
) -> str:
    said = setting.name(seat).text if seat in following.several else ""
    return write_template(
        BlockHead(following.turn, setting.ref.track, said), template, setting.catalogue, shown
    )
