"""`set`: one value of the turn's input state, by path."""

from __future__ import annotations

from typing import Any

from parsers.files.models import quoted
from processor.pipeline.context import PlayContext
from rules.engine.audience import EVERYBODY, PUBLIC, Audience, only
from rules.engine.codec import StateError, dump_state, load_state
from rules.engine.messages import Message, msg


class StateRefused(Exception):
    """The path or the value doesn't fit the state; for the director."""

    def __init__(self, wrong: Message, right: Message) -> None:
        super().__init__(wrong.id)
        self.wrong = wrong
        self.right = right


def set_value(play: PlayContext, state: Any, path: tuple[str, ...], value: Any) -> tuple[Any, Any]:
    """The state with another value at a path, and the old value (None where there was none).

    Raises StateRefused where the path leads nowhere, the value is of the wrong kind, or the rule set finds
    the state that comes of it impossible.
    """
    data = dump_state(state, defaults=True)
    table = _table_at(data, path)
    old = table.get(path[-1])
    table[path[-1]] = value
    try:
        changed = load_state(play.ruleset.state, data)
    except StateError as wrong:
        found = wrong.problems[0]
        said = msg("correct/no-fit", place="/".join(found.path), said=play.say(found.message))
        raise StateRefused(said, msg("correct/mend-value")) from wrong
    _require_sound(play, state, changed)
    return changed, old


def who_sees(play: PlayContext, path: tuple[str, ...], before: Any, after: Any) -> Audience:
    """Who may know of a change: everybody or the seats whose view shows the value before and behind it."""

    def shown(viewer: str) -> bool:
        return all(
            _value_at(play.look(viewer, state).state, path) == _value_at(state, path)
            for state in (before, after)
        )

    if shown(EVERYBODY):
        return PUBLIC
    return only(*(seat for seat in play.players if shown(seat)))


def _value_at(state: Any, path: tuple[str, ...]) -> Any:
    """The value at a path, None where the state (or what a viewer sees of it) has none."""
    data = dump_state(state, defaults=True)
    for part in path:
        data = data.get(part) if isinstance(data, dict) else None
    return data


def _table_at(data: Any, path: tuple[str, ...]) -> dict[str, Any]:
    """The table that holds the last part of the path."""
    for depth, part in enumerate(path[:-1]):
        below = data.get(part) if isinstance(data, dict) else None
        if not isinstance(below, dict):
            raise StateRefused(*_nowhere(data, path, depth))
        data = below
    if not isinstance(data, dict):
        raise StateRefused(*_nowhere(data, path, len(path) - 1))
    return data


def _nowhere(data: Any, path: tuple[str, ...], depth: int) -> tuple[Message, Message]:
    known = quoted(list(data)[:12]) if isinstance(data, dict) else ()
    right = msg("correct/holds", above="/".join(path[:depth]), known=known)
    return msg("correct/nowhere", path="/".join(path[: depth + 1])), right


def _require_sound(play: PlayContext, before: Any, after: Any) -> None:
    """`force` breaks legality, never an invariant: what the rule set finds wrong now and didn't before."""
    options = play.game.options
    known: set[Message] = set(play.ruleset.check(before, options))
    new = [one for one in play.ruleset.check(after, options) if one not in known]
    if new:
        raise StateRefused(msg("correct/impossible", said=play.say(new[0])), msg("correct/mend-value"))
