"""Reading a block of `conquista`: which orders stand, judged by what the faction can see."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from rules.conquista.orders import ORDERS
from rules.conquista.plan.armies import invade, move
from rules.conquista.plan.cessions import cede, cessions_in, judge_cessions
from rules.conquista.plan.holdings import FactionPlan
from rules.conquista.plan.joining import join, transfer
from rules.conquista.plan.recruiting import recruit
from rules.conquista.plan.splits import split
from rules.conquista.plan.strikes import bombard, sabotage
from rules.conquista.plan.works import build, fortify, produce, spy, wait
from rules.engine.diagnostics import Diagnostic, error, refuses
from rules.engine.messages import Message, Quoted, msg
from rules.engine.orders import Order
from rules.engine.plan import Verdict

__all__ = ["CHECKS", "FREE", "ConquistaPlan"]

CHECKS: Mapping[str, Callable[[FactionPlan, Order], Verdict]] = {
    "produce": produce,
    "recruit": recruit,
    "build": build,
    "fortify": fortify,
    "move": move,
    "split": split,
    "join": join,
    "transfer": transfer,
    "spy": spy,
    "sabotage": sabotage,
    "invade": invade,
    "bombard": bombard,
    "cede": cede,
    "pass": wait,
}
"""How each order is judged, by its declaration."""

FREE = frozenset(form.name for form in ORDERS if form.free)
"""Orders that take no action."""


class ConquistaPlan(FactionPlan):
    """A faction's plan: each order is judged, and one that stands is taken into it."""

    def accept(self, order: Order) -> Verdict:
        """Judge an order; a surplus action is refused, free orders take none."""
        free = order.name in FREE
        if self.actions == 0:
            return Verdict(order, (error("conquista/you-are-out"),))
        if self.taken >= self.actions and not free:
            return Verdict(order, (error("conquista/no-actions-left", actions=self.actions),))
        before = self.now.copy()
        verdict = self._judge(order)
        if refuses(verdict.findings):
            self.now = before
        else:
            self.taken += not free
            self.productions += order.name == "produce"
            self.cessions += cessions_in(order)
            self.changed()
        return verdict

    def close(self, orders: tuple[Order, ...]) -> tuple[tuple[int, Diagnostic], ...]:
        """Cessions, which wait for the end of the turn, are judged by all lines of the block."""
        numbers = {order.number for order in orders}
        return tuple(found for found in judge_cessions(self) if found[0] in numbers)

    def _judge(self, order: Order) -> Verdict:
        """Judge an order and what `si no` names below it, which starts from where the order did."""
        if order.otherwise is None:
            return CHECKS[order.name](self, order)
        before = self.now.copy()
        first = CHECKS[order.name](self, order)
        if refuses(first.findings):
            return first
        done, self.now = self.now, before
        second = self._judge(order.otherwise)
        below = tuple(_below(one) for one in second.findings)
        if refuses(below):
            return replace(second, findings=below)
        done.widen(self.now)
        self.now = done
        told = msg("conquista/told-otherwise", order=_words(first), otherwise=_words(second))
        return Verdict(replace(first.order, otherwise=second.order), (*first.findings, *below), told)


def _below(finding: Diagnostic) -> Diagnostic:
    """A finding about what `si no` names, which is shown with the order above."""
    return replace(finding, message=msg("conquista/about-otherwise", reason=finding.message))


def _words(verdict: Verdict) -> Message | Quoted:
    return verdict.told or Quoted(verdict.order.text)
