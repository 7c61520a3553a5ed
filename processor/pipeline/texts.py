"""Everything that a turn says, as texts on their way: what goes to whom, under which name (design.md 1).

Each text is made of what its reader may know: the rule set's document from that reader's views and events,
dice from that reader's groups, receipts from that seat's own reading (design.md 6).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from parsers.files.override import Void
from processor.pipeline.context import Commitments, Frozen, Opens, PlayContext, TurnResult
from processor.pipeline.gathering import gather_facts, gather_next, has_secrets
from processor.pipeline.given import override_file
from processor.pipeline.locking import may_be_secret
from processor.pipeline.override_entries import read_quietly
from processor.pipeline.viewing import hides
from reporters.answers import compose_answers
from reporters.beacon import compose_fall_back, compose_lock
from reporters.blocks import Chapter
from reporters.dialects import renderer_for
from reporters.digest import compose_digest
from reporters.letters import compose_held, compose_question, compose_ruling_letter
from reporters.opening import compose_opening, compose_private_opening
from reporters.receipts import Lock, compose_receipt, compose_receipts, is_known_silent, public_skips
from reporters.reminders import compose_call, compose_reminder
from reporters.reports import compose_report
from reporters.setting import Setting
from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.messages import Message, msg
from rules.engine.questions import Question
from rules.play.answers import SeatReplies
from rules.play.outgoing import TOPIC, Outgoing
from rules.play.reading import TurnReading
from rules.play.turns import Deadline

_NO_LETTERS = re.compile(r"[^a-z0-9]+")


def setting_of(play: PlayContext) -> Setting:
    """The turn as its texts see it, in the dialect of its forum."""
    renderer = renderer_for(play.game.forum.markup)
    return Setting(
        play.game, play.ref, play.deadline, play.catalogue, play.forum, renderer, hidden=hides(play)
    )


def seat_slugs(play: PlayContext) -> Mapping[str, str]:
    """For each seat of the game the letters that name it in the kinds of its texts; no two alike.

    A seat's next player gets texts of other kinds: nothing that the former one can read is edited for them.
    """
    slugs: dict[str, str] = {}
    taken: set[str] = set()
    for seat in play.game.seats:
        plain = unicodedata.normalize("NFKD", seat.id).encode("ascii", "ignore").decode().lower()
        base = _NO_LETTERS.sub("-", plain).strip("-") or "seat"
        base += f"-player-{play.nth[seat.id]}" if seat.id in play.nth else ""
        slugs[seat.id] = next(one for one in _numbered(base) if one not in taken)
        taken.add(slugs[seat.id])
    return slugs


def _numbered(base: str) -> Iterable[str]:
    yield base
    yield from (f"{base}-{number}" for number in range(2, 1_000))


def conversation_title(play: PlayContext, to: str) -> str:
    """The subject of the private conversation with a seat or the director: one for each in a game."""
    if to == DIRECTOR_SEAT:
        return play.catalogue.text(msg("private/director", game=play.game.title))
    return play.catalogue.text(msg("private/title", game=play.game.title, seat=play.game.seat(to).shown))


def opening(play: PlayContext, commitments: Commitments) -> tuple[Outgoing, ...]:
    """The opening post, and in a game with secrets each seat's template in private: of the first turn, and of
    a turn that was voided.
    """
    setting, again = setting_of(play), play.redo is not None
    first = gather_next(play, commitments, play.deadline, play.state, play.ref.turn)
    texts = [_public(setting, "open", compose_opening(setting, first, again=again))]
    if setting.secret:
        for seat in _seats_with_account(play):
            chapters = compose_private_opening(setting, first, seat, again=again)
            texts.append(_private(play, setting, f"open-{seat_slugs(play)[seat]}", seat, chapters))
    return tuple(texts)


def receipts(play: PlayContext, reading: TurnReading, lock: Frozen | None) -> tuple[Outgoing, ...]:
    """The public receipts, and in a game with secrets each seat's own; all are edited as orders come in.

    While nobody has written anything there is nothing to answer, and so no post.
    """
    setting = setting_of(play)
    closed = _lock(play, lock) if lock is not None else None
    texts = []
    openly = reading.openly or reading
    left_out = public_skips(setting, openly) or openly.late
    if closed is not None or left_out or any(one.latest for one in openly.seats):
        texts.append(_public(setting, "receipts", compose_receipts(setting, openly, closed), editable=True))
    if setting.secret:
        for seat in _seats_with_account(play):
            chapters = compose_receipt(setting, reading, seat, closed)
            if chapters is not None:
                kind = f"receipt-{seat_slugs(play)[seat]}"
                texts.append(_private(play, setting, kind, seat, chapters, editable=True))
    return tuple(texts)


def announce(play: PlayContext, frozen: Frozen, number: int, kind: str, again: bool) -> Outgoing:
    """The post that shows the lock before a round of the beacon is out. again: another one was late."""
    setting = setting_of(play)
    return _public(setting, kind, compose_lock(setting, _lock(play, frozen), number, again=again))


def fall_back(play: PlayContext, number: int, kind: str, reason: str) -> Outgoing:
    """The post that says that the turn goes on without the beacon's round."""
    setting = setting_of(play)
    return _public(setting, kind, compose_fall_back(setting, number, reason))


def reports(
    play: PlayContext,
    frozen: Frozen,
    result: TurnResult,
    now: Commitments,
    following: Commitments | None,
    deadline: Deadline | None,
    next_state: Any,
) -> tuple[Outgoing, ...]:
    """The public report, the seats' own, the director's digest.

    now, following: what was published for this turn, and what this report publishes for the next one.
    """
    setting = setting_of(play)
    opens = Opens(now, following, deadline, next_state)
    chapters = compose_all(play, setting, frozen, result, opens, (EVERYBODY, *play.players, DIRECTOR_SEAT))
    texts, slugs = [_public(_showing(setting, play), "report", chapters[EVERYBODY])], seat_slugs(play)
    texts += [
        _private(play, setting, f"report-{slugs[seat]}", seat, chapters[seat])
        for seat in _seats_with_account(play)
        if setting.secret or has_secrets(gather_facts(play, frozen, result, seat, now, None))
    ]
    texts.append(_private(play, setting, "digest", DIRECTOR_SEAT, chapters[DIRECTOR_SEAT]))
    return tuple(texts)


def _showing(setting: Setting, play: PlayContext) -> Setting:
    """The same with the pictures that the forum has: they are everybody's, so no letter shows them."""
    return replace(setting, renderer=renderer_for(play.game.forum.markup, play.pictures.shown.get))


def compose_all(
    play: PlayContext,
    setting: Setting,
    frozen: Frozen,
    result: TurnResult,
    opens: Opens,
    readers: Iterable[str],
) -> Mapping[str, list[Chapter]]:
    """The reports of some readers: of everybody, of seats, of the director."""
    ahead = None
    if opens.following is not None and opens.deadline is not None:
        ahead = gather_next(play, opens.following, opens.deadline, opens.state, play.ref.turn + 1)
    composed: dict[str, list[Chapter]] = {}
    for reader in readers:
        directs = reader == DIRECTOR_SEAT
        facts = gather_facts(play, frozen, result, reader, opens.now, None if directs else ahead)
        if directs:
            rolls, file = result.resolution.rolls, override_file(play)
            reading, missing = result.reading or frozen.reading, play.pictures.missing
            composed[reader] = compose_digest(setting, reading, facts, rolls, file, missing)
        else:
            composed[reader] = compose_report(setting, facts)
    return composed


def letters(
    play: PlayContext,
    subject: TurnResult | Message | str,
    code: str = "",
    until: Mapping[str, datetime] | None = None,
) -> tuple[Outgoing, ...]:
    """Why a turn waits, to the director; what a result asks, to the director and to seats.

    subject: a result with open questions or problems, or the reason of a hold. code: the hold's stable code.
    until: by question id, when an offer ends, UTC.
    """
    setting = setting_of(play)
    file = override_file(play)
    if not isinstance(subject, TurnResult):
        return (_to_director(play, setting, compose_held(setting, subject, code=code, file=file)),)
    if subject.problems:
        reason = "\n".join(subject.problems)
        return (_to_director(play, setting, compose_held(setting, reason, code="override", file=file)),)
    return tuple(_questions(play, setting, subject, file, until or {}))


def answer_note(play: PlayContext, replies: SeatReplies) -> Outgoing:
    """What became of a seat's answers, to that seat alone: nobody else may know its questions for sure."""
    setting, seat = setting_of(play), replies.seat
    kind = f"answers-{seat_slugs(play)[seat]}"
    return _private(play, setting, kind, seat, compose_answers(setting, replies), editable=True)


def reminders(play: PlayContext, reading: TurnReading, left: timedelta) -> tuple[Outgoing, ...]:
    """A word to each seat that has no orders in force yet: to itself, else one for all in the topic, which
    says no more than the receipts there. left: time until the deadline.
    """
    setting, openly = setting_of(play), reading.openly or reading
    expected = [seat for seat in _seats_with_account(play) if seat not in play.out | play.absent]
    if not play.forum.private:
        silent = [seat for seat in expected if is_known_silent(setting, openly.seat(seat))]
        return (_public(setting, "reminder", compose_call(setting, silent, left)),) if silent else ()
    return tuple(
        _private(
            play,
            setting,
            f"reminder-{seat_slugs(play)[seat]}",
            seat,
            compose_reminder(setting, reading.seat(seat), left),
        )
        for seat in expected
        if not reading.seat(seat).in_force
    )


def _lock(play: PlayContext, frozen: Frozen) -> Lock:
    corrections = _count_open_corrections(play, frozen)
    return Lock(frozen.lock_tag, frozen.posts_read, frozen.rules_id, corrections)


def _count_open_corrections(play: PlayContext, frozen: Frozen) -> int:
    """Entries of the override file at the lock that everybody may know; none of a file that can't be read."""
    entries = read_quietly(frozen.overrides, play.ref.attempt)
    return sum(not may_be_secret(play, one, frozen.reading) for one in entries if not isinstance(one, Void))


def _questions(
    play: PlayContext, setting: Setting, result: TurnResult, file: str, until: Mapping[str, datetime]
) -> Iterable[Outgoing]:
    asked = result.resolution.open
    rulings = [one for one in asked if one.to == DIRECTOR_SEAT]
    if rulings:
        yield _to_director(play, setting, compose_ruling_letter(setting, rulings, file, until))
    by_seat: dict[str, list[tuple[str, Question]]] = {}
    for one in asked:
        if one.to != DIRECTOR_SEAT:
            by_seat.setdefault(one.to, []).append((result.handles.get(one.id, one.id), one))
    for seat, questions in by_seat.items():
        handles = "-".join(handle.lower() for handle, _ in questions)
        kind = f"question-{seat_slugs(play)[seat]}-{handles}"
        yield _private(play, setting, kind, seat, compose_question(setting, questions, seat, until))


# addressing


def _seats_with_account(play: PlayContext) -> tuple[str, ...]:
    return tuple(seat for seat in play.players if play.game.seat(seat).account is not None)


def _public(setting: Setting, kind: str, chapters: list[Chapter], *, editable: bool = False) -> Outgoing:
    return Outgoing(kind, TOPIC, setting.parts(kind, chapters), "", editable)


def _private(
    play: PlayContext,
    setting: Setting,
    kind: str,
    to: str,
    chapters: list[Chapter],
    *,
    editable: bool = False,
) -> Outgoing:
    return Outgoing(
        kind, to, setting.parts(kind, chapters, private=True), conversation_title(play, to), editable
    )


def _to_director(play: PlayContext, setting: Setting, chapters: list[Chapter]) -> Outgoing:
    return _private(play, setting, "held", DIRECTOR_SEAT, chapters)
