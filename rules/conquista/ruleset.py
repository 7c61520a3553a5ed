"""`conquista` as a value: everything that the engine needs to know of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.conquista.options import Options
from rules.conquista.orders import ORDERS
from rules.conquista.plan import ConquistaPlan
from rules.conquista.report import report, template
from rules.conquista.resolve import STEPS
from rules.conquista.state import State, name_of, planet_of
from rules.conquista.view import view
from rules.engine.audience import DIRECTOR, DIRECTOR_SEAT, Audience, only
from rules.engine.messages import Code, Message, Name, msg
from rules.engine.ruleset import Kind, Ruleset


def seats(state: State) -> Mapping[str, Name]:
    """Every faction is a seat."""
    return {key: name_of(state, key) for key in sorted(state.factions)}


def groups(state: State) -> Mapping[str, Audience]:
    """One seed for each faction and one for the director, besides the public one."""
    return {key: only(key) for key in sorted(state.factions)} | {DIRECTOR_SEAT: DIRECTOR}


def check(state: State, options: Options) -> Sequence[Message]:
    """What is wrong with a setup beyond the types of its values."""
    found: list[Message] = []
    for key, cell in state.cells.items():
        if planet_of(key) not in state.planets:
            found.append(msg("conquista/setup-no-planet", cell=Code(key)))
        if cell.owner is not None and cell.owner not in state.factions:
            found.append(msg("conquista/setup-no-owner", cell=Code(key), owner=Code(cell.owner)))
        found += [
            msg("conquista/setup-no-neighbour", cell=Code(key), other=Code(other))
            for other in cell.adjacent
            if other not in state.cells or other == key
        ]
        if not 0 <= cell.fortification <= options.most_points:
            found.append(msg("conquista/setup-points", cell=Code(key), most=options.most_points))
    return (*found, *_check_factions(state), *_check_armies(state))


def _check_factions(state: State) -> Sequence[Message]:
    found: list[Message] = []
    blocks: dict[int, str] = {}
    for key, faction in state.factions.items():
        if faction.base is not None and (
            faction.base not in state.cells or state.cells[faction.base].owner != key
        ):
            found.append(msg("conquista/setup-base", faction=key, cell=Code(faction.base)))
        if faction.supplies < 0:
            found.append(msg("conquista/setup-supplies", faction=key))
        if faction.block < 1 or blocks.setdefault(faction.block, key) != key:
            found.append(msg("conquista/setup-block", faction=key, block=faction.block))
    return found


def _check_armies(state: State) -> Sequence[Message]:
    found: list[Message] = []
    for key, army in state.armies.items():
        if army.owner not in state.factions or army.cell not in state.cells or army.troops < 1:
            found.append(msg("conquista/setup-army", army=Code(key)))
        elif state.cells[army.cell].owner != army.owner:
            found.append(msg("conquista/setup-army-cell", army=Code(key), cell=Code(army.cell)))
    return found


RULESET = Ruleset(
    id="conquista",
    version="0.1",
    title="Conquista",
    state=State,
    options=Options,
    kinds={
        "turn": Kind(
            "turn",
            orders=ORDERS,
            steps=STEPS,
            plan=ConquistaPlan,
            report=report,
            template=template,
        )
    },
    seats=seats,
    groups=groups,
    view=view,
    check=check,
)
