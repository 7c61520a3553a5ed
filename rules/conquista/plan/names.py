"""Names of new armies (parts, recruits), fixed and shown at reading so that later lines can use them."""

from __future__ import annotations

from rules.conquista.plan.holdings import FactionPlan
from rules.conquista.state import in_block
from rules.engine.diagnostics import Diagnostic, error
from rules.engine.messages import Code
from rules.engine.orders import Args, Order


def name_parts(
    plan: FactionPlan, key: str, order: Order, *, staying: bool
) -> tuple[dict[int, str], Diagnostic | None]:
    """An id for each part that moves, by its place, or what is wrong with a name that the order gives.

    What stays keeps the old id (`staying`: whether something does), else the part that asks for it, else the
    first one without a name of its own. Names that an earlier reading fixed are kept.
    """
    parts: tuple[Args, ...] = tuple(order["parts"])
    names: dict[int, str] = {}
    for place, part in enumerate(parts):
        wanted = order.assigned.get(str(place)) or part.get("name")
        if wanted is None:
            continue
        wrong = _wrong_name(plan, key, wanted, (*names.values(), *((key,) if staying else ())))
        if wrong is not None and not order.assigned:
            return {}, wrong
        names[place] = wanted
    unnamed = [place for place, part in enumerate(parts) if place not in names and "cell" in part.values]
    if not staying and key not in names.values() and unnamed:
        names[unnamed.pop(0)] = key
    for place in unnamed:
        names[place] = plan.free_name((*plan.names, *names.values()))
    plan.names.update(names.values())
    return names, None


def name_recruits(plan: FactionPlan, order: Order) -> str | Diagnostic:
    """An id for the army of a recruiting, or what is wrong with the name that the order gives."""
    wanted = order.assigned.get("0") or order.get("called")
    wrong = _wrong_name(plan, None, wanted, ()) if wanted is not None else None
    if wrong is not None and not order.assigned:
        return wrong
    name = str(wanted or plan.free_name(plan.names))
    plan.names.add(name)
    return name


def _wrong_name(plan: FactionPlan, key: str | None, wanted: str, taken: tuple[str, ...]) -> Diagnostic | None:
    """Why an army can't be called so: somebody is, or the number belongs to another faction's block.

    key: the army that is divided, whose own name is free; None for none.
    """
    if wanted in taken or (wanted in plan.names and wanted != key):
        return error("conquista/name-taken", army=Code(wanted))
    if not in_block(wanted, plan.faction.block):
        free = plan.free_name((*plan.names, *taken))
        return error("conquista/not-your-number", army=Code(wanted), free=Code(free))
    return None
