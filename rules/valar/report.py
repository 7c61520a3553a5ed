"""Reports of a turn: what happened and how things stand, for one audience each.

Each event's text stands in the catalogue under the event's id.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY, audience_of
from rules.engine.document import Align, Block, Document, Items, Paragraph, Section, Table
from rules.engine.events import Event
from rules.engine.messages import Code, Message, Param, Quoted, msg
from rules.engine.ruleset import Template
from rules.engine.telling import find_actor, tell_by_actor
from rules.engine.view import View
from rules.valar.bands import BANDS, Difficulty, Effect, Position
from rules.valar.state import (
    CONDITIONS,
    Balance,
    Clock,
    House,
    Mission,
    Modifier,
    State,
    Token,
    knows,
    name_of,
)

HOUSES = frozenset(("house", "supporter", "told_to", "rivals", "rival", "whose", "winner"))
"""Event data that name a house: shown with gender and article."""

CODED = frozenset(("token", "tokens"))
"""Event data that are names to type."""

CHANGES: Mapping[str, Mapping[str, str]] = {
    "difficulty": {one.value: f"valar/difficulty-{place}" for place, one in enumerate(Difficulty)},
    "position": {one.value: f"valar/position-{place}" for place, one in enumerate(Position)},
    "effect": {one.value: f"valar/effect-{place}" for place, one in enumerate(Effect)},
}
"""What the director changes in missions, with a word for each value."""

WORDED: Mapping[str, Mapping[str, str]] = {
    "band": {one.value: f"valar/band-{place}" for place, one in enumerate(BANDS)},
    "condition": {one.value: f"valar/condition-{place}" for place, one in enumerate(CONDITIONS)},
    "position": CHANGES["position"],
    "effect": CHANGES["effect"],
}
"""Event data with a word for each value."""

ENTRIES = frozenset(("valar/consequence-suffered", "valar/improvement-gained"))
CHANGES_OF_ENTRIES = frozenset(
    f"valar/{one}"
    for one in (
        "token-damaged",
        "token-delayed",
        "token-improved",
        "uses-changed",
        "vassal-changed",
        "memory-made",
        "clock-made",
        "modifier-stored",
        "duration-changed",
    )
)
"""What an entry changes, as it is told of the mission; told in the entry's line."""

CHANGED = "valar/mission-changed"
OPEN_ITEM = "valar/open-item"

SILENT = frozenset((OPEN_ITEM,))
"""Told in a section of its own."""


def report(before: View[State], after: View[State], events: tuple[Event, ...]) -> Document:
    """The document for the viewer of the views; `events` are those that the viewer may know."""
    viewer = after.viewer
    sections: list[Section] = []
    if viewer in (EVERYBODY, DIRECTOR_SEAT):
        told = list(events)
        sections += (_happened(after, told), *_open_items(after, told), _standings(before, after))
        sections += _clocks(after)
    else:
        told = [one for one in events if not one.audience.everybody]
        sections += (_happened(after, told), _missions(after), _tokens(after), *_holdings(after))
        sections += _memories(after)
        sections += _clocks(after)
    title = msg("valar/report-title", turn=after.number)
    return Document(title, tuple(sections), audience_of(viewer))


def _happened(view: View[State], events: list[Event]) -> Section:
    """What happened. To everybody and to the director it is told by house."""
    return tell_by_actor(
        msg("valar/what-happened"),
        msg("valar/nothing-happened"),
        [(_actor(view, first), _told(view.state, first, rest)) for first, rest in _joined(events)],
        lambda house: msg("valar/cell-house", house=name_of(view.state, house)),
    )


def _joined(events: list[Event]) -> Iterator[tuple[Event, list[Event]]]:
    """What is told, an entry of the catalogues with what it has changed in the same line."""
    told = [one for one in events if one.id not in SILENT]
    while told:
        first, rest = told.pop(0), list[Event]()
        while told and _belongs(first, told[0]):
            rest.append(told.pop(0))
        yield first, rest


def _belongs(first: Event, other: Event) -> bool:
    same = all(other.data.get(key) == first.data.get(key) for key in ("house", "mission"))
    return first.id in ENTRIES and other.id in CHANGES_OF_ENTRIES and same


def _told(state: State, first: Event, rest: list[Event]) -> Message | None:
    """A line. What an entry fell on isn't named twice."""
    if not rest:
        return event_text(state, first)
    data = {key: value for key, value in first.data.items() if key != "target"}
    said = event_text(state, replace(first, data=data))
    changes = tuple(text for one in rest if (text := event_text(state, one)) is not None)
    for change in changes:
        said = msg("valar/entry-and-change", entry=said, change=change)
    return said


def _actor(view: View[State], one: Event) -> str | None:
    """The house under which an event is told: the one that it names, else who ordered it."""
    return find_actor(view.viewer, (one.data.get("house"), one.seat), view.state.houses)


def event_text(state: State, one: Event) -> Message | None:
    """The message of an event; None for events of other rule sets, which there are none of."""
    if not one.id.startswith(("valar/", "engine/")):
        return None
    params = {key: _shown(state, key, value) for key, value in one.data.items()}
    if "entry" in params:
        params["what"] = msg(f"valar/{_family(one)}-{one.data['entry']}")
    if one.id == CHANGED:
        params["change"] = _change_of(one, params)
    return Message(one.id, params)


def _change_of(one: Event, params: Mapping[str, Param]) -> Message:
    """What the director has changed in a mission."""
    what, value = str(one.data["what"]), params["value"]
    words = CHANGES.get(what, {})
    worded = msg(words[value]) if isinstance(value, str) and words else value
    return msg(f"valar/changed-{what}", value=worded)


def _family(one: Event) -> str:
    return {"mayor": "major", "menor": "minor", "mejora": "improvement"}[str(one.data["size"])]


def _shown(state: State, key: str, value: Param) -> Param:
    if isinstance(value, tuple):
        return tuple(_shown(state, key, one) for one in value)
    return _worded(state, key, value) if isinstance(value, str) else value


def _worded(state: State, key: str, value: str) -> Param:
    if key in HOUSES and value in state.houses:
        return name_of(state, value)
    if key in WORDED and value in WORDED[key]:
        return msg(WORDED[key][value])
    if key in CODED:
        return Code(value)
    return Quoted(_named(state, value)) if key == "target" else value


def _named(state: State, target: str) -> str:
    """What an entry fell on, by its name: clocks and balances have one besides their id."""
    clock = state.clocks.get(target) or state.balances.get(target)
    return clock.name if clock is not None else target


def _open_items(view: View[State], events: list[Event]) -> Iterator[Section]:
    """What waits for the director's words."""
    lines = tuple(
        Message(
            f"valar/open-{one.data['what']}",
            {key: _shown(view.state, key, value) for key, value in one.data.items()},
        )
        for one in events
        if one.id == OPEN_ITEM
    )
    if lines and view.viewer == DIRECTOR_SEAT:
        yield Section("open-items", msg("valar/open-items"), (Items(lines),))


def _standings(before: View[State], after: View[State]) -> Section:
    """Reputation of the houses and its change, best first."""
    state = after.state
    ranked = sorted(state.houses, key=lambda key: (-state.houses[key].reputation, key))
    rows = tuple(
        (
            msg("valar/cell-house", house=name_of(state, key)),
            msg("valar/cell-number", number=state.houses[key].reputation),
            msg("valar/cell-change", number=_gained(before.state, state, key)),
        )
        for key in ranked
    )
    head = tuple(msg(f"valar/head-{name}") for name in ("house", "reputation", "change"))
    align = (Align.LEFT, Align.RIGHT, Align.RIGHT)
    return Section("standings", msg("valar/standings"), (Table(head, rows, align),))


def _gained(before: State, after: State, house: str) -> int:
    return after.houses[house].reputation - before.houses[house].reputation


def _clocks(view: View[State]) -> Iterator[Section]:
    """Running clocks and balances that the viewer knows of; in a house's report those that not all know."""
    state, private = view.state, view.viewer not in (EVERYBODY, DIRECTOR_SEAT)
    lines = [
        _clock(state, key, one)
        for key, one in sorted(state.clocks.items())
        if not one.closed and not (private and knows(one.known_to, EVERYBODY))
    ]
    lines += [
        _balance(one)
        for _, one in sorted(state.balances.items())
        if not one.closed and not (private and knows(one.known_to, EVERYBODY))
    ]
    if lines:
        yield Section("clocks", msg("valar/clocks"), (Items(tuple(lines)),))


def _clock(state: State, key: str, one: Clock) -> Message:
    """How far it is, or for which other it waits."""
    before = next((other.name for other in state.clocks.values() if other.chain == key), "")
    waits = Quoted(before) if one.waits else None
    facts: dict[str, Param] = {"marked": one.marked, "size": one.size, "sign": one.sign}
    return msg("valar/clock-stands", name=Quoted(one.name), waits=waits, **facts)


def _balance(one: Balance) -> Message:
    """Where it stands, towards which side where the sides have names."""
    name = one.right_name if one.at > 0 else one.left_name
    towards = Quoted(name) if one.at and name else None
    ends = (Quoted(one.left_name), Quoted(one.right_name)) if one.left_name and one.right_name else ()
    facts: dict[str, Param] = {"at": one.at, "size": one.size}
    return msg("valar/balance-stands", name=Quoted(one.name), towards=towards, ends=ends, **facts)


def _own(view: View[State]) -> House:
    return view.state.houses[view.viewer]


def _missions(view: View[State]) -> Section:
    """The house's missions under way, and those of others that it supports or knows of."""
    state = view.state
    lines = [
        _mission(state, key, one, view.viewer)
        for key in sorted(state.houses, key=lambda key: (key != view.viewer, key))
        for _, one in sorted(state.houses[key].missions.items())
    ]
    block: Block = Items(tuple(lines)) if lines else Paragraph(msg("valar/no-missions"))
    return Section("missions", msg("valar/missions"), (block,))


def _mission(state: State, house: str, one: Mission, viewer: str) -> Message:
    return msg(
        "valar/mission-stands",
        title=Quoted(one.title),
        tokens=tuple(Code(key) for key in one.tokens),
        resolves=one.resolves,
        house=None if house == viewer else name_of(state, house),
    )


def _tokens(view: View[State]) -> Section:
    lines = tuple(_token(key, one) for key, one in sorted(_own(view).tokens.items()))
    block: Block = Items(lines) if lines else Paragraph(msg("valar/no-tokens"))
    return Section("tokens", msg("valar/tokens"), (block,))


def _token(key: str, one: Token) -> Message:
    return msg(
        "valar/token-stands",
        token=Code(key),
        condition=msg(WORDED["condition"][one.condition.value]),
        keywords=tuple(Quoted(word) for word in one.keywords),
        uses=one.uses,
        improved=int(one.improved),
        busy=one.busy_until,
    )


def _holdings(view: View[State]) -> Iterator[Section]:
    """What else is the house's: vassals and their groups, resources, what related missions have left."""
    house = _own(view)
    lines = [
        msg(f"valar/{kind}-stand", counts=tuple(_count(*one) for one in sorted(counts.items())))
        for kind, counts in (("vassals", house.vassals), ("resources", house.resources))
        if counts
    ]
    lines += (
        msg("valar/group-stands", group=Quoted(key), members=tuple(map(Quoted, members)))
        for key, members in sorted(house.groups.items())
        if members
    )
    lines += (_modifier(view.state, house, one) for one in house.modifiers)
    if lines:
        yield Section("holdings", msg("valar/holdings"), (Items(tuple(lines)),))


def _count(name: str, count: int) -> Message:
    return msg("valar/count-stands", name=Quoted(name), count=count)


def _modifier(state: State, house: House, one: Modifier) -> Message:
    """For the next mission of a recipe, or for one that is named; it may not have begun."""
    recipe = state.recipes.get(one.recipe or "")
    mission = house.missions.get(one.mission or "")
    title = mission.title if mission is not None else one.mission
    return msg(
        "valar/modifier-stands",
        value=one.value,
        recipe=Quoted(recipe.name) if recipe is not None else None,
        title=Quoted(title) if title is not None else None,
    )


def _memories(view: View[State]) -> Iterator[Section]:
    lines = tuple(
        msg("valar/memory-stands", text=Quoted(one.text), value=one.value)
        for _, one in sorted(view.state.memories.items())
    )
    if lines:
        yield Section("memories", msg("valar/memories"), (Items(lines),))


def template(view: View[State]) -> Template:
    """The facts that a player needs to write the next block, as comments in it."""
    if view.viewer not in view.state.houses:
        return Template()
    tokens = _own(view).tokens
    free = tuple(key for key, one in sorted(tokens.items()) if one.here and one.busy_until is None)
    line = msg("valar/template-facts", house=name_of(view.state, view.viewer), tokens=free)
    examples = (msg("valar/template-mission", token=free[0]),) if free else ()
    return Template(comments=(line,), examples=examples)
