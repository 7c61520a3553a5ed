"""Dates as Django's templates write them, in the zone of the account that looks at the page."""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from parsers.pages.moments import Moment, localize

# Django's `N`: Associated Press style, so May and the five-letter months stand in full.
_EN_MONTHS = (
    "Jan.",
    "Feb.",
    "March",
    "April",
    "May",
    "June",
    "July",
    "Aug.",
    "Sept.",
    "Oct.",
    "Nov.",
    "Dec.",
)
_ES_MONTHS = (
    *("enero", "febrero", "marzo", "abril", "mayo", "junio"),
    *("julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"),
)
# Django writes English dates by "N j, Y, P", where P leaves ":00" out and has words for two hours.
_EN = re.compile(
    r"(?P<month>[A-Z][a-z]+\.?) (?P<day>[0-9]{1,2}), (?P<year>[0-9]{4}),? "
    r"(?:(?P<word>noon|midnight)|(?P<hour>[0-9]{1,2})(?::(?P<minute>[0-9]{2}))? (?P<half>[ap])\.m\.)"
)
_ES = re.compile(
    r"(?P<day>[0-9]{1,2}) de (?P<month>[a-z]+) de (?P<year>[0-9]{4}) a las "
    r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})"
)


def parse_moment(text: str, zone: ZoneInfo) -> Moment:
    """Read Django's DATETIME_FORMAT: `Nov. 29, 2026, 7:58 p.m.` or `29 de noviembre de 2026 a las 19:58`.

    zone: the account's zone. Raises ValueError for every other form, and for a time that the zone's clock
    skipped.
    """
    shown = _year_to_minute(" ".join(text.split()))
    return localize(datetime(*shown, tzinfo=zone), zone)


def _year_to_minute(text: str) -> tuple[int, int, int, int, int]:
    for pattern, months in ((_EN, _EN_MONTHS), (_ES, _ES_MONTHS)):
        date = pattern.fullmatch(text)
        if date and date["month"] in months:
            return int(date["year"]), months.index(date["month"]) + 1, int(date["day"]), *_hour_minute(date)
    raise ValueError(f"{text!r} is no date as Django writes it in English or Spanish")


def _hour_minute(date: re.Match[str]) -> tuple[int, int]:
    parts = date.groupdict()
    if parts.get("word"):
        return (12 if parts["word"] == "noon" else 0), 0
    hour, minute, half = int(parts["hour"]), int(parts["minute"] or 0), parts.get("half")
    if half is None:
        return hour, minute
    if not 1 <= hour <= 12:
        raise ValueError(f"{date.group()!r} has no hour of a twelve-hour clock")
    return hour % 12 + (12 if half == "p" else 0), minute
