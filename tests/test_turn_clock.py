"""The director moves a turn's deadline: what each entry makes of it (design.md 4, *Schedule*)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from parsers.files.errors import FileProblem
from parsers.files.override import load_overrides
from processor.pipeline.following import Followed, follow_clock
from processor.pipeline.locking import freeze
from processor.pipeline.resolving import resolve_turn
from processor.pipeline.texts import setting_of
from processor.pipeline.turn_clock import run_clock
from reporters.corrections import say_corrections
from rules.engine.inline import plain
from rules.play.clock import ClockChange, TurnClock
from rules.play.turns import Deadline
from tests.support.fair import BOT, SECRETS, Topic, block, make_play

MADRID = "Europe/Madrid"
DUE = datetime(2026, 12, 6, 21, 0, tzinfo=UTC)
NOW = DUE - timedelta(hours=5)
PLANNED = TurnClock(DUE, DUE)


def entries(*lines: str, reason: str = "Fallo del foro") -> str:
    """An override file with one schedule entry for each line."""
    return "\n".join(f'[[override]]\n{line}\nreason = "{reason}"\n' for line in lines)


def run(clock: TurnClock, *lines: str, now: datetime = NOW, zone: str = MADRID) -> TurnClock:
    """The clock under a file that is right."""
    found = run_clock(clock, load_overrides(entries(*lines), "turn-001.toml"), zone, now, "turn-001.toml")
    assert isinstance(found, TurnClock), found
    return found


def fail(clock: TurnClock, *lines: str, now: datetime = NOW, zone: str = MADRID) -> str:
    """The code of what is wrong with a file."""
    found = run_clock(clock, load_overrides(entries(*lines), "turn-001.toml"), zone, now, "turn-001.toml")
    assert isinstance(found, FileProblem), found
    return found.code


def at(text: str) -> datetime:
    """A moment in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("due", "lines", "expected"),
    [
        ("2026-12-06 21:00", ['extend = "24h"'], "2026-12-07 21:00"),
        ("2026-12-06 21:00", ['extend = "2d"'], "2026-12-08 21:00"),
        ("2026-12-06 21:00", ['extend = "24h"', 'extend = "24h"'], "2026-12-08 21:00"),
        ("2026-12-06 21:00", ["deadline = 2026-12-09T22:00:00"], "2026-12-09 21:00"),
        ("2026-12-06 21:00", ["deadline = 2026-12-09T22:00:00Z"], "2026-12-09 22:00"),
        ("2026-12-06 21:00", ["deadline = 2026-12-09T22:00:00", 'extend = "1h"'], "2026-12-09 22:00"),
        ("2026-12-06 21:00", ['extend = "1h"', "deadline = 2026-12-09T22:00:00"], "2026-12-09 21:00"),
        ("2026-12-06 21:00", ["deadline = 2026-12-06T20:00:00"], "2026-12-06 19:00"),
        # Days are the calendar's: 22:00 stays 22:00 though the night has an hour more or less.
        ("2026-10-24 20:00", ['extend = "1d"'], "2026-10-25 21:00"),
        ("2026-10-24 20:00", ['extend = "24h"'], "2026-10-25 20:00"),
        ("2027-03-27 21:00", ['extend = "1d"'], "2027-03-28 20:00"),
        ("2027-03-27 21:00", ['extend = "24h"'], "2027-03-28 21:00"),
        # An offset says which of the two 02:30 is meant.
        ("2026-10-24 20:00", ["deadline = 2026-10-25T02:30:00+02:00"], "2026-10-25 00:30"),
        ("2026-10-24 20:00", ["deadline = 2026-10-25T02:30:00+01:00"], "2026-10-25 01:30"),
    ],
)
def test_an_entry_moves_the_deadline(due: str, lines: list[str], expected: str) -> None:
    """Hours are hours, days are days of the calendar, a local moment is the game's."""
    clock = TurnClock(at(due), at(due))
    assert at(expected) == run(clock, *lines, now=at(due) - timedelta(hours=5)).due


def test_nothing_is_applied_twice() -> None:
    """A file that is read again, or that gets one more entry, starts from the planned deadline."""
    first = run(PLANNED, 'extend = "24h"')
    again = run(first, 'extend = "24h"', now=NOW + timedelta(hours=1))
    more = run(again, 'extend = "24h"', 'extend = "1h"', now=NOW + timedelta(hours=2))
    less = run(more, 'extend = "1h"', now=NOW + timedelta(hours=3))
    days = timedelta(hours=24), timedelta(hours=24), timedelta(hours=25), timedelta(hours=1)
    assert tuple(DUE + one for one in days) == (first.due, again.due, more.due, less.due)
    assert (first, DUE) == (again, less.planned)


def test_a_reworded_reason_is_the_same_entry() -> None:
    """What an entry does tells it from others, so a pause doesn't begin anew with its reason."""
    began = run(PLANNED, "pause = true")
    file = load_overrides(entries("pause = true", reason="Se fue la luz"), "f")
    assert began == run_clock(began, file, MADRID, NOW + timedelta(hours=1), "f")


def test_a_pause_moves_the_deadline_by_its_length() -> None:
    """From when it is seen to when the resumption is; what it took stays known afterwards."""
    paused = run(PLANNED, "pause = true")
    assert (NOW, DUE) == (paused.paused_at, paused.due)
    lines = ("pause = true", "resume = true")
    resumed = run(paused, *lines, now=NOW + timedelta(hours=30))
    later = run(resumed, *lines, 'extend = "1h"', now=NOW + timedelta(hours=31))
    assert (None, DUE + timedelta(hours=30)) == (resumed.paused_at, resumed.due)
    assert (None, DUE + timedelta(hours=31)) == (later.paused_at, later.due)


def test_a_second_pause_counts_for_itself() -> None:
    """Two pauses of two hours each make four."""
    clock, lines = PLANNED, list[str]()
    for number, line in enumerate(("pause", "resume", "pause", "resume")):
        lines.append(f"{line} = true")
        clock = run(clock, *lines, now=NOW + timedelta(hours=2 * number))
    assert DUE + timedelta(hours=4) == clock.due


def test_a_pause_seen_behind_the_deadline_begins_at_the_deadline() -> None:
    """The turn is still open because the forum was down: what was posted meanwhile is in time."""
    paused = run(PLANNED, "pause = true", now=DUE + timedelta(minutes=40))
    resumed = run(paused, "pause = true", "resume = true", now=DUE + timedelta(hours=3))
    assert (DUE, DUE + timedelta(hours=3)) == (paused.paused_at, resumed.due)


def test_a_deadline_set_in_a_pause_moves_by_what_is_left_of_it() -> None:
    """The new date is counted from when it was given."""
    paused = run(PLANNED, "pause = true")
    lines = ("pause = true", "deadline = 2026-12-09T22:00:00")
    dated = run(paused, *lines, now=NOW + timedelta(hours=10))
    resumed = run(dated, *lines, "resume = true", now=NOW + timedelta(hours=12))
    assert at("2026-12-09 23:00") == resumed.due


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (["resume = true"], "override/not-paused"),
        (["pause = true", "pause = true"], "override/paused"),
        (["deadline = 2026-12-06T16:00:00"], "override/past"),
        (["deadline = 2126-12-06T22:00:00"], "override/far"),
        (['extend = "9999d"'], "override/far"),
        (["deadline = 2026-12-07T02:00:00"], "override/hour"),
        (["deadline = 2026-12-07T02:59:00"], "override/hour"),
        (["deadline = 2026-10-25T02:30:00"], "override/hour"),
        (["deadline = 2027-03-28T02:30:00"], "override/hour"),
    ],
)
def test_an_entry_that_makes_no_sense_is_told(lines: list[str], code: str) -> None:
    """Nothing is guessed: the clock stays as it was."""
    assert code == fail(PLANNED, *lines)


@pytest.mark.parametrize(
    ("now", "line", "expected"),
    [
        ("2026-10-24 20:00", "deadline = 2026-10-25T02:30:00", "2026-10-25 00:30"),  # twice: the first
        ("2027-03-27 20:00", "deadline = 2027-03-28T02:30:00", "2027-03-28 01:30"),  # missing: an hour later
        ("2027-10-30 20:00", "deadline = 2027-10-31T02:00:00", "2027-10-31 00:00"),
        ("2027-10-30 20:00", "deadline = 2027-10-31T02:59:00", "2027-10-31 00:59"),
        ("2026-12-06 20:00", "deadline = 2026-12-07T02:30:00", "2026-12-07 01:30"),  # any other night
        ("2026-10-24 00:30", 'extend = "1d"', "2026-10-25 00:30"),  # from 02:30 to the first 02:30
        ("2027-03-27 01:30", 'extend = "1d"', "2027-03-28 01:30"),
        ("2027-03-27 01:30", 'extend = "2d"', "2027-03-29 00:30"),  # and 02:30 again, the day after
    ],
)
def test_the_hour_of_the_change_is_taken_where_the_game_allows_it(now: str, line: str, expected: str) -> None:
    """`night = true` holds for a correction of the deadline as it does for the schedule."""
    play = make_play()
    schedule = replace(play.game.schedule, night=True)
    play = replace(play, game=replace(play.game, schedule=schedule), deadline=Deadline(at(now), MADRID))
    followed = follow_clock(play, TurnClock(at(now), at(now)), entries(line), at(now) - timedelta(hours=5))
    assert ((), at(expected)) == (followed.problems, followed.clock.due)


def test_a_refused_hour_says_how_to_have_it() -> None:
    """Another hour, the offset that makes it plain, or the option of the game."""
    (problem,) = follow("deadline = 2026-12-07T02:30:00").problems
    for words in ("02:30", "2026-12-06T02:30:00+01:00", "`night = true`", "game.toml"):
        assert words in problem


@pytest.mark.parametrize("hour", ["01:59", "03:00"])
def test_the_hours_around_the_change_are_deadlines_like_others(hour: str) -> None:
    """Only the hour that is missing one night and comes twice in another is refused."""
    assert DUE < run(PLANNED, f"deadline = 2026-12-07T{hour}:00").due


# What the players and the report say.


def follow(*lines: str, clock: TurnClock = PLANNED, now: datetime = NOW) -> Followed:
    """What a file makes of a real game's turn."""
    play = replace(make_play(), deadline=Deadline(clock.due, MADRID, clock.paused_at is not None))
    return follow_clock(play, clock, entries(*lines) if lines else "", now)


def test_the_players_are_told_of_the_new_deadline() -> None:
    """Until when there is time now, in the game's zone and in UTC, until when there was, and why."""
    (notice,) = follow('extend = "24h"').texts
    said = notice.parts[0]
    assert ("deadline-1", False) == (notice.kind, notice.editable)
    for words in ("lunes 7 de diciembre de 2026, 22:00 (Madrid), 21:00 UTC", "domingo 6", "Fallo del foro"):
        assert words in said


def test_each_change_has_a_text_of_its_own() -> None:
    """A pause is told, then its end; what changes nothing isn't."""
    paused = follow("pause = true")
    resumed = follow("pause = true", "resume = true", clock=paused.clock, now=NOW + timedelta(hours=2))
    same = follow("pause = true", "resume = true", clock=resumed.clock, now=NOW + timedelta(hours=3))
    assert [["deadline-1"], ["deadline-2"], []] == [
        [text.kind for text in one.texts] for one in (paused, resumed, same)
    ]
    assert "queda en pausa" in paused.texts[0].parts[0]
    assert "lunes 7 de diciembre de 2026, 00:00 (Madrid)" in resumed.texts[0].parts[0]


def test_a_secret_reason_is_kept() -> None:
    """The deadline is for everybody, the reason isn't."""
    play = replace(make_play(), deadline=Deadline(DUE, MADRID))
    text = entries('extend = "24h"\nsecret = true', reason="Ana está enferma")
    (notice,) = follow_clock(play, PLANNED, text, NOW).texts
    assert "enferma" not in notice.parts[0]


def test_a_file_that_cannot_be_read_changes_nothing() -> None:
    """The turn goes on with the deadline it has, and the director is told where the mistake is."""
    play = replace(make_play(), deadline=Deadline(DUE, MADRID))
    found = follow_clock(play, PLANNED, '[[override]]\nextend = "mañana"\n', NOW)
    assert (PLANNED, ()) == (found.clock, found.texts)
    assert "turn-003.toml, línea" in found.problems[0]


def test_the_report_lists_a_changed_deadline_with_its_reason() -> None:
    """An entry that took effect while the turn was open is a correction like any other."""
    topic = Topic()
    topic.post("Ana", block("jugar en Tómbola"), 60)
    text = entries('extend = "24h"')
    change = ClockChange("extend 24h #1", NOW, DUE, DUE + timedelta(hours=24))
    play = replace(make_play(), changes=(change,))
    result = resolve_turn(play, freeze(play, topic.versions, BOT, text, SECRETS), SECRETS)
    assert () == result.problems
    logged = [one for one in result.resolution.events if one.id == "engine/corrected"]
    (said,) = say_corrections(setting_of(play), logged)
    assert (
        "más tiempo: domingo 6 de diciembre, 22:00 (Madrid) → lunes 7 de diciembre, 22:00 (Madrid)."
        " Fallo del foro"
    ) == plain(said)


# The host's pauses.


def stopped(clock: TurnClock, begin: datetime, end: datetime) -> TurnClock:
    """A clock during which the host had everything paused."""
    return replace(clock, stops=(*clock.stops, (begin, end)))


def test_a_pause_of_the_host_counts_like_the_directors() -> None:
    """It moves what was in force then; a date given later stands, and the turn's own pause counts once."""
    hour = timedelta(hours=1)
    plain = run(stopped(PLANNED, NOW, NOW + 3 * hour), now=NOW + 3 * hour)
    extended = run(plain, 'extend = "24h"', now=NOW + 4 * hour)
    dated = run(plain, "deadline = 2026-12-09T22:00:00", now=NOW + 4 * hour)
    paused = stopped(run(PLANNED, "pause = true"), NOW + hour, NOW + 2 * hour)
    own = run(paused, "pause = true", now=NOW + 2 * hour)
    resumed = run(own, "pause = true", "resume = true", now=NOW + 5 * hour)
    assert (DUE + 3 * hour, DUE + 27 * hour) == (plain.due, extended.due)
    assert (at("2026-12-09 21:00"), DUE + 5 * hour) == (dated.due, resumed.due)
    assert dated == run(dated, "deadline = 2026-12-09T22:00:00", now=NOW + 5 * hour)


def test_a_pause_of_the_host_over_the_deadline_leaves_no_time_lost() -> None:
    """The turn was open still: it closes when everything goes on, and what was posted meanwhile counts."""
    began, ended = DUE + timedelta(minutes=1), DUE + timedelta(hours=9)
    assert ended == run(stopped(PLANNED, began, ended), now=ended).due
