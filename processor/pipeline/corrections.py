"""The director's corrections of a frozen turn, applied in file order at every run (design.md 4).

Each is logged as an event with the old value, the new one and the reason. What matches nothing is a problem,
never skipped: the turn is held until the file is right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from parsers.files.errors import FileProblem
from parsers.files.override import (
    AcceptPost,
    Add,
    Cancel,
    Extend,
    IgnorePost,
    OrderRef,
    Override,
    Pause,
    Replace,
    Resume,
    Ruling,
    SetDeadline,
    SetDie,
    SetValue,
    UseBeacon,
    Void,
)
from processor.pipeline.context import PlayContext, PostVersion
from processor.pipeline.correcting_orders import SeatLines
from processor.pipeline.correcting_posts import ChosenPost, PostChoices
from processor.pipeline.correcting_state import StateRefused, set_value, who_sees
from processor.pipeline.override_entries import KEYS, Refused, fault
from processor.pipeline.turn_clock import ClockEntry, keyed_entries
from processor.pipeline.void_entries import Standing, require_voidable
from rules.engine.audience import DIRECTOR, DIRECTOR_SEAT, PUBLIC, Audience, only
from rules.engine.dice import Scripted
from rules.engine.events import Event, event
from rules.engine.folding import fold
from rules.engine.messages import Code, Message, Param, Quoted, msg
from rules.engine.orders import Order
from rules.engine.questions import Answer, AnswerSource
from rules.play.carried import Carried
from rules.play.reading import TurnReading


@dataclass(frozen=True, slots=True)
class Corrected:
    """The snapshot as it is resolved.

    state: the turn's input state. reading: with the director's choice of posts. orders: by seat, in the
    order written; the director's under `director`. answers: rulings by question id. rulings, dice: the
    entries behind answers and replaced dice, for what only the run can tell. events: the log, in file order.
    problems: why the turn is held, none for a good file. carried: what the seats take into the next turn,
    None where it is as it was frozen.
    """

    state: Any
    reading: TurnReading
    orders: Mapping[str, tuple[Order, ...]]
    answers: Mapping[str, Answer] = field(default_factory=dict)
    rulings: tuple[Ruling, ...] = ()
    dice: tuple[SetDie, ...] = ()
    events: tuple[Event, ...] = ()
    problems: tuple[FileProblem, ...] = ()
    carried: Carried | None = None

    @property
    def replacements(self) -> Mapping[str, tuple[Scripted, ...]]:
        """The director's values by address; of two entries for one address the later counts."""
        return {one.address: one.values for one in self.dice}


def correct(
    play: PlayContext,
    reading: TurnReading,
    overrides: Sequence[Override],
    *,
    late: frozenset[int] = frozenset(),
    file: str = "",
    versions: Sequence[PostVersion] = (),
) -> Corrected:
    """Apply the entries to the frozen turn. late: places of entries made after the lock. file: name for
    problems. versions: the posts as stored, for entries that choose among them.
    """
    work = Correcting(play, reading, overrides, late, file, versions)
    for entry in overrides:
        work.apply(entry)
    return work.corrected()


class Correcting:
    """The snapshot while entries are applied to it. events, problems: what came of those applied so far."""

    def __init__(
        self,
        play: PlayContext,
        reading: TurnReading,
        overrides: Sequence[Override],
        late: frozenset[int],
        file: str,
        versions: Sequence[PostVersion],
    ) -> None:
        self.play = play
        self.state = play.state
        self.late = late
        self.file = file
        self.posts = PostChoices(play, reading, versions)
        self.seats = {seat.seat: SeatLines(play, seat.seat, seat) for seat in reading.seats}
        self.touched: set[str] = set()
        self.answers: dict[str, Answer] = {}
        self.rulings: list[Ruling] = []
        self.dice: list[SetDie] = []
        self.events: list[Event] = []
        self.problems: list[FileProblem] = []
        self.clock = {entry.place: key for key, entry in keyed_entries(overrides)}

    def corrected(self) -> Corrected:
        """What the entries applied so far have made."""
        return Corrected(
            self.state,
            self.posts.reading,
            {seat: lines.orders for seat, lines in self.seats.items()},
            self.answers,
            tuple(self.rulings),
            tuple(self.dice),
            tuple(self.events),
            tuple(self.problems),
            self.posts.carried,
        )

    def apply(self, entry: Override) -> None:
        """Apply an entry; one that can't be is a problem and changes nothing."""
        try:
            self._apply(entry)
        except Refused as refused:
            self._fault(entry, refused.code, refused.wrong, refused.right)

    def _apply(self, entry: Override) -> None:
        match entry:
            case Replace():
                self._replace(entry)
            case Cancel():
                self._cancel(entry)
            case Add():
                self._add(entry)
            case IgnorePost() | AcceptPost():
                self._choose_post(entry)
            case SetValue():
                self._set(entry)
            case SetDie():
                self.dice.append(entry)
            case Ruling():
                self._rule(entry)
            case SetDeadline() | Extend() | Pause() | Resume():
                self._tell_clock(entry)
            case UseBeacon() | Void():
                self._require_right(entry)

    def _require_right(self, entry: UseBeacon | Void) -> None:
        """What can be followed has been; it is told at the report's top, or with its proof."""
        if isinstance(entry, Void):
            ref = self.play.ref
            require_voidable(entry, Standing(ref.turn, ref.attempt, opened=True, locked=True))
        elif self.play.proof != "beacon":
            raise Refused("no-beacon", msg("correct/no-beacon"), msg("correct/remove"))

    def _replace(self, entry: Replace) -> None:
        lines = self._lines_of(entry.order)
        old = lines.find(entry.order.number)
        if entry.was is not None:
            lines.require(old, entry.was, self.state)
        new = lines.replace(entry.order.number, entry.text, self.state, force=entry.force)
        self.touched.add(lines.seat)
        by = (lines.seat, entry.order.number)
        secret = entry.secret or new.secret or (old.order is not None and old.order.secret)
        self._log(entry, by, Code(old.text), Code(new.text), _audience(lines.seat, secret=secret))

    def _cancel(self, entry: Cancel) -> None:
        lines = self._lines_of(entry.order)
        old = lines.find(entry.order.number)
        if old.order is None:
            wrong = msg("correct/not-accepted", order=str(entry.order))
            raise Refused("not-accepted", wrong, msg("correct/remove"))
        if entry.was is not None:
            lines.require(old, entry.was, self.state)
        lines.cancel(entry.order.number)
        self.touched.add(lines.seat)
        by = (lines.seat, entry.order.number)
        self._log(
            entry, by, Code(old.text), None, _audience(lines.seat, secret=entry.secret or old.order.secret)
        )

    def _add(self, entry: Add) -> None:
        seat = self._seat(entry.seat)
        if seat == DIRECTOR_SEAT and not self.play.kind.director:
            raise Refused("no-director", msg("correct/no-director"), msg("correct/add-to-seat"))
        lines = self.seats.setdefault(seat, SeatLines(self.play, seat, None))
        hidden = entry.secret or lines.private
        new = lines.add(entry.text, self.state, force=entry.force, secret=hidden)
        self.touched.add(seat)
        self._log(entry, new.by, None, Code(new.text), _audience(seat, secret=new.secret))

    def _choose_post(self, entry: IgnorePost | AcceptPost) -> None:
        chosen = self.posts.choose(entry)
        corrected = tuple(seat for seat in chosen.post.seats if seat in self.touched)
        if corrected:
            raise Refused("post-order", msg("correct/post-order", seats=corrected), msg("correct/post-first"))
        for seat in chosen.post.seats:
            self.seats[seat] = SeatLines(self.play, seat, self.posts.reading.seat(seat))
        self.events.append(_post_entry(entry, chosen, late=entry.place in self.late))

    def _set(self, entry: SetValue) -> None:
        before = self.state
        try:
            self.state, old = set_value(self.play, before, entry.path, entry.value)
        except StateRefused as refused:
            raise Refused("state", refused.wrong, refused.right) from refused
        audience = DIRECTOR if entry.secret else who_sees(self.play, entry.path, before, self.state)
        self._log(entry, None, _shown(old), _shown(entry.value), audience)

    def _rule(self, entry: Ruling) -> None:
        late = entry.place in self.late
        self.answers[entry.question] = Answer(
            entry.answer, AnswerSource.DIRECTOR, entry.reason, late, entry.secret
        )
        self.rulings.append(entry)

    def _tell_clock(self, entry: ClockEntry) -> None:
        """A schedule entry took effect while the turn was open, or never."""
        change = next((one for one in self.play.changes if one.key == self.clock.get(entry.place)), None)
        if change is None:
            wrong = msg("correct/closed", key=KEYS[type(entry)])
            raise Refused("closed", wrong, msg("correct/remove-to-go-on"))
        new = change.at if isinstance(entry, Pause) else change.after
        audience = DIRECTOR if entry.secret else PUBLIC
        self._log(entry, None, change.before.isoformat(), new.isoformat(), audience)

    def _lines_of(self, order: OrderRef) -> SeatLines:
        seat = self._seat(order.seat)
        lines = self.seats.get(seat)
        if lines is None:
            raise Refused("no-order", msg("correct/no-order-at-all", seat=seat), msg("correct/see-numbers"))
        return lines

    def _seat(self, written: str) -> str:
        """The seat's id; its shown name counts too."""
        wanted = fold(written)
        if wanted == DIRECTOR_SEAT:
            return DIRECTOR_SEAT
        for seat in self.play.game.seats:
            if wanted in (fold(seat.id), fold(seat.shown.text)) and seat.id in self.play.players:
                return seat.id
        wrong = msg("correct/no-seat", seat=written)
        raise Refused("no-seat", wrong, msg("correct/seats-are", seats=self.play.players))

    def _log(
        self, entry: Override, by: tuple[str, int] | None, old: Param, new: Param, audience: Audience
    ) -> None:
        self.events.append(
            log_entry(entry, _target(entry), by, old, new, audience, late=entry.place in self.late)
        )

    def _fault(self, entry: Override, code: str, wrong: Message, right: Message) -> None:
        self.problems.append(fault(self.file, entry, code, wrong, right))


def log_entry(
    entry: Override,
    target: str,
    by: tuple[str, int] | None,
    old: Param,
    new: Param,
    audience: Audience,
    *,
    late: bool,
) -> Event:
    """The event of a correction: what was corrected, old and new value, the reason, whether after the
    lock.
    """
    return event(
        "engine/corrected",
        audience,
        by,
        change=KEYS[type(entry)],
        target=target,
        old=old,
        new=new,
        reason=Quoted(entry.reason),
        late=int(late),
        secret=int(entry.secret),
    )


def _post_entry(entry: IgnorePost | AcceptPost, chosen: ChosenPost, *, late: bool) -> Event:
    """The event of a chosen post: whose it is, the orders that stood and those that stand now."""
    post = chosen.post.post
    secret = entry.secret or post.private
    made = log_entry(
        entry,
        post.id,
        None,
        tuple(Code(order.text) for seat in chosen.before for order in seat.orders),
        tuple(Code(order.text) for seat in chosen.after for order in seat.orders),
        only(*chosen.post.seats) if secret else PUBLIC,
        late=late,
    )
    return replace(made, data={**made.data, "shown": post.number, "seats": chosen.post.seats})


def told_as_known(log: Event, orders: Sequence[Order], known: Mapping[tuple[str, int], Audience]) -> Event:
    """The event of an order that the director has added to their own, for those who may know what came of it.

    They are not asked where it was meant to stay secret, or where another order stands there by now.
    orders: the director's, as they were carried out. known: as `Turn.known` says.
    """
    added = log.data["change"] == "add" and not log.data["secret"]
    standing = (one.by for one in orders if (one.number, Code(one.text)) == (log.number, log.data["new"]))
    found = next((known[by] for by in standing if added and by in known), None)
    return log if found is None else replace(log, audience=found)


def _target(entry: Override) -> str:
    match entry:
        case Replace() | Cancel():
            return str(entry.order)
        case Add():
            return entry.seat
        case SetValue():
            return "/".join(entry.path)
    return ""


def _audience(seat: str, *, secret: bool) -> Audience:
    """Who may know of a corrected order; of the director's own `known_orders` says more behind the run."""
    if seat == DIRECTOR_SEAT:
        return DIRECTOR
    return only(seat) if secret else PUBLIC


def _shown(value: Any) -> Param:
    """A value of the state as a log shows it."""
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return tuple(_shown(one) for one in value)
    if isinstance(value, Mapping):
        return tuple((str(key), _shown(inner)) for key, inner in value.items())
    return Quoted(str(value))
