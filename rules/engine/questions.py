"""Questions that only a person can answer, and the policies for those that nobody answers.

One mechanism serves a director's ruling, a choice that a player has after a roll, and
step-by-step reveals (design.md 8, *Questions*).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from types import MappingProxyType

from rules.engine.audience import DIRECTOR, DIRECTOR_SEAT, Audience, only
from rules.engine.folding import fold
from rules.engine.messages import Message, Param

SHORTEST_CUT = 3
"""Letters that a shortened answer must keep."""


@dataclass(frozen=True, slots=True)
class Hold:
    """The turn waits until somebody answers."""


@dataclass(frozen=True, slots=True)
class Wait:
    """An offer: the turn waits this long, then the default holds."""

    time: timedelta


@dataclass(frozen=True, slots=True)
class TakeDefault:
    """Nobody is asked; the default holds and the report says so."""


QuestionPolicy = Hold | Wait | TakeDefault


class AnswerSource(StrEnum):
    """Where an answer came from.

    DEFAULT: nobody answered what was asked. POLICY: nobody was asked, the game's policy is the default.
    """

    DIRECTOR = "director"
    SEAT = "seat"
    ORDER = "order"
    DEFAULT = "default"
    POLICY = "policy"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    id: names the matter (`reloj/deshielo`), unique in the turn; overrides answer by it.
    kind: the rule set's kind of question; policies are set per kind.
    to: a seat's id or `director`.
    text: what is asked, with the data that the person needs.
    legal: answer id -> words accepted for it; empty: any text is an answer (a free ruling).
    default: the answer where nobody gives one; None: only a person can say (such a question always holds).
    audience: who may know the question and its answer; left out: whom it is put to.
    """

    id: str
    kind: str
    text: Message
    to: str = DIRECTOR_SEAT
    data: Mapping[str, Param] = field(default_factory=dict)
    legal: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    default: str | None = None
    audience: Audience | None = None

    @property
    def known_to(self) -> Audience:
        """Who may know the question and its answer."""
        return self.put_to if self.audience is None else self.audience

    @property
    def put_to(self) -> Audience:
        """Whom it is put to, alone."""
        return DIRECTOR if self.to == DIRECTOR_SEAT else only(self.to)

    def meaning(self, words: str) -> str | None:
        """What somebody's words answer: an id of `legal`, or the text where any is legal; None: nothing.

        Ids and their words count in any case and without accents, and cut to an unambiguous beginning of at
        least three letters.
        """
        said = fold(words.strip())
        if not self.legal or not said:
            return words.strip() or None if not self.legal else None
        spoken = {answer: {fold(answer), *map(fold, accepted)} for answer, accepted in self.legal.items()}
        exact = [answer for answer, ways in spoken.items() if said in ways]
        cut = [answer for answer, ways in spoken.items() if any(way.startswith(said) for way in ways)]
        meant = exact or (cut if len(said) >= SHORTEST_CUT else [])
        return meant[0] if len(meant) == 1 else None

    def __post_init__(self) -> None:
        object.__setattr__(self, "data", MappingProxyType(dict(self.data)))
        object.__setattr__(self, "legal", MappingProxyType(dict(self.legal)))


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody said. value: an answer id of `legal`, or the text of a free ruling.

    after_dice: whether the dice of the turn were known when it was given. secret: told to whom the question
    was put alone.
    """

    value: str
    source: AnswerSource
    reason: str | None = None
    after_dice: bool = False
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it came up in one run: answered, defaulted, or open (`answer` None).

    at: number of events told before it. rolled: number of dice rolled before it.
    """

    question: Question
    answer: Answer | None
    at: int
    rolled: int
