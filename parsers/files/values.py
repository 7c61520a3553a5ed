"""Values of a game's file: durations, days, hours, zones, addresses, ids; each with its refusal."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

from parsers.files.models import describe_value, nearest, offer, refuse
from parsers.markup.dialect import DIALECTS
from rules.engine.messages import msg
from rules.engine.questions import Hold, QuestionPolicy, TakeDefault, Wait
from rules.engine.text import fold

MOST_TURNS = 100
"""In a row without orders, for a warning."""

LONGEST = timedelta(days=366)
"""No duration of a game is longer."""

NIGHT = (time(2), time(3))
"""Local hours, the second exclusive, that some night of the year doesn't have and another has twice."""

WEEKDAYS: dict[str, int] = {
    name: day
    for names in (
        ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
        ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    )
    for day, name in enumerate(names)
}
"""Names of days, 0 = Monday."""

DIALECT_NAMES = ("text", "markdown", "bbcode", "html", *sorted(DIALECTS))
"""How a forum may write."""

_DURATION = re.compile(r"(\d{1,6}) ?([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
_SHARE = re.compile(r"(\d{1,3}) ?%")
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_FAR_DAYS = re.compile(r"(\d{1,3}) ?d")


def check_text(text: str) -> str:
    """A text of one line with something in it."""
    if not text.strip():
        raise refuse(msg("files/empty-text"), msg("files/write-text"))
    if len(text.splitlines()) > 1:
        raise refuse(msg("files/several-lines"), msg("files/one-line"))
    return text.strip()


def check_slug(text: str) -> str:
    """A game's id: it stands in markers, addresses of dice and names of variables."""
    if _SLUG.fullmatch(text) and len(text) <= 40 and text != "rehearse":
        return text
    raise refuse(
        msg("files/bad-slug", text=text),
        msg("files/slug"),
    )


def check_duration(value: Any, least: timedelta = timedelta(0)) -> timedelta:
    """`"120s"`, `"5m"`, `"3h"`, `"2d"`."""
    found = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise refuse(msg("files/no-duration", value=describe_value(value)), msg("files/duration"))
    length = timedelta(seconds=int(found[1]) * _SECONDS[found[2]])
    if least <= length <= LONGEST:
        return length
    bounds = msg("files/duration-range", least=int(bool(least)), days=LONGEST.days)
    raise refuse(msg("files/out-of-range", value=value), bounds)


def check_some_time(value: Any) -> timedelta:
    """A duration of at least a second."""
    return check_duration(value, timedelta(seconds=1))


def check_reminder(value: Any) -> timedelta | None:
    """How long before the deadline, None for `false`: no reminder."""
    return None if value is False else check_some_time(value)


def check_share(value: Any) -> float:
    """`"80 %"` as 0.8; above 0, at most 1."""
    found = _SHARE.fullmatch(value) if isinstance(value, str) else None
    if found is None or not 1 <= int(found[1]) <= 100:
        raise refuse(msg("files/no-share", value=describe_value(value)), msg("files/share"))
    return int(found[1]) / 100


def check_clock(value: Any) -> time:
    """`"22:00"`, or TOML's `22:00:00`; whole minutes."""
    found = _CLOCK.fullmatch(value) if isinstance(value, str) else None
    if found is not None and int(found[1]) < 24 and int(found[2]) < 60:
        value = time(int(found[1]), int(found[2]))
    if not isinstance(value, time):
        raise refuse(msg("files/no-clock", value=describe_value(value)), msg("files/clock"))
    _refuse_seconds(value)
    return value


def peek_night(value: Any) -> time | None:
    """The hour of a deadline that lies between 02:00 and 03:00, when clocks change; None for any other."""
    found = _CLOCK.fullmatch(value) if isinstance(value, str) else None
    if found is not None and int(found[1]) < 24 and int(found[2]) < 60:
        value = time(int(found[1]), int(found[2]))
    at = value.time() if isinstance(value, datetime) else value
    return at if isinstance(at, time) and NIGHT[0] <= at < NIGHT[1] else None


def _refuse_seconds(at: time) -> None:
    if at.second or at.microsecond:
        raise refuse(msg("files/seconds"), msg("files/whole-minutes"))


def check_first(value: Any) -> date | datetime:
    """The first deadline: a day, or a day with its hour; local, without offset."""
    if isinstance(value, datetime):
        if value.tzinfo is not None:
            raise refuse(
                msg("files/has-offset"),
                msg("files/no-offset"),
            )
        _refuse_seconds(value.time())
        return value
    if isinstance(value, date):
        return value
    raise refuse(msg("files/no-date", value=describe_value(value)), msg("files/date"), "file/type")


def check_date(value: Any) -> date:
    """A day without an hour."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    raise refuse(msg("files/no-date", value=describe_value(value)), msg("files/plain-date"), "file/type")


def check_moment(value: Any) -> datetime:
    """A day with its hour; without an offset it is in the game's zone."""
    if isinstance(value, datetime):
        return value
    wrong, right = msg("files/no-date", value=describe_value(value)), msg("files/plain-moment")
    raise refuse(wrong, right, "file/type")


def check_turns(value: Any) -> int | None:
    """A number of turns in a row, 1 to 100; None for `false`: never."""
    if value is False:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_TURNS:
        return value
    raise refuse(msg("files/no-turns", value=describe_value(value)), msg("files/turns"), "file/type")


def check_day(value: Any) -> int:
    """A day of the week by its Spanish or English name, as a number from Monday."""
    known = {fold(name): day for name, day in WEEKDAYS.items()}
    if isinstance(value, str) and fold(value) in known:
        return known[fold(value)]
    near = nearest(fold(value), tuple(known)) if isinstance(value, str) else None
    written = {fold(name): name for name in WEEKDAYS}
    right = msg("files/meant", word=written[near]) if near else msg("files/whole-days")
    raise refuse(msg("files/no-weekday", value=describe_value(value)), right)


def check_every(value: Any) -> int:
    """Every so many days: `7` or `"7d"`, 1 to 366."""
    found = _FAR_DAYS.fullmatch(value) if isinstance(value, str) else None
    days = int(found[1]) if found is not None else value
    if isinstance(days, int) and not isinstance(days, bool) and 1 <= days <= LONGEST.days:
        return days
    raise refuse(msg("files/no-days", value=describe_value(value)), msg("files/every"))


def check_zone(value: str) -> str:
    """An IANA zone by its exact name."""
    try:
        if ZoneInfo(value).key == value and value in _zones():
            return value
    except (ValueError, OSError, KeyError):
        pass
    near = _near_zone(value)
    right = msg("files/meant", word=near) if near else msg("files/zone")
    raise refuse(msg("files/no-zone", value=value), right, "game/zone")


@cache
def _zones() -> frozenset[str]:
    """The names of all zones, as the machine writes them."""
    return frozenset(available_timezones())


def _near_zone(value: str) -> str | None:
    """A zone by a misspelt name, or by its city alone."""
    zones = {fold(zone): zone for zone in sorted(_zones()) if "/" in zone}
    cities = {zone.rpartition("/")[2].replace("_", " "): zone for zone in zones}
    word = fold(value)
    near = nearest(word, tuple(zones)) or cities.get(nearest(word, tuple(cities)) or "")
    return zones.get(near or "")


def check_url(value: str) -> str:
    """The forum's base address, with a slash behind; it holds no secrets."""
    try:
        parts = urlsplit(value.strip())
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
        parts = urlsplit("")
    if not usable:
        raise refuse(msg("files/no-url", value=value), msg("files/url"))
    if parts.username is not None or parts.password is not None:
        raise refuse(
            msg("files/url-secret"),
            msg("files/url-no-secret"),
            "game/secret",
        )
    folder, _, page = parts.path.rpartition("/")
    if page.endswith(".php"):
        entry = f"{parts.scheme}://{parts.netloc}{folder}/"
        raise refuse(msg("files/url-page", page=page), msg("files/url-folder", url=entry))
    if parts.query or parts.fragment:
        raise refuse(msg("files/url-query"), msg("files/url-entry"))
    return value.strip().rstrip("/") + "/"


def check_link(value: str) -> str:
    """The address of a topic, for readers."""
    try:
        parts = urlsplit(value.strip())
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.username is None
        usable = usable and parts.port != 0
    except ValueError:
        usable = False
    if not usable or any(char.isspace() for char in value.strip()):
        raise refuse(msg("files/no-url", value=value), msg("files/link"))
    return value.strip()


def check_dialect(value: str) -> str:
    """A forum's software, or how it writes: `text`, `markdown`, `bbcode`, `html`."""
    if value not in DIALECT_NAMES:
        near = nearest(value, DIALECT_NAMES)
        raise refuse(msg("files/no-dialect", name=value), offer(near, DIALECT_NAMES, "files/there-are"))
    return value


def check_max_chars(value: Any) -> int:
    """The longest post, in characters; below 2,000 no report can be cut sensibly."""
    if isinstance(value, int) and not isinstance(value, bool) and 2_000 <= value <= 1_000_000:
        return value
    raise refuse(msg("files/no-max-chars", value=describe_value(value)), msg("files/max-chars"))


def check_id(value: Any) -> str:
    """A forum's own id of a topic or an account, with or without quotation marks."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return str(value)
    if isinstance(value, str) and value.strip() and not re.search(r"\s", value.strip()):
        return value.strip()
    raise refuse(msg("files/no-id", value=describe_value(value)), msg("files/id"), "file/type")


def check_policy(value: Any) -> QuestionPolicy:
    """`"hold"`, `"default"` or `"wait 48h"`."""
    said = value.split() if isinstance(value, str) else []
    plain: dict[str, Callable[[], QuestionPolicy]] = {"hold": Hold, "default": TakeDefault}
    if len(said) == 1 and said[0] in plain:
        return plain[said[0]]()
    if len(said) == 2 and said[0] == "wait":
        return Wait(check_some_time(said[1]))
    raise refuse(
        msg("files/no-policy", value=describe_value(value)),
        msg("files/policy"),
    )
