"""MOVER with parts: dividing an army, and the names of its parts."""

from __future__ import annotations

from dataclasses import replace

from rules.conquista.plan.armies import reach, stuck, unknown
from rules.conquista.plan.holdings import FactionPlan, PlannedArmy
from rules.conquista.state import free_army
from rules.engine.diagnostics import Diagnostic, error, refuses
from rules.engine.messages import Code, Message, msg
from rules.engine.orders import Args, Order
from rules.engine.plan import Verdict


def split(plan: FactionPlan, order: Order) -> Verdict:
    """MOVER: an army into parts, each of which moves one cell or stays; what isn't named stays."""
    key = order["army"]
    army = plan.armies.get(key)
    if army is None:
        return unknown(order, key, msg("conquista/told-split-unknown", army=Code(key)))
    parts = tuple(order["parts"])
    findings = _split_findings(plan, key, army, order)
    if refuses(findings):
        return Verdict(order, findings)
    stays = army.troops - sum(int(part["troops"]) for part in parts if part.form == 0)
    names, wrong = _names(plan, key, parts, stays)
    if wrong is not None:
        return Verdict(order, (wrong,))
    _take_parts(plan, key, army, parts, names, stays)
    assigned = {str(place): name for place, name in enumerate(names)} | ({"rest": key} if stays else {})
    told = _told_split(plan, key, army, parts, names, stays)
    return Verdict(replace(order, assigned=assigned), findings, told)


def _split_findings(plan: FactionPlan, key: str, army: PlannedArmy, order: Order) -> tuple[Diagnostic, ...]:
    parts = tuple(order["parts"])
    moving = [part for part in parts if part.form == 0]
    staying = sum(int(part["troops"]) for part in parts if part.form == 1)
    going = sum(int(part["troops"]) for part in moving)
    if not moving:
        return (error("conquista/nothing-moves", army=Code(key)),)
    if army.moved:
        return (error("conquista/moved-cant-split", army=Code(key)),)
    if going + staying > army.troops:
        return (
            error("conquista/too-many-troops", army=Code(key), named=going + staying, troops=army.troops),
        )
    if staying and going + staying < army.troops:
        missing = army.troops - going - staying
        return (error("conquista/parts-dont-add-up", army=Code(key), troops=army.troops, missing=missing),)
    findings = stuck(army, key)
    for part in moving:
        findings = (*findings, *reach(plan, army.places, part["cell"], key, army.cell))
    return findings


def _names(
    plan: FactionPlan, key: str, parts: tuple[Args, ...], stays: int
) -> tuple[tuple[str, ...], Diagnostic | None]:
    """An id for each part: who stays, else the first listed, keeps the old one (`Further readings`)."""
    used = {*plan.armies, *plan.presumed}
    names: list[str] = []
    kept = bool(stays)
    for part in parts:
        form, wanted = part.form, part.get("name")
        if form == 1:
            names.append(key)
        elif wanted is not None:
            if wanted in used and wanted not in plan.presumed:
                return (), error("conquista/name-taken", army=Code(wanted))
            if not _own_number(plan, wanted):
                return (), _foreign_number(plan, wanted, used)
            names.append(wanted)
        elif not kept:
            names.append(key)
            kept = True
        else:
            names.append(free_army(plan.state.factions[plan.seat].block, used))
        used.add(names[-1])
    return tuple(names), None


def _own_number(plan: FactionPlan, wanted: str) -> bool:
    """Whether a name is of the faction's own block, so that a number tells nothing of others."""
    block = plan.state.factions[plan.seat].block
    digits = wanted[1:]
    if wanted[:1] != "E" or not digits.isdigit() or digits.startswith("0"):
        return False
    number = int(digits)
    return 10 * (block - 1) < number < 10 * block or 1000 * block < number < 1000 * (block + 1)


def _foreign_number(plan: FactionPlan, wanted: str, used: set[str]) -> Diagnostic:
    free = free_army(plan.state.factions[plan.seat].block, used)
    return error("conquista/not-your-number", army=Code(wanted), free=Code(free))


def _take_parts(
    plan: FactionPlan,
    key: str,
    army: PlannedArmy,
    parts: tuple[Args, ...],
    names: tuple[str, ...],
    stays: int,
) -> None:
    plan.armies.pop(key)
    if stays:
        plan.armies[key] = replace(army, troops=stays, part=True)
    for part, name in zip(parts, names, strict=True):
        if part.form == 1:
            continue
        cell = part["cell"]
        places = frozenset((*army.places, cell))
        troops = int(part["troops"])
        plan.armies[name] = PlannedArmy(cell, troops, places, moved=True, part=True, entered=True)
        plan.cells.add(cell)


def _told_split(
    plan: FactionPlan,
    key: str,
    army: PlannedArmy,
    parts: tuple[Args, ...],
    names: tuple[str, ...],
    stays: int,
) -> Message:
    told = tuple(
        msg(
            "conquista/told-part",
            troops=part["troops"],
            cell=Code(part["cell"]),
            army=Code(name),
            same=int(name == key),
        )
        for part, name in zip(parts, names, strict=True)
        if part.form == 0
    )
    rest = msg("conquista/told-rest", troops=stays, cell=Code(army.cell), army=Code(key)) if stays else None
    return msg("conquista/told-split", army=Code(key), count=len(told) + bool(stays), parts=told, rest=rest)
