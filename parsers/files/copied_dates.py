"""Dates of posts as a person copies them into a text file."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from parsers.pages.moments import localize
from rules.play.posts import Precision

_TIME = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d{1,6})?)?"
_OFFSET = r"(?P<offset>Z|[+-]\d{2}:?\d{2})?"
_FORMS = (
    re.compile(rf"(?P<year>\d{{4}})-(?P<month>\d{{1,2}})-(?P<day>\d{{1,2}})(?:[Tt]|,? +){_TIME} ?{_OFFSET}"),
    re.compile(rf"(?P<day>\d{{1,2}})/(?P<month>\d{{1,2}})/(?P<year>\d{{4}}),? +{_TIME}(?P<offset>)"),
)


@dataclass(frozen=True, slots=True)
class CopiedMoment:
    """A date as copied. ambiguous: that night the clock showed it twice; `utc` is the first of the two."""

    utc: datetime
    precision: Precision
    ambiguous: bool = False


def parse_copied_date(text: str, zone: ZoneInfo) -> CopiedMoment:
    """Read `2026-12-01 21:30`, `2026-12-01T21:30:05+01:00` or `01/12/2026 21:30` (day first).

    zone: of dates without an offset. Raises ValueError for anything else, for days and hours that there
    aren't, and for a time that the zone's clock skipped.
    """
    found = next((match for form in _FORMS if (match := form.fullmatch(text.strip()))), None)
    if found is None:
        raise ValueError(f"{text!r} is no date")
    year, month, day = int(found["year"]), int(found["month"]), int(found["day"])
    hour, minute, second = int(found["hour"]), int(found["minute"]), int(found["second"] or 0)
    local = datetime(year, month, day, hour, minute, second, tzinfo=zone)
    precision = Precision.SECOND if found["second"] else Precision.MINUTE
    if found["offset"]:
        offset = found["offset"].upper().replace("Z", "+00:00")
        return CopiedMoment(
            datetime.fromisoformat(f"{local.replace(tzinfo=None).isoformat()}{offset}").astimezone(UTC),
            precision,
        )
    moment = localize(local, zone)
    return CopiedMoment(moment.utc, precision, moment.ambiguous)
