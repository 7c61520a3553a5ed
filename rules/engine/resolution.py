"""Resolving a turn: a pure function of state, orders, answers, options and dice.

The steps of the kind run once from start to end; while questions are open the result is provisional,
and only what came before the first open question may be shown (design.md 8, *Questions*).
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from rules.engine.audience import Audience
from rules.engine.dice import Dice, DiceScriptError, Roll
from rules.engine.document import Document
from rules.engine.events import Event
from rules.engine.questions import Answer, AnswerSource, Asked, Question
from rules.engine.ruleset import Kind, Ruleset, Step
from rules.engine.turn import TrackOpening, Turn, TurnInput

MOST_ALTERNATIVES = 64
"""Runs spent on finding out which open questions don't depend on each other."""


@dataclass(frozen=True, slots=True)
class RolledDie:
    """A roll with who may know it and how many events were told before."""

    roll: Roll
    audience: Audience
    at: int


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a turn came to.

    state: after the turn; provisional while `open` isn't empty, as are events and rolls behind `shown`.
    asked: each question in the order asked, with its answer. open: those to publish now.
    shown, rolled: number of events and of rolls that may be shown; all of them where nothing is open.
    misread: answers that were given and that the question doesn't allow; they count as not given.
    known: who may read an order, by seat and number, as `Turn.known` says.
    """

    state: Any
    events: tuple[Event, ...]
    rolls: tuple[RolledDie, ...]
    asked: tuple[Asked, ...]
    open: tuple[Question, ...]
    shown: int
    rolled: int
    opened: tuple[TrackOpening, ...] = ()
    closed: bool = False
    misread: tuple[tuple[Question, Answer], ...] = ()
    known: Mapping[tuple[str, int], Audience] = field(default_factory=dict)

    @property
    def held(self) -> bool:
        """Whether the turn waits for an answer."""
        return bool(self.open)


def resolve(ruleset: Ruleset, kind: Kind, given: TurnInput, dice: Callable[[], Dice]) -> Resolution:
    """Resolve a turn. `dice` makes the turn's dice anew for each run, always with the same numbers."""
    run = _run(ruleset, kind, given, dice())
    unanswered = tuple(one for one in run.asked if one.answer is None)
    if not unanswered:
        return run
    return replace(
        run,
        open=_publishable(ruleset, kind, given, dice, run, unanswered),
        shown=unanswered[0].at,
        rolled=unanswered[0].rolled,
    )


def foretell(ruleset: Ruleset, kind: Kind, given: TurnInput, dice: Dice) -> Document | None:
    """What may come of a turn, for its director: the kind's `forecast`, behind the same steps that the turn
    runs until there. None where the kind has none. Open questions count as their default.
    """
    forecast = kind.forecast
    if forecast is None:
        return None
    turn = Turn(ruleset, kind, given, copy.deepcopy(given.state), dice)
    _play(turn, takewhile(lambda step: step.name != forecast.before, kind.steps))
    return forecast.foretell(turn)


def _play(turn: Turn, steps: Iterable[Step]) -> None:
    for step in steps:
        step.run(turn)
        turn.settle()


def _run(ruleset: Ruleset, kind: Kind, given: TurnInput, dice: Dice) -> Resolution:
    turn = Turn(ruleset, kind, given, copy.deepcopy(given.state), dice)
    _play(turn, kind.steps)
    turn.leave_unreached()
    rolls = tuple(RolledDie(dice.rolls[one.place], one.audience, one.at) for one in turn.dice.records)
    return Resolution(
        turn.state,
        tuple(turn.events),
        rolls,
        tuple(turn.asked),
        (),
        len(turn.events),
        len(rolls),
        tuple(turn.opened),
        turn.closed,
        tuple(turn.misread),
        turn.known,
    )


def _publishable(
    ruleset: Ruleset,
    kind: Kind,
    given: TurnInput,
    dice: Callable[[], Dice],
    run: Resolution,
    unanswered: tuple[Asked, ...],
) -> tuple[Question, ...]:
    """Open questions that stand with equal data whatever is answered to each other one.

    If one of them precedes the first roll, only such are published: whoever answers them must not
    know the dice.
    """
    if unanswered[0].rolled == 0:
        unanswered = tuple(one for one in unanswered if one.rolled == 0)
    kept = [one.question for one in unanswered]
    runs = 0
    for other in tuple(kept):
        for value in _alternatives(other):
            if len(kept) == 1 or runs == MOST_ALTERNATIVES:
                return tuple(kept) if len(kept) == 1 else tuple(kept[:1])
            runs += 1
            answered = {**given.answers, other.id: Answer(value, AnswerSource.DEFAULT)}
            try:
                again = _run(ruleset, kind, replace(given, answers=answered), dice())
            except DiceScriptError:
                return tuple(kept[:1])  # a die written by hand that this alternative can't show
            there = {one.question.id: one.question for one in again.asked}
            kept = [one for one in kept if one.id == other.id or there.get(one.id) == one]
    return tuple(kept)


def _alternatives(question: Question) -> tuple[str, ...]:
    return tuple(question.legal) or ("…",)
