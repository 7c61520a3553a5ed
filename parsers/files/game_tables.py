"""Models of the tables of `game.toml` (design.md 3)."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PlainValidator

from parsers.files import values
from parsers.files.models import Strict
from rules.engine.questions import QuestionPolicy

Text = Annotated[str, AfterValidator(values.check_text)]
Slug = Annotated[str, AfterValidator(values.check_slug)]
Zone = Annotated[str, AfterValidator(values.check_zone)]
Id = Annotated[str, PlainValidator(values.check_id)]
Duration = Annotated[timedelta, PlainValidator(values.check_duration)]
SomeTime = Annotated[timedelta, PlainValidator(values.check_some_time)]

_YES_OR_NO = "files/right-truth"
_DURATION = "files/right-duration"
_LOGIN = "files/right-login"


class ForumTable(Strict):
    """`[forum]`; which keys belong to which software, `check_forum` says."""

    software: Text = Field(description="files/right-software")
    url: Annotated[str, AfterValidator(values.check_url)] | None = Field(None, description="files/right-url")
    topic: Id | None = Field(None, description="files/right-topic")
    account: Text | None = Field(None, description="files/right-account")
    zone: Zone | None = Field(None, description="files/right-zone")
    secret: bool = Field(True, description=_YES_OR_NO)
    topic_url: Annotated[str, AfterValidator(values.check_link)] | None = Field(
        None, description="files/right-topic-url"
    )
    dialect: Annotated[str, AfterValidator(values.check_dialect)] | None = Field(
        None, description="files/right-dialect"
    )
    max_chars: Annotated[int, PlainValidator(values.check_max_chars)] | None = Field(
        None, description="files/right-max-chars"
    )
    interval: Duration | None = Field(None, description=_DURATION)
    pictures: bool = Field(True, description=_YES_OR_NO)
    confirm: bool | None = Field(None, description=_YES_OR_NO)
    notes: bool | None = Field(None, description=_YES_OR_NO)


class DirectorTable(Strict):
    """`[director]`."""

    login: Text = Field(description=_LOGIN)


class ScheduleTable(Strict):
    """`[schedule]`: the first deadline, and those that follow."""

    first: Annotated[date | datetime, PlainValidator(values.check_first)] = Field(
        description="files/right-first"
    )
    at: Annotated[time, PlainValidator(values.check_clock)] | None = Field(None, description="files/right-at")
    days: list[Annotated[int, PlainValidator(values.check_day)]] | None = Field(
        None, description="files/right-days"
    )
    every: Annotated[int, PlainValidator(values.check_every)] | None = Field(
        None, description="files/right-every"
    )
    holidays: list[Annotated[date, PlainValidator(values.check_date)]] | None = Field(
        None, description="files/right-holidays"
    )
    night: bool = Field(False, description=_YES_OR_NO)


class SeatTable(Strict):
    """One entry of `[seats]`. No account: the seat is vacant."""

    account: Id | None = Field(None, description="files/right-seat-account")
    login: Text | None = Field(None, description=_LOGIN)
    name: Text | None = Field(None, description="files/right-seat-name")
    article: Literal["el", "la", "los", "las", "the", ""] | None = Field(
        None, description="files/right-article"
    )
    gender: Literal["m", "f", ""] | None = Field(None, description="files/right-gender")
    plural: bool | None = Field(None, description=_YES_OR_NO)


class PoliciesTable(Strict):
    """`[policies]`; what isn't given is as in `rules.play.game.Policies`."""

    nmr: Literal["nothing", "standing", "repeat", "default", "hold"] | None = Field(
        None, description="files/right-nmr"
    )
    lease: SomeTime | None = Field(None, description=_DURATION)
    quiet: Duration | None = Field(None, description=_DURATION)
    reading: SomeTime | None = Field(None, description=_DURATION)
    reading_late: SomeTime | None = Field(None, description=_DURATION)
    late_window: Duration | None = Field(None, description=_DURATION)
    late: Duration | None = Field(None, description=_DURATION)
    outage: SomeTime | None = Field(None, description=_DURATION)
    canary: Annotated[timedelta | None, PlainValidator(values.check_reminder)] = Field(
        None, description="files/right-reminder"
    )
    at_least: Duration | None = Field(None, description=_DURATION)
    reminder: Annotated[timedelta | None, PlainValidator(values.check_reminder)] = Field(
        None, description="files/right-reminder"
    )
    early: Annotated[timedelta | None, PlainValidator(values.check_reminder)] = Field(
        None, description="files/right-early"
    )
    grace: Annotated[timedelta | None, PlainValidator(values.check_reminder)] = Field(
        None, description="files/right-grace"
    )
    breaker: Annotated[float, PlainValidator(values.check_share)] | None = Field(
        None, description="files/right-share"
    )
    warn_after: Annotated[int | None, PlainValidator(values.check_turns)] = Field(
        None, description="files/right-turns"
    )
    hold_after: Annotated[int | None, PlainValidator(values.check_turns)] = Field(
        None, description="files/right-turns"
    )
    clock_skew: SomeTime | None = Field(None, description=_DURATION)
    spoilers: bool | None = Field(None, description=_YES_OR_NO)
    code: bool | None = Field(None, description=_YES_OR_NO)
    questions: dict[str, Annotated[QuestionPolicy, PlainValidator(values.check_policy)]] = Field(
        default_factory=dict, description="files/right-questions"
    )


class AbsenceTable(Strict):
    """One of `[[absences]]`: days on which a player is away, both included."""

    seat: Text = Field(description="files/right-absent-seat")
    first: Annotated[date, PlainValidator(values.check_date)] = Field(
        alias="from", description="files/right-date"
    )
    until: Annotated[date, PlainValidator(values.check_date)] = Field(description="files/right-date")


class ReplacementTable(Strict):
    """One of `[[replacements]]`: who has a seat from a moment on. No account: nobody."""

    seat: Text = Field(description="files/right-absent-seat")
    since: Annotated[datetime, PlainValidator(values.check_moment)] = Field(description="files/right-since")
    account: Id | None = Field(None, description="files/right-seat-account")
    login: Text | None = Field(None, description=_LOGIN)


class GameTable(Strict):
    """The whole file."""

    id: Slug = Field(description="files/right-id")
    title: Text = Field(description="files/right-game-title")
    ruleset: Text = Field(description="files/right-ruleset")
    language: Literal["es", "en"] = Field("es", description="files/right-language")
    zone: Zone = Field(description="files/right-game-zone")
    proof: Literal["seed", "beacon"] = Field("seed", description="files/right-proof")
    first_turn: int = Field(1, ge=1, le=100_000, description="files/right-first-turn")
    forum: ForumTable = Field(description="files/right-forum")
    director: DirectorTable | None = Field(None, description="files/right-director")
    schedule: ScheduleTable = Field(description="files/right-schedule")
    seats: dict[str, SeatTable] = Field(description="files/right-seats")
    absences: list[AbsenceTable] = Field(default_factory=list, description="files/right-absences")
    replacements: list[ReplacementTable] = Field(default_factory=list, description="files/right-replacements")
    policies: PoliciesTable | None = Field(None, description="files/right-policies")
    options: dict[str, Any] = Field(default_factory=dict, description="files/right-options")
