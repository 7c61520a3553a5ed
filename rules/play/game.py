"""A game as its director describes it: forum, seats, schedule, policies (design.md 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Any

from rules.engine.messages import Name
from rules.engine.questions import QuestionPolicy


class NmrPolicy(StrEnum):
    """What happens to a seat without orders (NMR, no moves received)."""

    NOTHING = "nothing"
    STANDING = "standing"
    REPEAT = "repeat"
    DEFAULT = "default"
    HOLD = "hold"


@dataclass(frozen=True, slots=True)
class FormerPlayer:
    """Who had a seat before. account: None where it was vacant. until: UTC; earlier posts were the seat's."""

    account: str | None
    until: datetime


@dataclass(frozen=True, slots=True)
class Seat:
    """A place in the game. The account decides who may order for it, never a display name.

    id: the rule set's own id (a faction, a House). account: the forum's account id, None while vacant.
    login: login name, needed to send private messages. shown: name with gender and article.
    former: who had it before, oldest first.
    """

    id: str
    account: str | None
    login: str | None
    shown: Name
    former: tuple[FormerPlayer, ...] = ()

    @property
    def since(self) -> datetime | None:
        """When its player took it over, None for the first."""
        return self.former[-1].until if self.former else None

    def account_at(self, moment: datetime) -> str | None:
        """Whose it was then."""
        return next((one.account for one in self.former if moment < one.until), self.account)


@dataclass(frozen=True, slots=True)
class Absence:
    """Days in which a seat's player has said to be away: the game's local days, first and last included."""

    seat: str
    first: date
    last: date


FOLDER, UMBRIA = "folder", "umbria"
CARRIED = frozenset((FOLDER, UMBRIA))
"""Software of forums to which a person carries our texts; what stands in Umbría we read ourselves."""

_TYPICAL = {"bbcode": "phpbb"}
"""Markup that several softwares have, and the one that stands for all of them."""


@dataclass(frozen=True, slots=True)
class ForumSettings:
    """Where a game is played. Credentials never stand here.

    software: adapter (`spirit`, `folder`). url: base address. topic: id of the game's public topic.
    account: login name of Turnero's account. zone: zone in which that account sees times.
    secret: whether orders also come by private message (and what is secret is sent by them).
    max_chars: longest post. interval: between two posts of that account. None: as the software has them.
    pictures: whether the report's pictures are handed over to a forum that takes them.

    Where a person carries the texts (`carried`): url: address of the topic, for readers, "" for none. topic:
    its id, "" for any. folder: the game's own, absolute. dialect: the forum's software, or how it writes.
    confirm: whether texts count as published once the director has said so.
    notes: whether what is written beside posts for few is read, as private messages.
    """

    software: str
    url: str
    topic: str
    account: str
    zone: str
    secret: bool = True
    folder: str = ""
    dialect: str = ""
    max_chars: int | None = None
    interval: timedelta | None = None
    pictures: bool = True
    confirm: bool = True
    notes: bool = False

    @property
    def carried(self) -> bool:
        """Whether a person carries the texts."""
        return self.software in CARRIED

    @property
    def markup(self) -> str:
        """Whose markup posts are read and written in: a forum's software, or `text`, `markdown`, `html`."""
        named = self.dialect or self.software
        return _TYPICAL.get(named, named)


@dataclass(frozen=True, slots=True)
class Schedule:
    """When turns close: local time in the game's zone, on weekdays (0 = Monday) or every n days.

    first: local date and time of the first deadline, without zone. holidays: local days without deadline.
    night: whether deadlines may lie between 02:00 and 03:00, when clocks change; what comes twice means the
    first coming, what is missing one hour later.
    """

    at: time
    first: datetime
    weekdays: tuple[int, ...] = ()
    every_days: int | None = None
    holidays: tuple[date, ...] = ()
    night: bool = False


@dataclass(frozen=True, slots=True)
class Policies:
    """Settings of a game with the defaults of design.md.

    lease: how long a worker may hold a turn without renewing. quiet: how long after an unsure POST the
    forum may still show it. reading, reading_late, late_window: cadence of reading before the deadline.
    early: how long after everybody has said `listo` a turn closes, None: not before its deadline.
    grace: how much longer a turn stays open, once, where somebody has no orders at its deadline.
    late: how late a turn is still run by itself. outage: how long nothing may have been read when it closes.
    canary: how long before a deadline the forum is tried out, None: not at all.
    at_least: shortest time that a turn stays open whose predecessor was late, or closed at another time than
    planned.
    breaker: share of active seats without orders at which the turn is held, 0–1.
    warn_after, hold_after: after so many turns in a row without orders, from 1, a seat is warned, or its turn
    held for the director to decide about the seat (and again after as many more); None: never.
    spoilers, code: whether orders in spoilers, and in code blocks that say so, count.
    """

    nmr: NmrPolicy = NmrPolicy.NOTHING
    lease: timedelta = timedelta(minutes=5)
    quiet: timedelta = timedelta(seconds=120)
    reading: timedelta = timedelta(minutes=15)
    reading_late: timedelta = timedelta(minutes=2)
    late_window: timedelta = timedelta(minutes=30)
    late: timedelta = timedelta(hours=6)
    outage: timedelta = timedelta(hours=12)
    canary: timedelta | None = timedelta(hours=6)
    at_least: timedelta = timedelta(hours=24)
    reminder: timedelta | None = timedelta(hours=3)
    early: timedelta | None = None
    grace: timedelta | None = None
    breaker: float = 0.8
    warn_after: int | None = 2
    hold_after: int | None = None
    clock_skew: timedelta = timedelta(minutes=10)
    questions: Mapping[str, QuestionPolicy] = field(default_factory=dict)
    spoilers: bool = True
    code: bool = True


@dataclass(frozen=True, slots=True)
class Game:
    """Everything of `game.toml`. id: immutable slug. options: rule options as checked by the rule set.

    first_turn: number of the first turn that is played here, from 1. director: login name of who gets letters
    and the digest by private message, None where nobody does. absences: announced ones.
    """

    id: str
    title: str
    ruleset: str
    language: str
    zone: str
    forum: ForumSettings
    schedule: Schedule
    seats: tuple[Seat, ...]
    policies: Policies
    options: Any
    proof: str = "seed"
    first_turn: int = 1
    director: str | None = None
    absences: tuple[Absence, ...] = ()

    def seat(self, seat_id: str) -> Seat:
        """The seat of that id. Raises KeyError."""
        for one in self.seats:
            if one.id == seat_id:
                return one
        raise KeyError(seat_id)

    def seats_of(self, account: str | None) -> tuple[Seat, ...]:
        """Seats that an account controls; none for accounts that don't play."""
        return tuple(one for one in self.seats if account is not None and one.account == account)

    def seats_at(self, account: str | None, moment: datetime) -> tuple[Seat, ...]:
        """Seats that an account controlled at a moment."""
        return tuple(one for one in self.seats if account is not None and one.account_at(moment) == account)
