"""What a house has to give orders with: its tokens that are free, and what earlier lines have taken."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import NamedTuple

from rules.engine.diagnostics import Diagnostic, error
from rules.engine.messages import Code
from rules.engine.orders import Order
from rules.engine.plan import Plan
from rules.engine.view import View
from rules.valar.options import Options
from rules.valar.state import House, Mission, State, Token, slug_of


class Taken(NamedTuple):
    """What lines have taken: tokens, slugs of what they begin, and (order, slug, title) of what they make."""

    tokens: frozenset[str] = frozenset()
    titles: frozenset[str] = frozenset()
    made: frozenset[tuple[str, str, str]] = frozenset()


class HousePlan(Plan[State]):
    """A seat's block while it is read. taken: what the lines so far have booked."""

    def __init__(self, view: View[State]) -> None:
        super().__init__(view)
        self.taken = Taken()

    @property
    def state(self) -> State:
        """What the seat sees."""
        return self.view.state

    @property
    def options(self) -> Options:
        """The game's options."""
        options: Options = self.view.options
        return options

    @property
    def house(self) -> House:
        """The seat's house; the director has none, and nothing in it."""
        return self.state.houses.get(self.seat) or House()

    @property
    def tokens(self) -> dict[str, Token]:
        """The house's tokens."""
        return self.house.tokens

    def copy(self) -> Taken:
        """What is taken now."""
        return self.taken

    def restore(self, taken: Taken) -> None:
        """Go back to what was taken then."""
        self.taken = taken

    def beside(self, order: Order) -> HousePlan:
        """The plan from which the order under `si no` starts: without what the one above has taken."""
        other = copy(self)
        tokens = frozenset(order.get("tokens", ()))
        titles = self.taken.titles - {slug_of(order.get("title", ""))}
        other.taken = self.taken._replace(tokens=self.taken.tokens - tokens, titles=titles)
        return other

    def widen(self, other: HousePlan) -> None:
        """Take what either of two lines takes."""
        mine, others = self.taken, other.taken
        self.taken = Taken(mine.tokens | others.tokens, mine.titles | others.titles, mine.made | others.made)

    def book(self, tokens: Iterable[str], slug: str | None = None) -> None:
        """Take tokens, and the title of a mission."""
        titles = self.taken.titles | ({slug} if slug is not None else frozenset())
        self.taken = self.taken._replace(tokens=self.taken.tokens | frozenset(tokens), titles=titles)

    def make(self, order: Order) -> None:
        """Note what an order makes, so that later lines may name it."""
        title = str(order["title"])
        made = self.taken.made | {(order.name, slug_of(title), title)}
        self.book((), slug_of(title))
        self.taken = self.taken._replace(made=made)

    def made_by(self, name: str) -> dict[str, tuple[str, ...]]:
        """What orders of that name make in this block: names by id."""
        return {slug: (title, slug) for kind, slug, title in sorted(self.taken.made) if kind == name}

    def free(self, tokens: tuple[str, ...]) -> tuple[Diagnostic, ...]:
        """The first reason why one of the tokens can't be sent: lost, busy, taken by a line above."""
        for place, key in enumerate(tokens):
            if key in tokens[:place] or key in self.taken.tokens:
                return (error("valar/token-twice", token=Code(key), own=self.ready()),)
            token = self.tokens[key]
            if not token.here:
                return (error("valar/token-lost", token=Code(key), own=self.ready()),)
            if token.is_busy(self.view.number):
                until = token.busy_until
                return (error("valar/token-busy", token=Code(key), until=until, own=self.ready()),)
        return ()

    def ready(self) -> tuple[Code, ...]:
        """Tokens that could be sent: not lost, not busy, not taken by a line above."""
        return tuple(
            Code(key)
            for key, one in sorted(self.tokens.items())
            if one.here and key not in self.taken.tokens and not one.is_busy(self.view.number)
        )

    def missions(self) -> dict[str, Mission]:
        """The house's own missions under way."""
        return self.house.missions
