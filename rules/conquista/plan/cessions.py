"""Ceder: cells and supplies that are handed over at the end of the turn.

A cession is carried out behind all rounds, so what a line below it takes, moves or produces counts too. It
is judged once the whole block is read; only an option, or a faction that is out, refuses it before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from rules.conquista.plan.holdings import Cession, FactionPlan
from rules.conquista.plan.standing import only_if
from rules.conquista.state import Feature, Gift, by_number, connected, gift_of, name_of, price_of
from rules.engine.diagnostics import Diagnostic, error, refuses, warning
from rules.engine.messages import Code, Message, msg
from rules.engine.orders import Order
from rules.engine.plan import Verdict


def say_gift(gift: Gift) -> Message:
    """A cell, or a number of supplies, in words."""
    cell, supplies = gift
    return msg("conquista/gift", cell=Code(cell) if cell is not None else None, supplies=supplies)


def cede(plan: FactionPlan, order: Order) -> Verdict:
    """A free order; what can be said of it without the rest of the block."""
    faction, gift, price = str(order["faction"]), gift_of(order["gift"]), price_of(order)
    shown = name_of(plan.state, faction)
    told = msg(
        "conquista/told-cede",
        gift=say_gift(gift),
        faction=shown,
        price=say_gift(price) if price is not None else None,
    )
    if not plan.options.cessions:
        return Verdict(order, (error("conquista/no-cessions"),))
    if refuses(gone := plan.target(faction)):
        return Verdict(order, gone)
    if price == gift and price[0] is not None:
        return Verdict(order, (error("conquista/exchange-itself"),))
    if order.otherwise is not None and order.otherwise.name != order.name:
        return Verdict(order, (error("conquista/otherwise-cede"),))
    return Verdict(order, (), told)


def cessions_in(order: Order) -> Iterator[Cession]:
    """The cessions of a line: the order itself, and what `si no` names below it."""
    below: Order | None = order
    while below is not None:
        if below.name == "cede":
            yield Cession(below, below is not order)
        below = below.otherwise


def judge_cessions(plan: FactionPlan) -> Iterator[tuple[int, Diagnostic]]:
    """Findings about the cessions of all lines, each with its line's number.

    What stands below `si no` is not what is ordered first: it is only said if it can't come about.
    """
    yielded = _supplies_of_production(plan)
    most = plan.faction.supplies + plan.actions * yielded
    giving = _Giving(plan.left + plan.productions * yielded, most)
    for one in plan.cessions:
        found = _judge(plan, giving, one.order)
        if not one.below:
            giving.take(gift_of(one.order["gift"]), expected=not found)
        for finding in found:
            if not one.below:
                yield one.order.number, finding
            elif refuses(found):
                yield one.order.number, warning("conquista/about-otherwise", reason=finding.message)


@dataclass(slots=True)
class _Giving:
    """What there is to give at the end of the turn if all goes as ordered, line after line.

    left: supplies. most: supplies that there can be at the very most. given: cells that lines above give.
    """

    left: int
    most: int
    given: set[str] = field(default_factory=set)

    def take(self, gift: Gift, *, expected: bool) -> None:
        """A line that stands. expected: whether it happens if all goes as ordered."""
        cell, supplies = gift
        if cell is not None:
            self.given.add(cell)
        elif expected:
            self.left -= supplies


def _supplies_of_production(plan: FactionPlan) -> int:
    """What one production gives if the faction loses nothing; what it takes counts from the next turn."""
    counted = connected(plan.faction.base, plan.own, plan.near)
    found = sum(plan.state.cells[key].feature is Feature.MANUFACTORUM for key in counted)
    return len(counted) // plan.options.cells_per_supply + found * plan.options.manufactorum


def _judge(plan: FactionPlan, giving: _Giving, order: Order) -> tuple[Diagnostic, ...]:
    """What is wrong with a cession, or makes it doubtful: one finding at most."""
    cell, supplies = gift_of(order["gift"])
    if cell is None:
        found = _too_many(plan, giving, order, supplies)
    else:
        found = _not_to_give(plan, cell) or _in_doubt(plan, giving, cell)
    return found or plan.target(str(order["faction"])) or _not_theirs(plan, order)


def _too_many(plan: FactionPlan, giving: _Giving, order: Order, supplies: int) -> tuple[Diagnostic, ...]:
    if supplies > giving.most:
        found = error("conquista/never-so-many", supplies=supplies, most=giving.most)
        shown = name_of(plan.state, str(order["faction"])).text
        again = f"ceder {giving.most} suministros a {shown}"
        return (replace(found, suggest=(again,)) if giving.most and price_of(order) is None else found,)
    if supplies > giving.left:
        return (warning("conquista/ceding-too-much", supplies=supplies, left=giving.left),)
    return ()


def _not_to_give(plan: FactionPlan, cell: str) -> tuple[Diagnostic, ...]:
    """A cell that isn't the faction's, or its Base de Mando."""
    if cell not in plan.now.held:
        reason = msg("conquista/not-your-cell", cell=Code(cell))
        return (only_if(reason) if cell in plan.now.cells else Diagnostic(reason),)
    if plan.faction.base == cell:
        reason = msg("conquista/base-stays", cell=Code(cell))
        retaken = warning("conquista/only-if-retaken", reason=reason)
        return (retaken if cell in plan.now.entered else Diagnostic(reason),)
    return ()


def _in_doubt(plan: FactionPlan, giving: _Giving, cell: str) -> tuple[Diagnostic, ...]:
    """A cell that a line above gives away, or in which an own army stands at the end."""
    if cell in giving.given:
        return (only_if(msg("conquista/given-above", cell=Code(cell))),)
    standing = sorted(
        (key for key, army in plan.now.armies.items() if any(one.cell == cell for one in army.likely)),
        key=by_number,
    )
    if not standing:
        return ()
    return (warning("conquista/army-would-stay", cell=Code(cell), armies=tuple(map(Code, standing))),)


def _not_theirs(plan: FactionPlan, order: Order) -> tuple[Diagnostic, ...]:
    """A cell asked for that isn't the other faction's, or that the lines take; owners are public."""
    price, faction = price_of(order), str(order["faction"])
    cell = price[0] if price is not None else None
    if cell is None or plan.holds(faction, cell):
        return ()
    taken = int(plan.state.cells[cell].owner == faction)
    shown = name_of(plan.state, faction)
    return (warning("conquista/not-theirs", cell=Code(cell), faction=shown, taken=taken),)
