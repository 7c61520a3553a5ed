"""Times as SMF shows them: the formats that are read, and what is refused rather than guessed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from parsers.pages.smf_time import Clock, UnknownFormat, read_own_clock
from rules.play.posts import Precision

MADRID = ZoneInfo("Europe/Madrid")
NOON = datetime(2026, 12, 1, 11, 0, tzinfo=UTC)
CLOCK = Clock(MADRID, NOON)


@pytest.mark.parametrize(
    "shown",
    [
        "2026-11-29, 20:58:14",
        "2026-11-29 20:58:14",
        "noviembre 29, 2026, 08:58:14 pm",
        "Noviembre 29, 2026, 20:58:14",
        "29 de noviembre de 2026, 20:58:14",
        "29 Noviembre 2026, 20:58:14",
        "29 de noviembre de 2026 a las 20:58:14",
        "November 29, 2026, 08:58:14 PM",
        "29 November 2026, 20:58:14",
        "November 29, 2026,\n 08:58:14 p.m.",
        "Nov 29, 2026, 08:58:14 PM",
        "nov. 29, 2026, 20:58:14",
    ],
)
def test_a_date_in_full_is_read_in_the_account_s_zone(shown: str) -> None:
    """In Spanish and English, with twelve hours or twenty-four, to the second."""
    moment, precision = CLOCK.read(shown)
    assert (datetime(2026, 11, 29, 19, 58, 14, tzinfo=UTC), Precision.SECOND) == (moment.utc, precision)


def test_a_format_without_seconds_is_exact_to_the_minute() -> None:
    """What isn't shown isn't made up."""
    coarse = Clock(MADRID, NOON, coarse=True)
    for shown in ("2026-11-29, 20:58", "Nov 29, 2026, 08:58 PM", "29 nov. 2026, 20:58"):
        moment, precision = coarse.read(shown)
        assert (datetime(2026, 11, 29, 19, 58, tzinfo=UTC), Precision.MINUTE) == (moment.utc, precision)
        with pytest.raises(UnknownFormat, match=shown):
            CLOCK.read(shown)


def test_months_in_short_are_those_in_full() -> None:
    """In both languages: none of them means another month in the other."""
    for at, names in enumerate(("ene jan", "feb", "mar", "abr apr", "may", "jun", "jul", "ago aug"), 1):
        for name in names.split():
            assert at == CLOCK.read(f"{name} 15, 2026, 12:00:00")[0].utc.month
    assert [9, 10, 11, 12, 12] == [
        CLOCK.read(f"15 {name} 2026, 12:00:00")[0].utc.month for name in ("sep", "oct", "nov", "dic", "dec")
    ]


@pytest.mark.parametrize(
    ("shown", "day"),
    [
        ("Hoy a las 20:58:14", 1),
        ("Ayer a las 20:58:14", 30),
        ("Today at 08:58:14 PM", 1),
        ("Yesterday at 20:58:14", 30),
    ],
)
def test_words_for_days_mean_the_forum_s_day(shown: str, day: int) -> None:
    """Today is the account's day by the forum's clock."""
    month = 12 if day == 1 else 11
    assert datetime(2026, month, day, 19, 58, 14, tzinfo=UTC) == CLOCK.read(shown)[0].utc


def test_today_is_the_day_in_the_account_s_zone() -> None:
    """Half past eleven at night in Greenwich is tomorrow in Madrid and still today in Santiago."""
    late = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
    days = [
        Clock(ZoneInfo(zone), late).read("Hoy a las 00:10:00")[0].utc.astimezone(ZoneInfo(zone)).day
        for zone in ("Europe/Madrid", "America/Santiago")
    ]
    assert [1, 30] == days


def test_at_midnight_words_for_days_wait() -> None:
    """A page that says "today" may be of yesterday: unless it tells its own time nothing is read from it."""
    for seconds in (-50, 50):
        at = datetime(2026, 11, 30, 23, 0, tzinfo=UTC) + timedelta(seconds=seconds)
        with pytest.raises(ValueError, match="midnight"):
            Clock(MADRID, at).read("Hoy a las 10:00:00")
        assert CLOCK.read("2026-11-29, 20:58:14") == Clock(MADRID, at).read("2026-11-29, 20:58:14")
        expected = 30 if seconds < 0 else 1
        assert expected == Clock(MADRID, at, exact=True).read("Hoy a las 10:00:00")[0].utc.day


@pytest.mark.parametrize(
    "shown",
    [
        "29-11-2026, 20:58:14",
        "11/29/2026, 20:58:14",
        "29.11.26 20:58",
        "29 de brumario de 2026, 20:58:14",
        "Heute um 20:58:14",
        "hace 5 minutos",
        "2026-11-29",
        "2026-11-29, 20:58:14 CET",
        "2026-13-29, 20:58:14",
        "2026-11-29, 13:58:14 pm",
        "2026-11-29, 24:58:14",
        "2026-03-29, 02:30:00",
        "",
    ],
)
def test_any_other_format_is_refused(shown: str) -> None:
    """Which number is the month, what a word means, an hour that never was: nothing is guessed."""
    with pytest.raises(ValueError, match=r"^"):
        CLOCK.read(shown)


def test_an_unknown_format_is_told_apart_from_a_time_that_never_was() -> None:
    """The director reads what the forum shows, and has another format to choose."""
    with pytest.raises(UnknownFormat, match=r"^29-11-2026, 20:58:14$"):
        CLOCK.read("29-11-2026, 20:58:14")
    with pytest.raises(ValueError, match="doesn't exist") as never:
        CLOCK.read("2026-03-29, 02:30:00")
    assert not isinstance(never.value, UnknownFormat)


def test_an_hour_that_came_twice_is_told() -> None:
    """The night the clocks go back, half past two was twice: the first is taken and said to be in doubt."""
    moment, _ = CLOCK.read("2026-10-25, 02:30:00")
    assert (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), True) == (moment.utc, moment.ambiguous)
    assert not CLOCK.read("2026-10-25, 03:30:00")[0].ambiguous


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hoy a las 11:04:10 por AnaDelSur", datetime(2026, 12, 1, 10, 4, 10, tzinfo=UTC)),
        ("November 29, 2026, 08:58:14 PM by pm", datetime(2026, 11, 29, 19, 58, 14, tzinfo=UTC)),
        ("29-11-2026, 20:58:14 por AnaDelSur", None),
        ("por 2026-11-29, 20:58:14", None),
        ("2026-03-29, 02:30:00 por Ana", None),
    ],
)
def test_a_time_is_found_where_a_text_begins(text: str, expected: datetime | None) -> None:
    """Behind it stands a name, which may look like anything; what isn't known is not known."""
    assert expected == CLOCK.read_first(text)


def test_a_page_tells_its_own_time() -> None:
    """In the account's format, never in words for days."""
    assert NOON == read_own_clock("diciembre 01, 2026, 12:00:00 pm", MADRID).utc
