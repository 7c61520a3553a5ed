"""Orders of armies: moving, joining, passing troops, invading."""

from __future__ import annotations

from dataclasses import replace

from rules.conquista.plan.holdings import FactionPlan, PlannedArmy
from rules.engine.diagnostics import Diagnostic, error, note, refuses, warning
from rules.engine.messages import Code, Message, msg
from rules.engine.orders import Order
from rules.engine.plan import Verdict


def unknown(order: Order, key: str, told: Message) -> Verdict:
    """Nothing is known of an army that a refused line would have made: the line stands, with a note."""
    return Verdict(order, (note("parse/known-later", name=Code(key)),), told)


def stuck(army: PlannedArmy, key: str) -> tuple[Diagnostic, ...]:
    """Why an army can neither move nor attack, as far as the plan goes."""
    if army.joined:
        return (warning("conquista/receiver-stays", army=Code(key)),)
    if army.part and army.entered:
        return (error("conquista/part-has-moved", army=Code(key)),)
    return ()


def reach(
    plan: FactionPlan, places: frozenset[str], cell: str, key: str, expected: str
) -> tuple[Diagnostic, ...]:
    """Whether a cell can be entered from one of the places where the army may be."""
    if not any(cell in plan.near[place] for place in places):
        ways = tuple(Code(one) for one in sorted(plan.near[expected]))
        return (
            error("conquista/not-adjacent", army=Code(key), cell=Code(cell), here=Code(expected), ways=ways),
        )
    if cell not in plan.near[expected]:
        return (warning("conquista/only-if-blocked", army=Code(key), cell=Code(cell), here=Code(expected)),)
    return ()


def move(plan: FactionPlan, order: Order) -> Verdict:
    """MOVER an undivided army along a path."""
    key, path = order["army"], tuple(order["path"])
    told = msg("conquista/told-move", army=Code(key), path=tuple(Code(cell) for cell in path))
    army = plan.armies.get(key)
    if army is None:
        return unknown(order, key, told)
    most = 1 if army.part else plan.options.steps
    if len(path) > most:
        return Verdict(order, (error("conquista/path-too-long", steps=most, part=int(army.part)),))
    findings = stuck(army, key)
    places, at = army.places, army.cell
    for cell in path:
        findings = (*findings, *reach(plan, places, cell, key, at))
        if refuses(findings):
            return Verdict(order, findings)
        places, at = frozenset((*places, cell)), cell
    plan.armies[key] = replace(army, cell=at, places=places, moved=True, entered=army.part)
    plan.cells.update(path)
    return Verdict(order, findings, told)


def join(plan: FactionPlan, order: Order) -> Verdict:
    """Armies of one cell become one."""
    into, joining = order["army"], tuple(dict.fromkeys(order["armies"]))
    told = msg("conquista/told-join", armies=tuple(Code(one) for one in joining), army=Code(into))
    if into in joining or len(joining) != len(order["armies"]):
        return Verdict(order, (error("conquista/join-itself", army=Code(into)),))
    receiver = plan.armies.get(into)
    if receiver is None:
        return unknown(order, into, told)
    findings: tuple[Diagnostic, ...] = ()
    for one in joining:
        findings = (*findings, *_together(plan, one, into, receiver))
    if refuses(findings):
        return Verdict(order, findings)
    for one in joining:
        gone = plan.armies.pop(one, None)
        receiver = replace(receiver, troops=receiver.troops + (gone.troops if gone else 0))
    plan.armies[into] = replace(receiver, joined=True)
    return Verdict(order, findings, told)


def _together(plan: FactionPlan, one: str, into: str, receiver: PlannedArmy) -> tuple[Diagnostic, ...]:
    """Joining and transferring happen in one cell."""
    other = plan.armies.get(one)
    if other is None:
        return (note("parse/known-later", name=Code(one)),)
    if not other.places & receiver.places:
        here, there = Code(other.cell), Code(receiver.cell)
        return (error("conquista/not-together", army=Code(one), here=here, other=Code(into), there=there),)
    if other.cell != receiver.cell:
        return (warning("conquista/perhaps-not-together", army=Code(one), other=Code(into)),)
    return ()


def transfer(plan: FactionPlan, order: Order) -> Verdict:
    """An army passes troops to another in its cell."""
    giver, into, troops = order["giver"], order["army"], int(order["troops"])
    told = msg("conquista/told-transfer", troops=troops, giver=Code(giver), army=Code(into))
    if giver == into:
        return Verdict(order, (error("conquista/join-itself", army=Code(into)),))
    receiver, source = plan.armies.get(into), plan.armies.get(giver)
    if receiver is None or source is None:
        return unknown(order, into if receiver is None else giver, told)
    findings = _together(plan, giver, into, receiver)
    if troops >= source.troops:
        found = error("conquista/giver-keeps-one", army=Code(giver), troops=source.troops, other=Code(into))
        findings = (*findings, replace(found, suggest=(f"unir {giver} con {into}",)))
    if refuses(findings):
        return Verdict(order, findings)
    plan.armies[giver] = replace(source, troops=source.troops - troops)
    plan.armies[into] = replace(receiver, troops=receiver.troops + troops, joined=True)
    return Verdict(order, findings, told)


def invade(plan: FactionPlan, order: Order) -> Verdict:
    """INVASIÓN of an adjacent cell."""
    cell, key = order["cell"], order["army"]
    army = plan.armies.get(key)
    if army is None:
        return unknown(order, key, msg("conquista/told-invade-unknown", cell=Code(cell), army=Code(key)))
    cost = -(-army.troops // 2)
    findings = (*stuck(army, key), *reach(plan, army.places, cell, key, army.cell))
    if not refuses(findings):
        findings = (*findings, *_doubts(plan, cell))
        findings = (*findings, *plan.pay(cost))
    if refuses(findings):
        return Verdict(order, findings)
    places = frozenset((*army.places, cell))
    plan.armies[key] = replace(army, places=places, moved=True, entered=army.part)
    told = msg(
        "conquista/told-invade",
        cell=Code(cell),
        army=Code(key),
        troops=army.troops,
        cost=cost,
        left=plan.left,
    )
    return Verdict(order, findings, told)


def _doubts(plan: FactionPlan, cell: str) -> tuple[Diagnostic, ...]:
    """An invasion that finds nobody is cancelled; owners of cells are public."""
    owner = plan.state.cells[cell].owner
    if owner == plan.seat:
        return (warning("conquista/own-cell", cell=Code(cell)),)
    return (warning("conquista/nobody-there", cell=Code(cell)),) if owner is None else ()
