"""Reports of a fair: what the reader may know, and how things stand."""

from __future__ import annotations

from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY, audience_of
from rules.engine.document import Align, Document, Items, Paragraph, Section, Table
from rules.engine.events import Event
from rules.engine.messages import Message, Param, Quoted, msg
from rules.engine.ruleset import Template
from rules.engine.view import View
from tests.toy.state import State


def report(before: View[State], after: View[State], events: tuple[Event, ...]) -> Document:
    """Public facts for everybody, private ones for their seat, all for the director."""
    viewer = after.viewer
    shared = viewer in (EVERYBODY, DIRECTOR_SEAT)
    told = [one for one in events if viewer == DIRECTOR_SEAT or one.audience.everybody == shared]
    lines = tuple(_line(after.state, one) for one in told)
    happened = Items(lines) if lines else Paragraph(msg("feria/nothing"))
    sections = [Section("events", msg("feria/happened"), (happened,))]
    sections.append(_standings(after.state) if shared else _purse(before.state, after.state, viewer))
    return Document(msg("feria/report", day=after.number), tuple(sections), audience_of(viewer))


def _line(state: State, one: Event) -> Message:
    data: dict[str, Param] = dict(one.data)
    if "stall" in data:
        data["stall"] = Quoted(state.stalls[str(data["stall"])].name)
    return Message(one.id, data)


def _standings(state: State) -> Section:
    head = (msg("feria/who"), msg("feria/prizes"))
    rows = tuple(
        (msg("feria/name", name=key), msg("feria/count", count=len(one.prizes)))
        for key, one in state.folk.items()
    )
    return Section("standings", msg("feria/standings"), (Table(head, rows, (Align.LEFT, Align.RIGHT)),))


def _purse(before: State, after: State, seat: str) -> Section:
    gained = after.folk[seat].purse - before.folk[seat].purse
    text = msg("feria/purse", coins=after.folk[seat].purse, gained=gained)
    return Section("purse", None, (Paragraph(text),))


def template(view: View[State]) -> Template:
    """The purse as a comment, and the work that always is there."""
    return Template((msg("feria/template", coins=view.state.folk[view.viewer].purse),), ("trabajar",))
