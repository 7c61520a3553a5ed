"""What an entry of a catalogue is, and the mission's result that it applies to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from rules.engine.audience import Audience, only
from rules.engine.events import event
from rules.engine.messages import Param, Quoted, msg
from rules.engine.questions import Question
from rules.engine.turn import Turn
from rules.valar.bands import Band, Share
from rules.valar.opposing import Goal
from rules.valar.options import Options
from rules.valar.state import House, Mission, State, Token, tokens_in

WHOLE = ("",)
"""The targets of an entry that can apply and needs none."""

NONE: tuple[str, ...] = ()
"""The targets of an entry that can't apply."""


class EntryKind(StrEnum):
    """The three catalogues (004: Consecuencias y mejoras)."""

    MAJOR = "mayor"
    MINOR = "menor"
    IMPROVEMENT = "mejora"


@dataclass(slots=True)
class Case:
    """A mission that has been rolled, while what it brings is worked out.

    success: the real one, discretion included. paid: what a failing band pays to succeed, none otherwise.
    total: of its roll. goal: what became of its goal against its rivals, None where it has none.
    longer: turns by which its duration changed in this result. shifted: steps of `efecto del éxito`.
    gained: tokens that got the rule Usos in this result, which doesn't spend it. applied: entries so far.
    """

    turn: Turn
    house: str
    slug: str
    mission: Mission
    band: Band
    success: bool
    paid: Share = field(default_factory=Share)
    total: int = 0
    goal: Goal | None = None
    longer: int = 0
    shifted: int = 0
    gained: set[str] = field(default_factory=set)
    applied: set[tuple[EntryKind, str]] = field(default_factory=set)

    @property
    def state(self) -> State:
        """The turn's state."""
        state: State = self.turn.state
        return state

    @property
    def options(self) -> Options:
        """The game's options."""
        options: Options = self.turn.options
        return options

    @property
    def owner(self) -> House:
        """The mission's house; entries about a house fall on it."""
        return self.state.houses[self.house]

    @property
    def audience(self) -> Audience:
        """The owner and its supporters (valar.md: missions are private to owner, supporters and director)."""
        return only(self.house, *self.mission.supporters)

    @property
    def own(self) -> Audience:
        """The owner alone."""
        return only(self.house)

    @property
    def title(self) -> Quoted:
        """How texts name the mission."""
        return Quoted(self.mission.title)

    def tell(self, what: str, audience: Audience | None = None, /, **data: Param) -> None:
        """State a fact about the mission; to the owner and its supporters where nobody else is named."""
        facts: dict[str, Param] = {"house": self.house, "mission": self.slug, "title": self.title, **data}
        self.turn.tell(event(what, audience or self.audience, None, **facts))

    def ask(
        self,
        matter: str,
        text: str,
        legal: Mapping[str, tuple[str, ...]],
        default: str,
        *,
        kind: str | None = None,
        number: int | None = None,
        known: Mapping[str, Param] = MappingProxyType({}),
        **told: Param,
    ) -> str | None:
        """What the director rules about the mission, as `Turn.ask` answers it; its id is `matter/HOUSE/SLUG`.

        kind: of the policy, None: the matter. number: of several questions about the same matter, from 1.
        known: data besides house and title. told: what the text is told besides the data.
        """
        data: dict[str, Param] = {"house": self.house, "title": self.mission.title, **known}
        place = (matter, self.house, self.slug, *(() if number is None else (str(number),)))
        question = Question(
            id="/".join(place),
            kind=kind or matter,
            text=msg(text, **data, **told),
            data=data,
            legal=legal,
            default=default,
        )
        return self.turn.ask(question)

    def tokens(self) -> dict[str, Token]:
        """The tokens that take part and aren't lost, supporters' included, by the key that draws use."""
        every = {
            self.key(house, name): self.state.houses[house].tokens[name]
            for house, name in tokens_in(self.mission, self.house)
        }
        return {key: one for key, one in every.items() if one.here}

    def struck(self) -> dict[str, Token]:
        """Those on which entries may fall, by the same keys (option `supporters_hit`)."""
        if self.options.supporters_hit:
            return self.tokens()
        return {key: one for key, one in self.tokens().items() if key in self.mission.tokens}

    def key(self, house: str, name: str) -> str:
        """A token among those of a mission: its name, of a supporter's with the house in front."""
        return name if house == self.house else f"{house}: {name}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a catalogue.

    id: as scenarios and events name it. said, en: words that players may use for it.
    targets: ids of what it may fall on; `WHOLE` where it needs none, `NONE` where it can't apply.
    apply: `(case, target)` changes the state and tells what changed. source: the original's line.
    """

    id: str
    said: tuple[str, ...]
    en: tuple[str, ...]
    source: str
    targets: Callable[[Case], tuple[str, ...]]
    apply: Callable[[Case, str], None]


def always(case: Case) -> tuple[str, ...]:
    """It can always apply, to the house as a whole."""
    return WHOLE


def where_it_succeeded(case: Case) -> tuple[str, ...]:
    """Successes only."""
    return WHOLE if case.success else NONE


def where_it_failed(case: Case) -> tuple[str, ...]:
    """Failures only; what is still to be rolled is none."""
    return NONE if case.success or case.mission.band is None else WHOLE
