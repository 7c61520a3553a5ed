"""Times as SMF 2.1 shows them to an account, which chooses the format, in the account's zone.

SMF gives no machine-readable time. Formats that can be read in one way only are read; any other is an error
that names it, since the director can choose another in the account's profile: a guess could put an order on
the wrong side of a deadline. Dates in numbers with the year last are such a guess; so are times without
seconds, unless the forum is known to be as inexact as that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from parsers.pages.moments import Moment, localize
from rules.play.posts import Precision

_MONTHS = (
    *("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto"),
    *("septiembre", "octubre", "noviembre", "diciembre"),
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
    *("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"),
    *("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
)
"""In full and in short, which mean the same in both languages where both have them."""
_DAYS_AGO = {"hoy": 0, "today": 0, "ayer": 1, "yesterday": 1}
_DAYS = (
    r"(?P<year>[0-9]{4})-(?P<number>[0-9]{2})-(?P<day>[0-9]{2}),? ",
    r"(?P<month>[^\W\d_]+)\.? (?P<day>[0-9]{1,2}),? (?P<year>[0-9]{4}),? ",
    r"(?P<day>[0-9]{1,2}) (?:de )?(?P<month>[^\W\d_]+)[.,]? (?:de )?(?P<year>[0-9]{4}),? (?:a las )?",
    r"(?P<word>hoy|ayer) a las |(?P<said>today|yesterday) at ",
)
_TIME = (
    r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))?"
    r"(?: ?(?P<half>[ap])\.? ?m\b\.?)?"
)
_SHOWN = tuple(re.compile(f"(?:{day}){_TIME}", re.IGNORECASE) for day in _DAYS)
_ROUND_MIDNIGHT = timedelta(minutes=1)


class UnknownFormat(ValueError):
    """A time in a format that isn't read, or without seconds; its text is what the forum shows."""


@dataclass(frozen=True, slots=True)
class Clock:
    """What the forum's clock says about a page.

    zone: in which the account sees times. now: when the page was made, to which "today" refers.
    exact: whether the page itself says so; where it is the answer's time, the page may have been made on the
    other side of a midnight. coarse: whether times without seconds are read as well.
    """

    zone: ZoneInfo
    now: datetime
    exact: bool = False
    coarse: bool = False

    def read(self, shown: str) -> tuple[Moment, Precision]:
        """A time on the page.

        Raises:
            UnknownFormat: it isn't written in a format that is read. ValueError: no such time, or no telling.
        """
        found = _find(shown, whole=True)
        if found is None or (found["second"] is None and not self.coarse):
            raise UnknownFormat(shown)
        return self._moment(found)

    def read_first(self, text: str) -> datetime | None:
        """The time with which a text begins, UTC; None where it begins with none that is known."""
        found = _find(text, whole=False)
        try:
            return None if found is None else self._moment(found)[0].utc
        except ValueError:
            return None

    def _moment(self, found: re.Match[str]) -> tuple[Moment, Precision]:
        day, parts = self._day(found), found.groupdict()
        hour, second = _hour(parts), parts["second"]
        local = datetime(
            day.year, day.month, day.day, hour, int(parts["minute"]), int(second or 0), tzinfo=self.zone
        )
        return localize(local, self.zone), Precision.MINUTE if second is None else Precision.SECOND

    def _day(self, found: re.Match[str]) -> date:
        parts = found.groupdict()
        word = parts.get("word") or parts.get("said")
        if word:
            return self._today() - timedelta(days=_DAYS_AGO[word.lower()])
        month = int(parts["number"]) if parts.get("number") else _month(parts["month"])
        return date(int(parts["year"]), month, int(parts["day"]))

    def _today(self) -> date:
        if not self.exact:
            near = {
                (self.now + by).astimezone(self.zone).date() for by in (-_ROUND_MIDNIGHT, _ROUND_MIDNIGHT)
            }
            if len(near) > 1:
                raise ValueError("at midnight nobody can tell which day the page means by its words")
        return self.now.astimezone(self.zone).date()


def read_own_clock(shown: str, zone: ZoneInfo) -> Moment:
    """The time that a page says it was made at. Raises as `Clock.read` does."""
    return Clock(zone, datetime(1970, 1, 1, tzinfo=UTC), exact=True, coarse=True).read(shown)[0]


def _find(text: str, *, whole: bool) -> re.Match[str] | None:
    text = " ".join(text.split())
    for pattern in _SHOWN:
        found = pattern.fullmatch(text) if whole else pattern.match(text)
        if found is not None and (found.groupdict().get("month") or "may").lower() in _MONTHS:
            return found
    return None


def _month(name: str) -> int:
    return _MONTHS.index(name.lower()) % 12 + 1


def _hour(parts: dict[str, str | None]) -> int:
    hour, half = int(parts["hour"] or 0), parts["half"]
    if half is None:
        return hour
    if not 1 <= hour <= 12:
        raise ValueError(f"{hour} is no hour of a twelve-hour clock")
    return hour % 12 + (12 if half.lower() == "p" else 0)
