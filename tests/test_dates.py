"""Dates in full, in the game's zone and its reader's language."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from reporters.dates import say_day, say_moment, say_moment_with_utc, say_time, zone_city

DEADLINE = datetime(2026, 12, 6, 21, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "language", "said"),
    [
        ("Europe/Madrid", "es", "domingo 6 de diciembre, 22:00 (Madrid)"),
        ("America/Argentina/Buenos_Aires", "es", "domingo 6 de diciembre, 18:00 (Buenos Aires)"),
        ("Asia/Tokyo", "es", "lunes 7 de diciembre, 06:00 (Tokio)"),
        ("UTC", "es", "domingo 6 de diciembre, 21:00 (UTC)"),
        ("Europe/Madrid", "en", "Sunday 6 December, 22:00 (Madrid)"),
    ],
)
def test_a_moment_is_said_in_full(zone: str, language: str, said: str) -> None:
    """With the weekday, and with the city that stands for the zone."""
    assert said == say_moment(DEADLINE, zone, language)


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("Europe/Madrid", "domingo 6 de diciembre de 2026, 22:00 (Madrid), 21:00 UTC"),
        ("Asia/Tokyo", "lunes 7 de diciembre de 2026, 06:00 (Tokio), domingo 6, 21:00 UTC"),
        ("UTC", "domingo 6 de diciembre de 2026, 21:00 (UTC)"),
    ],
)
def test_utc_has_its_day_where_it_is_another(zone: str, said: str) -> None:
    """Nobody has to work out which Sunday is meant."""
    assert said == say_moment_with_utc(DEADLINE, zone, "es")


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (datetime(2026, 12, 6, 18, 12, tzinfo=UTC), "19:12"),
        (datetime(2026, 12, 3, 18, 12, tzinfo=UTC), "jueves 3, 19:12"),
        (datetime(2026, 12, 5, 23, 30, tzinfo=UTC), "00:30"),
    ],
)
def test_a_time_has_its_day_where_it_is_not_the_deadlines(at: datetime, said: str) -> None:
    """The day is that of the game's zone, not that of UTC."""
    assert said == say_time(at, "Europe/Madrid", "es", DEADLINE)


def test_summer_time_is_minded() -> None:
    """The same hour of UTC is another in July."""
    assert "domingo 5 de julio, 23:00 (Madrid)" == say_moment(
        datetime(2026, 7, 5, 21, 0, tzinfo=UTC), "Europe/Madrid", "es"
    )


def test_a_day_alone() -> None:
    """As a report says when the commitment was published."""
    assert "domingo 6 de diciembre" == say_day(DEADLINE, "Europe/Madrid", "es")


def test_a_zone_without_a_known_city_is_named_by_itself() -> None:
    """The last part of its name is better than nothing."""
    assert "GMT+3" == zone_city("Etc/GMT+3", "es")
