"""Models of the entries of an override file, one for each kind of correction (design.md 4)."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, Field, PlainValidator

from parsers.files.models import Strict, refuse, what_is
from rules.engine.closing import MOST_ATTEMPTS
from rules.engine.messages import msg
from rules.play.attempts import Orders

_ORDER = re.compile(r"[^#\n]*[^#\s][^#\n]*#[1-9][0-9]{0,2}")
_SPAN = re.compile(r"[1-9][0-9]{0,3}[hd]")

_SIGNATURE = re.compile(r"[0-9a-f]{96}")

FALL_BACK = "seed"
"""What stands in place of a beacon's signature where the director goes on without it."""
LARGEST_DIE = 2**64
"""No die of `ptd1` has more sides (reliability.md 1.2)."""


def _written(text: str) -> str:
    if not text.strip():
        raise refuse(msg("files/empty-text"), msg("files/write-text"))
    return text


def _order(text: str) -> str:
    if not _ORDER.fullmatch(text):
        raise refuse(msg("files/no-order-ref", text=text), msg("files/order-ref"))
    return text


def _path(text: str) -> str:
    if not all(part.strip() == part != "" for part in text.split("/")):
        raise refuse(msg("files/no-path", text=text), msg("files/path"))
    return text


def _address(text: str) -> str:
    if not all(part.strip() == part != "" for part in text.split("/")):
        raise refuse(msg("files/no-address", text=text), msg("files/address"))
    return text


def _span(text: str) -> str:
    if not _SPAN.fullmatch(text):
        raise refuse(msg("files/no-span", text=text), msg("files/span"))
    return text


def _post(value: Any) -> str:
    if isinstance(value, str) and value.strip():
        return value.strip()
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return str(value)
    raise refuse(what_is(value), msg("files/post-number"), "file/type")


def _answer(value: Any) -> str:
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise refuse(what_is(value), msg("files/answer-text"), "file/type")


def check_die(value: Any) -> int | str:
    """One value of a roll: a face from 1, or the id that a draw gives. Raises what `refuse` makes."""
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= LARGEST_DIE:
        return value
    raise refuse(what_is(value), msg("files/face"))


def _dice(value: Any) -> int | str | list[int | str]:
    if not isinstance(value, list):
        return check_die(value)
    if not value:
        raise refuse(what_is(value), msg("files/faces"))
    return [check_die(one) for one in value]


def _yes(value: Any) -> bool:
    if value is not True:
        raise refuse(what_is(value), msg("files/write-true"), "file/type")
    return True


def _instant(value: Any) -> datetime:
    if not isinstance(value, datetime):
        raise refuse(
            what_is(value),
            msg("files/write-moment"),
            "file/type",
        )
    return value


def _attempt(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_ATTEMPTS:
        return value
    raise refuse(what_is(value), msg("files/write-attempt"), "file/type")


def _fate(value: Any) -> Orders:
    if value in tuple(Orders):
        return Orders(value)
    raise refuse(what_is(value), msg("files/write-fate"))


def _beacon(value: Any) -> str:
    if value == FALL_BACK or (isinstance(value, str) and _SIGNATURE.fullmatch(value.strip().lower())):
        return str(value).strip().lower()
    raise refuse(what_is(value), msg("files/write-beacon"))


OrderText = Annotated[str, AfterValidator(_written)]
OrderKey = Annotated[str, AfterValidator(_order)]
Reason = Annotated[str, AfterValidator(_written)]

_LINE = "files/right-order"


class OverrideTable(Strict):
    """Keys that every entry may have."""

    reason: Reason = Field(description="files/right-reason")
    secret: bool = Field(False, description="files/right-truth")


class ReplaceTable(OverrideTable):
    """`replace`, `was`, `with`."""

    replace: OrderKey = Field(description="files/right-order-ref")
    with_: OrderText = Field(alias="with", description=_LINE)
    was: OrderText | None = Field(None, description=_LINE)
    force: bool = Field(False, description="files/right-truth")


class CancelTable(OverrideTable):
    """`cancel`."""

    cancel: OrderKey = Field(description="files/right-cancel")
    was: OrderText | None = Field(None, description=_LINE)


class AddTable(OverrideTable):
    """`add`, `order`."""

    add: OrderText = Field(description="files/right-add")
    order: OrderText = Field(description=_LINE)
    force: bool = Field(False, description="files/right-truth")


class IgnorePostTable(OverrideTable):
    """`ignore_post`."""

    ignore_post: Annotated[str, PlainValidator(_post)] = Field(description="files/right-post")


class AcceptPostTable(OverrideTable):
    """`accept_post`."""

    accept_post: Annotated[str, PlainValidator(_post)] = Field(description="files/right-post")


class SetTable(OverrideTable):
    """`set`, `value`."""

    set: Annotated[str, AfterValidator(_path)] = Field(description="files/right-path")
    value: Any = Field(description="files/right-value")


class DieTable(OverrideTable):
    """`die`, `value`."""

    die: Annotated[str, AfterValidator(_address)] = Field(description="files/right-address")
    value: Annotated[Any, PlainValidator(_dice)] = Field(description="files/right-faces")


class RulingTable(OverrideTable):
    """`ruling`, `answer`, `if_asked`."""

    ruling: OrderText = Field(description="files/right-question")
    answer: Annotated[str, PlainValidator(_answer)] = Field(description="files/right-answer")
    if_asked: bool = Field(False, description="files/right-truth")


class DeadlineTable(OverrideTable):
    """`deadline`."""

    deadline: Annotated[datetime, PlainValidator(_instant)] = Field(description="files/right-moment")


class ExtendTable(OverrideTable):
    """`extend`."""

    extend: Annotated[str, AfterValidator(_span)] = Field(description="files/right-span")


class PauseTable(OverrideTable):
    """`pause`."""

    pause: Annotated[bool, PlainValidator(_yes)] = Field(description="files/right-true")


class ResumeTable(OverrideTable):
    """`resume`."""

    resume: Annotated[bool, PlainValidator(_yes)] = Field(description="files/right-true")


class VoidTable(OverrideTable):
    """`void`, `orders`."""

    void: Annotated[int, PlainValidator(_attempt)] = Field(description="files/right-attempt")
    orders: Annotated[Orders, PlainValidator(_fate)] = Field(description="files/right-fate")


class BeaconTable(OverrideTable):
    """`beacon`."""

    beacon: Annotated[str, PlainValidator(_beacon)] = Field(description="files/right-beacon")


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
    "void": VoidTable,
    "beacon": BeaconTable,
}
"""The key that says what an entry does, and the entry's model."""

SHARED_KEYS = frozenset(OverrideTable.model_fields)
