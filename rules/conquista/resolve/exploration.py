"""EJEMPLO DE TURNO, "Explorando el terreno ha tenido suerte": what an army finds in a cell that it takes.

What a cell holds stands in the map, or is drawn when the first army enters it, never ahead of that: a seed
that is published opens all that was drawn with it (design.md 6).
"""

from __future__ import annotations

from rules.conquista.state import NOTHING, Feature, State, odds_of
from rules.engine.audience import only
from rules.engine.events import event
from rules.engine.orders import Order
from rules.engine.turn import Turn


def explore(turn: Turn, order: Order, cell: str) -> None:
    """Who takes a cell learns what it holds; an unexplored one is drawn, once and for good."""
    state: State = turn.state
    one, faction = state.cells[cell], state.factions[order.seat]
    first = one.unexplored
    if first:
        one.feature, one.unexplored = _draw(turn, order, cell), False
    told = {"faction": order.seat, "cell": cell}
    if one.feature is not None and not one.charted and cell not in faction.known:
        faction.known = tuple(sorted((*faction.known, cell)))
        found = event(
            "conquista/feature-found", only(order.seat), order.by, **told, feature=one.feature.value
        )
        turn.tell(found)
    elif first:
        turn.tell(event("conquista/nothing-found", only(order.seat), order.by, **told))


def _draw(turn: Turn, order: Order, cell: str) -> Feature | None:
    """A find by the weights of the cell's table, with dice of the finder; None for nothing."""
    find = turn.dice.draw_weighted(
        odds_of(turn.state, cell).weights,
        "exploration",
        cell,
        purpose="conquista/roll-exploration",
        audience=only(order.seat),
    )
    return None if find == NOTHING else Feature(find)
