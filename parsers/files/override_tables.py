"""Models of the entries of an override file, one for each kind of correction (design.md 4)."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, Field, PlainValidator

from parsers.files.models import Strict, describe_value, refuse

_ORDER = re.compile(r"[^#\n]*[^#\s][^#\n]*#[1-9][0-9]{0,2}")
_SPAN = re.compile(r"[1-9][0-9]{0,3}[hd]")

LARGEST_DIE = 2**64
"""No die of `ptd1` has more sides (reliability.md 1.2)."""


def _written(text: str) -> str:
    if not text.strip():
        raise refuse("está vacío", "Escribe un texto")
    return text


def _order(text: str) -> str:
    if not _ORDER.fullmatch(text):
        raise refuse(
            f'"{text}" no dice qué orden es', 'Escribe quién y el número de su orden en el acuse: "Imperio#2"'
        )
    return text


def _path(text: str) -> str:
    if not all(part.strip() == part != "" for part in text.split("/")):
        raise refuse(f'"{text}" no es un camino', 'Separa las partes con «/»: "factions/Imperio/supplies"')
    return text


def _address(text: str) -> str:
    if not all(part.strip() == part != "" for part in text.split("/")):
        raise refuse(
            f'"{text}" no es la dirección de una tirada', 'Cópiala del informe: "invasion/CM-40/Imperio/E1"'
        )
    return text


def _span(text: str) -> str:
    if not _SPAN.fullmatch(text):
        raise refuse(f'"{text}" no es una duración', 'Escribe horas o días: "24h", "2d"')
    return text


def _post(value: Any) -> str:
    if isinstance(value, str) and value.strip():
        return value.strip()
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return str(value)
    raise refuse(
        f"aquí está {describe_value(value)}", "Pon el número del mensaje que da el foro", "file/type"
    )


def _answer(value: Any) -> str:
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise refuse(f"aquí está {describe_value(value)}", 'Pon la respuesta entre comillas: "sí"', "file/type")


def check_die(value: Any) -> int | str:
    """One value of a roll: a face from 1, or the id that a draw gives. Raises what `refuse` makes."""
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= LARGEST_DIE:
        return value
    raise refuse(
        f"aquí está {describe_value(value)}", "Pon la cara del dado (desde 1) o lo que sale, entre comillas"
    )


def _dice(value: Any) -> int | str | list[int | str]:
    if not isinstance(value, list):
        return check_die(value)
    if not value:
        raise refuse("aquí está una lista vacía", "Pon la cara del dado, o una lista: [3, 5]")
    return [check_die(one) for one in value]


def _yes(value: Any) -> bool:
    if value is not True:
        raise refuse(
            f"aquí está {describe_value(value)}", "Escribe `true`, o quita la corrección", "file/type"
        )
    return True


def _instant(value: Any) -> datetime:
    if not isinstance(value, datetime):
        raise refuse(
            f"aquí está {describe_value(value)}",
            "Escribe fecha y hora sin comillas: 2026-12-06T22:00:00",
            "file/type",
        )
    return value


OrderText = Annotated[str, AfterValidator(_written)]
OrderKey = Annotated[str, AfterValidator(_order)]
Reason = Annotated[str, AfterValidator(_written)]

_LINE = 'una orden entre comillas, por ejemplo "construir puesto avanzado en CM-34"'


class OverrideTable(Strict):
    """Keys that every entry may have."""

    reason: Reason = Field(description='el motivo, entre comillas: reason = "Se equivocó de casilla"')
    secret: bool = Field(False, description="`true` o `false`, sin comillas")


class ReplaceTable(OverrideTable):
    """`replace`, `was`, `with`."""

    replace: OrderKey = Field(description='quién y el número de su orden, por ejemplo "Imperio#2"')
    with_: OrderText = Field(alias="with", description=_LINE)
    was: OrderText | None = Field(None, description=_LINE)
    force: bool = Field(False, description="`true` o `false`, sin comillas")


class CancelTable(OverrideTable):
    """`cancel`."""

    cancel: OrderKey = Field(description='quién y el número de su orden, por ejemplo "Tau#1"')
    was: OrderText | None = Field(None, description=_LINE)


class AddTable(OverrideTable):
    """`add`, `order`."""

    add: OrderText = Field(description='el puesto que da la orden, por ejemplo "Imperio" o "director"')
    order: OrderText = Field(description=_LINE)
    force: bool = Field(False, description="`true` o `false`, sin comillas")


class IgnorePostTable(OverrideTable):
    """`ignore_post`."""

    ignore_post: Annotated[str, PlainValidator(_post)] = Field(
        description="el número del mensaje que da el foro"
    )


class AcceptPostTable(OverrideTable):
    """`accept_post`."""

    accept_post: Annotated[str, PlainValidator(_post)] = Field(
        description="el número del mensaje que da el foro"
    )


class SetTable(OverrideTable):
    """`set`, `value`."""

    set: Annotated[str, AfterValidator(_path)] = Field(
        description='el camino del valor, por ejemplo "factions/Imperio/supplies"'
    )
    value: Any = Field(description="el valor nuevo: value = 4")


class DieTable(OverrideTable):
    """`die`, `value`."""

    die: Annotated[str, AfterValidator(_address)] = Field(
        description='la dirección de la tirada, por ejemplo "invasion/CM-40/Imperio/E1"'
    )
    value: Annotated[Any, PlainValidator(_dice)] = Field(
        description="la cara que sale, o una lista: value = [3, 5]"
    )


class RulingTable(OverrideTable):
    """`ruling`, `answer`, `if_asked`."""

    ruling: OrderText = Field(description='la pregunta, como la da `turnero status`: "reloj/deshielo"')
    answer: Annotated[str, PlainValidator(_answer)] = Field(description="la respuesta, entre comillas")
    if_asked: bool = Field(False, description="`true` o `false`, sin comillas")


class DeadlineTable(OverrideTable):
    """`deadline`."""

    deadline: Annotated[datetime, PlainValidator(_instant)] = Field(description="fecha y hora, sin comillas")


class ExtendTable(OverrideTable):
    """`extend`."""

    extend: Annotated[str, AfterValidator(_span)] = Field(description='horas o días: "24h", "2d"')


class PauseTable(OverrideTable):
    """`pause`."""

    pause: Annotated[bool, PlainValidator(_yes)] = Field(description="`true`, sin comillas")


class ResumeTable(OverrideTable):
    """`resume`."""

    resume: Annotated[bool, PlainValidator(_yes)] = Field(description="`true`, sin comillas")


KINDS: dict[str, type[OverrideTable]] = {
    "replace": ReplaceTable,
    "cancel": CancelTable,
    "add": AddTable,
    "ignore_post": IgnorePostTable,
    "accept_post": AcceptPostTable,
    "set": SetTable,
    "die": DieTable,
    "ruling": RulingTable,
    "deadline": DeadlineTable,
    "extend": ExtendTable,
    "pause": PauseTable,
    "resume": ResumeTable,
}
"""The key that says what an entry does, and the entry's model."""

SHARED_KEYS = frozenset(OverrideTable.model_fields)
