"""Dates as MyBB writes them: read by the clock at the page's foot, or not at all."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from bs4 import BeautifulSoup, Tag

from parsers.pages.guard import IncompletePageError
from parsers.pages.mybb_time import (
    FORMATS,
    Face,
    check_clock,
    find_clock,
    learn_face,
    learn_saved_face,
    spell,
)

NOW = datetime(2026, 11, 29, 20, 3, 40, tzinfo=UTC)
MADRID = timedelta(hours=1)
AMERICAN = Face(("m-d-Y",), timedelta())
_LETTERS = {"d": "%d", "m": "%m", "Y": "%Y", "y": "%y"}


def write(name: str, moment: datetime, time: str = "%H:%M") -> str:
    """A date in one of MyBB's formats."""
    date = "".join(_LETTERS.get(letter, letter) for letter in name)
    return f"{moment:{date}}, {moment:{time}}"


@pytest.mark.parametrize("time", ["%H:%M", "%I:%M %p", "%I:%M%p"])
@pytest.mark.parametrize("name", FORMATS)
def test_the_format_is_the_one_in_which_the_clock_shows_now(name: str, time: str) -> None:
    """Each format that the recipe names, with twelve hours and twenty-four, an hour ahead of UTC."""
    face = learn_face(write(name, NOW + MADRID, time), NOW)
    assert ((name,), MADRID) == (face.formats, face.offset)
    posted = datetime(2026, 10, 31, 23, 59, tzinfo=UTC)
    assert posted == face.read(write(name, posted + MADRID, time))


@pytest.mark.parametrize(
    ("hour", "shown"), [(0, "12:05 AM"), (12, "12:05 PM"), (1, "01:05 am"), (23, "11:05 pm")]
)
def test_midnight_and_noon_are_told_apart(hour: int, shown: str) -> None:
    """Twelve is the first hour of each half."""
    assert datetime(2026, 11, 29, hour, 5, tzinfo=UTC) == AMERICAN.read(f"11-29-2026, {shown}")


@pytest.mark.parametrize("hours", [-12, -3.5, 0, 5.75, 14])
def test_the_distance_from_utc_is_what_the_clock_is_ahead(hours: float) -> None:
    """Whole quarters of an hour, whatever zone the account believes to be in."""
    offset = timedelta(hours=hours)
    assert offset == learn_face(write("Y-m-d", NOW + offset), NOW).offset


def test_the_past_is_shown_by_the_same_distance() -> None:
    """MyBB's clock isn't put forward by itself: summer's posts are shown as far from UTC as today's."""
    face = learn_face(write("Y-m-d", NOW + MADRID), NOW)
    assert datetime(2026, 7, 1, 19, 0, tzinfo=UTC) == face.read("2026-07-01, 20:00")


@pytest.mark.parametrize(
    "clock",
    [
        "29 noviembre 2026, 20:03",
        "11-29-2026",
        "Hoy, 20:03",
        "11-28-2026, 20:03",
        "11-29-2026, 20:10",
        "13-29-2026, 20:03",
        "11-29-2026, 25:03",
        "",
    ],
)
def test_a_clock_that_shows_another_time_explains_nothing(clock: str) -> None:
    """Names of months, words, yesterday's page, a page of seven minutes ago: refused with what it showed."""
    with pytest.raises(IncompletePageError, match="page/unknown-clock"):
        learn_face(clock, NOW)


def test_on_a_day_that_reads_both_ways_nothing_is_guessed() -> None:
    """What is the same either way is read; the rest needs the account's own choice of a format."""
    now = datetime(2026, 12, 12, 20, 3, tzinfo=UTC)
    face = learn_face("12-12-2026, 08:03 PM", now)
    assert ("m-d-Y", "d-m-Y") == face.formats
    assert now == face.read("12-12-2026, 08:03 PM")
    assert datetime(2026, 11, 29, 20, 3, tzinfo=UTC) == face.read("29-11-2026, 08:03 PM")
    with pytest.raises(IncompletePageError, match=r"page/ambiguous-date.*m-d-Y or d-m-Y"):
        face.read("11-12-2026, 08:03 PM")
    assert datetime(2026, 12, 11, 20, 3, tzinfo=UTC) == face.narrow("5").read("11-12-2026, 08:03 PM")
    assert datetime(2026, 11, 12, 20, 3, tzinfo=UTC) == face.narrow("1").read("11-12-2026, 08:03 PM")
    assert [face] * 3 == [face.narrow(choice) for choice in ("0", "9", "13")]


@pytest.mark.parametrize(
    "shown", ["29-11-2026, 20:03", "Hoy, 20:03", "Hace un minuto", "11-29-2026", "11/29/2026, 20:03"]
)
def test_a_date_in_another_format_is_refused(shown: str) -> None:
    """Also where it might be read by another that the account doesn't have."""
    with pytest.raises(IncompletePageError, match="page/unknown-date"):
        AMERICAN.read(shown)


def tag(html: str) -> Tag:
    """The first tag of some HTML."""
    found = BeautifulSoup(html, "lxml").select_one(".post_date")
    assert found is not None
    return found


@pytest.mark.parametrize(
    "inner",
    [
        '<span title="11-29-2026, 08:03 PM">Hace un rato</span>',
        '<span title="11-29-2026">Hoy</span>, 08:03 PM',
        "11-29-2026, 08:03 PM",
    ],
)
def test_words_are_never_read(inner: str) -> None:
    """What they stand for is written beside them; when the post was edited isn't when it was written."""
    edited = '<span class="post_edit"><span title="11-30-2026, 09:00 AM">ahora</span></span>'
    shown = tag(f'<span class="post_date">{inner} {edited}</span>')
    assert datetime(2026, 11, 29, 20, 3, tzinfo=UTC) == AMERICAN.read(spell(shown, ".post_edit"))


def test_words_without_what_they_stand_for_are_refused() -> None:
    """As in a theme that leaves the titles out."""
    with pytest.raises(IncompletePageError, match="page/unknown-date"):
        AMERICAN.read(spell(tag('<span class="post_date"><span>Ayer</span>, 08:03 PM</span>'), ".post_edit"))


@pytest.mark.parametrize(
    ("minutes", "fresh"), [(-3, False), (-1, True), (0, True), (1, True), (3, False), (60, False)]
)
def test_a_page_of_another_time_is_stale(minutes: int, fresh: bool) -> None:
    """A cache that lies by minutes is noticed, and by whole hours too."""
    shown = write("m-d-Y", NOW + timedelta(minutes=minutes))
    if fresh:
        check_clock(shown, AMERICAN, NOW)
        return
    with pytest.raises(IncompletePageError, match="page/stale"):
        check_clock(shown, AMERICAN, NOW)


def test_a_page_without_a_clock_is_refused() -> None:
    """A theme may leave it out; then nothing tells how the account sees times."""
    with pytest.raises(IncompletePageError, match="page/no-clock"):
        find_clock(BeautifulSoup("<html></html>", "lxml"))


def test_a_saved_page_is_read_if_it_was_saved_at_once() -> None:
    """Its clock proves the zone then; an hour later it might be another zone as well."""
    clock = write("d.m.Y", NOW + MADRID)
    face = learn_saved_face(clock, NOW + timedelta(minutes=10), MADRID)
    assert (("d.m.Y",), MADRID) == (face.formats, face.offset)
    for late, offset in ((60, MADRID), (10, timedelta()), (10, timedelta(hours=2))):
        with pytest.raises(IncompletePageError, match="page/unknown-clock"):
            learn_saved_face(clock, NOW + timedelta(minutes=late), offset)
