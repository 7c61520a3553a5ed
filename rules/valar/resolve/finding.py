"""Finding the missions that the director's orders name."""

from __future__ import annotations

from rules.engine.messages import Message, Quoted, msg
from rules.engine.orders import Args
from rules.engine.turn import Turn
from rules.valar.state import Mission, State, all_missions, slug_of

Found = tuple[str, str, Mission]
"""House, slug and mission."""


def find_mission(turn: Turn, named: Args) -> Found | Message:
    """The mission under way that is meant, or why none is: there is none, or several houses have one."""
    state: State = turn.state
    slug, house, title = slug_of(named["title"]), named.get("house"), Quoted(named["title"])
    found = [one for one in all_missions(state) if one[1] == slug and house in (None, one[0])]
    if len(found) == 1:
        return found[0]
    if not found:
        return msg("valar/no-mission-of-that-name", title=title)
    return msg("valar/several-of-that-name", title=title, houses=tuple(one[0] for one in found))


def find_open(turn: Turn, named: Args) -> Found | Message:
    """The same, still to be rolled."""
    found = find_mission(turn, named)
    if not isinstance(found, Message) and found[2].band is not None:
        return msg("valar/rolled-already", title=Quoted(found[2].title))
    return found
