"""Reports of a turn: what happened to whom, how things stand, corrections and dice, and the next turn.

A report is made of what its viewer may know and of nothing else: the rule set's document is built from the
viewer's own views and events, and everything around it comes as `ReportFacts` for that viewer (design.md 6).
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from reporters.attempts import say_tally, tell_rerun
from reporters.beacon import say_beacon
from reporters.blocks import Chapter, Fence, Heading, Lines, Listing, Piece, Run, line
from reporters.corrections import say_answers, say_corrections
from reporters.dates import say_day
from reporters.facts import GroupDice, NextTurn, ReportFacts
from reporters.layout import lay_out
from reporters.orders_template import BlockHead, write_common_template, write_template
from reporters.proof import ProofData
from reporters.receipts import say_posts, say_stand_in
from reporters.rolls import say_rolls
from reporters.setting import Setting
from reporters.sightings import say_sightings
from reporters.skipped import say_late
from rules.engine.inline import Strong
from rules.engine.messages import Message, Name
from rules.engine.ruleset import Template


def compose_report(setting: Setting, facts: ReportFacts) -> list[Chapter]:
    """The report for one viewer, public or a seat's."""
    chapters = [Chapter("title", tuple(_title(setting, facts)))]
    chapters += _happened(setting, facts)
    chapters += _dealt_with(setting, facts)
    chapters += _dice(setting, facts)
    if facts.outcome is not None and facts.public:
        chapters.append(Chapter("outcome", tuple(_outcome(setting, facts))))
    if facts.closing is not None:
        chapters.append(Chapter("closing", tuple(_closing(setting, facts, facts.closing))))
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
    if facts.rerun is not None:
        yield from tell_rerun(setting, facts.rerun)
    if facts.silent:
        yield line(setting.say("report/no-orders"))
    for own in facts.stand_in:
        if facts.public:
            told = say_stand_in(setting, own)
            yield line(setting.say("receipts/seat", seat=setting.name(own.seat), state=told))
        else:
            standing = int(any(one.standing for one in own.stand_in))
            posts = say_posts(setting, own.stand_in)
            yield line(setting.say("report/stand-in", standing=standing, posts=posts))
    yield from _missed(setting, facts)


def _missed(setting: Setting, facts: ReportFacts) -> Iterable[Piece]:
    """The warning to who hasn't given orders for some turns."""
    limit = setting.game.policies.hold_after
    for missed in facts.missed.values():
        yield line(setting.say("report/missed", turns=missed, limit=limit))


def _happened(setting: Setting, facts: ReportFacts) -> Iterable[Chapter]:
    """The rule set's document without its title; without a document the events one by one."""
    if facts.document is not None:
        yield from lay_out(facts.document, setting.catalogue, titled=False)
    else:
        yield from tell_events(setting, facts)


def tell_events(setting: Setting, facts: ReportFacts) -> Iterable[Chapter]:
    """The events one by one, each by its own text, for kinds of turn without a document."""
    told = tuple(setting.catalogue.say(Message(one.id, one.data)) for one in facts.events)
    yield Chapter("events", (Listing(told) if told else line(setting.say("report/nothing")),))


def _dealt_with(setting: Setting, facts: ReportFacts) -> Iterable[Chapter]:
    """Corrections, answers and late posts."""
    pieces = (*list_handled(setting, facts), *say_late(setting, facts.late))
    if pieces:
        yield Chapter("director", pieces)


def list_handled(setting: Setting, facts: ReportFacts) -> Iterable[Piece]:
    """What the director corrected, and what was asked and answered."""
    corrections = list(say_corrections(setting, facts.corrections))
    corrections += [setting.say("report/correction-veiled", seat=setting.name(one)) for one in facts.veiled]
    if corrections:
        yield from _listed(setting, "report/corrections", tuple(corrections))
    if facts.answers:
        yield from _listed(setting, "report/answers", say_answers(setting, facts.answers))


def _listed(setting: Setting, title: str, lines: tuple[Run, ...]) -> Iterable[Piece]:
    yield Lines(((Strong(setting.say(title)),),), keep=True)
    yield Listing(lines)


def _dice(setting: Setting, facts: ReportFacts) -> Iterable[Chapter]:
    """What fell, then the seed and the commitment, then the proof to copy where it fits into a post."""
    for one in facts.dice:
        yield Chapter("dice", tuple(_thrown(setting, facts, one)))
        yield Chapter("seed", (_seed(setting, facts, one),))
        yield Chapter("proof", _proof(setting, facts, one))


def _thrown(setting: Setting, facts: ReportFacts, dice: GroupDice) -> Iterable[Piece]:
    if dice.rolls:
        yield line(setting.say("report/dice" if facts.public else "report/dice-private"), keep=True)
        yield Listing(say_rolls(setting, dice.rolls))
    else:
        yield line(setting.say("report/no-dice"))


def _seed(setting: Setting, facts: ReportFacts, dice: GroupDice) -> Lines:
    day = say_day(facts.committed_at, setting.game.zone, setting.language) if facts.committed_at else None
    seed, commitment = str(dice.proof["seed"]), str(dice.proof["commitment"])
    told = [setting.say("report/seed", turn=setting.ref.turn, seed=seed)]
    if facts.public:
        told.append(setting.say("report/commitment", day=day, commitment=commitment))
        told += say_sightings(setting, facts.sightings)
        told += [setting.say("report/groups", groups=facts.groups)] if facts.groups else []
        told += [say_tally(setting, facts.tally)] if facts.tally is not None else []
    else:
        told.append(setting.say("report/commitment-private", commitment=commitment))
        told.append(setting.say("report/groups-private", day=day, groups=facts.groups))
    told += say_beacon(setting, facts.beacon) if facts.beacon is not None else []
    return Lines(tuple(told))


def _proof(setting: Setting, facts: ReportFacts, dice: GroupDice) -> tuple[Piece, ...]:
    text = json.dumps(dice.proof, separators=(",", ":"))
    whole = (line(setting.say("report/verify"), keep=True), Fence(text, "json"))
    fits = setting.fits(whole, private=not facts.public)
    return whole if fits else (line(setting.say("report/verify-long", file=facts.file)),)


def _outcome(setting: Setting, facts: ReportFacts) -> Iterable[Piece]:
    if facts.outcome is None:
        return
    yield line(setting.say("report/finished", reason=facts.outcome.reason), keep=True)
    ranks = tuple(
        setting.say("report/rank", seats=tuple(map(setting.name, seats))) for seats in facts.outcome.ranking
    )
    yield Listing(ranks, ordered=True)


def _closing(setting: Setting, facts: ReportFacts, closing: ProofData) -> Iterable[Piece]:
    """The game's secret H, and how everything that was secret can be verified now."""
    told = (
        setting.say("report/game-secret", secret=str(closing["secret"])),
        setting.say("report/game-commitment", commitment=str(closing["commitment"])),
    )
    yield Lines(told, keep=True)
    text = json.dumps(closing, separators=(",", ":"))
    whole = (line(setting.say("report/verify-game"), keep=True), Fence(text, "json"))
    fits = setting.fits(whole, private=not facts.public)
    yield from whole if fits else (line(setting.say("report/verify-game-long", file=facts.closing_file)),)


def _next(setting: Setting, facts: ReportFacts, following: NextTurn) -> Iterable[Piece]:
    deadline = setting.moment_with_utc(following.deadline.at)
    yield line(setting.say("report/next", turn=following.turn, track=setting.ref.track, deadline=deadline))
    if facts.public:
        yield Lines(say_commitment(setting, following))
        yield from public_template(setting, following)
    else:
        yield from private_template(setting, following, facts.viewer)


def say_commitment(setting: Setting, following: NextTurn) -> tuple[Run, ...]:
    """C of the turn that begins, and the digest over the groups' where others roll too."""
    told = [setting.say("opening/commitment", commitment=following.commitment)]
    if following.groups:
        told.append(setting.say("opening/commitment-groups", groups=following.groups))
    if following.beacon:
        told.append(setting.say("opening/beacon"))
    return tuple(told)


def public_template(setting: Setting, following: NextTurn) -> Iterable[Piece]:
    """The block that everybody may see: each seat's facts where nothing is hidden, else an empty one."""
    head = BlockHead(following.turn, setting.ref.track)
    if setting.secret:
        yield line(setting.say("opening/template-private"), keep=True)
        yield Fence(write_template(head, Template(), setting.catalogue))
        return
    yield line(setting.say("opening/template"), keep=True)
    if following.several or any(one.lines for one in following.templates.values()):
        for seat, template in following.templates.items():
            yield Fence(_seat_block(setting, following, seat, template, setting.name(seat)))
    else:
        shown = [(setting.name(seat), template) for seat, template in following.templates.items()]
        yield Fence(write_common_template(head, shown, setting.catalogue))


def private_template(setting: Setting, following: NextTurn, seat: str) -> Iterable[Piece]:
    """A seat's own block, with what it has; none for a seat that is out."""
    if seat not in following.templates:
        return
    yield line(setting.say("opening/template-send", private=int(setting.private_orders)), keep=True)
    template = following.templates[seat]
    yield Fence(_seat_block(setting, following, seat, template, None))


def _seat_block(
    setting: Setting, following: NextTurn, seat: str, template: Template, shown: Name | None
) -> str:
    said = setting.name(seat).text if seat in following.several else ""
    return write_template(
        BlockHead(following.turn, setting.ref.track, said), template, setting.catalogue, shown
    )
