"""What a faction's orders of one block amount to, judged by what it can see.

Only what no outcome of earlier rounds could make possible is refused; everything else is accepted,
with a warning where it looks hopeless. So an army has places where it may be, not one place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rules.conquista.options import Options
from rules.conquista.state import (
    Building,
    State,
    actions_for,
    armies_of,
    free_army,
    neighbours,
    owned,
)
from rules.engine.diagnostics import Diagnostic, error, note, refuses, warning
from rules.engine.messages import Code, Message, msg
from rules.engine.orders import Args, Order
from rules.engine.plan import Plan, Verdict
from rules.engine.view import View


@dataclass(frozen=True, slots=True)
class PlannedArmy:
    """An own army as the block has it so far.

    cell, troops: if everything goes as ordered. places: every cell where it may be by then.
    moved: whether it has moved. part: split off this turn, `entered` once such a part has entered its cell.
    joined: received troops, so that it can neither move nor attack for the rest of the turn.
    """

    cell: str
    troops: int
    places: frozenset[str]
    moved: bool = False
    part: bool = False
    entered: bool = False
    joined: bool = False


class ConquistaPlan(Plan[State]):
    """Armies, supplies and works of a faction while the lines of its block are read."""

    def __init__(self, view: View[State]) -> None:
        super().__init__(view)
        self.state = view.state
        self.options: Options = view.options
        self.near = neighbours(self.state.cells)
        self.armies = {
            key: PlannedArmy(army.cell, army.troops, frozenset((army.cell,)))
            for key, army in armies_of(self.state, self.seat).items()
        }
        self.cells = set(owned(self.state, self.seat))
        self.presumed: set[str] = set()
        self.supplies = self.state.factions[self.seat].supplies
        self.spent = 0
        self.actions = actions_for(len(self.cells), self.options)
        self.taken = 0
        self.works: dict[str, Building] = {}
        self.points: dict[str, int] = {}
        self._checks: dict[str, Callable[[Order], Verdict]] = {
            "produce": self._produce,
            "build": self._build,
            "fortify": self._fortify,
            "move": self._move,
            "split": self._split,
            "join": self._join,
            "transfer": self._transfer,
            "spy": self._spy,
            "invade": self._invade,
            "pass": self._pass,
        }

    def cell_names(self, key: str) -> tuple[str, ...]:
        """Names of a cell: its own, and "33 de Corvus Majoris" as the original writes it."""
        planet, _, number = key.rpartition("-")
        known = self.state.planets.get(planet)
        long = (f"{number} de {known.name}", f"{number} del planeta {known.name}") if known else ()
        name = self.state.cells[key].name
        return (name, *long) if name else long

    def accept(self, order: Order) -> Verdict:
        """Judge an order; a surplus action is refused, an order that stands is taken into the plan."""
        if self.taken >= self.actions:
            return Verdict(order, (error("conquista/no-actions-left", actions=self.actions),))
        verdict = self._checks[order.name](order)
        if not refuses(verdict.findings):
            self.taken += 1
            self.changed()
        return verdict

    def refused(self, order: Order | None, ids: tuple[str, ...]) -> None:
        """Army names that a refused line would have made count as known below it."""
        if order is None or order.name == "split":
            self.presumed.update(key for key in ids if key[:1] == "E" and key not in self.armies)
            self.changed()

    # supplies

    def _pay(self, cost: int) -> tuple[Diagnostic, ...]:
        """Costs are paid from what was held at the start of the turn, earlier lines first."""
        if cost > self.supplies:
            return (error("conquista/too-dear", cost=cost, supplies=self.supplies),)
        self.spent += cost
        if self.spent > self.supplies:
            return (warning("conquista/overspent", spent=self.spent, supplies=self.supplies),)
        return ()

    @property
    def left(self) -> int:
        """Supplies left after the lines so far, from 0."""
        return max(0, self.supplies - self.spent)

    # orders without an army

    def _produce(self, order: Order) -> Verdict:
        base = self.state.factions[self.seat].base
        hopeless = (warning("conquista/no-base"),) if base is None else ()
        return Verdict(order, hopeless, msg("conquista/told-produce"))

    def _pass(self, order: Order) -> Verdict:
        return Verdict(order, (), msg("conquista/told-pass"))

    def _spy(self, order: Order) -> Verdict:
        findings = self._pay(self.options.espionage_cost)
        told = msg(
            "conquista/told-spy", faction=order["faction"], cost=self.options.espionage_cost, left=self.left
        )
        return Verdict(order, findings, told)

    def _build(self, order: Order) -> Verdict:
        cell, building = order["cell"], Building(order["building"])
        findings = self._own(cell)
        there = self._infrastructure(cell)
        if not findings and there is not None:
            findings = (error("conquista/already-built", cell=Code(cell), there=there),)
        if not refuses(findings):
            findings = (*findings, *self._pay(self.options.building_cost))
        if not refuses(findings):
            self.works[cell] = building
        told = msg(
            "conquista/told-build",
            building=building,
            cell=Code(cell),
            cost=self.options.building_cost,
            left=self.left,
        )
        return Verdict(order, findings, told)

    def _infrastructure(self, cell: str) -> Message | None:
        """What of infrastructure stands or is begun in a cell, as far as the faction knows."""
        if self.state.factions[self.seat].base == cell:
            return msg("conquista/the-base")
        standing = self.state.cells[cell].building or self.works.get(cell)
        return msg("conquista/the-building", building=standing) if standing is not None else None

    def _fortify(self, order: Order) -> Verdict:
        cell, points = order["cell"], int(order["points"])
        findings = self._own(cell)
        there = self.state.cells[cell].fortification + self.points.get(cell, 0)
        room = self.options.most_points - there
        if not findings and points > room:
            findings = (self._too_many(cell, there, room),)
        cost = points * self.options.fortification_cost
        if not refuses(findings):
            findings = (*findings, *self._pay(cost))
        if not refuses(findings):
            self.points[cell] = self.points.get(cell, 0) + points
        told = msg("conquista/told-fortify", cell=Code(cell), points=points, cost=cost, left=self.left)
        return Verdict(order, findings, told)

    def _too_many(self, cell: str, there: int, room: int) -> Diagnostic:
        most = self.options.most_points
        found = error("conquista/too-many-points", cell=Code(cell), there=there, most=most, room=max(0, room))
        return replace(found, suggest=(f"fortificar {cell} {room}",)) if room > 0 else found

    def _own(self, cell: str) -> tuple[Diagnostic, ...]:
        return () if cell in self.cells else (error("conquista/not-your-cell", cell=Code(cell)),)

    # orders with an army

    def _army(self, key: str) -> PlannedArmy | None:
        """An army of the plan; None for one that a refused line would have made: nothing is known of it."""
        return self.armies.get(key)

    def _unknown(self, order: Order, key: str, told: Message) -> Verdict:
        return Verdict(order, (note("parse/known-later", name=Code(key)),), told)

    def _stuck(self, army: PlannedArmy, key: str) -> tuple[Diagnostic, ...]:
        if army.joined:
            return (warning("conquista/receiver-stays", army=Code(key)),)
        if army.part and army.entered:
            return (error("conquista/part-has-moved", army=Code(key)),)
        return ()

    def _reach(self, places: frozenset[str], cell: str, key: str, expected: str) -> tuple[Diagnostic, ...]:
        """Whether a cell can be entered from one of the places where the army may be."""
        if not any(cell in self.near[place] for place in places):
            ways = tuple(Code(one) for one in sorted(self.near[expected]))
            return (
                error(
                    "conquista/not-adjacent", army=Code(key), cell=Code(cell), here=Code(expected), ways=ways
                ),
            )
        if cell not in self.near[expected]:
            return (
                warning("conquista/only-if-blocked", army=Code(key), cell=Code(cell), here=Code(expected)),
            )
        return ()

    def _move(self, order: Order) -> Verdict:
        key, path = order["army"], tuple(order["path"])
        told = msg("conquista/told-move", army=Code(key), path=tuple(Code(cell) for cell in path))
        army = self._army(key)
        if army is None:
            return self._unknown(order, key, told)
        most = 1 if army.part else self.options.steps
        if len(path) > most:
            return Verdict(order, (error("conquista/path-too-long", steps=most, part=int(army.part)),))
        findings = self._stuck(army, key)
        places, at = army.places, army.cell
        for cell in path:
            findings = (*findings, *self._reach(places, cell, key, at))
            if refuses(findings):
                return Verdict(order, findings)
            places, at = frozenset((*places, cell)), cell
        self.armies[key] = replace(army, cell=at, places=places, moved=True, entered=army.part)
        self.cells.update(path)
        return Verdict(order, findings, told)

    def _split(self, order: Order) -> Verdict:
        key = order["army"]
        army = self._army(key)
        if army is None:
            return self._unknown(order, key, msg("conquista/told-split-unknown", army=Code(key)))
        parts = tuple(order["parts"])
        findings = self._split_findings(key, army, order)
        if refuses(findings):
            return Verdict(order, findings)
        stays = army.troops - sum(int(part["troops"]) for part in parts if part.form == 0)
        names, wrong = self._names(key, parts, stays)
        if wrong is not None:
            return Verdict(order, (wrong,))
        self._take_parts(key, army, parts, names, stays)
        assigned = {str(place): name for place, name in enumerate(names)} | ({"rest": key} if stays else {})
        told = self._told_split(key, army, parts, names, stays)
        return Verdict(replace(order, assigned=assigned), findings, told)

    def _split_findings(self, key: str, army: PlannedArmy, order: Order) -> tuple[Diagnostic, ...]:
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
            return (
                error("conquista/parts-dont-add-up", army=Code(key), troops=army.troops, missing=missing),
            )
        findings = self._stuck(army, key)
        for part in moving:
            findings = (*findings, *self._reach(army.places, part["cell"], key, army.cell))
        return findings

    def _names(
        self, key: str, parts: tuple[Args, ...], stays: int
    ) -> tuple[tuple[str, ...], Diagnostic | None]:
        """An id for each part: who stays, else the first listed, keeps the old one (`Further readings`)."""
        used = {*self.armies, *self.presumed}
        names: list[str] = []
        kept = bool(stays)
        for part in parts:
            form, wanted = part.form, part.get("name")
            if form == 1:
                names.append(key)
            elif wanted is not None:
                if wanted in used and wanted not in self.presumed:
                    return (), error("conquista/name-taken", army=Code(wanted))
                if not self._own_number(wanted):
                    return (), self._foreign_number(wanted, used)
                names.append(wanted)
            elif not kept:
                names.append(key)
                kept = True
            else:
                names.append(free_army(self.state.factions[self.seat].block, used))
            used.add(names[-1])
        return tuple(names), None

    def _own_number(self, wanted: str) -> bool:
        """Whether a name is of the faction's own block, so that a number tells nothing of others."""
        block = self.state.factions[self.seat].block
        digits = wanted[1:]
        if wanted[:1] != "E" or not digits.isdigit() or digits.startswith("0"):
            return False
        number = int(digits)
        return 10 * (block - 1) < number < 10 * block or 1000 * block < number < 1000 * (block + 1)

    def _foreign_number(self, wanted: str, used: set[str]) -> Diagnostic:
        free = free_army(self.state.factions[self.seat].block, used)
        return error("conquista/not-your-number", army=Code(wanted), free=Code(free))

    def _take_parts(
        self, key: str, army: PlannedArmy, parts: tuple[Args, ...], names: tuple[str, ...], stays: int
    ) -> None:
        self.armies.pop(key)
        if stays:
            self.armies[key] = replace(army, troops=stays, part=True)
        for part, name in zip(parts, names, strict=True):
            if part.form == 1:
                continue
            cell = part["cell"]
            places = frozenset((*army.places, cell))
            troops = int(part["troops"])
            self.armies[name] = PlannedArmy(cell, troops, places, moved=True, part=True, entered=True)
            self.cells.add(cell)

    def _told_split(
        self, key: str, army: PlannedArmy, parts: tuple[Args, ...], names: tuple[str, ...], stays: int
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
        rest = (
            msg("conquista/told-rest", troops=stays, cell=Code(army.cell), army=Code(key)) if stays else None
        )
        return msg(
            "conquista/told-split", army=Code(key), count=len(told) + bool(stays), parts=told, rest=rest
        )

    def _join(self, order: Order) -> Verdict:
        into, joining = order["army"], tuple(dict.fromkeys(order["armies"]))
        told = msg("conquista/told-join", armies=tuple(Code(one) for one in joining), army=Code(into))
        if into in joining or len(joining) != len(order["armies"]):
            return Verdict(order, (error("conquista/join-itself", army=Code(into)),))
        receiver = self._army(into)
        if receiver is None:
            return self._unknown(order, into, told)
        findings: tuple[Diagnostic, ...] = ()
        for one in joining:
            findings = (*findings, *self._together(one, into, receiver))
        if refuses(findings):
            return Verdict(order, findings)
        for one in joining:
            gone = self.armies.pop(one, None)
            receiver = replace(receiver, troops=receiver.troops + (gone.troops if gone else 0))
        self.armies[into] = replace(receiver, joined=True)
        return Verdict(order, findings, told)

    def _together(self, one: str, into: str, receiver: PlannedArmy) -> tuple[Diagnostic, ...]:
        """Joining and transferring happen in one cell."""
        other = self._army(one)
        if other is None:
            return (note("parse/known-later", name=Code(one)),)
        if not other.places & receiver.places:
            here, there = Code(other.cell), Code(receiver.cell)
            return (
                error("conquista/not-together", army=Code(one), here=here, other=Code(into), there=there),
            )
        if other.cell != receiver.cell:
            return (warning("conquista/perhaps-not-together", army=Code(one), other=Code(into)),)
        return ()

    def _transfer(self, order: Order) -> Verdict:
        giver, into, troops = order["giver"], order["army"], int(order["troops"])
        told = msg("conquista/told-transfer", troops=troops, giver=Code(giver), army=Code(into))
        if giver == into:
            return Verdict(order, (error("conquista/join-itself", army=Code(into)),))
        receiver, source = self._army(into), self._army(giver)
        if receiver is None or source is None:
            return self._unknown(order, into if receiver is None else giver, told)
        findings = self._together(giver, into, receiver)
        if troops >= source.troops:
            found = error(
                "conquista/giver-keeps-one", army=Code(giver), troops=source.troops, other=Code(into)
            )
            findings = (*findings, replace(found, suggest=(f"unir {giver} con {into}",)))
        if refuses(findings):
            return Verdict(order, findings)
        self.armies[giver] = replace(source, troops=source.troops - troops)
        self.armies[into] = replace(receiver, troops=receiver.troops + troops, joined=True)
        return Verdict(order, findings, told)

    def _invade(self, order: Order) -> Verdict:
        cell, key = order["cell"], order["army"]
        army = self._army(key)
        if army is None:
            return self._unknown(
                order, key, msg("conquista/told-invade-unknown", cell=Code(cell), army=Code(key))
            )
        cost = -(-army.troops // 2)
        findings = (*self._stuck(army, key), *self._reach(army.places, cell, key, army.cell))
        if not refuses(findings):
            findings = (*findings, *self._doubts(cell))
            findings = (*findings, *self._pay(cost))
        if refuses(findings):
            return Verdict(order, findings)
        places = frozenset((*army.places, cell))
        self.armies[key] = replace(army, places=places, moved=True, entered=army.part)
        told = msg(
            "conquista/told-invade",
            cell=Code(cell),
            army=Code(key),
            troops=army.troops,
            cost=cost,
            left=self.left,
        )
        return Verdict(order, findings, told)

    def _doubts(self, cell: str) -> tuple[Diagnostic, ...]:
        """An invasion that finds nobody is cancelled; owners of cells are public."""
        owner = self.state.cells[cell].owner
        if owner == self.seat:
            return (warning("conquista/own-cell", cell=Code(cell)),)
        return (warning("conquista/nobody-there", cell=Code(cell)),) if owner is None else ()
