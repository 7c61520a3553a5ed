"""Reports of a turn: what happened, and how things stand, for one audience each.

The public report tells public facts and the standings; a faction's own report tells what only it
knows and what it has. Each event's text stands in the catalogue under the event's id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from rules.conquista.outcome import outcome
from rules.conquista.pictures import draw_dominion, draw_planets, list_dominion, list_owners
from rules.conquista.state import (
    BASE,
    State,
    actions_for,
    armies_of,
    by_cell,
    by_number,
    count_cells,
    name_of,
    neighbours_of,
    owned,
)
from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY, audience_of
from rules.engine.document import Align, Block, Document, Items, Paragraph, Section, Table
from rules.engine.events import Event
from rules.engine.messages import Code, Message, Param, msg
from rules.engine.ruleset import Template
from rules.engine.telling import find_actor, tell_by_actor
from rules.engine.view import View

NAMED = frozenset(("faction", "spy", "saboteur", "target", "attacker", "defender", "loser", "receiver"))
"""Event data that name a faction: shown with gender and article."""

ACTORS = ("attacker", "spy", "saboteur", "faction", "target")
"""Event data that say under which faction an event is told where no order led to it: the first of them."""

CODED = frozenset(("cell", "army", "giver"))
"""Event data that are ids to type."""

DOMINION = "conquista/dominion-counted"
SILENT = frozenset((DOMINION, "conquista/actions-counted"))
"""Told by the standings and by the summary of the faction instead."""


def report(before: View[State], after: View[State], events: tuple[Event, ...]) -> Document:
    """The document for the viewer of the views; `events` are those that the viewer may know."""
    viewer = after.viewer
    sections: tuple[Section, ...]
    if viewer in (EVERYBODY, DIRECTOR_SEAT):
        told = list(events)
        sections = (_happened(after, told), _standings(before, after, told), _map(after))
    else:
        told = [one for one in events if not one.audience.everybody]
        sections = (_summary(after), _happened(after, told), *_armies(after))
    title = msg("conquista/report-title", turn=after.number)
    return Document(title, sections, audience_of(viewer))


def _happened(view: View[State], events: list[Event]) -> Section:
    """What happened. To everybody and to the director it is told by who did it, each event once."""
    return tell_by_actor(
        msg("conquista/what-happened"),
        msg("conquista/nothing-happened"),
        [(_actor(view, one), _line(view, one)) for one in events],
        lambda actor: msg("conquista/cell-faction", faction=name_of(view.state, actor)),
    )


def _actor(view: View[State], one: Event) -> str | None:
    """The faction under which an event is told: who ordered it, else whom it names."""
    return find_actor(view.viewer, (one.seat, *(one.data.get(key) for key in ACTORS)), view.state.factions)


def _line(view: View[State], one: Event) -> Message | None:
    """An event's line; to the director, who reads what was told to others, with whom it was told to."""
    line = event_text(view, one) if one.id not in SILENT else None
    if line is None or view.viewer != DIRECTOR_SEAT or one.audience.everybody:
        return line
    names = tuple(name_of(view.state, seat) for seat in one.audience.seats)
    return msg("conquista/told-to", seats=names, line=line)


def event_text(view: View[State], one: Event) -> Message | None:
    """The message of an event; None for events of other rule sets, which there are none of."""
    if not one.id.startswith(("conquista/", "engine/")):
        return None
    params: dict[str, Param] = {key: _shown(view.state, key, value) for key, value in one.data.items()}
    told = TOLD.get(one.id)
    return Message(one.id, params if told is None else params | told(one))


def _shown(state: State, key: str, value: Param) -> Param:
    if value is None:
        return None
    if key in NAMED and isinstance(value, str) and value in state.factions:
        return name_of(state, value)
    if key in CODED and isinstance(value, str):
        return Code(value)
    if (
        key in ("path", "parts", "armies")
        and isinstance(value, tuple)
        and all(isinstance(one, str) for one in value)
    ):
        return tuple(Code(str(one)) for one in value)
    return value


def _spied(one: Event) -> dict[str, Param]:
    """What a spy saw, row by row: cells (id, feature, building, points) and armies (id, cell, troops)."""
    return {
        "cells": tuple(_cell_holding(*row) for row in _rows(one, "cells")),
        "armies": tuple(_spied_army(*row) for row in _rows(one, "armies")),
    }


def _rows(one: Event, key: str) -> tuple[tuple[Param, ...], ...]:
    listed = one.data[key]
    return tuple(row for row in listed if isinstance(row, tuple)) if isinstance(listed, tuple) else ()


def _cell_holding(cell: Param, feature: Param, building: Param, points: Param) -> Message:
    """A cell with what it holds: by nature, built, fortification points."""
    every = {"feature": feature, "building": building, "points": points}
    holds = tuple(msg(f"conquista/holds-{kind}", held=held) for kind, held in every.items() if held)
    return msg("conquista/cell-holding", cell=Code(str(cell)), holds=holds)


def _spied_army(army: Param, cell: Param, troops: Param) -> Message:
    return msg("conquista/army-there", army=Code(str(army)), cell=Code(str(cell)), troops=troops)


def _received(one: Event) -> dict[str, Param]:
    """A cell that was ceded, with what stands in it."""
    return {"cell": _cell_holding(*(one.data[key] for key in ("cell", "feature", "building", "points")))}


def _fought(one: Event) -> dict[str, Param]:
    """Both sides' totals, die by die."""
    return {side: _score(one.data[side], one.data[f"{side}_parts"]) for side in ("attack", "defence")}


def _score(total: Param, parts: Param) -> Message:
    die, bonus, malus = parts if isinstance(parts, tuple) else (total, 0, 0)
    changed = int(bool(bonus or malus))
    return msg("conquista/score", die=die, bonus=bonus, malus=malus, changed=changed, total=total)


TOLD: Mapping[str, Callable[[Event], dict[str, Param]]] = {
    "conquista/espionage-succeeded": _spied,
    "conquista/cell-received": _received,
    "conquista/invasion-losses": _fought,
}
"""Events whose data are put together before they are told."""


def _standings(before: View[State], after: View[State], told: list[Event]) -> Section:
    """Cells, dominion and the change since the last turn, best first; then who holds whole planets."""
    state = after.state
    ranked = sorted(state.factions, key=lambda key: (-state.factions[key].dominion, key))
    held, had = count_cells(state), count_cells(before.state)
    rows = tuple(_row(state, key, held[key], had[key]) for key in ranked)
    head = tuple(msg(f"conquista/head-{name}") for name in ("faction", "cells", "dominion", "change"))
    align = (Align.LEFT, Align.RIGHT, Align.RIGHT, Align.RIGHT)
    blocks: list[Block] = [Table(head, rows, align)]
    bonuses = [event_text(after, one) for one in told if one.id == DOMINION and one.data["bonuses"]]
    if bonuses:
        blocks.append(Items(tuple(line for line in bonuses if line is not None)))
    blocks += [*draw_dominion(after), *list_dominion(after)]
    return Section("standings", msg("conquista/standings"), tuple(blocks))


def _map(view: View[State]) -> Section:
    """Who holds which cells: the planets as pictures, and in words."""
    blocks: tuple[Block, ...] = (*draw_planets(view), list_owners(view.state))
    return Section("map", msg("conquista/the-map"), blocks)


def _row(state: State, key: str, held: int, had: int) -> tuple[Message, ...]:
    return (
        msg("conquista/cell-faction", faction=name_of(state, key)),
        msg("conquista/cell-number", number=held),
        msg("conquista/cell-number", number=state.factions[key].dominion),
        msg("conquista/cell-change", number=held - had),
    )


def _summary(view: View[State]) -> Section:
    state, seat = view.state, view.viewer
    faction, cells = state.factions[seat], len(owned(state, seat))
    line = msg(
        "conquista/summary",
        faction=name_of(state, seat),
        supplies=faction.supplies,
        cells=cells,
        actions=None if outcome(state, view.options) else actions_for(cells, view.options),
        dominion=faction.dominion,
    )
    return Section("summary", msg("conquista/your-faction"), (Paragraph(line),))


def _armies(view: View[State]) -> tuple[Section, ...]:
    """The faction's own armies and works, on maps where they can be shown and in words."""
    state, seat = view.state, view.viewer
    lines = tuple(
        msg("conquista/army-there", army=Code(key), cell=Code(army.cell), troops=army.troops)
        for key, army in sorted(armies_of(state, seat).items(), key=lambda one: by_number(one[0]))
    )
    base = state.factions[seat].base
    works = tuple(
        _cell_holding(key, cell.feature, BASE if key == base else cell.building, cell.fortification)
        for key in owned(state, seat)
        for cell in (state.cells[key],)
        if (cell.building or cell.fortification or cell.feature or key == base)
    )
    blocks: list[Block] = [*draw_planets(view)]
    if lines:
        blocks.append(Paragraph(msg("conquista/your-armies", armies=lines)))
    if works:
        blocks.append(Paragraph(msg("conquista/your-works", cells=works)))
    return (Section("armies", None, tuple(blocks)),) if blocks else ()


def template(view: View[State]) -> Template:
    """The facts that a player needs to write the next block, as comments in it."""
    state, seat = view.state, view.viewer
    if seat not in state.factions:
        return Template()
    armies = tuple(
        msg("conquista/template-army", army=key, cell=army.cell, troops=army.troops)
        for key, army in sorted(armies_of(state, seat).items(), key=lambda one: by_number(one[0]))
    )
    actions = actions_for(len(owned(state, seat)), view.options)
    line = msg(
        "conquista/template-facts",
        faction=name_of(state, seat),
        actions=actions,
        supplies=state.factions[seat].supplies,
        armies=armies,
    )
    return Template(comments=(line,), examples=tuple(_examples(view)))


def _examples(view: View[State]) -> Iterator[Message]:
    """Orders that the seat could give now, with an army of its own and a neighbour that it reaches: land of
    nobody if there is any, else its own.
    """
    state = view.state
    armies = sorted(armies_of(state, view.viewer).items(), key=lambda one: by_number(one[0]))
    near = neighbours_of(state.cells, (army.cell for _, army in armies))
    for wanted in (None, view.viewer):
        ways = ((key, cell) for key, army in armies for cell in sorted(near[army.cell], key=by_cell))
        step = next((one for one in ways if state.cells[one[1]].owner == wanted), None)
        if step is not None:
            yield msg("conquista/template-move", army=step[0], cell=step[1])
            break
    if state.factions[view.viewer].base is not None:
        yield msg("conquista/template-produce")
