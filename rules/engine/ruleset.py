"""What a rule set is: a value that declares its state, kinds of turn, orders, steps and reports.

This is the protocol that five very different games share (docs/adr/0003-ruleset-protocol.md). A rule
set lives in one folder, is found by entry point, and needs nothing of the core changed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rules.engine.audience import Audience, only
from rules.engine.document import Document
from rules.engine.events import Event, event
from rules.engine.grammar import Grammar
from rules.engine.messages import Code, Message, Name
from rules.engine.orders import Order, OrderForm, TestForm
from rules.engine.plan import Plan
from rules.engine.questions import QuestionPolicy
from rules.engine.translating import Translation
from rules.engine.view import View
from rules.engine.wording import NATIVE, Language

if TYPE_CHECKING:
    from rules.engine.turn import Turn

State = Any
Options = Any


@dataclass(frozen=True, slots=True)
class Step:
    """One named step of a resolution; the table of steps is the order of play.

    name: stable, in English. run: changes `turn.state` and tells events. source: section of the original.
    """

    name: str
    run: Callable[[Turn], None]
    source: str = ""


@dataclass(frozen=True, slots=True)
class Template:
    """What stands in a seat's block to copy for the next turn.

    comments: lines of facts ("4 acciones, 9 suministros"), shown behind `#`. lines: orders filled in.
    examples: orders that the seat could give, as texts in the game's language, shown behind `#`.
    """

    comments: tuple[Message, ...] = ()
    lines: tuple[str, ...] = ()
    examples: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the director may know ahead of a turn (`turnero preview`): exact chances, not one throw of them.

    before: the step in front of which the turn is looked at; those ahead of it have been run. foretell: a
    document of the turn as it stands there; it may change the turn, which is thrown away, and throws no dice.
    """

    before: str
    foretell: Callable[[Turn], Document]


def tell_cancelled(order: Order, reason: Message) -> Event:
    """The event of an order that didn't happen, known to its seat alone."""
    return event("engine/order-cancelled", only(order.seat), order.by, order=Code(order.text), reason=reason)


def _nothing(view: View[Any]) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class Kind:
    """One kind of turn (a strategic turn, a round of combat, a month of a House).

    orders, conditions, triggers: declarations. plan: `View -> Plan` for reading a seat's orders.
    steps: the resolution. report: `(View before, View after, events) -> Document` for the viewer.
    template: `View -> Template`.
    default_orders: `View -> lines`, what the rules give a seat without orders.
    open: `(state, track, seats, with) -> state`, when a track of this kind opens; None: nothing to prepare.
    cancelled: `(order, reason) -> event` of an order that didn't happen; None: it isn't told.
    joint: `(turn, {seat: orders}) -> orders`, which of the joint orders hold for all; None: there are none.
    forecast: what may come of a turn, for its director alone; None: nothing but trying it out.
    director: whether the director may have orders of this kind too (as the seat `director`).
    language: what its orders are shown in; Spanish is understood besides.
    """

    name: str
    orders: tuple[OrderForm, ...]
    steps: tuple[Step, ...]
    plan: Callable[[View[Any]], Plan[Any]] = Plan
    report: Callable[[View[Any], View[Any], tuple[Event, ...]], Document] | None = None
    template: Callable[[View[Any]], Template] = lambda view: Template()
    conditions: tuple[TestForm, ...] = ()
    triggers: tuple[TestForm, ...] = ()
    default_orders: Callable[[View[Any]], tuple[str, ...]] = _nothing
    open: Callable[[State, str, tuple[str, ...], Mapping[str, Any]], State] | None = None
    joint: Callable[[Turn, Mapping[str, tuple[Order, ...]]], tuple[Order, ...]] | None = None
    forecast: Forecast | None = None
    director: bool = False
    cancelled: Callable[[Order, Message], Event | None] = tell_cancelled
    language: Language = NATIVE

    @cached_property
    def grammar(self) -> Grammar:
        """Verbs, orders and tests of this kind, compiled. Raises ValueError for declarations that clash."""
        return Grammar(self.orders, self.conditions, self.triggers)

    @cached_property
    def in_english(self) -> Kind:
        """The same kind whose orders are shown in English."""
        if self.language == "en":
            return self
        made = Translation()
        return replace(
            self,
            orders=tuple(map(made.order, self.orders)),
            conditions=tuple(map(made.test, self.conditions)),
            triggers=tuple(map(made.test, self.triggers)),
            language="en",
        )


@dataclass(frozen=True)
class Outcome:
    """The end of a game: seats by rank (each rank a tuple of equals), and why."""

    ranking: tuple[tuple[str, ...], ...]
    reason: Message


@dataclass(frozen=True)
class Ruleset:
    """A rule set as a value.

    id, version: `rules_id` of a turn is made of both and of the options. state: the state's dataclass;
    `setup.toml` and dumped states are read with it. options: dataclass of the options with defaults.
    kinds: by name; the first is the main track's. seats: `state -> {seat id: Name}`.
    groups: `state -> {group: Audience}`, one seed each besides the public one.
    view: `(state, viewer, options) -> state` without what the viewer can't know.
    check: `(state, options) -> findings` about a setup, each a message. outcome: None while the game goes on.
    questions: default policy for each kind of question. migrate: `(data, from version) -> data`.
    out: seats that are out of the game for good: nobody waits for their orders.
    """

    id: str
    version: str
    title: str
    state: type[Any]
    options: type[Any]
    kinds: Mapping[str, Kind]
    seats: Callable[[State], Mapping[str, Name]]
    groups: Callable[[State], Mapping[str, Audience]]
    view: Callable[[State, str, Options], State]
    outcome: Callable[[State, Options], Outcome | None] = lambda state, options: None
    check: Callable[[State, Options], Sequence[Message]] = lambda state, options: ()
    questions: Mapping[str, QuestionPolicy] = field(default_factory=dict)
    migrate: Callable[[dict[str, Any], str], dict[str, Any]] = lambda data, version: data
    out: Callable[[State], Collection[str]] = lambda state: ()
    api_version: int = 1

    @property
    def package(self) -> str:
        """The Python package that holds the rule set, with its texts in `locale/`."""
        return self.state.__module__.rpartition(".")[0]

    @cached_property
    def _in_english(self) -> Ruleset:
        return replace(self, kinds={name: kind.in_english for name, kind in self.kinds.items()})

    def speaking(self, language: str) -> Ruleset:
        """The rule set, as declared, for a game in a language: orders are shown in it, and in Spanish too
        where it has no words for them.
        """
        return self._in_english if language == "en" else self

    @property
    def main_kind(self) -> Kind:
        """The kind of turn of a game's main track."""
        return next(iter(self.kinds.values()))

    def look(
        self, state: State, viewer: str, options: Options, *, kind: str, track: str, number: int
    ) -> View[Any]:
        """What a viewer sees of a state."""
        return View(self.view(state, viewer, options), viewer, options, track, number, kind)
