"""The director's digest of a turn: what needs a look, what players wrote wrong, everything that happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from reporters.attempts import tell_rerun
from reporters.blocks import Chapter, Heading, Lines, Listing, Piece, Run, line
from reporters.cleaning import excerpt
from reporters.facts import ReportFacts
from reporters.findings import MARKS, say_finding
from reporters.layout import lay_out
from reporters.receipts import say_posts, say_stand_in
from reporters.reports import list_handled, tell_events
from reporters.rolls import say_rolls
from reporters.setting import Setting
from reporters.skipped import say_late, say_skipped
from rules.engine.audience import Audience
from rules.engine.inline import Fixed, Strong, Text
from rules.engine.messages import Name
from rules.engine.resolution import RolledDie
from rules.play.reading import SeatReading, TurnReading


def compose_digest(
    setting: Setting,
    reading: TurnReading,
    facts: ReportFacts,
    rolls: Sequence[RolledDie],
    file: str,
    missing: Sequence[tuple[str, str]] = (),
) -> list[Chapter]:
    """Everything about a resolved turn. facts: the director's own. rolls: all. file: the override file.

    missing: files of pictures that the forum hasn't taken, each with the reason.
    """
    title = setting.say(
        "digest/title", turn=setting.ref.turn, track=setting.ref.track, game=setting.game.title
    )
    again = () if facts.rerun is None else tuple(tell_rerun(setting, facts.rerun))
    chapters = [Chapter("title", (Heading(title, 1), *again))]
    chapters.append(Chapter("open", tuple(_open_items(setting, reading, facts, file))))
    if missing:
        pictures = tuple(setting.say("digest/missing", file=name, reason=why) for name, why in missing)
        chapters.append(_titled(setting, "pictures", pictures))
    findings = tuple(_findings(setting, reading))
    if findings:
        chapters.append(_titled(setting, "findings", findings))
    left_out = (*say_skipped(setting, reading.skipped), *say_late(setting, reading.late))
    if left_out:
        chapters.append(Chapter("skipped", left_out))
    handled = tuple(list_handled(setting, facts))
    if handled:
        chapters.append(Chapter("director", handled))
    chapters += _everything(setting, facts)
    if rolls:
        chapters.append(_titled(setting, "rolls", tuple(_rolls(setting, rolls))))
    return chapters


def _titled(setting: Setting, which: str, lines: tuple[Run, ...]) -> Chapter:
    title = Lines(((Strong(setting.say(f"digest/{which}")),),), keep=True)
    return Chapter(which, (title, Listing(lines)))


def _open_items(setting: Setting, reading: TurnReading, facts: ReportFacts, file: str) -> Iterable[Piece]:
    """Who gave no orders, and whose lines were refused: what a director may want to mend next turn."""
    silent = tuple(setting.name(one.seat) for one in reading.seats if not one.in_force)
    withdrawn = tuple(setting.name(one.seat) for one in reading.seats if one.withdrawn)
    told: list[Run] = [setting.say("digest/silent", seats=silent)] if silent else []
    told += [setting.say("digest/withdrawn", seats=withdrawn)] if withdrawn else []
    told += [
        setting.say("digest/missed", seat=setting.name(seat), turns=turns)
        for seat, turns in facts.missed.items()
    ]
    told += _kept_orders(setting, reading)
    yield Listing(tuple(told)) if told else line(setting.say("digest/nothing-open"))
    yield line(setting.say("digest/correct", file=file))


def _kept_orders(setting: Setting, reading: TurnReading) -> Iterable[Run]:
    """For whom orders of other turns have acted, and who has standing orders that haven't."""
    for own in reading.seats:
        if own.stand_in:
            yield setting.say(
                "digest/stand-in", seat=setting.name(own.seat), state=say_stand_in(setting, own)
            )
        elif own.standing:
            posts = say_posts(setting, own.standing)
            yield setting.say("digest/standing", seat=setting.name(own.seat), posts=posts)


def _findings(setting: Setting, reading: TurnReading) -> Iterable[Run]:
    for seat in reading.seats:
        yield from _seat_findings(setting, seat)


def _seat_findings(setting: Setting, own: SeatReading) -> Iterable[Run]:
    name = setting.name(own.seat)
    counted = [replace(one, salt="") for one in own.in_force]  # as read: the lock has salted private ones
    blocks = (*own.in_force, *(() if own.latest is None or own.latest in counted else (own.latest,)))
    for block in blocks:
        for finding in block.problems:
            yield (Text(f"{name.text}: {MARKS[finding.severity]} "), *say_finding(setting, finding))
        for one in block.lines:
            for finding in one.findings:
                place = f"{own.seat}#{one.number}" if one.number else own.seat
                head = (Text(f"{place}: {MARKS[finding.severity]} "), Fixed(excerpt(one.text)), Text(" — "))
                yield (*head, *say_finding(setting, finding))


def _everything(setting: Setting, facts: ReportFacts) -> Iterable[Chapter]:
    if facts.document is not None:
        yield from lay_out(facts.document, setting.catalogue, titled=False)
    else:
        yield from tell_events(setting, facts)


def _rolls(setting: Setting, rolls: Sequence[RolledDie]) -> Iterable[Run]:
    """All dice, each with who may know it."""
    start = 0
    for at in range(1, len(rolls) + 1):
        if at == len(rolls) or rolls[at].audience != rolls[start].audience:
            for run in say_rolls(setting, rolls[start:at]):
                yield (*run, Text(" · "), *_audience(setting, rolls[start].audience))
            start = at


def _audience(setting: Setting, audience: Audience) -> Run:
    if audience.everybody:
        return setting.say("digest/for-all")
    seats: tuple[Name, ...] = tuple(map(setting.name, audience.seats))
    return setting.say("digest/for", seats=seats) if seats else setting.say("digest/for-director")
