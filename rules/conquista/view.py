"""Who sees what: owners of cells and dominion are public, the rest belongs to its owner.

Features are also known to who has found or spied them, and to all where the map shows them (`charted`).
What else espionage shows, it shows once, in the spy's report (`known` keeps features only). Which cells are
still to be drawn is nobody's knowledge: an unexplored cell looks like one that holds nothing known.
"""

from __future__ import annotations

from dataclasses import replace

from rules.conquista.options import Options
from rules.conquista.state import Cell, Faction, State, armies_of
from rules.engine.audience import DIRECTOR_SEAT


def view(state: State, viewer: str, options: Options) -> State:
    """The state without what the viewer can't know; the director sees it all."""
    if viewer == DIRECTOR_SEAT:
        return state
    own = state.factions.get(viewer)
    known = frozenset(own.known) if own is not None else frozenset()
    return State(
        planets=state.planets,
        cells={key: _cell(key, cell, viewer, known) for key, cell in state.cells.items()},
        factions={key: one if key == viewer else _faction(one) for key, one in state.factions.items()},
        armies=armies_of(state, viewer),
        exploration=state.exploration,
    )


def _cell(key: str, cell: Cell, viewer: str, known: frozenset[str]) -> Cell:
    """A cell as the viewer sees it: itself where it hides nothing, since most cells of a big map don't."""
    if cell.owner == viewer:
        return cell
    feature = cell.feature if cell.charted or key in known else None
    if feature is cell.feature and cell.building is None and not (cell.fortification or cell.unexplored):
        return cell
    return replace(cell, building=None, fortification=0, feature=feature, unexplored=False)


def _faction(faction: Faction) -> Faction:
    return replace(faction, supplies=0, base=None, known=())
