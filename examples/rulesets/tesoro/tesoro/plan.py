"""Reading a crew's block: what it can't do is refused at once, judged by what it can see."""

from __future__ import annotations

from rules.engine.diagnostics import Diagnostic, error, refuses, warning
from rules.engine.messages import Message, Quoted, msg
from rules.engine.orders import Order
from rules.engine.plan import Plan, Verdict
from rules.engine.view import View
from tesoro.state import State, name_of, neighbours


class CrewPlan(Plan[State]):
    """Where the crew will be and what it will have left, line after line."""

    def __init__(self, view: View[State]) -> None:
        super().__init__(view)
        self.state = view.state
        crew = self.state.crews[self.seat]
        self.at, self.food, self.taken = crew.at, crew.food, 0

    def shown(self, island: str) -> Quoted:
        """An island's name."""
        return Quoted(self.state.islands[island].name)

    def accept(self, order: Order) -> Verdict:
        """An order too many, an island too far, an empty pantry: refused, with what would be right."""
        findings = self._judge(order)
        if refuses(findings):
            return Verdict(order, findings)
        self._take(order)
        return Verdict(order, findings, told=self._told(order))

    def _judge(self, order: Order) -> tuple[Diagnostic, ...]:
        if self.taken >= self.view.options.acts:
            return (error("tesoro/no-acts-left", acts=self.view.options.acts),)
        if order.name in ("sail", "dig") and not self.food:
            return (error("tesoro/no-food"),)
        if order.name == "sail":
            return self._judge_course(order["island"])
        if order.name == "dig" and self.at in self.state.crews[self.seat].searched:
            return (error("tesoro/searched", island=self.shown(self.at)),)
        if order.name == "listen" and (there := self.state.crews[order["crew"]].at) != self.at:
            return (
                warning(
                    "tesoro/elsewhere", crew=name_of(self.state, order["crew"]), island=self.shown(there)
                ),
            )
        return ()

    def _judge_course(self, island: str) -> tuple[Diagnostic, ...]:
        near = neighbours(self.state, self.at)
        if island in near:
            return ()
        names = tuple(map(self.shown, near))
        return (error("tesoro/too-far", here=self.shown(self.at), island=self.shown(island), near=names),)

    def _take(self, order: Order) -> None:
        self.taken += 1
        if order.name in ("sail", "dig"):
            self.food -= 1
        if order.name == "sail":
            self.at = order["island"]
        elif order.name == "fish":
            self.food += self.view.options.catch

    def _told(self, order: Order) -> Message | None:
        """How the receipt words it: as written, with the food that is left."""
        if order.name == "sail":
            return msg("tesoro/told-sail", island=self.shown(self.at), food=self.food)
        if order.name in ("fish", "dig"):
            return msg(f"tesoro/told-{order.name}", island=self.shown(self.at), food=self.food)
        return None
