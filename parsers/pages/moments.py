"""Local times as forums and people write them, to UTC."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment as somebody's wall clock shows it.

    utc: its start. ambiguous: the wall clock showed it twice that night; `utc` is the first of the two.
    """

    utc: datetime
    ambiguous: bool = False


def localize(local: datetime, zone: ZoneInfo) -> Moment:
    """A wall-clock time, given in its zone. Raises ValueError for a time that the zone's clock skipped."""
    first = local.replace(fold=0)
    if first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != first.replace(tzinfo=None):
        shown = f"{local:%Y-%m-%d %H:%M}"
        raise ValueError(f"{shown} doesn't exist in {zone.key}: the clock was put forward over it")
    return Moment(first.astimezone(UTC), first.utcoffset() != first.replace(fold=1).utcoffset())
