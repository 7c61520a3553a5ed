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

_YES_OR_NO = "`true` o `false`, sin comillas"
_DURATION = 'una duración entre comillas: "120s", "5m", "3h" o "2d"'
_LOGIN = 'el nombre con que entra en el foro, entre comillas: login = "marina"'


class ForumTable(Strict):
    """`[forum]`."""

    software: Text = Field(description='el programa del foro, entre comillas: software = "spirit"')
    url: Annotated[str, AfterValidator(values.check_url)] = Field(
        description='la dirección del foro, entre comillas: url = "https://foro.example.org/"'
    )
    topic: Id = Field(description="el número del tema de la partida: topic = 12")
    account: Text = Field(description='el nombre con que entra Turnero, entre comillas: account = "turnero"')
    zone: Zone | None = Field(None, description='una zona horaria: zone = "Europe/Madrid"')
    secret: bool = Field(True, description=_YES_OR_NO)


class DirectorTable(Strict):
    """`[director]`."""

    login: Text = Field(description=_LOGIN)


class ScheduleTable(Strict):
    """`[schedule]`: the first deadline, and those that follow."""

    first: Annotated[date | datetime, PlainValidator(values.check_first)] = Field(
        description="el día del primer cierre, sin comillas: first = 2026-12-06"
    )
    at: Annotated[time, PlainValidator(values.check_clock)] | None = Field(
        None, description='la hora del cierre, entre comillas: at = "22:00"'
    )
    days: list[Annotated[int, PlainValidator(values.check_day)]] | None = Field(
        None, description='una lista de días: days = ["martes", "domingo"]'
    )
    every: Annotated[int, PlainValidator(values.check_every)] | None = Field(
        None, description="cada cuántos días: every = 7"
    )


class SeatTable(Strict):
    """One entry of `[seats]`. No account: the seat is vacant."""

    account: Id | None = Field(None, description="el número de la cuenta, como lo da `turnero seats`")
    login: Text | None = Field(None, description=_LOGIN)
    name: Text | None = Field(None, description='cómo se llama, entre comillas: name = "los Eldar"')
    article: Literal["el", "la", "los", "las", "the", ""] | None = Field(
        None, description='su artículo, entre comillas: "el", "la", "los", "las" o ""'
    )
    gender: Literal["m", "f", ""] | None = Field(None, description='"m" o "f"')
    plural: bool | None = Field(None, description=_YES_OR_NO)


class PoliciesTable(Strict):
    """`[policies]`; what isn't given is as in `rules.play.game.Policies`."""

    nmr: Literal["nothing", "standing", "repeat", "default", "hold"] | None = Field(
        None, description='"nothing", "standing", "repeat", "default" o "hold"'
    )
    lease: SomeTime | None = Field(None, description=_DURATION)
    quiet: Duration | None = Field(None, description=_DURATION)
    reading: SomeTime | None = Field(None, description=_DURATION)
    reading_late: SomeTime | None = Field(None, description=_DURATION)
    late_window: Duration | None = Field(None, description=_DURATION)
    late: Duration | None = Field(None, description=_DURATION)
    at_least: Duration | None = Field(None, description=_DURATION)
    reminder: Annotated[timedelta | None, PlainValidator(values.check_reminder)] = Field(
        None, description=f"{_DURATION}, o `false`"
    )
    breaker: Annotated[float, PlainValidator(values.check_share)] | None = Field(
        None, description='un porcentaje entre comillas: breaker = "80 %"'
    )
    clock_skew: SomeTime | None = Field(None, description=_DURATION)
    spoilers: bool | None = Field(None, description=_YES_OR_NO)
    code: bool | None = Field(None, description=_YES_OR_NO)
    questions: dict[str, Annotated[QuestionPolicy, PlainValidator(values.check_policy)]] = Field(
        default_factory=dict, description='una tabla con "hold", "wait 48h" o "default" por clase de pregunta'
    )


class GameTable(Strict):
    """The whole file."""

    id: Slug = Field(description='un nombre corto entre comillas, que ya no cambia: id = "veth"')
    title: Text = Field(description='el título entre comillas: title = "Cruzada de Veth"')
    ruleset: Text = Field(description='el reglamento entre comillas: ruleset = "conquista"')
    language: Literal["es", "en"] = Field("es", description='"es" o "en"')
    zone: Zone = Field(description='la zona horaria entre comillas: zone = "Europe/Madrid"')
    proof: Literal["seed"] = Field("seed", description='"seed"')
    first_turn: int = Field(1, ge=1, le=100_000, description="el número del primer turno: first_turn = 1")
    forum: ForumTable = Field(description="una tabla `[forum]`")
    director: DirectorTable | None = Field(None, description="una tabla `[director]`")
    schedule: ScheduleTable = Field(description="una tabla `[schedule]`")
    seats: dict[str, SeatTable] = Field(
        description='una tabla `[seats]` con los puestos: Imperio = { account = 17, login = "marina" }'
    )
    policies: PoliciesTable | None = Field(None, description="una tabla `[policies]`")
    options: dict[str, Any] = Field(default_factory=dict, description="una tabla `[options]`")
