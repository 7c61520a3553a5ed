"""Corrections of one seat's orders: found by number, compared as orders, read with the seat's own plan.

The order that is put in is read as if it stood at its place in the block. The seat's other orders stay as
they were frozen, with the names that reading gave them, and nobody else gets those: a correction never
changes what a player didn't touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from parsers.files.models import quoted
from parsers.orders.lines import block_of, logical_lines
from parsers.orders.reading import read_orders
from processor.pipeline.context import PlayContext
from processor.pipeline.override_entries import Refused
from rules.engine.audience import DIRECTOR_SEAT
from rules.engine.diagnostics import Severity
from rules.engine.folding import fold
from rules.engine.messages import Message, Quoted, msg
from rules.engine.orders import Order, same_order
from rules.engine.plan import Plan, Verdict
from rules.play.reading import LineRead, SeatReading


class SeatLines:
    """The lines in force of one seat while they are corrected."""

    def __init__(self, play: PlayContext, seat: str, reading: SeatReading | None) -> None:
        self.seat = seat
        self._play = play
        submissions = reading.in_force if reading is not None else ()
        numbered = [(line, one.post) for one in submissions for line in one.lines if line.number > 0]
        self._lines = {line.number: line for line, _ in numbered}
        self._names = {line.number: frozenset(_names(line.order)) for line, _ in numbered}
        self._private = {line.number: post.private for line, post in numbered}
        self._posts = {line.number: post.id for line, post in numbered}

    @property
    def orders(self) -> tuple[Order, ...]:
        """The accepted orders by number."""
        found = (self._lines[number].order for number in sorted(self._lines))
        return tuple(order for order in found if order is not None)

    @property
    def private(self) -> bool:
        """Whether the seat gives its orders in private: as its blocks came, without any as the game is."""
        if self.seat == DIRECTOR_SEAT:
            return False
        return any(self._private.values()) if self._private else self._play.game.forum.secret

    @property
    def lines(self) -> tuple[LineRead, ...]:
        """The lines by number, refused ones included."""
        return tuple(self._lines[number] for number in sorted(self._lines))

    def find(self, number: int) -> LineRead:
        """The line of that number in the receipt. Raises Refused."""
        line = self._lines.get(number)
        if line is None:
            known = tuple(f"{self.seat}#{one}" for one in sorted(self._lines))
            wrong = msg("correct/no-order", seat=self.seat, number=str(number))
            raise Refused("no-order", wrong, msg("correct/orders-are", seat=self.seat, orders=known))
        return line

    def require(self, line: LineRead, was: str, state: Any) -> None:
        """Raise Refused unless the line is the order that the director thinks it is."""
        if fold(line.text) == fold(was):
            return
        if line.order is not None:
            expected = self._read(was, line.number, state, force=True)
            if expected.order is not None and same_order(expected.order, line.order):
                return
        order = f"{self.seat}#{line.number}"
        wrong = msg("correct/was", order=order, was=Quoted(was), now=Quoted(line.text))
        raise Refused("was", wrong, msg("correct/mend-was"))

    def replace(self, number: int, text: str, state: Any, *, force: bool) -> Order:
        """Put another order in the place of one. Raises Refused where it isn't understood or not legal."""
        self.find(number)
        return self._put(number, text, state, force=force, secret=self._private[number])

    def cancel(self, number: int) -> None:
        """Take an order out; its number stays."""
        self._lines[number] = replace(self.find(number), order=None, told=None)

    def add(self, text: str, state: Any, *, force: bool, secret: bool) -> Order:
        """A further order behind the seat's own. Raises Refused."""
        return self._put(max(self._lines, default=0) + 1, text, state, force=force, secret=secret)

    def _put(self, number: int, text: str, state: Any, *, force: bool, secret: bool) -> Order:
        line = self._read(text, number, state, force=force)
        if line.order is None:
            wrong = msg("correct/order", text=Quoted(text), why=self._why(line))
            raise Refused("order", wrong, self._instead(line))
        order = replace(line.order, post=self._posts.get(number), secret=secret)
        self._lines[number] = replace(line, order=order)
        self._private[number] = secret
        return order

    def _read(self, text: str, number: int, state: Any, *, force: bool) -> LineRead:
        """The text as the order of that number, with the plan as the lines before it leave it."""
        kind = self._play.kind
        plan = kind.plan(self._play.look(self.seat, state))
        plan.reserve(self._names_elsewhere(number))
        for earlier in sorted(self._lines):
            order = self._lines[earlier].order
            if earlier < number and order is not None:
                plan.accept(order)
        reader: Plan[Any] = _Forced(plan) if force else plan
        block = read_orders(logical_lines(block_of(text)), kind, reader, first=number)
        if len(block.lines) != 1:
            raise Refused("order", msg("correct/not-one", text=Quoted(text)), msg("correct/one-order-each"))
        return block.lines[0]

    def _names_elsewhere(self, number: int) -> frozenset[str]:
        """Names that the other lines were given, also those that are gone: what is ordered of them must never
        mean something that a correction has made.
        """
        now = (_names(line.order) for one, line in self._lines.items() if one != number)
        frozen = (names for one, names in self._names.items() if one != number)
        return frozenset().union(*now, *frozen)

    def _why(self, line: LineRead) -> str | Message:
        said = "; ".join(self._play.say(one.message) for one in _errors(line))
        return said or msg("correct/not-understood")

    def _instead(self, line: LineRead) -> Message:
        suggested = quoted(text for one in _errors(line) for text in one.suggest)
        return msg("correct/try", orders=suggested) if suggested else msg("correct/mend-order")


def _names(order: Order | None) -> Iterator[str]:
    """What reading gave an order for what it makes, and those that `si no` names below it."""
    while order is not None:
        yield from order.assigned.values()
        order = order.otherwise


def _errors(line: LineRead) -> Iterable[Any]:
    return (one for one in line.findings if one.severity is Severity.ERROR)


class _Forced(Plan[Any]):
    """A plan whose rules don't refuse: the director's `force`. Syntax still counts."""

    def __init__(self, plan: Plan[Any]) -> None:
        self._plan = plan

    def __getattr__(self, name: str) -> Any:
        return getattr(self._plan, name)

    def accept(self, order: Order) -> Verdict:
        """What the plan makes of the order, with errors as warnings."""
        verdict = self._plan.accept(order)
        findings = tuple(replace(one, severity=Severity.WARNING) for one in verdict.findings)
        return replace(verdict, findings=findings)

    def close(self, orders: tuple[Order, ...]) -> tuple[tuple[int, Any], ...]:
        """Nothing is judged as a whole."""
        return ()
