"""Dates and times as a reader wants them: in full, in the game's zone, with the zone's city."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_datetime

_DAY = {"es": "EEEE d 'de' MMMM", "en": "EEEE d MMMM"}
_DAY_OF_YEAR = {"es": "EEEE d 'de' MMMM 'de' y", "en": "EEEE d MMMM y"}
_SHORT_DAY = {"es": "EEEE d", "en": "EEEE d"}
_HOUR = "HH:mm"


def say_moment(at: datetime, zone: str, language: str) -> str:
    """`domingo 6 de diciembre, 22:00 (Madrid)`. at: aware; zone: IANA name; language: `es` or `en`."""
    return (
        f"{_format(at, zone, language, _DAY[language])}, {say_hour(at, zone)} ({zone_city(zone, language)})"
    )


def say_moment_with_utc(at: datetime, zone: str, language: str) -> str:
    """`domingo 6 de diciembre de 2026, 22:00 (Madrid), 21:00 UTC`, with UTC's weekday where it is another."""
    local = _format(at, zone, language, _DAY_OF_YEAR[language])
    said = f"{local}, {say_hour(at, zone)} ({zone_city(zone, language)})"
    if zone_city(zone, language) == "UTC":
        return said
    same_day = at.astimezone(ZoneInfo(zone)).date() == at.astimezone(UTC).date()
    day = "" if same_day else f"{_format(at, 'UTC', language, _SHORT_DAY[language])}, "
    return f"{said}, {day}{say_hour(at, 'UTC')} UTC"


def say_day(at: datetime, zone: str, language: str) -> str:
    """`domingo 6 de diciembre`."""
    return _format(at, zone, language, _DAY[language])


def say_date(day: date, language: str) -> str:
    """The same for a day of the calendar."""
    return say_day(datetime(day.year, day.month, day.day, tzinfo=UTC), "UTC", language)


def say_time(at: datetime, zone: str, language: str, beside: datetime) -> str:
    """`19:12`, with the day (`jueves 3, 19:12`) where it is another than that of `beside`."""
    own, other = (one.astimezone(ZoneInfo(zone)).date() for one in (at, beside))
    day = "" if own == other else f"{_format(at, zone, language, _SHORT_DAY[language])}, "
    return f"{day}{say_hour(at, zone)}"


def say_hour(at: datetime, zone: str) -> str:
    """`22:00`."""
    return f"{at.astimezone(ZoneInfo(zone)):%H:%M}"


def zone_city(zone: str, language: str) -> str:
    """The city that stands for a zone in the reader's language; UTC is itself."""
    if zone in ("UTC", "Etc/UTC", "Etc/UCT", "Zulu"):
        return "UTC"
    known = Locale(language).time_zones.get(zone, {})
    return str(known.get("city") or zone.rsplit("/", 1)[-1].replace("_", " "))


def _format(at: datetime, zone: str, language: str, pattern: str) -> str:
    return format_datetime(at.astimezone(ZoneInfo(zone)), pattern, locale=language)
