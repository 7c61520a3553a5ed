"""Models of the tables of a scenario file (design.md 5)."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PlainValidator

from parsers.files.models import Strict, describe_value, refuse
from parsers.files.override_tables import check_die

_SEED = re.compile(r"[0-9a-fA-F]{64}")
_NAME = re.compile(r"[^\W_][\w-]{0,59}")


def _written(text: str) -> str:
    if not text.strip():
        raise refuse("está vacío", "Escribe un texto")
    return text


def _seed(text: str) -> str:
    if not _SEED.fullmatch(text):
        raise refuse(
            f"la semilla tiene que ser de 64 cifras hexadecimales y aquí hay {len(text)} signos",
            "Corrígela o quítala",
        )
    return text.lower()


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise refuse(f'"{text}" no vale como nombre', "Usa sólo letras, cifras y guiones, sin espacios")
    return text


def _track(text: str) -> str:
    return text and _name(text)


def _number(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 100_000:
        return value
    raise refuse(f"aquí está {describe_value(value)}", "Pon el número del turno, desde 1: number = 3")


def _dice(value: Any) -> tuple[int | str, ...]:
    if not isinstance(value, list) or not value:
        raise refuse(
            f"aquí está {describe_value(value)}", 'Pon lo que sale en una lista: [4], [2, 5], ["reloj"]'
        )
    return tuple(check_die(one) for one in value)


def _instant(value: Any) -> datetime:
    if isinstance(value, datetime):
        return value
    wrong = f"aquí está {describe_value(value)}"
    raise refuse(wrong, "Escribe fecha y hora sin comillas: 2026-12-06T21:58:00", "file/type")


def _texts(value: Any) -> tuple[str, ...]:
    found = [value] if isinstance(value, str) else value
    if isinstance(found, list) and found and all(isinstance(one, str) and one.strip() for one in found):
        return tuple(found)
    raise refuse(f"aquí está {describe_value(value)}", 'Pon un texto o una lista de textos: "003: INVASIÓN"')


def _sources(value: Any) -> dict[str, tuple[str, ...]]:
    """Sources by the path that they stand for; "" stands for all expectations of the turn."""
    if not isinstance(value, dict):
        return {"": _texts(value)}
    return {str(path): _texts(source) for path, source in value.items()}


def _answers(value: Any) -> Any:
    """What an event or a question is compared with: anything that JSON can say."""
    if isinstance(value, dict) and value:
        return value
    raise refuse(f"aquí está {describe_value(value)}", 'Pon una tabla: { id = "…" }')


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, float | datetime | date | time):
        raise refuse(
            f"aquí está {describe_value(value)}",
            "Aquí sólo hay textos, enteros, `true`, `false`, listas y tablas",
        )
    return value


Text = Annotated[str, AfterValidator(_written)]
Name = Annotated[str, AfterValidator(_name)]
Texts = Annotated[tuple[str, ...], PlainValidator(_texts)]
Sources = Annotated[dict[str, tuple[str, ...]], PlainValidator(_sources)]
Dice = Annotated[tuple[int | str, ...], PlainValidator(_dice)]
Data = Annotated[dict[str, Any], PlainValidator(_answers), AfterValidator(_plain)]

_BY_SEAT = 'una tabla con el texto de cada puesto: Imperio = """…"""'
_LIST_OF_TEXTS = "una lista de textos entre comillas"


class TrackTable(Strict):
    """`[[track]]`."""

    name: Name = Field(description='el nombre de la pista entre comillas, por ejemplo "duelo"')
    kind: Text = Field(description='la clase de turno, por ejemplo "combat"')
    seats: list[Text] = Field(default_factory=list, description=_LIST_OF_TEXTS + ': ["Lope", "Íñigo"]')
    with_: dict[str, Any] = Field(default_factory=dict, alias="with", description="una tabla")


class HeadTable(Strict):
    """What a scenario says before its turns."""

    title: Text = Field(description='un título entre comillas: title = "Dos ejércitos empatan"')
    ruleset: Name = Field(description='el reglamento entre comillas: ruleset = "conquista"')
    options: dict[str, Any] = Field(default_factory=dict, description="una tabla `[options]`")
    state: dict[str, Any] = Field(description="una tabla `[state]`, como la de setup.toml")
    track: list[TrackTable] = Field(default_factory=list, description="una lista de tablas `[[track]]`")


class PostTable(Strict):
    """`[[turn.post]]`: who wrote (a seat, or an author without one), when, and the text as posted."""

    seat: Text | None = Field(None, description='el puesto entre comillas: seat = "Imperio"')
    author: Text | None = Field(None, description='el autor entre comillas: author = "Mirón"')
    time: Annotated[datetime, PlainValidator(_instant)] = Field(description="fecha y hora, sin comillas")
    text: str = Field(description='el mensaje entre comillas: text = """…"""')


class DiagnosticTable(Strict):
    """What a reading answers to one line; only the keys given are compared."""

    seat: Text | None = Field(None, description="el puesto entre comillas")
    line: int | None = Field(None, ge=1, description="la línea de su texto, contada desde 1")
    number: int | None = Field(None, ge=1, description="el número de la orden en el acuse")
    code: Text | None = Field(None, description='el código entre comillas: "parse/unknown-order"')
    severity: Literal["error", "warning", "note"] | None = Field(
        None, description='"error", "warning" o "note"'
    )
    suggest: list[str] | None = Field(None, description=_LIST_OF_TEXTS)
    source: Texts | None = Field(None, description="un texto o una lista de textos")


class QuestionTable(Strict):
    """An open question; only the keys given are compared."""

    id: Text = Field(description='la pregunta entre comillas: "reloj/deshielo"')
    to: Text | None = Field(None, description='"director" o un puesto')
    kind: Text | None = Field(None, description="la clase de pregunta, entre comillas")
    handle: Text | None = Field(None, description='con qué se contesta: "P1"')
    data: dict[str, Any] | None = Field(None, description="una tabla")
    default: Text | None = Field(None, description="la respuesta por defecto, entre comillas")
    source: Texts | None = Field(None, description="un texto o una lista de textos")


class ReportTable(Strict):
    """Texts that a report has and lacks."""

    has: list[Text] = Field(default_factory=list, description=_LIST_OF_TEXTS)
    lacks: list[Text] = Field(default_factory=list, description=_LIST_OF_TEXTS)
    source: Texts | None = Field(None, description="un texto o una lista de textos")


class ExpectTable(Strict):
    """`[turn.expect]`; what isn't given isn't compared."""

    diagnostics: list[DiagnosticTable] | None = Field(None, description="una lista de tablas")
    events: list[Data] | None = Field(
        None, description='una lista de tablas: [{ id = "conquista/produced" }]'
    )
    held: list[Text] | None = Field(None, description=_LIST_OF_TEXTS + ', por ejemplo ["reloj/deshielo"]')
    questions: list[QuestionTable] | None = Field(None, description="una lista de tablas")
    absent: list[Text] = Field(
        default_factory=list, description=_LIST_OF_TEXTS + ', por ejemplo ["armies/E2"]'
    )
    state: dict[str, Any] = Field(default_factory=dict, description="una tabla con lo que se compara")
    report: dict[str, ReportTable] = Field(default_factory=dict, description="una tabla para cada lector")
    source: Sources = Field(
        default_factory=dict, description="un texto, una lista de textos o una tabla de ellos"
    )


class TurnTable(Strict):
    """One turn, or more of a turn that was held. Overrides are checked apart."""

    number: Annotated[int, PlainValidator(_number)] = Field(description="el número del turno: number = 3")
    track: Annotated[str, AfterValidator(_track)] = Field(
        "", description='el nombre de una pista: track = "duelo"'
    )
    seed: Annotated[str, AfterValidator(_seed)] | None = Field(
        None, description="64 cifras hexadecimales entre comillas"
    )
    orders: dict[str, str] = Field(default_factory=dict, description=_BY_SEAT)
    dice: dict[str, Dice] = Field(
        default_factory=dict, description='una tabla de tiradas: "invasion/CM-40/Imperio/E1" = [4]'
    )
    replies: dict[str, str] = Field(default_factory=dict, description=_BY_SEAT)
    post: list[PostTable] = Field(default_factory=list, description="una lista de tablas `[[turn.post]]`")
    override: list[Any] = Field(default_factory=list, description="una lista de tablas `[[turn.override]]`")
    expect: ExpectTable | None = Field(None, description="una tabla `[turn.expect]`")
