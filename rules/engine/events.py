"""What happened in a turn: facts in the past tense, each with its audience."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from rules.engine.audience import PUBLIC, Audience
from rules.engine.messages import Param

OWN_KEYS = frozenset(("id", "audience", "seat", "number"))
"""What an event is shown with beside its data, in one flat table (`rehearse --json`)."""


@dataclass(frozen=True, slots=True)
class Event:
    """One fact.

    id: stable, `set/slug` (`conquista/cell-taken`); also the id of its text in the catalogue.
    data: ids, numbers, lists and messages.
    audience: who may know it; reports to others are built without it.
    seat, number: the order that led to it, None where none did.
    """

    id: str
    data: Mapping[str, Param] = field(default_factory=dict)
    audience: Audience = PUBLIC
    seat: str | None = None
    number: int | None = None

    def __post_init__(self) -> None:
        doubled = OWN_KEYS & self.data.keys()
        if doubled:
            raise ValueError(f"event {self.id!r}: data named like its own keys: {sorted(doubled)}")
        object.__setattr__(self, "data", MappingProxyType(dict(self.data)))


def event(
    event_id: str, /, audience: Audience = PUBLIC, by: tuple[str, int] | None = None, **data: Param
) -> Event:
    """A fact with its data as keywords; `by` is the seat and number of the order behind it."""
    seat, number = by or (None, None)
    return Event(event_id, data, audience, seat, number)


def visible(events: tuple[Event, ...], viewer: str) -> tuple[Event, ...]:
    """Those facts that the viewer (seat, `public` or `director`) may know, in order."""
    return tuple(one for one in events if one.audience.sees(viewer))
