"""What a seat may order: one act for each pair of hands."""

from __future__ import annotations

from rules.engine.diagnostics import Diagnostic, error, note, warning
from rules.engine.orders import Order
from rules.engine.plan import Plan, Verdict
from rules.engine.view import View
from tests.toy.state import State

FOR_APPRENTICES = ("work", "cry")


class DayPlan(Plan[State]):
    """Hands that are busy, coins that are spent."""

    def __init__(self, view: View[State]) -> None:
        super().__init__(view)
        self.person = view.state.folk[self.seat]
        self.busy: set[str] = set()
        self.spent = 0

    def accept(self, order: Order) -> Verdict:
        """One act a pair of hands is all there is; too few coins are only a warning."""
        if order.name == "band":
            return Verdict(order)
        hands = order.actor or self.seat
        if hands in self.busy:
            return Verdict(order, (error("feria/already-busy", who=hands),))
        if hands != self.seat and order.name not in FOR_APPRENTICES:
            return Verdict(order, (error("feria/not-for-apprentices", who=hands),))
        self.busy.add(hands)
        return Verdict(order, self._pay(order))

    def _pay(self, order: Order) -> tuple[Diagnostic, ...]:
        inner: Order = order["act"] if order.name == "wait" else order
        if inner.name == "play":
            self.spent += self.view.state.stalls[inner["stall"]].price
        elif inner.name == "challenge":
            self.spent += int(inner["stake"])
        if self.spent > self.person.purse:
            return (warning("feria/too-few-coins", spent=self.spent, coins=self.person.purse),)
        return ()

    def close(self, orders: tuple[Order, ...]) -> tuple[tuple[int, Diagnostic], ...]:
        """An apprentice with nothing to do is worth a note."""
        idle = self.person.apprentice and self.person.apprentice not in self.busy
        if not idle or not orders:
            return ()
        return ((orders[-1].number, note("feria/apprentice-idle", who=self.person.apprentice)),)


class BoutPlan(Plan[State]):
    """One thing a round."""

    def __init__(self, view: View[State]) -> None:
        super().__init__(view)
        self.chosen = False

    def accept(self, order: Order) -> Verdict:
        """The second order is refused."""
        if self.chosen:
            return Verdict(order, (error("feria/already-busy", who=self.seat),))
        self.chosen = True
        return Verdict(order)
