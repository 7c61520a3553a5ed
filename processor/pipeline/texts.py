"""Everything that a turn says, as texts on their way: what goes to whom, under which name (design.md 1).

Each text is made of what its reader may know: the rule set's document from that reader's views and events,
dice from that reader's groups, receipts from that seat's own reading (design.md 6).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from parsers.files.errors import FileErrors
from parsers.files.override import load_overrides
from processor.pipeline.context import Commitments, Frozen, PlayContext, TurnResult
from processor.pipeline.resolving import override_file
from processor.pipeline.viewing import write_document
from reporters.blocks import Chapter
from reporters.corrections import ANSWERS, CORRECTED, CORRECTIONS
from reporters.dialects import renderer_for
from reporters.digest import compose_digest
from reporters.facts import GroupDice, NextTurn, ReportFacts
from reporters.letters import compose_held, compose_question, compose_ruling_letter
from reporters.opening import compose_opening, compose_private_opening
from reporters.plain import PlainRenderer
from reporters.proof import render_proof
from reporters.receipts import Lock, compose_receipt, compose_receipts
from reporters.reminders import compose_reminder
from reporters.reports import compose_report
from reporters.setting import Setting
from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.codec import dump_state
from rules.engine.dice import PUBLIC_GROUP
from rules.engine.events import Event, visible
from rules.engine.messages import Message, msg
from rules.engine.questions import Question
from rules.engine.resolution import RolledDie
from rules.play.outgoing import TOPIC, Outgoing, ReportFile
from rules.play.reading import TurnReading
from rules.play.turns import Deadline

_NO_LETTERS = re.compile(r"[^a-z0-9]+")


def setting_of(play: PlayContext) -> Setting:
    """The turn as its texts see it, in the dialect of its forum."""
    renderer = renderer_for(play.game.forum.software)
    return Setting(
        play.game, play.ref, play.deadline, play.catalogue, play.forum, renderer, hidden=_hides(play)
    )


def _hides(play: PlayContext) -> bool:
    """Whether some seat sees anything of the state that everybody can't see."""
    public = dump_state(play.look(EVERYBODY).state)
    return any(dump_state(play.look(seat).state) != public for seat in play.players)


def seat_slugs(play: PlayContext) -> Mapping[str, str]:
    """For each seat of the game the letters that name it in the kinds of its texts; no two alike."""
    slugs: dict[str, str] = {}
    for seat in play.game.seats:
        plain = unicodedata.normalize("NFKD", seat.id).encode("ascii", "ignore").decode().lower()
        base = _NO_LETTERS.sub("-", plain).strip("-") or "seat"
        taken = set(slugs.values())
        slugs[seat.id] = next(one for one in _numbered(base) if one not in taken)
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
    """The opening post, and in a game with secrets each seat's template in private. First turn only."""
    setting = setting_of(play)
    first = _next_turn(play, commitments, play.deadline, play.state, play.ref.turn)
    texts = [_public(setting, "open", compose_opening(setting, first))]
    if setting.secret:
        for seat in _seats_with_account(play):
            chapters = compose_private_opening(setting, first, seat)
            texts.append(_private(play, setting, f"open-{seat_slugs(play)[seat]}", seat, chapters))
    return tuple(texts)


def receipts(play: PlayContext, reading: TurnReading, lock: Frozen | None) -> tuple[Outgoing, ...]:
    """The public receipts, and in a game with secrets each seat's own; all are edited as orders come in."""
    setting = setting_of(play)
    closed = _lock(lock) if lock is not None else None
    texts = [_public(setting, "receipts", compose_receipts(setting, reading, closed), editable=True)]
    if setting.secret:
        for seat in _seats_with_account(play):
            chapters = compose_receipt(setting, reading, seat, closed)
            if chapters is not None:
                kind = f"receipt-{seat_slugs(play)[seat]}"
                texts.append(_private(play, setting, kind, seat, chapters, editable=True))
    return tuple(texts)


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
    ahead = None
    if following is not None and deadline is not None:
        ahead = _next_turn(play, following, deadline, next_state, play.ref.turn + 1)
    facts = {
        viewer: _facts(play, frozen, result, viewer, now, ahead) for viewer in (EVERYBODY, *play.players)
    }
    texts = [_public(setting, "report", compose_report(setting, facts[EVERYBODY]))]
    for seat in _seats_with_account(play):
        if setting.secret or _has_secrets(facts[seat]):
            chapters = compose_report(setting, facts[seat])
            texts.append(_private(play, setting, f"report-{seat_slugs(play)[seat]}", seat, chapters))
    digest = compose_digest(
        setting,
        frozen.reading,
        _facts(play, frozen, result, DIRECTOR_SEAT, now, None),
        result.resolution.rolls,
        override_file(play),
    )
    texts.append(_private(play, setting, "digest", DIRECTOR_SEAT, digest))
    return tuple(texts)


def letters(play: PlayContext, subject: TurnResult | Message | str, code: str = "") -> tuple[Outgoing, ...]:
    """Why a turn waits, to the director; what a result asks, to the director and to seats.

    subject: a result with open questions or problems, or the reason of a hold. code: the hold's stable code.
    """
    setting = setting_of(play)
    file = override_file(play)
    if not isinstance(subject, TurnResult):
        return (_to_director(play, setting, compose_held(setting, subject, code=code, file=file)),)
    if subject.problems:
        reason = "\n".join(subject.problems)
        return (_to_director(play, setting, compose_held(setting, reason, code="override", file=file)),)
    return tuple(_questions(play, setting, subject, file))


def reminders(play: PlayContext, reading: TurnReading, left: timedelta) -> tuple[Outgoing, ...]:
    """A word to each seat that has no orders in force yet. left: time until the deadline."""
    setting = setting_of(play)
    texts = []
    for seat in _seats_with_account(play):
        own = reading.seat(seat)
        if not own.in_force:
            chapters = compose_reminder(setting, own, left)
            texts.append(_private(play, setting, f"reminder-{seat_slugs(play)[seat]}", seat, chapters))
    return tuple(texts)


def report_files(
    play: PlayContext, frozen: Frozen, result: TurnResult, outgoing: tuple[Outgoing, ...]
) -> tuple[ReportFile, ...]:
    """What was published, as text, and the proofs, for `reports/turn-NNN/`."""
    del frozen
    ending = "txt" if isinstance(setting_of(play).renderer, PlainRenderer) else "md"
    files = []
    for one in outgoing:
        for number, part in enumerate(one.parts, 1):
            name = one.kind if len(one.parts) == 1 else f"{one.kind}-{number}"
            files.append(ReportFile(f"{name}.{ending}", f"{part}\n"))
    for group, proof in sorted(result.proofs.items()):
        files.append(ReportFile(proof_file(group), render_proof(proof)))
    return tuple(files)


def proof_file(group: str) -> str:
    """The file of a group's proof; the public one is `proof.json`."""
    return f"proof-{group}.json" if group else "proof.json"


# what texts are made from


def _facts(
    play: PlayContext,
    frozen: Frozen,
    result: TurnResult,
    viewer: str,
    now: Commitments,
    ahead: NextTurn | None,
) -> ReportFacts:
    known = [one for one in visible(result.resolution.events, viewer) if _is_told(one, viewer)]
    groups = _groups(play, viewer)
    dice = tuple(one for group in groups if (one := _dice(result, group, viewer)) is not None)
    return ReportFacts(
        viewer=viewer,
        document=write_document(play, result, viewer),
        events=tuple(one for one in known if one.id not in CORRECTIONS | ANSWERS),
        corrections=tuple(one for one in known if one.id in CORRECTIONS),
        veiled=_veiled(result) if viewer == EVERYBODY else (),
        answers=tuple(one for one in known if one.id in ANSWERS),
        late=tuple(one for one in frozen.reading.late if _is_own_post(one.post.private, one.seat, viewer)),
        dice=dice,
        groups=now.groups if play.ruleset.groups(play.state) else "",
        committed_at=play.opened_at,
        next=ahead,
        outcome=result.outcome,
        silent=any(one.seat == viewer and not one.in_force for one in frozen.reading.seats),
        file=f"reports/turn-{play.ref.turn:03}/{proof_file('')}",
    )


def _is_told(one: Event, viewer: str) -> bool:
    """A seat's own report leaves corrections and answers to the public one where that tells them."""
    told_in_public = one.audience.everybody and one.id in CORRECTIONS | ANSWERS
    return viewer in (EVERYBODY, DIRECTOR_SEAT) or not told_in_public


def _is_own_post(private: bool, seat: str | None, viewer: str) -> bool:
    """Public posts are told in public, private ones to their author; the digest lists them itself."""
    if viewer == EVERYBODY:
        return not private
    return private and seat == viewer


def _veiled(result: TurnResult) -> tuple[str, ...]:
    """Seats of which everybody may know that something was corrected, though not what."""
    hidden = [
        one
        for one in result.resolution.events
        if one.id == CORRECTED and not one.audience.everybody and one.data.get("secret") == 0
    ]
    return tuple(dict.fromkeys(seat for one in hidden for seat in one.audience.seats))


def _groups(play: PlayContext, viewer: str) -> tuple[str, ...]:
    if viewer == EVERYBODY:
        return (PUBLIC_GROUP,)
    groups = play.ruleset.groups(play.state)
    return tuple(sorted(group for group, audience in groups.items() if viewer in audience.seats))


def _dice(result: TurnResult, group: str, viewer: str) -> GroupDice | None:
    """A group's dice and proof; for a seat None where nothing was rolled."""
    rolls: tuple[RolledDie, ...] = tuple(one for one in result.resolution.rolls if one.roll.group == group)
    proof = result.proofs.get(group)
    if proof is None or (viewer != EVERYBODY and not rolls):
        return None
    return GroupDice(rolls, proof)


def _has_secrets(facts: ReportFacts) -> bool:
    """Whether a seat's own report says anything that the public one doesn't."""
    return bool(facts.dice or any(not one.audience.everybody for one in (*facts.events, *facts.corrections)))


def _next_turn(
    play: PlayContext, commitments: Commitments, deadline: Deadline, state: Any, number: int
) -> NextTurn:
    looks = {
        seat: play.ruleset.look(
            state, seat, play.game.options, kind=play.kind.name, track=play.ref.track, number=number
        )
        for seat in play.players
    }
    several = (seat.id for seat in play.game.seats if len(play.game.seats_of(seat.account)) > 1)
    return NextTurn(
        number,
        deadline,
        commitments.commitment,
        commitments.groups if play.ruleset.groups(state) else "",
        {seat: play.kind.template(view) for seat, view in looks.items()},
        frozenset(several),
    )


def _lock(frozen: Frozen) -> Lock:
    return Lock(
        frozen.lock_tag, frozen.posts_read, frozen.rules_id, _count_open_corrections(frozen.overrides)
    )


def _count_open_corrections(text: str) -> int:
    """Entries of the override file at the lock that aren't secret; none of a file that can't be read."""
    try:
        entries = load_overrides(text, "") if text.strip() else ()
    except FileErrors:
        return 0
    return sum(1 for one in entries if not one.secret)


def _questions(play: PlayContext, setting: Setting, result: TurnResult, file: str) -> Iterable[Outgoing]:
    asked = result.resolution.open
    rulings = [one for one in asked if one.to == DIRECTOR_SEAT]
    if rulings:
        yield _to_director(play, setting, compose_ruling_letter(setting, rulings, file))
    by_seat: dict[str, list[tuple[str, Question]]] = {}
    for one in asked:
        if one.to != DIRECTOR_SEAT:
            by_seat.setdefault(one.to, []).append((result.handles.get(one.id, one.id), one))
    for seat, questions in by_seat.items():
        handles = "-".join(handle.lower() for handle, _ in questions)
        kind = f"question-{seat_slugs(play)[seat]}-{handles}"
        yield _private(play, setting, kind, seat, compose_question(setting, questions, seat))


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
    return Outgoing(kind, to, setting.parts(kind, chapters), conversation_title(play, to), editable)


def _to_director(play: PlayContext, setting: Setting, chapters: list[Chapter]) -> Outgoing:
    return _private(play, setting, "held", DIRECTOR_SEAT, chapters)
