"""What is stored of a turn that is over, to be looked at."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from processor.store.tables import events, rolls


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """Something that happened. audience: `public`, `director` or a list of seats. data: as plain data."""

    id: str
    audience: str | list[str]
    seat: str | None
    number: int | None
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StoredRoll:
    """One die. value: what counted. true_value: what the seed gives. purpose: message id."""

    group: str
    label: str
    index: int
    sides: int
    value: int
    true_value: int
    purpose: str
    audience: str | list[str]


def list_events(connection: Connection, turn_id: int) -> tuple[StoredEvent, ...]:
    """A turn's events in order."""
    mine = select(events).where(events.c.turn_id == turn_id).order_by(events.c.position)
    return tuple(
        StoredEvent(row.event_id, json.loads(row.audience), row.seat, row.number, json.loads(row.data))
        for row in connection.execute(mine)
    )


def list_rolls(connection: Connection, turn_id: int) -> tuple[StoredRoll, ...]:
    """A turn's dice in the order rolled."""
    mine = select(rolls).where(rolls.c.turn_id == turn_id).order_by(rolls.c.position)
    return tuple(
        StoredRoll(
            row.dice_group,
            row.label,
            row.i,
            int(row.n),
            int(row.value),
            int(row.true_value),
            row.purpose,
            json.loads(row.audience),
        )
        for row in connection.execute(mine)
    )
