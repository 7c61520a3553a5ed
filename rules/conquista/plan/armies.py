"""Orders of one army: moving and invading."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from rules.conquista.plan.holdings import FactionPlan
from rules.conquista.plan.standing import PlannedArmy, Standing, fitting, hindrance, judge, walk
from rules.conquista.state import by_cell
from rules.engine.diagnostics import Diagnostic, error, note, refuses, warning
from rules.engine.messages import Code, Message, msg
from rules.engine.orders import Order
from rules.engine.plan import Verdict

MOST_WAYS = 3
"""Paths that are suggested to a cell two steps away."""


def unknown(order: Order, key: str, told: Message) -> Verdict:
    """Nothing is known of an army that a refused line would have made: the line stands, with a note."""
    return Verdict(order, (note("parse/known-later", name=Code(key)),), told)


def not_adjacent(plan: FactionPlan, key: str, one: Standing, cell: str) -> Message | None:
    """Why a cell can't be entered from where an army stands."""
    if cell in plan.near[one.cell]:
        return None
    if cell == one.cell:
        return msg("conquista/already-there", army=Code(key), cell=Code(cell), moved=int(one.entered))
    return msg(
        "conquista/not-adjacent",
        army=Code(key),
        cell=Code(cell),
        here=Code(one.cell),
        moved=int(one.entered),
        ways=tuple(Code(way) for way in sorted(plan.near[one.cell], key=by_cell)),
    )


def move(plan: FactionPlan, order: Order) -> Verdict:
    """MOVER an undivided army along a path."""
    key, path = str(order["army"]), tuple(order["path"])
    told = msg("conquista/told-move", army=Code(key), path=tuple(Code(cell) for cell in path))
    army = plan.now.armies.get(key)
    if army is None:
        return unknown(order, key, told)

    def why(one: Standing) -> Message | None:
        if hindrance(key, one) is None and one.part and len(path) > 1:
            return msg("conquista/path-too-long", steps=1, part=1)
        return hindrance(key, one) or not_adjacent(plan, key, one, path[0])

    findings = _path_findings(plan, path) or judge(key, army, why)
    if refuses(findings):
        return Verdict(order, _with_ways(plan, key, army, path, findings))
    likely = tuple(
        taken[-1] if len(taken := walk(plan.near, one, path)) == len(path) else one for one in army.likely
    )
    behind = {way for one in army.possible for way in walk(plan.near, one, path)}
    plan.now.armies[key] = replace(army, likely=likely, possible=army.possible | behind)
    plan.enter(path, expected=not findings)
    return Verdict(order, findings, told)


def _path_findings(plan: FactionPlan, path: tuple[str, ...]) -> tuple[Diagnostic, ...]:
    """A path that no army could take: too long, or with a step that isn't between neighbours."""
    if len(path) > plan.options.steps:
        return (error("conquista/path-too-long", steps=plan.options.steps, part=0),)
    for here, cell in pairwise(path):
        if cell not in plan.near[here]:
            ways = tuple(Code(way) for way in sorted(plan.near[here], key=by_cell))
            return (error("conquista/path-broken", cell=Code(cell), here=Code(here), ways=ways),)
    return ()


def _with_ways(
    plan: FactionPlan, key: str, army: PlannedArmy, path: tuple[str, ...], findings: tuple[Diagnostic, ...]
) -> tuple[Diagnostic, ...]:
    """A cell that is two steps away is offered with the cells between, a path without where it begins."""
    if findings[0].code == "conquista/already-there":
        onward = (f"mover {key} a {', '.join(path[1:])}",) if len(path) > 1 else ()
        return (replace(findings[0], suggest=onward),)
    if len(path) > 1 or plan.options.steps < 2:
        return findings
    free = fitting(army.likely, lambda one: hindrance(key, one))
    between = sorted(
        {cell for one in free if not one.part for cell in plan.near[one.cell] & plan.near[path[0]]},
        key=by_cell,
    )
    suggest = tuple(f"mover {key} a {cell}, {path[0]}" for cell in between[:MOST_WAYS])
    return (replace(findings[0], suggest=suggest),)


def invade(plan: FactionPlan, order: Order) -> Verdict:
    """INVASIÓN of an adjacent cell; what it costs depends on the troops that are left by then."""
    cell, key = str(order["cell"]), str(order["army"])
    army = plan.now.armies.get(key)
    if army is None:
        return unknown(order, key, msg("conquista/told-invade-unknown", cell=Code(cell), army=Code(key)))

    def why(one: Standing) -> Message | None:
        return hindrance(key, one) or not_adjacent(plan, key, one, cell)

    findings = judge(key, army, why)
    if refuses(findings):
        return Verdict(order, findings)
    cost = -(-army.troops // plan.options.troops_per_supply)
    unpaid = plan.pay(cost, 1, expected=not findings)
    if refuses(unpaid):
        return Verdict(order, unpaid)
    _fight(plan, key, army, cell, expected=not findings and not unpaid)
    told = msg(
        "conquista/told-invade",
        cell=Code(cell),
        army=Code(key),
        troops=army.troops,
        cost=cost,
        left=plan.left,
    )
    return Verdict(order, (*findings, *_doubts(plan, cell), *unpaid), told)


def _fight(plan: FactionPlan, key: str, army: PlannedArmy, cell: str, *, expected: bool) -> None:
    """An attack that is won takes the army into the cell; the block goes on for either end."""

    def won(ways: tuple[Standing, ...]) -> tuple[Standing, ...]:
        return tuple(taken for one in ways for taken in walk(plan.near, one, (cell,)))

    inside = won(tuple(army.possible))
    likely = (*army.likely, *won(army.likely)) if expected else army.likely
    plan.now.armies[key] = replace(army, likely=likely, possible=army.possible | frozenset(inside))
    plan.enter((cell,), expected=expected)


def _doubts(plan: FactionPlan, cell: str) -> tuple[Diagnostic, ...]:
    """An invasion that finds nobody is cancelled; owners of cells are public."""
    owner = plan.state.cells[cell].owner
    if owner == plan.seat:
        return (warning("conquista/own-cell", cell=Code(cell)),)
    return (warning("conquista/nobody-there", cell=Code(cell)),) if owner is None else ()
