"""A seat's plan: what its orders of one block do to what it has, line after line.

Later lines may use what earlier ones make or move. A rule set's plan extends this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rules.engine.diagnostics import Diagnostic
from rules.engine.messages import Message
from rules.engine.names import NameIndex
from rules.engine.orders import Order
from rules.engine.view import View

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a plan says of an order.

    order: with what was assigned to it at reading (names of new armies).
    told: how the receipt words it, with what it costs and leaves; None: the line as written.
    """

    order: Order
    findings: tuple[Diagnostic, ...] = ()
    told: Message | None = None


class Plan(Generic[S]):
    """What the orders of one block amount to, judged by the view of the seat alone.

    `accept` is asked for each order that was understood, in sequence; it answers findings and takes
    the order into the plan only where none of them refuses it. An order with a condition widens the
    plan and refuses nothing that could become possible.
    """

    def __init__(self, view: View[S]) -> None:
        self.view = view
        self._indexes: dict[int, NameIndex] = {}
        self._kept: list[Any] = []
        self._fixed: dict[int, NameIndex] = {}

    @property
    def seat(self) -> str:
        """The seat whose plan it is."""
        return self.view.viewer

    def index(self, owner: object, build: Callable[[], NameIndex], fixed: bool = False) -> NameIndex:
        """The name index of an argument, built once until the plan changes (`fixed`: once a block)."""
        kept = self._fixed if fixed else self._indexes
        if id(owner) not in kept:
            kept[id(owner)] = build()
            self._kept.append(owner)
        return kept[id(owner)]

    def changed(self) -> None:
        """Forget the indexes that depend on earlier lines; called by `take` of the rule set's plan."""
        self._indexes.clear()

    def accept(self, order: Order) -> Verdict:
        """Judge an understood order; it stands in the plan unless a finding refuses it."""
        return Verdict(order)

    def refused(self, order: Order | None, text: str) -> None:
        """Take note of names that a refused line would have made, so that one mistake gives one error.

        order: None where the line wasn't understood. text: the line as written.
        """

    def reserve(self, names: Iterable[str]) -> None:
        """Ids that orders elsewhere in the block have fixed for what they make: none is given again."""

    def close(self, orders: tuple[Order, ...]) -> tuple[tuple[int, Diagnostic], ...]:
        """Findings about the block as a whole, each with the number of the order that it stands at."""
        return ()
