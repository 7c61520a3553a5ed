"""Dates as Django shows them, for every minute of a day and around the changes of the clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.pages.django_time import parse_moment
from parsers.pages.moments import Moment
from tests.support.spirit_pages import show_time

MADRID = ZoneInfo("Europe/Madrid")
ZONES = (
    "UTC",
    "Europe/Madrid",
    "America/Santiago",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "America/Argentina/Buenos_Aires",
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nov. 29, 2026, 7:58 p.m.", (2026, 11, 29, 19, 58)),
        ("Jan. 1, 2026, midnight", (2026, 1, 1, 0, 0)),
        ("March 5, 2026, noon", (2026, 3, 5, 12, 0)),
        ("May 31, 2026, 7 p.m.", (2026, 5, 31, 19, 0)),
        ("Sept. 2, 2026, 12:01 a.m.", (2026, 9, 2, 0, 1)),
        ("July 9, 2026, 12:59 p.m.", (2026, 7, 9, 12, 59)),
        ("Dec. 3, 2026,  1 a.m.", (2026, 12, 3, 1, 0)),
        ("29 de noviembre de 2026 a las 19:58", (2026, 11, 29, 19, 58)),
        ("1 de enero de 2026 a las 00:00", (2026, 1, 1, 0, 0)),
        ("3 de septiembre de 2026 a las 9:05", (2026, 9, 3, 9, 5)),
    ],
)
def test_known_forms(text: str, expected: tuple[int, int, int, int, int]) -> None:
    """Django's English and Spanish forms, with its words for noon and midnight and its missing `:00`."""
    assert parse_moment(text, ZoneInfo("UTC")) == Moment(datetime(*expected, tzinfo=UTC))


@pytest.mark.parametrize(
    "text",
    [
        *("", "3 minutes ago", "Today, 3:00 p.m.", "11-29-2026, 08:03 PM", "2026-11-29 20:03"),
        *("Nov. 29, 2026", "Nov 29, 2026, 7:58 p.m.", "Nov. 31, 2026, noon", "Feb. 29, 2026, noon"),
        *("Nov. 29, 2026, 13:58 p.m.", "Nov. 29, 2026, 0:58 a.m.", "Nov. 29, 2026, 7:60 p.m."),
        *(
            "29 de november de 2026 a las 19:58",
            "29 de noviembre de 2026 a las 24:00",
            "Nov. ２９, 2026, noon",
        ),
        "x Nov. 29, 2026, 7:58 p.m. x",
    ],
)
def test_other_forms_are_refused(text: str) -> None:
    """Relative words, other formats and impossible dates raise; nothing is guessed."""
    with pytest.raises(ValueError, match=r"."):
        parse_moment(text, ZoneInfo("UTC"))


@given(st.integers(1_580_000_000 // 60, 2_200_000_000 // 60), st.sampled_from(ZONES))
def test_what_is_shown_is_read_back(minutes: int, zone: str) -> None:
    """Whatever moment a page shows, in any zone, is read to the minute, or an hour early and marked
    ambiguous.
    """
    moment = datetime.fromtimestamp(minutes * 60, UTC)
    read = parse_moment(show_time(moment, zone), ZoneInfo(zone))
    assert read.utc == moment or (read.ambiguous and moment - read.utc == timedelta(hours=1))


def test_the_hour_that_comes_twice_is_the_first_and_marked() -> None:
    """On the night when the clock goes back, 2:30 is the summer one, and said to be ambiguous."""
    assert parse_moment("Oct. 25, 2026, 2:30 a.m.", MADRID) == Moment(
        datetime(2026, 10, 25, 0, 30, tzinfo=UTC), True
    )
    assert parse_moment("Oct. 25, 2026, 3 a.m.", MADRID) == Moment(datetime(2026, 10, 25, 2, tzinfo=UTC))


def test_the_hour_that_never_comes_is_refused() -> None:
    """On the night when the clock goes forward there is no 2:30: the zone must be wrong."""
    with pytest.raises(ValueError, match=r"doesn't exist in Europe/Madrid"):
        parse_moment("March 29, 2026, 2:30 a.m.", MADRID)
