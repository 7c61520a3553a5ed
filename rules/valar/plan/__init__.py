"""Reading a block of `valar`: which orders stand, judged by what the seat can see."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.engine.diagnostics import refuses
from rules.engine.orders import Order
from rules.engine.plan import Verdict
from rules.valar.plan.directing import CHECKS_OF_DIRECTOR
from rules.valar.plan.holdings import HousePlan
from rules.valar.plan.missions import (
    abandon,
    answer_support,
    mission,
    rest,
    support,
    tell,
    withdraw,
)

__all__ = ["CHECKS", "ValarPlan"]

CHECKS: Mapping[str, Callable[[HousePlan, Order], Verdict]] = {
    "mission": mission,
    "support": support,
    "withdraw": withdraw,
    "rest": rest,
    "abandon": abandon,
    "accept": answer_support,
    "refuse": answer_support,
    "tell": tell,
    **CHECKS_OF_DIRECTOR,
}
"""How each order is judged, by its declaration."""


class ValarPlan(HousePlan):
    """A seat's plan: each order is judged, and one that stands books its tokens and its title."""

    def accept(self, order: Order) -> Verdict:
        """Judge an order and what `si no` names below it; the tokens of either are booked once."""
        before = self.copy()
        verdict = self._judge(order)
        if refuses(verdict.findings):
            self.restore(before)
        else:
            self.changed()
        return verdict

    def _judge(self, order: Order) -> Verdict:
        first = CHECKS[order.name](self, order)
        if order.otherwise is None or refuses(first.findings):
            return first
        below = self.beside(order)
        second = CHECKS[order.otherwise.name](below, order.otherwise)
        self.widen(below)
        return Verdict(first.order, (*first.findings, *second.findings), first.told)
