"""Dates as MyBB 1.8 writes them for an account: by its own format, at its own distance from UTC.

MyBB adds the same distance to every moment, whenever that was: an account's clock isn't put forward in
summer but by hand, and then for all of the past as well. So what counts isn't a zone but the clock at the
foot of each page, which tells both distance and format: it must show the forum's own time. Words ("Today",
"Less than 1 minute ago") are never read, what they stand for is written beside them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from bs4 import Tag

from parsers.pages.guard import IncompletePageError
from parsers.pages.topics import attribute

CHOICES: Mapping[str, str] = {
    "1": "m-d-Y",
    "2": "m-d-y",
    "3": "m.d.Y",
    "4": "m.d.y",
    "5": "d-m-Y",
    "6": "d-m-y",
    "7": "d.m.Y",
    "8": "d.m.y",
    "13": "Y-m-d",
}
"""Formats by their number among the account's options; those with names of months are left out."""
FORMATS = (*CHOICES.values(), "d/m/Y", "d/m/y", "m/d/Y", "m/d/y", "Y/m/d", "Y.m.d")
"""All that are read, in PHP's letters. The forum may have others by default than its options offer."""
_PARTS = {
    "d": "(?P<day>[0-9]{1,2})",
    "m": "(?P<month>[0-9]{1,2})",
    "Y": "(?P<year>[0-9]{4})",
    "y": "(?P<year>[0-9]{2})",
}
_TIME = r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2})(?: ?(?P<half>[AaPp])[Mm])?"
_SLACK = timedelta(minutes=2)
_STEP = timedelta(minutes=15)
_FARTHEST = timedelta(hours=14)
_SAVED_WITHIN = timedelta(minutes=15)


def _pattern(name: str) -> re.Pattern[str]:
    date = "".join(_PARTS.get(letter, re.escape(letter)) for letter in name)
    return re.compile(rf"(?<![0-9]){date}[^0-9]{{1,12}}{_TIME}(?![0-9:])")


_PATTERNS = {name: _pattern(name) for name in FORMATS}


@dataclass(frozen=True, slots=True)
class Face:
    """How an account sees times. formats: those that fit what is known. offset: ahead of UTC."""

    formats: tuple[str, ...]
    offset: timedelta

    def read(self, shown: str) -> datetime:
        """A moment in UTC, to the minute.

        Raises:
            IncompletePageError: none of the formats, or formats that disagree about the day.
        """
        text = " ".join(shown.split())
        found = {moment for name in self.formats if (moment := _read(name, text)) is not None}
        if len(found) > 1:
            formats = " or ".join(self.formats)
            raise IncompletePageError("page/ambiguous-date", f"{text!r} may be {formats}", text)
        if not found:
            detail = f"{text!r} is no date as {self.formats[0]}"
            raise IncompletePageError("page/unknown-date", detail, text)
        return (found.pop() - self.offset).replace(tzinfo=UTC)

    def narrow(self, choice: str) -> Face:
        """The face with the format that the account has chosen, where it fits. choice: key of `CHOICES`."""
        name = CHOICES.get(choice)
        return replace(self, formats=(name,)) if name in self.formats else self


def learn_face(shown: str, now: datetime) -> Face:
    """The face by which the account's clock, as a page shows it, is the forum's own time.

    shown: as at the foot of the page. now: the forum's clock.

    Raises:
        IncompletePageError: no format in which it is, by whole quarters of an hour from UTC.
    """
    text, faces = " ".join(shown.split()), []
    for name in FORMATS:
        local = _read(name, text)
        if local is not None:
            ahead = local - now.astimezone(UTC).replace(tzinfo=None)
            offset = round((ahead + _SLACK / 4) / _STEP) * _STEP
            if abs(offset) <= _FARTHEST and abs(ahead - offset) <= _SLACK:
                faces.append(Face((name,), offset))
    if not faces or len({face.offset for face in faces}) > 1:
        raise IncompletePageError(
            "page/unknown-clock",
            f"the page's clock shows {text!r} at {now.astimezone(UTC):%Y-%m-%d %H:%M} UTC",
            text,
        )
    return Face(tuple(face.formats[0] for face in faces), faces[0].offset)


def learn_saved_face(shown: str, saved_at: datetime, offset: timedelta) -> Face:
    """The face of a page that somebody saved right away, so that its clock proves the offset.

    offset: of the zone in which its account should see times.

    Raises:
        IncompletePageError: no format in which the page was made within a quarter of an hour before it was
        saved.
    """
    text, fitting = " ".join(shown.split()), []
    for name in FORMATS:
        local = _read(name, text)
        if local is not None:
            before = saved_at - (local - offset).replace(tzinfo=UTC)
            if -_SLACK <= before <= _SAVED_WITHIN:
                fitting.append(name)
    if not fitting:
        detail = (
            f"the page's clock shows {text!r}, it was saved at {saved_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        )
        raise IncompletePageError(
            "page/unknown-clock", f"{detail}: is the zone right? load it anew and save it"
        )
    return Face(tuple(fitting), offset)


def check_clock(shown: str, face: Face, now: datetime) -> None:
    """Refuse a page that was made at another time than now, or for another clock.

    Raises:
        IncompletePageError: over two minutes away from the forum's clock.
    """
    away = face.read(shown) - now.astimezone(UTC)
    if abs(away + _SLACK / 4) > _SLACK:
        raise IncompletePageError("page/stale", f"the page's clock is {away.total_seconds():.0f} seconds off")


def find_clock(page: Tag) -> str:
    """What the clock at the foot of a page shows.

    Raises:
        IncompletePageError: there is none.
    """
    clock = page.select_one("#current_time")
    if clock is None:
        raise IncompletePageError("page/no-clock", "the page doesn't show the account's time at its foot")
    return spell(clock, "strong")


def spell(tag: Tag, without: str) -> str:
    """The words of a time with what stands for them. without: tags whose words belong to something else."""
    words = []
    for part in tag.children:
        if not isinstance(part, Tag):
            words.append(str(part))
        elif attribute(part, "title"):
            words.append(attribute(part, "title"))
        elif not part.css.match(without):
            words.append(part.get_text())
    return " ".join("".join(words).split())


def _read(name: str, text: str) -> datetime | None:
    """The wall clock's time of the one date in a text, None where it has none in this format."""
    found = _PATTERNS[name].search(text)
    if found is None:
        return None
    parts = found.groupdict()
    year, hour, half = int(parts["year"]), int(parts["hour"]), (parts["half"] or "").lower()
    if half and not 1 <= hour <= 12:
        return None
    hour = hour % 12 + (12 if half == "p" else 0) if half else hour
    try:
        full = year + 2000 if year < 100 else year
        return datetime(full, int(parts["month"]), int(parts["day"]), hour, int(parts["minute"]))  # noqa: DTZ001
    except ValueError:
        return None
