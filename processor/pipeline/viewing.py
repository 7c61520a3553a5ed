"""A rule set's document for one viewer, from what the viewer may know and nothing else (design.md 6)."""

from __future__ import annotations

from processor.pipeline.context import PlayContext, TurnResult
from rules.engine.audience import EVERYBODY
from rules.engine.codec import dump_state
from rules.engine.document import Document
from rules.engine.events import Event, visible

TOLD_AROUND = frozenset(
    ("engine/corrected", "engine/answered", "engine/correction-dropped", "engine/moot-answer")
)
"""Events that the report tells in sections of its own, for every rule set alike."""


def hides(play: PlayContext) -> bool:
    """Whether some seat sees anything of the state that everybody can't see."""
    public = dump_state(play.look(EVERYBODY).state)
    return any(dump_state(play.look(seat).state) != public for seat in play.players)


def events_for(result: TurnResult, viewer: str) -> tuple[Event, ...]:
    """The turn's own events that a viewer may know, in order."""
    return tuple(one for one in visible(result.resolution.events, viewer) if one.id not in TOLD_AROUND)


def write_document(play: PlayContext, result: TurnResult, viewer: str) -> Document | None:
    """The document of a turn that isn't held; None where the kind of turn has none."""
    if play.kind.report is None or result.state is None:
        return None
    after = play.look(viewer, result.resolution.state)
    return play.kind.report(play.look(viewer), after, events_for(result, viewer))
