"""What a game's night is made of: its people, and what they do before, at and behind the deadline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jobs.demo.players import Person

if TYPE_CHECKING:
    from jobs.demo.night import Night

Act = Callable[["Night"], None]


def _nothing(night: Night) -> None:
    """The turn asks nothing."""


@dataclass(frozen=True, slots=True)
class Play:
    """The night of one rule set. Its files lie in `games/RULESET`; without a `setup.toml` there, the setup is
    that of the rule set's example.

    title: of the game and its topic. welcome: the director's opening post. people: the players.
    order: what they order, until all have receipts. reconsider: what is put right, until there are new ones.
    come_late: who writes after the deadline. rule: what the director decides, until nothing holds the turn.
    letters: by account, kinds of texts that somebody gets besides those of every night.
    """

    ruleset: str
    title: str
    welcome: str
    people: tuple[Person, ...]
    order: Act
    reconsider: Act
    come_late: Act
    rule: Act = _nothing
    letters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
