"""Reading a block of `conquista`: which orders stand, judged by what the faction can see."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rules.conquista.plan.armies import invade, join, move, transfer
from rules.conquista.plan.holdings import FactionPlan
from rules.conquista.plan.splits import split
from rules.conquista.plan.works import build, fortify, produce, spy, wait
from rules.engine.diagnostics import error, refuses
from rules.engine.orders import Order
from rules.engine.plan import Verdict

__all__ = ["CHECKS", "ConquistaPlan"]

CHECKS: Mapping[str, Callable[[FactionPlan, Order], Verdict]] = {
    "produce": produce,
    "build": build,
    "fortify": fortify,
    "move": move,
    "split": split,
    "join": join,
    "transfer": transfer,
    "spy": spy,
    "invade": invade,
    "pass": wait,
}
"""How each order is judged, by its declaration."""


class ConquistaPlan(FactionPlan):
    """A faction's plan: each order is judged, and one that stands is taken into it."""

    def accept(self, order: Order) -> Verdict:
        """Judge an order; a surplus action is refused."""
        if self.taken >= self.actions:
            return Verdict(order, (error("conquista/no-actions-left", actions=self.actions),))
        verdict = CHECKS[order.name](self, order)
        if not refuses(verdict.findings):
            self.taken += 1
            self.changed()
        return verdict
