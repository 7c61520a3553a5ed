"""Orders of two armies in one cell: joining, and passing troops."""

from __future__ import annotations

from dataclasses import replace

from rules.conquista.plan.armies import unknown
from rules.conquista.plan.holdings import FactionPlan
from rules.conquista.plan.standing import PlannedArmy, only_if
from rules.engine.diagnostics import Diagnostic, error, note, refuses, warning
from rules.engine.messages import Code, Message, msg
from rules.engine.orders import Order
from rules.engine.plan import Verdict


def join(plan: FactionPlan, order: Order) -> Verdict:
    """MOVER, joining: armies of one cell become one."""
    into, joining = str(order["army"]), tuple(order["armies"])
    told = msg("conquista/told-join", armies=tuple(Code(one) for one in joining), army=Code(into))
    twice = next((one for one in joining if one == into or joining.count(one) > 1), None)
    if twice is not None:
        return Verdict(order, (error("conquista/join-itself", army=Code(twice)),))
    receiver = plan.now.armies.get(into)
    if receiver is None:
        return unknown(order, into, told)
    found = {one: _together(plan, one, into) for one in joining}
    wrong = next((findings for findings in found.values() if refuses(findings)), None)
    if wrong is not None:
        return Verdict(order, wrong)
    for one, doubts in found.items():
        other = plan.now.armies.get(one)
        if other is not None:
            receiver = _receive(receiver, 0 if doubts else other.troops, other.most)
            plan.now.armies[one] = other if doubts else replace(other, likely=())
    plan.now.armies[into] = receiver
    some = any(not doubts for doubts in found.values())
    findings = tuple(_left_out(one) if some else one for doubts in found.values() for one in doubts)
    return Verdict(order, findings, told)


def _left_out(finding: Diagnostic) -> Diagnostic:
    """Why one of several armies is going to be left out; the others join."""
    reason = finding.message.params.get("reason")
    if not isinstance(reason, Message):
        return finding
    return warning("conquista/left-out", reason=reason)


def _receive(receiver: PlannedArmy, troops: int, most: int) -> PlannedArmy:
    """An army that may receive troops. troops: that it is expected to receive, 0 for none.

    That it may have received some allows it nothing more, so no way of standing is added.
    """
    likely = tuple(replace(one, receiver=True) for one in receiver.likely) if troops else receiver.likely
    return PlannedArmy(receiver.troops + troops, receiver.most + most, likely, receiver.possible)


def _together(plan: FactionPlan, one: str, into: str) -> tuple[Diagnostic, ...]:
    """Joining and passing troops happen in one cell."""
    first, second = plan.now.armies.get(one), plan.now.armies[into]
    if first is None:
        return (note("parse/known-later", name=Code(one)),)
    if {way.cell for way in first.likely} & {way.cell for way in second.likely}:
        return ()
    reason = msg(
        "conquista/not-together",
        army=Code(one),
        here=Code(first.here.cell),
        other=Code(into),
        there=Code(second.here.cell),
    )
    if not {way.cell for way in first.possible} & {way.cell for way in second.possible}:
        return (Diagnostic(reason),)
    gone = next((key for key, army in ((one, first), (into, second)) if not army.likely), None)
    return (only_if(msg("conquista/not-expected", army=Code(gone)) if gone else reason),)


def transfer(plan: FactionPlan, order: Order) -> Verdict:
    """MOVER, passing troops: to another army in the cell; the giver keeps at least one."""
    giver, into, troops = str(order["giver"]), str(order["army"]), int(order["troops"])
    told = msg("conquista/told-transfer", troops=troops, giver=Code(giver), army=Code(into))
    if giver == into:
        return Verdict(order, (error("conquista/pass-itself", army=Code(into)),))
    source, receiver = plan.now.armies.get(giver), plan.now.armies.get(into)
    if source is None or receiver is None:
        return unknown(order, giver if source is None else into, told)
    doubts = (*_together(plan, giver, into), *_too_few(giver, source, into, troops))
    wrong = tuple(one for one in doubts if refuses([one]))
    if wrong:
        return Verdict(order, wrong[:1])
    findings = doubts[:1]
    if not findings:
        plan.now.armies[giver] = replace(source, troops=source.troops - troops)
    plan.now.armies[into] = _receive(receiver, 0 if findings else troops, troops)
    return Verdict(order, findings, told)


def _too_few(giver: str, source: PlannedArmy, into: str, troops: int) -> tuple[Diagnostic, ...]:
    if troops < source.troops:
        return ()
    reason = msg("conquista/giver-keeps-one", army=Code(giver), troops=source.troops)
    if troops < source.most:
        return (only_if(reason),)
    return (Diagnostic(reason, suggest=(f"unir {giver} con {into}",)),)
