"""What the director may know of a turn ahead of its dice (`turnero preview`)."""

from __future__ import annotations

from rules.engine.document import Document, Items, Paragraph, Section
from rules.engine.messages import msg
from rules.engine.turn import Turn
from tesoro.state import name_of

FACES = 6


def foretell(turn: Turn) -> Document:
    """Of each hole that is ordered: how many faces of its die reach the bottom; one more asks the player."""
    reached = FACES + 1 - turn.options.depth
    lines = tuple(
        msg("tesoro/forecast-dig", crew=name_of(turn.state, seat), reached=reached, faces=FACES)
        for seat in sorted(turn.orders)
        for order in turn.orders[seat]
        if order.name == "dig"
    )
    said = Items(lines) if lines else Paragraph(msg("tesoro/forecast-nothing"))
    return Document(msg("tesoro/forecast"), (Section("digs", None, (said,)),))
