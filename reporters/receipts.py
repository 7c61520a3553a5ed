"""Receipts: every order line as it was understood, or why not and what to write instead (voice.md).

In a game with secrets the public post says only who has sent orders and what was skipped in the open topic;
everything else goes to each seat alone. Not even whether a block counts or a line was refused is public: that
may rest on what only its seat can know, be the orders themselves open or not (design.md 6).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reporters.blocks import Chapter, Lines, Piece, Run, line
from reporters.cleaning import excerpt
from reporters.findings import MARKS, capitalised, draw_line, gather, say_finding
from reporters.setting import Setting
from reporters.skipped import say_late, say_skipped
from rules.engine.diagnostics import Severity
from rules.engine.inline import Emphasis, Text
from rules.engine.messages import Code, Message, Param, msg
from rules.play.reading import LineRead, SeatReading, SkippedText, Submission, TurnReading


@dataclass(frozen=True, slots=True)
class Lock:
    """What is published when a turn closes. tag: L in hex. corrections: the director's, secret ones apart."""

    tag: str
    posts_read: int
    rules_id: str
    corrections: int = 0


def compose_receipts(setting: Setting, reading: TurnReading, lock: Lock | None = None) -> list[Chapter]:
    """The public receipts post. lock: once the turn is closed."""
    chapters = [Chapter("head", (line(_head(setting, lock)),))]
    if setting.secret:
        chapters.append(
            Chapter("seats", (Lines(tuple(_state(setting, one, lock) for one in reading.seats)),))
        )
    else:
        chapters += _open_seats(setting, reading, lock)
    public = public_skips(setting, reading)
    late = [one for one in reading.late if not one.post.private]
    chapters += _left_out(setting, public, late)
    if lock is not None:
        chapters.append(Chapter("lock", (_lock_lines(setting, lock),)))
    elif setting.secret:
        chapters.append(Chapter("foot", (line((Emphasis(setting.say("receipts/private-details")),)),)))
    return chapters


def public_skips(setting: Setting, reading: TurnReading) -> list[SkippedText]:
    """What was left out and everybody may know of; whether a line reads as an order rests on what its author
    can see.
    """
    hidden = "no-block" if setting.secret else None
    return [one for one in reading.skipped if not one.post.private and one.why != hidden]


def compose_receipt(
    setting: Setting, reading: TurnReading, seat: str, lock: Lock | None = None
) -> list[Chapter] | None:
    """The private receipt of a seat in a game with secrets, None where there is nothing to tell it."""
    own = reading.seat(seat)
    skipped = [one for one in reading.skipped if one.seat == seat]
    late = [one for one in reading.late if one.seat == seat]
    if own.latest is None and not own.in_force and not own.standing and not skipped and not late:
        return None
    head = _seat_head(setting, "receipt/head" if lock is None else "receipt/head-closed", seat)
    chapters = [Chapter("head", (line(head),))]
    chapters += _seat_chapters(setting, own, lock, carets=True, private=True)
    chapters += _left_out(setting, skipped, late)
    if lock is not None:
        closed = (setting.say("receipt/lock"), setting.say("receipts/lock-tag", tag=lock.tag))
        chapters.append(Chapter("lock", (Lines((*closed, *_seals(setting, own))),)))
    else:
        chapters.append(Chapter("foot", (line((Emphasis(setting.say("receipt/provisional")),)),)))
    return chapters


def _seals(setting: Setting, own: SeatReading) -> Iterable[Run]:
    """What opens the leaf of each private post in the manifest (docs/adr/0004-lock-manifest.md)."""
    seals = dict.fromkeys((one.post, one.salt) for one in own.in_force if one.salt)
    for post, salt in seals:
        yield setting.say("receipt/seal", post=setting.short(post), salt=salt)


def _head(setting: Setting, lock: Lock | None) -> Run:
    which = "receipts/head" if lock is None else "receipts/head-closed"
    ref = setting.ref
    facts = {"deadline": _deadline(setting), "track": ref.track, "attempt": _attempt(setting)}
    return setting.say(which, turn=ref.turn, **facts)


def _attempt(setting: Setting) -> int | None:
    """The number of an attempt that isn't the first."""
    return setting.ref.attempt if setting.ref.attempt > 1 else None


def _seat_head(setting: Setting, which: str, seat: str) -> Run:
    return setting.say(
        which,
        seat=setting.name(seat),
        turn=setting.ref.turn,
        deadline=_deadline(setting),
        track=setting.ref.track,
        attempt=_attempt(setting),
    )


def _deadline(setting: Setting) -> Param:
    """When the turn closes, as far as that is known: not while its clock stands still."""
    return msg("receipts/paused") if setting.deadline.paused else setting.moment(setting.deadline.at)


def _lock_lines(setting: Setting, lock: Lock) -> Lines:
    read = setting.say("receipts/lock", posts=lock.posts_read, corrections=lock.corrections)
    tag = setting.say("receipts/lock-tag", tag=lock.tag)
    return Lines((read, tag, setting.say("receipts/lock-rules", rules=lock.rules_id)))


def _state(setting: Setting, own: SeatReading, lock: Lock | None) -> Run:
    """What a game with secrets tells of a seat: whether it has sent orders, where its newest ones stand."""
    vacant = any(one.id == own.seat and one.account is None for one in setting.game.seats)
    state = msg("receipts/vacant") if vacant and not own.in_force else _said_state(setting, own, lock)
    return setting.say("receipts/seat", seat=setting.name(own.seat), state=state)


def _said_state(setting: Setting, own: SeatReading, lock: Lock | None) -> Message:
    """From the newest block alone, whatever became of it: which older one stands, its validity decides."""
    newest = _newest(setting, own)
    if newest is None and own.stand_in and not any(one.post.private for one in own.stand_in):
        return say_stand_in(setting, own)
    if newest is None and own.silent:
        return msg("receipts/none" if lock is None else "receipts/none-closed")
    if newest is not None and newest.withdrawal and not newest.standing:
        return msg("receipts/withdrawn")
    posts = [one.post for one in ((newest,) if newest is not None else own.in_force)]
    if all(post.private for post in posts):
        return msg("receipts/sent-private")
    shown = tuple(msg("receipts/at", post=setting.post(post), time=setting.time(post.at)) for post in posts)
    return msg("receipts/sent", posts=shown)


def is_known_silent(setting: Setting, own: SeatReading) -> bool:
    """Whether everybody may know that a seat has no orders: no more than the public receipts say of it."""
    return _said_state(setting, own, None) == msg("receipts/none") if setting.secret else not own.in_force


def _newest(setting: Setting, own: SeatReading) -> Submission | None:
    """The newest block that may count by where it stands; it is in force or was refused, so it is found."""
    if own.latest is None or setting.private_orders or not own.latest.post.private:
        return own.latest
    told = (*own.in_force, *own.rejected, *own.standing)
    posted = [one for one in told if not one.post.private and one.since is None]
    return max(posted, key=lambda one: one.post.at, default=None)


def _open_seats(setting: Setting, reading: TurnReading, lock: Lock | None) -> Iterable[Chapter]:
    silent = [one for one in reading.seats if not (one.latest or one.in_force or one.standing)]
    for own in reading.seats:
        if own not in silent:
            chapters = _seat_chapters(setting, own, lock, carets=False, private=False)
            yield Chapter(f"seat-{own.seat}", tuple(piece for one in chapters for piece in one.pieces))
    if silent:
        yield Chapter("silent", (Lines(tuple(_state(setting, one, lock) for one in silent)),))


def _seat_chapters(
    setting: Setting, own: SeatReading, lock: Lock | None, *, carets: bool, private: bool
) -> Iterable[Chapter]:
    """What a seat's blocks came to: first what is wrong with the newest, then the lines in force."""
    newest = own.latest
    refused = newest is not None and not newest.valid and newest not in own.in_force
    if newest is not None and refused:
        yield Chapter("problems", tuple(_refused_block(setting, own, newest, carets, named=not private)))
    if own.in_force:
        yield Chapter("orders", tuple(_in_force(setting, own, carets, named=not private)))
    elif not refused:
        yield Chapter("orders", (line(_state(setting, own, lock)),))
    yield from _standing(setting, own, lock, carets=carets)
    if lock is None and (refused or _refused(own.lines)):
        again = "receipts/again-private" if private and setting.private_orders else "receipts/again"
        yield Chapter("again", (line((Emphasis(setting.say(again)),)),))


def _refused_block(
    setting: Setting, own: SeatReading, block: Submission, carets: bool, *, named: bool
) -> Iterable[Piece]:
    """A block that doesn't count: why, the lines that are wrong, and what stands instead."""
    which = "receipts/refused-block" if named else "receipt/refused-block"
    post, when = setting.post(block.post), setting.time(block.post.at)
    head = setting.say(which, seat=setting.name(own.seat), post=post, time=when)
    wrong = _order_lines(setting, _refused(block.lines), carets)
    yield from gather([head, *_problems(setting, block), *wrong])
    stands = own.standing if block.standing else own.in_force
    if stands:
        older = tuple(setting.short(one.post) for one in stands)
        yield line(setting.say("receipts/older-stands", posts=older))
    else:
        yield line(setting.say("receipts/nothing-stands"))


def _problems(setting: Setting, block: Submission) -> Iterable[Run]:
    for one in block.problems:
        yield (Text(f"{MARKS[one.severity]} "), *capitalised(say_finding(setting, one)))


def _standing(setting: Setting, own: SeatReading, lock: Lock | None, *, carets: bool) -> Iterable[Chapter]:
    """The standing orders as they read in this turn, unless they are told as the ones in force."""
    newest = own.latest
    if newest is not None and newest.standing and newest.withdrawal:
        yield Chapter("standing", (line(setting.say("receipts/standing-ended")),))
    kept = own.standing if not any(one.standing for one in own.in_force) else ()
    if kept:
        posts = say_posts(setting, kept)
        head = setting.say("receipts/standing", posts=posts, closed=int(lock is not None))
        lines = [run for one in kept for run in _block_lines(setting, one, carets)]
        yield Chapter("standing", tuple(gather([head, *lines])))


def say_posts(setting: Setting, blocks: Iterable[Submission]) -> tuple[Message, ...]:
    """Where and when blocks were written, with their turn where it is an earlier one."""
    return tuple(
        msg("receipts/at", post=setting.post(one.post), time=setting.time(one.post.at), turn=one.since)
        for one in blocks
    )


def say_stand_in(setting: Setting, own: SeatReading) -> Message:
    """What acts for a seat that has given no orders for this turn."""
    standing = int(any(one.standing for one in own.stand_in))
    return msg("receipts/stand-in", standing=standing, posts=say_posts(setting, own.stand_in))


def _in_force(setting: Setting, own: SeatReading, carets: bool, *, named: bool) -> Iterable[Piece]:
    blocks = own.in_force
    posts = say_posts(setting, blocks)
    which = "receipts/seat-orders" if named else "receipt/orders"
    head = setting.say(which, seat=setting.name(own.seat), posts=posts, state=_verdict(own))
    drawn: list[Run | Piece] = [head]
    if own.stand_in:
        standing = int(any(one.standing for one in own.stand_in))
        drawn.append(setting.say("receipts/acts-instead", standing=standing))
    drawn += [run for block in blocks for run in _block_lines(setting, block, carets)]
    yield from gather(drawn)


def _block_lines(setting: Setting, block: Submission, carets: bool) -> Iterable[Run | Piece]:
    yield from _problems(setting, block)
    yield from _order_lines(setting, block.lines, carets)
    yield from (_reply(setting, *one) for one in block.replies)
    if block.ready:
        yield setting.say("receipts/ready")


def _reply(setting: Setting, handle: str, answer: str) -> Run:
    return setting.say("receipts/reply", handle=handle.upper(), answer=Code(excerpt(answer)))


def _order_lines(setting: Setting, lines: Sequence[LineRead], carets: bool) -> Iterable[Run | Piece]:
    for one in lines:
        yield from draw_line(setting, one, carets=carets)


def _verdict(own: SeatReading) -> Message:
    """The orders in one phrase: complete, to mend, or given up."""
    if own.withdrawn:
        return msg("receipts/verdict-withdrawn")
    refused = _refused(own.lines)
    if refused:
        parsed = all(finding.code.startswith("parse/") for one in refused for finding in one.findings[:1])
        return msg("receipts/verdict-unread" if parsed else "receipts/verdict-refused", count=len(refused))
    findings = [finding for one in own.lines for finding in one.findings]
    findings += [finding for block in own.in_force for finding in block.problems]
    warnings = sum(finding.severity is Severity.WARNING for finding in findings)
    return msg("receipts/verdict-warned", count=warnings) if warnings else msg("receipts/verdict-fine")


def _refused(lines: Sequence[LineRead]) -> list[LineRead]:
    return [one for one in lines if any(finding.severity is Severity.ERROR for finding in one.findings)]


def _left_out(
    setting: Setting, skipped: Sequence[SkippedText], late: Sequence[SkippedText]
) -> Iterable[Chapter]:
    pieces = [*say_skipped(setting, skipped), *say_late(setting, late)]
    if pieces:
        yield Chapter("skipped", tuple(pieces))
