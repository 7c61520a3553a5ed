"""What was read of a turn, and the game that it was read for, as text for the store, and back.

Values of orders are of any type that an argument yields, so each value says what it is: texts, numbers, truth
values and None are themselves, a list is a tuple, and a table has one key that names its kind.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from enum import Enum
from typing import Any

from rules.engine.codec import canonical_json
from rules.engine.diagnostics import Diagnostic, Severity, Span
from rules.engine.messages import Code, Message, Name, Quoted
from rules.engine.orders import Args, Order, Test
from rules.engine.questions import Hold, TakeDefault, Wait
from rules.engine.turn import Facts
from rules.play.blocks import Block, Header, LinePart
from rules.play.carried import Carried, CarriedSeat, KeptBlock
from rules.play.game import Absence, FormerPlayer, ForumSettings, Game, NmrPolicy, Policies, Schedule, Seat
from rules.play.lines import SeenLine
from rules.play.posts import Capabilities, PictureKind, Precision, Uploads
from rules.play.reading import (
    LineRead,
    PostRead,
    PostRef,
    SeatReading,
    SkippedText,
    Submission,
    TurnReading,
)
from rules.play.turns import Deadline

_KINDS: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        *(TurnReading, SeatReading, Submission, LineRead, PostRef, PostRead, SkippedText, Facts),
        *(Order, Args, Test, Diagnostic, Span, Message, Code, Name, Quoted),
        *(CarriedSeat, KeptBlock, Block, Header, LinePart, SeenLine),
        *(Game, Seat, FormerPlayer, Absence, ForumSettings, Schedule, Policies, Hold, Wait, TakeDefault),
        *(Capabilities, Uploads, Deadline),
    )
}
_TABLE, _SET, _TIME, _SEVERITY = "table", "set", "time", "severity"
_DATE, _HOUR, _SPAN, _NMR, _PRECISION = "date", "hour", "span", "nmr", "precision"
_PICTURE = "picture"
_ENUMS: tuple[tuple[type[Enum], str], ...] = (
    *((Severity, _SEVERITY), (NmrPolicy, _NMR), (Precision, _PRECISION), (PictureKind, _PICTURE)),
)


class ArchiveError(ValueError):
    """A value that can't be kept, which is a bug, or a text that `dump_reading` didn't write."""


def dump_reading(reading: TurnReading) -> str:
    """A turn's reading as canonical JSON. Raises ArchiveError for a value of an unknown type."""
    return canonical_json(dump_value(reading))


def load_reading(text: str) -> TurnReading:
    """The reading that `dump_reading` wrote. Raises ArchiveError."""
    try:
        reading = load_value(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError) as fault:
        raise ArchiveError(str(fault)) from fault
    if not isinstance(reading, TurnReading):
        raise ArchiveError(f"a {type(reading).__name__} instead of a TurnReading")
    return reading


def dump_carried(carried: Carried) -> str:
    """What seats take into the next turn, as canonical JSON."""
    return canonical_json(dump_value(carried))


def load_carried(text: str) -> Carried:
    """What `dump_carried` wrote; nothing of an empty text. Raises ArchiveError."""
    try:
        carried = load_value(json.loads(text)) if text else {}
    except (ValueError, TypeError, KeyError, AttributeError) as fault:
        raise ArchiveError(str(fault)) from fault
    if not isinstance(carried, dict):
        raise ArchiveError(f"a {type(carried).__name__} instead of a table")
    return carried


def dump_value(value: Any) -> Any:
    """Plain data of one value. A text of a rule set's own enumeration is kept as the text that it equals."""
    if value is None or isinstance(value, bool):
        return value
    for kind, name in _ENUMS:
        if isinstance(value, kind):
            return {name: value.value}
    if isinstance(value, str):
        return str(value.value) if isinstance(value, Enum) else str(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return value
    return _dump_composite(value)


def _dump_composite(value: Any) -> Any:
    if isinstance(value, tuple):
        return [dump_value(one) for one in value]
    if isinstance(value, frozenset):
        return {_SET: [dump_value(one) for one in sorted(value)]}
    if isinstance(value, Mapping):
        return {_TABLE: [[dump_value(key), dump_value(inner)] for key, inner in value.items()]}
    moment = _dump_moment(value)
    if moment is not None:
        return moment
    if _KINDS.get(type(value).__name__) is type(value):
        return {type(value).__name__: _fields(value)}
    raise ArchiveError(f"{type(value).__name__} can't be kept")


def _dump_moment(value: Any) -> dict[str, Any] | None:
    """Moments, days, hours and spans; None for anything else."""
    match value:
        case datetime():
            return {_TIME: value.isoformat()}
        case date():
            return {_DATE: value.isoformat()}
        case time():
            return {_HOUR: value.isoformat()}
        case timedelta():
            return {_SPAN: [value.days, value.seconds, value.microseconds]}
    return None


def _fields(value: Any) -> dict[str, Any]:
    """A dataclass's fields, without those that have their default."""
    kept = {}
    for one in dataclasses.fields(value):
        name, default = one.name, one.default
        own = getattr(value, name)
        if default is dataclasses.MISSING or own != default or type(own) is not type(default):
            kept[name] = dump_value(own)
    return kept


def load_value(data: Any) -> Any:
    """The value that `dump_value` wrote."""
    if isinstance(data, list):
        return tuple(load_value(one) for one in data)
    if not isinstance(data, dict):
        return data
    ((kind, inner),) = data.items()
    if kind in _LOAD:
        return _LOAD[kind](inner)
    if kind in _KINDS:
        return _KINDS[kind](**{name: load_value(value) for name, value in inner.items()})
    raise ArchiveError(f"unknown kind {kind!r}")


_LOAD: Mapping[str, Callable[[Any], Any]] = {
    _SET: lambda inner: frozenset(map(load_value, inner)),
    _TABLE: lambda inner: {load_value(key): load_value(value) for key, value in inner},
    _TIME: datetime.fromisoformat,
    _DATE: date.fromisoformat,
    _HOUR: time.fromisoformat,
    _SPAN: lambda inner: timedelta(*inner),
    **{name: kind for kind, name in _ENUMS},
}
