"""MOVER with parts: dividing an army."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rules.conquista.plan.armies import not_adjacent, unknown
from rules.conquista.plan.holdings import FactionPlan
from rules.conquista.plan.names import name_parts
from rules.conquista.plan.standing import PlannedArmy, Standing, fitting, hindrance, judge, only_if
from rules.engine.diagnostics import Diagnostic, error, refuses, warning
from rules.engine.messages import Code, Message, msg
from rules.engine.orders import Args, Order
from rules.engine.plan import Verdict

MOVING, STAYING = 0, 1
"""Forms of a part."""


@dataclass(frozen=True, slots=True)
class Division:
    """A split. moving: the parts that go. stays: troops that stay behind, from 0.

    expected: whether it happens if everything goes as ordered.
    """

    key: str
    moving: tuple[Args, ...]
    stays: int
    expected: bool

    @property
    def divides(self) -> bool:
        """Whether there are two armies or more behind it: one part of all the troops is a plain move."""
        return len(self.moving) + bool(self.stays) > 1


def split(plan: FactionPlan, order: Order) -> Verdict:
    """An army into parts, each of which moves one cell or stays; what isn't named stays."""
    key = str(order["army"])
    army = plan.now.armies.get(key)
    if army is None:
        return unknown(order, key, msg("conquista/told-split-unknown", army=Code(key)))
    parts: tuple[Args, ...] = tuple(order["parts"])
    moving = tuple(part for part in parts if part.form == MOVING)
    findings = _count_findings(key, army, parts) or judge(key, army, lambda one: _why(plan, key, one, moving))
    findings = findings or _too_many(key, army, parts)
    if refuses(findings):
        return Verdict(order, findings)
    division = Division(key, moving, max(0, army.troops - _sum(moving)), expected=not findings)
    names, wrong = name_parts(plan, key, order, staying=division.stays > 0)
    if wrong is not None:
        return Verdict(order, (wrong,))
    _divide(plan, army, division, [names[place] for place, part in enumerate(parts) if part.form == MOVING])
    assigned = {str(place): name for place, name in names.items()}
    told = _told(plan, army, division, order, names)
    return Verdict(replace(order, assigned=assigned), (*findings, *_rest(key, army, parts)), told)


def _sum(parts: Sequence[Args]) -> int:
    return sum(int(part["troops"]) for part in parts)


def _count_findings(key: str, army: PlannedArmy, parts: tuple[Args, ...]) -> tuple[Diagnostic, ...]:
    """Parts that can't be, whatever else happens."""
    staying = [part for part in parts if part.form == STAYING]
    if len(staying) == len(parts):
        return (error("conquista/nothing-moves", army=Code(key)),)
    if len(staying) > 1:
        return (error("conquista/one-part-stays", army=Code(key)),)
    if _sum(parts) > army.most:
        return (error("conquista/too-many-troops", army=Code(key), named=_sum(parts), troops=army.troops),)
    return ()


def _too_many(key: str, army: PlannedArmy, parts: tuple[Args, ...]) -> tuple[Diagnostic, ...]:
    """More troops than the army is expected to have by then."""
    if _sum(parts) <= army.troops:
        return ()
    return (only_if(msg("conquista/too-many-troops", army=Code(key), named=_sum(parts), troops=army.troops)),)


def _rest(key: str, army: PlannedArmy, parts: tuple[Args, ...]) -> tuple[Diagnostic, ...]:
    """Fewer named to stay than there are: the rest stays too, which is said."""
    rest = army.troops - _sum(parts)
    if rest <= 0 or all(part.form == MOVING for part in parts):
        return ()
    return (warning("conquista/parts-dont-add-up", army=Code(key), troops=army.troops, rest=rest),)


def _why(plan: FactionPlan, key: str, one: Standing, moving: tuple[Args, ...]) -> Message | None:
    """Why an army that stands so can't send all its parts."""
    hindered = hindrance(key, one)
    if hindered is None and one.entered:
        return msg("conquista/moved-cant-split", army=Code(key))
    reasons = (not_adjacent(plan, key, one, part["cell"]) for part in moving)
    return hindered or next((reason for reason in reasons if reason is not None), None)


def _divide(plan: FactionPlan, army: PlannedArmy, division: Division, names: list[str]) -> None:
    """The armies behind the split; a part may be blocked and stay, and the whole may be cancelled.

    What stays under the old name can do no more than the undivided army: no way of standing is added to it.
    """
    key, armies = division.key, plan.now.armies

    def stay(ways: Iterable[Standing]) -> tuple[Standing, ...]:
        fits = fitting(ways, lambda one: _why(plan, key, one, division.moving))
        return tuple(replace(one, part=division.divides) for one in fits)

    staying = frozenset(stay(army.possible))
    if division.expected:
        likely = stay(army.likely) if division.stays else ()
        armies[key] = replace(army, troops=division.stays, likely=likely)
    for name, part in zip(names, division.moving, strict=True):
        gone = Standing(part["cell"], entered=True, part=division.divides)
        possible = staying | {gone} | (army.possible if name == key else frozenset())
        plan.enter((gone.cell,), expected=division.expected)
        if name != key or division.expected:
            most = army.most if name == key else int(part["troops"])
            likely = (gone,) if division.expected else ()
            armies[name] = PlannedArmy(int(part["troops"]), most, likely, possible)
        else:
            armies[key] = replace(army, possible=possible)


def _told(
    plan: FactionPlan, army: PlannedArmy, division: Division, order: Order, names: dict[int, str]
) -> Message:
    key = division.key
    told = tuple(
        msg(
            "conquista/told-part",
            troops=int(part["troops"]),
            cell=Code(part["cell"]),
            army=Code(names[place]),
            same=int(names[place] == key),
        )
        for place, part in enumerate(order["parts"])
        if part.form == MOVING
    )
    rest = None
    if division.stays:
        rest = msg("conquista/told-rest", troops=division.stays, cell=Code(army.here.cell), army=Code(key))
    return msg("conquista/told-split", army=Code(key), count=len(told) + bool(rest), parts=told, rest=rest)
