"""A turn while it is being resolved: what the rule code sees and acts through.

Rule code changes `turn.state` (a copy of its own), rolls addressed dice, tells events and asks
questions. It never waits: an unanswered question takes its default for now, and the engine plays
the turn again from the start when the answer is there; addressed dice make that exact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from rules.engine.audience import DIRECTOR, PUBLIC, Audience, those_of_all
from rules.engine.dice import Dice
from rules.engine.events import Event, event
from rules.engine.messages import Message, Param, Quoted, msg
from rules.engine.orders import Order, Test, same_order
from rules.engine.questions import Answer, AnswerSource, Asked, Question, QuestionPolicy, TakeDefault
from rules.engine.ruleset import Kind, Ruleset

CONDITION_FAILED = "engine/condition-failed"
"""Reason of an order whose condition was false."""

NOT_REACHED = "engine/not-reached"
"""Reason of an order that no step of the turn came to."""

SET_ASIDE = "engine/joint-set-aside"
"""Reason of a joint order that doesn't hold for its side."""


@dataclass(frozen=True, slots=True)
class Impossible:
    """An act that can no longer be done, and why; the order is cancelled or its fallback runs."""

    reason: Message


Act = Callable[["Turn", Order], Impossible | None]


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of the post that carried an order (valar: prose in the post counts).

    words: words of prose outside blocks and quotes. links: ids of own posts of the period that the post links
    to; their facts are known too. place: counts the posts of the period in their order, from 1; 0 for what
    came otherwise.
    """

    words: int = 0
    links: tuple[str, ...] = ()
    place: int = 0


@dataclass(frozen=True, slots=True)
class TurnInput:
    """Everything that a resolution depends on; equal inputs give equal results, byte for byte.

    orders: by seat, in the order written. facts: by post id. answers: by question id.
    policies: by kind of question. clock: the turn's deadline as text, for reports only.
    """

    state: Any
    orders: Mapping[str, tuple[Order, ...]]
    options: Any
    track: str = ""
    number: int = 1
    facts: Mapping[str, Facts] = field(default_factory=dict)
    answers: Mapping[str, Answer] = field(default_factory=dict)
    policies: Mapping[str, QuestionPolicy] = field(default_factory=dict)


class RollRecord(NamedTuple):
    """A roll as the log keeps it: place in `Dice.rolls`, who may know it, how many events stood before."""

    place: int
    audience: Audience
    at: int


@dataclass(frozen=True, slots=True)
class _Waiting:
    order: Order
    trigger: Test
    run: Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class TrackOpening:
    """A track that a turn opens: name, kind of turn, seats that take part, what the kind's `open` needs."""

    name: str
    kind: str
    seats: tuple[str, ...]
    spec: Mapping[str, Any]


class TurnDice:
    """The turn's dice; each roll names who acts on what, its purpose and its audience."""

    def __init__(self, dice: Dice, groups: Mapping[str, Audience], told: Sequence[Event]) -> None:
        self._dice = dice
        self._groups = {audience: group for group, audience in groups.items()}
        self._told = told
        self.records: list[RollRecord] = []

    def _group(self, audience: Audience) -> str:
        if audience == PUBLIC:
            return ""
        group = self._groups.get(audience)
        if group is None:
            raise ValueError(f"no dice group for the audience {audience.data()!r}; name it in groups(state)")
        return group

    def _record(self, audience: Audience, since: int) -> None:
        for index in range(since, len(self._dice.rolls)):
            self.records.append(RollRecord(index, audience, len(self._told)))

    def roll(self, sides: int, *address: str, purpose: str, audience: Audience = PUBLIC) -> int:
        """One die, 1 to `sides`; a repeated act of the same address continues at the next index."""
        group = "" if audience is PUBLIC else self._group(audience)
        value = self._dice.throw(sides, address, group, purpose)
        self.records.append(RollRecord(len(self._dice.rolls) - 1, audience, len(self._told)))
        return value

    def pool(
        self, count: int, sides: int, *address: str, purpose: str, audience: Audience = PUBLIC
    ) -> tuple[int, ...]:
        """Several dice of one address, in order."""
        since = len(self._dice.rolls)
        group = self._group(audience)
        values = self._dice.pool(count, sides, *address, audience_group=group, purpose=purpose)
        self._record(audience, since)
        return values

    def draw(self, ids: Sequence[str], *address: str, purpose: str, audience: Audience = PUBLIC) -> str:
        """One of the ids; the order in which they are listed doesn't matter."""
        since = len(self._dice.rolls)
        chosen = self._dice.draw(ids, *address, audience_group=self._group(audience), purpose=purpose)
        self._record(audience, since)
        return chosen

    def draw_weighted(
        self, weights: Mapping[str, int], *address: str, purpose: str, audience: Audience = PUBLIC
    ) -> str:
        """One of the ids, as likely as its weight: one roll over their sum, written by hand as an id."""
        since = len(self._dice.rolls)
        group = self._group(audience)
        chosen = self._dice.draw_weighted(weights, *address, audience_group=group, purpose=purpose)
        self._record(audience, since)
        return chosen

    def order_of(
        self, ids: Sequence[str], *address: str, purpose: str, audience: Audience = DIRECTOR
    ) -> tuple[str, ...]:
        """The ids in a drawn order: each gets a roll of its own, so that who takes part moves no other's."""
        keys = [
            (self.roll(2**64, *address, one, purpose=purpose, audience=audience), one) for one in sorted(ids)
        ]
        return tuple(one for _, one in sorted(keys))


class Turn:
    """One run of a resolution."""

    def __init__(self, ruleset: Ruleset, kind: Kind, given: TurnInput, state: Any, dice: Dice) -> None:
        self.ruleset = ruleset
        self.kind = kind
        self.state = state
        self.options = given.options
        self.orders = given.orders
        self.track = given.track
        self.number = given.number
        self.scratch: dict[str, Any] = {}
        self.events: list[Event] = []
        self.asked: list[Asked] = []
        self._given = given
        self._dice = dice
        self._waiting: list[_Waiting] = []
        self._happened: list[Event] = []
        self.opened: list[TrackOpening] = []
        self.closed = False
        self.touched: set[tuple[str, int]] = set()
        self._made: dict[tuple[str, int], list[Audience]] = {}
        self.misread: list[tuple[Question, Answer]] = []
        self._joint: tuple[Order, ...] | None = None
        self._tests = {form.name: form for form in (*kind.conditions, *kind.triggers)}
        self.dice = TurnDice(dice, ruleset.groups(given.state), self.events)

    def facts(self, order: Order) -> Facts:
        """Facts of the post that carried the order."""
        return self.facts_of(order.post or "")

    def facts_of(self, post: str) -> Facts:
        """Facts of a post by its id, also of one that another links to."""
        return self._given.facts.get(post, Facts())

    def tell(self, event: Event) -> Event:
        """State a fact. Orders held until something like it happens run at the next `settle`."""
        self.events.append(event)
        self._happened.append(event)
        return event

    def settle(self) -> None:
        """Run what was held until something that has happened since; `carry_out` does so after each act.

        Held orders run in the order they were held; what they tell may set off further ones, each once.
        """
        while self._happened:
            event = self._happened.pop(0)
            self.moment(event)

    def moment(self, event: Event) -> None:
        """Run what was held until this, at once; the event itself is not told (`antes de X`, reactions)."""
        for waiting in tuple(self._waiting):
            if waiting in self._waiting and self._fires(waiting, event):
                self._waiting.remove(waiting)
                waiting.run(event)

    def _fires(self, waiting: _Waiting, event: Event) -> bool:
        form = self._tests[waiting.trigger.name]
        return form.test(self, waiting.order, waiting.trigger.args, event)

    def hold(self, order: Order, trigger: Test, run: Callable[[Event], None]) -> None:
        """Keep an order until an event fits the trigger; it runs at most once."""
        self.touched.add(order.by)
        self._waiting.append(_Waiting(order, trigger, run))

    def drop_held(self) -> tuple[Order, ...]:
        """Give up what nothing has set off: those orders, in the order they were held."""
        orders = tuple(one.order for one in self._waiting)
        self._waiting.clear()
        return orders

    def open_track(self, name: str, kind: str, seats: tuple[str, ...], **spec: Any) -> None:
        """Open another track of the game when this turn is done (a duel, an infiltration)."""
        self.opened.append(TrackOpening(name, kind, seats, spec))

    def close_track(self) -> None:
        """End this track with this turn."""
        self.closed = True

    def holds(self, order: Order) -> bool:
        """Whether the condition of an order is true now; an order without one stands always."""
        test = order.condition
        return test is None or self._tests[test.name].test(self, order, test.args)

    def choose(self, order: Order, check: Callable[[Order], Message | None] | None = None) -> Order | None:
        """The order that stands at this moment: itself, or what `si no` names; None where nothing is left.

        check: says why an order can't be, None where it can (a claim that somebody else has made).
        What is left behind is told to its seat. The order returned isn't tested again by `carry_out`.
        """
        current: Order | None = order
        while current is not None:
            reason = self._hindrance(current, check)
            if reason is None:
                return replace(current, condition=None)
            self._leave(current, reason)
            current = current.otherwise
        return None

    def _hindrance(self, order: Order, check: Callable[[Order], Message | None] | None) -> Message | None:
        if not self.holds(order):
            return msg(CONDITION_FAILED, condition=Quoted(order.condition.text if order.condition else ""))
        return check(order) if check is not None else None

    def carry_out(self, order: Order, act: Act | Mapping[str, Act]) -> Order | None:
        """Do an order at its moment; where it has become impossible, its fallback.

        act: what to do, or a table by the order's name, since a fallback may be another order than the first.

        What doesn't happen is told (`Kind.cancelled`), and held orders that are set off run behind the act.
        Returns the order that was done, None where none was.
        """
        current = self.choose(order)
        while current is not None:
            self.touched.add(current.by)
            since = len(self.events)
            result = (act[current.name] if isinstance(act, Mapping) else act)(self, current)
            self._note_made(current, since)
            if result is None:
                self.settle()
                return current
            self._leave(current, result.reason)
            self.settle()
            current = self.choose(current.otherwise) if current.otherwise is not None else None
        return None

    def _leave(self, order: Order, reason: Message) -> None:
        self.touched.add(order.by)
        since = len(self.events)
        told = self.kind.cancelled(order, reason)
        if told is not None:
            self.tell(told)
        self._note_made(order, since)

    def _note_made(self, order: Order, since: int) -> None:
        """Keep who may know of what an order has made: of the events told since so many."""
        discreet = self.kind.grammar.orders[order.name].discreet
        made = self._made.setdefault(order.by, [])
        made += (one.audience for one in self.events[since:])
        if discreet is not None and discreet(order):
            made.append(DIRECTOR)

    @property
    def known(self) -> Mapping[tuple[str, int], Audience]:
        """Who may read an order, by seat and number, where only what it made decides: those who may know all
        of that. Of orders that made nothing, and of `discreet` ones, it is the director.
        """
        return {by: those_of_all(made) for by, made in self._made.items()}

    def joint_orders(self) -> tuple[Order, ...]:
        """The joint orders that hold for a side as a whole, as `Kind.joint` decides; worked out once a turn.

        Others of them are told to be set aside, unless they say the same as one that holds.
        """
        if self._joint is None:
            asked = {
                seat: tuple(one for one in orders if self.kind.grammar.orders[one.name].joint)
                for seat, orders in self.orders.items()
            }
            self._joint = self.kind.joint(self, asked) if self.kind.joint is not None else ()
            for order in (one for orders in asked.values() for one in orders):
                if any(same_order(order, one) for one in self._joint):
                    self.touched.add(order.by)
                else:
                    self._leave(order, msg(SET_ASIDE))
        return self._joint

    def leave_unreached(self) -> None:
        """Tell the seats which orders no step came to; the engine does so behind the last one."""
        for order in (one for orders in self.orders.values() for one in orders):
            if order.by not in self.touched:
                self._leave(order, msg(NOT_REACHED))

    def ask(self, question: Question, given: str | None = None) -> str | None:
        """The answer's value: somebody's, or the default.

        given: an answer that the orders gave ahead; it is taken without asking. None comes back only
        while a question without default is open: the run is provisional then, do nothing with it.
        """
        answer = self._answer_to(question, given)
        self.asked.append(Asked(question, answer, len(self.events), len(self._dice.rolls)))
        if answer is None:
            return question.default
        self.events.append(_answered(question, answer))
        return answer.value

    def _answer_to(self, question: Question, given: str | None) -> Answer | None:
        policy = self._given.policies.get(question.kind, self.ruleset.questions.get(question.kind))
        answer = self._given.answers.get(question.id)
        if answer is not None:
            value = question.meaning(answer.value)
            if value is not None:
                return replace(answer, value=value, after_dice=answer.after_dice and bool(self._dice.rolls))
            self.misread.append((question, answer))
        if given is not None:
            return Answer(given, AnswerSource.ORDER)
        if isinstance(policy, TakeDefault) and question.default is not None:
            return Answer(question.default, AnswerSource.POLICY)
        return None


def _answered(question: Question, answer: Answer) -> Event:
    """The fact that a question was answered, by whom and when, for who may know the question."""
    value: Param = answer.value if question.legal else Quoted(answer.value)
    return event(
        "engine/answered",
        question.put_to if answer.secret else question.known_to,
        question=question.id,
        kind=question.kind,
        to=question.to,
        answer=value,
        source=answer.source.value,
        reason=Quoted(answer.reason) if answer.reason else None,
        after_dice=int(answer.after_dice),
    )
