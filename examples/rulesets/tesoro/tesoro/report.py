"""What each reader is told: everybody where the ships are, each crew its own affairs."""

from __future__ import annotations

from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY, audience_of
from rules.engine.document import Align, Document, Items, Paragraph, Section, Table
from rules.engine.events import Event
from rules.engine.messages import Message, Param, Quoted, msg
from rules.engine.ruleset import Template
from rules.engine.view import View
from tesoro.state import State, name_of, neighbours


def report(before: View[State], after: View[State], events: tuple[Event, ...]) -> Document:
    """The document for one viewer; `events` are those that the viewer may know."""
    viewer = after.viewer
    shared = viewer in (EVERYBODY, DIRECTOR_SEAT)
    told = [one for one in events if shared or not one.audience.everybody]
    lines = tuple(_line(after, one) for one in told)
    happened = Items(lines) if lines else Paragraph(msg("tesoro/nothing"))
    sections = (
        Section("events", msg("tesoro/happened"), (happened,)),
        _standings(after.state) if shared else _own(after.state, viewer),
    )
    return Document(msg("tesoro/report", turn=after.number), sections, audience_of(viewer))


def _line(view: View[State], one: Event) -> Message:
    """An event's text; the director is told besides who knows of it."""
    state = view.state
    line = Message(one.id, {key: _shown(state, key, value) for key, value in one.data.items()})
    if view.viewer != DIRECTOR_SEAT or one.audience.everybody:
        return line
    return msg("tesoro/told-to", crews=tuple(name_of(state, seat) for seat in one.audience.seats), line=line)


def _shown(state: State, key: str, value: Param) -> Param:
    """A value of an event as texts want it: names for ids."""
    if key == "crew" and isinstance(value, str):
        return name_of(state, value)
    if key == "island" and isinstance(value, str):
        return Quoted(state.islands[value].name)
    if key == "islands" and isinstance(value, tuple):
        return tuple(_shown(state, "island", inner) for inner in value)
    return value


def _standings(state: State) -> Section:
    head = (msg("tesoro/head-crew"), msg("tesoro/head-island"))
    rows = tuple(
        (msg("tesoro/cell-crew", crew=name_of(state, key)), msg("tesoro/cell-island", island=_at(state, key)))
        for key in sorted(state.crews)
    )
    return Section("standings", msg("tesoro/standings"), (Table(head, rows, (Align.LEFT, Align.LEFT)),))


def _own(state: State, seat: str) -> Section:
    crew = state.crews[seat]
    islands = tuple(Quoted(state.islands[key].name) for key in crew.searched)
    text = msg("tesoro/own", food=crew.food, island=_at(state, seat), searched=islands)
    return Section("own", msg("tesoro/your-crew"), (Paragraph(text),))


def template(view: View[State]) -> Template:
    """The facts that a player needs for the next block, and two orders that can be given."""
    state, seat = view.state, view.viewer
    if seat not in state.crews:
        return Template()
    near = neighbours(state, state.crews[seat].at)
    names = tuple(Quoted(state.islands[key].name) for key in near)
    facts = msg("tesoro/template", island=_at(state, seat), food=state.crews[seat].food, near=names)
    return Template(
        comments=(facts,),
        examples=(
            *(msg("tesoro/template-sail", island=name) for name in names[:1]),
            msg("tesoro/template-dig"),
        ),
    )


def _at(state: State, crew: str) -> Quoted:
    return Quoted(state.islands[state.crews[crew].at].name)
