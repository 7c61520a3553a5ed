"""A locked turn to its result: corrections, dice, rules, questions, proofs. A pure function of its
arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from parsers.files.errors import FileErrors, FileProblem
from parsers.files.models import quoted
from parsers.files.override import Override, SetDie
from parsers.orders.lines import block_of, logical_lines
from parsers.orders.reading import read_orders
from processor.pipeline.context import Frozen, PlayContext, Secrets, TurnResult
from processor.pipeline.corrections import Corrected, correct, log_entry, told_as_known
from processor.pipeline.given import Given, given_of
from processor.pipeline.locking import commitments, dice_source, may_be_secret
from processor.pipeline.override_entries import fault
from reporters.proof import build_proof
from rules.engine.audience import DIRECTOR, DIRECTOR_SEAT, PUBLIC
from rules.engine.codec import dump_state
from rules.engine.dice import Dice, DiceScriptError, Ptd1Source, Roll, Scripted, ScriptedSource
from rules.engine.document import Document
from rules.engine.events import Event, event
from rules.engine.messages import Message, Param, Quoted, msg
from rules.engine.orders import Order
from rules.engine.questions import Answer, Question
from rules.engine.resolution import Resolution, foretell, resolve
from rules.engine.turn import TurnInput
from rules.play.game import NmrPolicy
from rules.play.reading import SeatReading, TurnReading


def resolve_turn(play: PlayContext, frozen: Frozen, secrets: Secrets) -> TurnResult:
    """Resolve a locked turn with the override file as it is now. Equal arguments give equal results.

    Raises ValueError while the beacon's round isn't out: the dice are nobody's to know yet.
    """
    if frozen.entropy is None:
        raise ValueError("the turn's dice wait for the beacon")
    try:
        given = given_of(play, frozen)
    except FileErrors as wrong:
        return _held(play, wrong.problems)
    return resolve_reading(play, frozen.reading, secrets, given)[0]


def foretell_turn(play: PlayContext, frozen: Frozen, secrets: Secrets) -> Document | None:
    """What may come of a locked turn, for its director alone; no die is thrown.

    None where the rule set tells nothing ahead, or where the override file has to be put right first.
    """
    try:
        given = given_of(play, frozen)
    except FileErrors:
        return None
    return foretell_reading(play, frozen.reading, secrets, given)


@dataclass(frozen=True, slots=True)
class DiceUse:
    """What a rehearsal wants to know: scripted values that no die asked for, by address."""

    unused: Mapping[str, tuple[Scripted, ...]] = field(default_factory=dict)


def resolve_reading(
    play: PlayContext, reading: TurnReading, secrets: Secrets, given: Given
) -> tuple[TurnResult, DiceUse]:
    """Resolve what was read. Raises DiceScriptError for a scripted die (never for a director's) that can't
    be.
    """
    corrected = _correct(play, reading, given)
    reading = corrected.reading
    problems: list[FileProblem | Message] = [*corrected.problems, *_missing_orders(play, reading, corrected)]
    if problems:
        return _held(play, problems), DiceUse()
    run = _Run(play, reading, secrets, given, corrected)
    return run.result(), DiceUse(run.unused)


def foretell_reading(
    play: PlayContext, reading: TurnReading, secrets: Secrets, given: Given
) -> Document | None:
    """What may come of what was read, as `foretell_turn`."""
    corrected = _correct(play, reading, given)
    if corrected.problems:
        return None
    return _Run(play, corrected.reading, secrets, given, corrected).forecast()


def _correct(play: PlayContext, reading: TurnReading, given: Given) -> Corrected:
    return correct(play, reading, given.overrides, late=given.late, file=given.file, versions=given.versions)


def _held(play: PlayContext, problems: Iterable[FileProblem | Message]) -> TurnResult:
    nothing = Resolution(play.state, (), (), (), (), 0, 0)
    said = tuple(
        one.say(play.catalogue) if isinstance(one, FileProblem) else play.say(one) for one in problems
    )
    return TurnResult(nothing, None, {}, problems=said)


def _missing_orders(play: PlayContext, reading: TurnReading, corrected: Corrected) -> Iterable[Message]:
    """Seats without orders where the game's policy wants the director to look."""
    policy = play.game.policies.nmr
    if policy is not NmrPolicy.HOLD:
        return
    for seat in reading.seats:
        if _has_none(seat, corrected.orders) and seat.seat not in play.out | play.absent:
            yield msg("correct/without-orders", seat=seat.seat, policy=policy.value)


def _has_none(seat: SeatReading, orders: Mapping[str, tuple[Order, ...]]) -> bool:
    """NMR: no block in force and nothing added; a withdrawal is none."""
    return not seat.withdrawn and not seat.lines and not orders.get(seat.seat)


def impossible_value(address: str, wrong: DiceScriptError) -> tuple[Message, Message]:
    """What is wrong with a die's value, and what could come up."""
    said = msg("correct/impossible-die", address=address, value=repr(wrong.value))
    return said, msg("correct/possible-die", ids=quoted(wrong.ids or ()), sides=str(wrong.sides))


class _Run:
    """One resolution with its dice."""

    def __init__(
        self, play: PlayContext, reading: TurnReading, secrets: Secrets, given: Given, corrected: Corrected
    ) -> None:
        self._play = play
        self._reading = reading
        self._secrets = secrets
        self._given = given
        self._corrected = corrected
        self._orders = _complete(play, reading, corrected)
        self._source = dice_source(play, secrets, given.entropy)
        self._scripted: list[ScriptedSource] = []
        self._dice: list[Dice] = []
        policies = {**play.ruleset.questions, **play.game.policies.questions}
        self._input = TurnInput(
            corrected.state,
            self._orders,
            play.game.options,
            play.ref.track,
            play.ref.turn,
            reading.facts,
            {**given.answers, **corrected.answers},
            policies,
        )

    @property
    def unused(self) -> Mapping[str, tuple[Scripted, ...]]:
        """Scripted values that the main run asked no die for."""
        return self._scripted[0].unused() if self._scripted else {}

    def result(self) -> TurnResult:
        """Run the turn and put its result together."""
        try:
            resolution = resolve(self._play.ruleset, self._play.kind, self._input, self._make_dice)
        except DiceScriptError as wrong:
            entry = next((one for one in self._corrected.dice if one.address == wrong.address), None)
            if entry is None:
                raise
            return _held(self._play, [self._impossible_die(entry, wrong)])
        problems = tuple(self._problems(resolution))
        if problems:
            return _held(self._play, problems)
        done = self._opened(resolution)
        return TurnResult(
            self._logged(done),
            None if done.held else dump_state(done.state),
            self._proofs(done),
            None if done.held else self._play.ruleset.outcome(done.state, self._play.game.options),
            self._handles(done),
            (),
            self._orders,
            None,
            self._reading,
            self._corrected.carried,
        )

    def forecast(self) -> Document | None:
        """What the turn may come to, before its dice."""
        return foretell(self._play.ruleset, self._play.kind, self._input, self._make_dice())

    def _make_dice(self) -> Dice:
        """The dice of one run; the first made are the main run's."""
        scripted = ScriptedSource(self._given.script, self._source)
        dice = Dice(scripted, self._corrected.replacements)
        self._scripted.append(scripted)
        self._dice.append(dice)
        return dice

    # what only the run can tell

    def _problems(self, resolution: Resolution) -> Iterable[FileProblem]:
        for question, answer in resolution.misread:
            yield self._misread(question, answer)
        if resolution.held:
            return
        dice = self._dice[0]
        for address in dice.unmatched():
            entry = next(one for one in reversed(self._corrected.dice) if one.address == address)
            right = msg("correct/near-dice", addresses=quoted(dice.nearest(address)))
            yield self._fault(entry, "die", msg("correct/no-die", address=address), right)
        asked = {one.question.id for one in resolution.asked}
        for ruling in self._corrected.rulings:
            if (
                ruling.question not in asked
                and not ruling.if_asked
                and ruling.question not in self._given.published
            ):
                wrong = msg("correct/not-asked", question=ruling.question)
                yield self._fault(ruling, "ruling", wrong, msg("correct/copy-question"))

    def _misread(self, question: Question, answer: Answer) -> FileProblem:
        wrong = msg("correct/no-answer", answer=Quoted(answer.value), question=question.id)
        right = msg("correct/answers-are", answers=quoted(question.legal))
        entry = next((one for one in self._corrected.rulings if one.question == question.id), None)
        if entry is not None:
            return self._fault(entry, "answer", wrong, right)
        return FileProblem(question.to, None, "", "override/answer", wrong, right)

    def _impossible_die(self, entry: SetDie, wrong: DiceScriptError) -> FileProblem:
        return self._fault(entry, "die-value", *impossible_value(entry.address, wrong))

    def _fault(self, entry: Override, code: str, wrong: Message, right: Message) -> FileProblem:
        return fault(self._given.file, entry, code, wrong, right)

    # the result's parts

    def _opened(self, resolution: Resolution) -> Resolution:
        """The state with the tracks that the turn has opened."""
        state = resolution.state
        for track in () if resolution.held else resolution.opened:
            kind = self._play.ruleset.kinds[track.kind]
            if kind.open is not None:
                state = kind.open(state, track.name, track.seats, track.spec)
        return replace(resolution, state=state)

    def _logged(self, resolution: Resolution) -> Resolution:
        """The corrections as events in front of the turn's own."""
        log = (*self._told(resolution), *self._dice_log(resolution), *self._other_log(resolution))
        more = len(log)
        return replace(
            resolution,
            events=(*log, *resolution.events),
            shown=resolution.shown + more,
            rolls=tuple(replace(one, at=one.at + more) for one in resolution.rolls),
            asked=tuple(replace(one, at=one.at + more) for one in resolution.asked),
        )

    def _told(self, resolution: Resolution) -> Iterable[Event]:
        """What was corrected; orders of the director for who may know what they made, once that is sure."""
        own = self._corrected.orders.get(DIRECTOR_SEAT, ())
        known = {} if resolution.held else resolution.known
        return (
            told_as_known(one, own, known) if one.seat == DIRECTOR_SEAT else one
            for one in self._corrected.events
        )

    def _dice_log(self, resolution: Resolution) -> Iterable[Event]:
        shown = resolution.rolls[: resolution.rolled]
        for entry in self._corrected.dice:
            rolls = [one for one in shown if one.roll.label == entry.address and one.roll.overridden]
            if not rolls:
                continue
            known = rolls[0].audience
            audience = DIRECTOR if entry.secret and known.everybody else known
            old, new = tuple(_true(one.roll) for one in rolls), tuple(_seen(one.roll) for one in rolls)
            late = entry.place in self._given.late
            yield log_entry(entry, entry.address, None, old, new, audience, late=late)

    def _other_log(self, resolution: Resolution) -> Iterable[Event]:
        """Rulings whose question is gone, and entries that were taken out of the file after the lock."""
        asked = {one.question.id for one in resolution.asked}
        for ruling in self._corrected.rulings:
            if (
                not resolution.held
                and ruling.question not in asked
                and ruling.question in self._given.published
            ):
                reason = Quoted(ruling.reason)
                yield event("engine/moot-answer", DIRECTOR, question=ruling.question, reason=reason)
        for entry in self._given.dropped:
            hidden = may_be_secret(self._play, entry, self._reading)
            audience = DIRECTOR if hidden else PUBLIC
            yield event("engine/correction-dropped", audience, place=entry.place, reason=Quoted(entry.reason))

    def _proofs(self, resolution: Resolution) -> dict[str, dict[str, Any]]:
        """A proof for each group, the public one under "". None while the turn is held: its dice aren't
        known yet.
        """
        if resolution.held:
            return {}
        rolls = [one.roll for one in resolution.rolls]
        digest = commitments(self._play, self._secrets).groups
        groups = ("", *sorted(self._play.ruleset.groups(self._play.state)))
        return {group: self._proof(group, rolls, digest) for group in groups}

    def _proof(self, group: str, rolls: Sequence[Roll], digest: str) -> dict[str, Any]:
        source: Ptd1Source = self._source
        rules, lock = self._given.rules, self._given.lock
        return build_proof(source, rolls, group=group, groups=digest, rules=rules, lock=lock)

    def _handles(self, resolution: Resolution) -> Mapping[str, str]:
        """Handles of the questions to seats: those published before, and new ones counted on by seat."""
        handles = dict(self._given.handles)
        last = dict(self._given.last_handles)
        for question in resolution.open:
            if question.to != DIRECTOR_SEAT and question.id not in handles:
                last[question.to] = last.get(question.to, 0) + 1
                handles[question.id] = f"P{last[question.to]}"
        return handles


def _complete(play: PlayContext, reading: TurnReading, corrected: Corrected) -> dict[str, tuple[Order, ...]]:
    """Orders of all who take part, in the game's order; where the policy says so, the rules' default
    orders.
    """
    orders = dict.fromkeys(play.players, ()) | dict(corrected.orders)
    if play.game.policies.nmr is NmrPolicy.DEFAULT:
        for seat in reading.seats:
            if _has_none(seat, corrected.orders):
                orders[seat.seat] = default_orders(play, seat.seat, corrected.state)
    return orders


def default_orders(play: PlayContext, seat: str, state: Any) -> tuple[Order, ...]:
    """What the rules give a seat without orders."""
    view = play.look(seat, state)
    text = "\n".join(play.kind.default_orders(view))
    read = read_orders(logical_lines(block_of(text)), play.kind, play.kind.plan(view))
    return tuple(line.order for line in read.lines if line.order is not None)


def _true(roll: Roll) -> Param:
    return roll.true_chosen or roll.true_value


def _seen(roll: Roll) -> Param:
    return roll.chosen or roll.value
