"""Who sees what: ships are seen by everybody; food, what a crew has found out, and the chest are not."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.audience import DIRECTOR_SEAT
from tesoro.options import Options
from tesoro.state import State


def view(state: State, viewer: str, options: Options) -> State:
    """The state without what the viewer can't know; the director sees it all."""
    if viewer == DIRECTOR_SEAT:
        return state
    crews = {
        key: crew if key == viewer else replace(crew, food=0, searched=())
        for key, crew in state.crews.items()
    }
    return State(state.islands, crews, treasure=None, finders=state.finders)
