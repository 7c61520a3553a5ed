"""Models of the tables of a scenario file (design.md 5)."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PlainValidator

from parsers.files.models import Strict, refuse, what_is
from parsers.files.override_tables import check_die
from rules.engine.messages import msg

_SEED = re.compile(r"[0-9a-fA-F]{64}")
_NAME = re.compile(r"[^\W_][\w-]{0,59}")


def _written(text: str) -> str:
    if not text.strip():
        raise refuse(msg("files/empty-text"), msg("files/write-text"))
    return text


def _seed(text: str) -> str:
    if not _SEED.fullmatch(text):
        raise refuse(
            msg("files/bad-seed", count=len(text)),
            msg("files/mend-or-remove"),
        )
    return text.lower()


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise refuse(msg("files/no-name", text=text), msg("files/name"))
    return text


def _track(text: str) -> str:
    return text and _name(text)


def _number(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 100_000:
        return value
    raise refuse(what_is(value), msg("files/turn-number"))


def _dice(value: Any) -> tuple[int | str, ...]:
    if not isinstance(value, list) or not value:
        raise refuse(what_is(value), msg("files/dice-list"))
    return tuple(check_die(one) for one in value)


def _instant(value: Any) -> datetime:
    if isinstance(value, datetime):
        return value
    wrong = what_is(value)
    raise refuse(wrong, msg("files/write-posted"), "file/type")


def _texts(value: Any) -> tuple[str, ...]:
    found = [value] if isinstance(value, str) else value
    if isinstance(found, list) and found and all(isinstance(one, str) and one.strip() for one in found):
        return tuple(found)
    raise refuse(what_is(value), msg("files/text-or-texts"))


def _sources(value: Any) -> dict[str, tuple[str, ...]]:
    """Sources by the path that they stand for; "" stands for all expectations of the turn."""
    if not isinstance(value, dict):
        return {"": _texts(value)}
    return {str(path): _texts(source) for path, source in value.items()}


def _answers(value: Any) -> Any:
    """What an event or a question is compared with: anything that JSON can say."""
    if isinstance(value, dict) and value:
        return value
    raise refuse(what_is(value), msg("files/event-table"))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, float | datetime | date | time):
        raise refuse(
            what_is(value),
            msg("files/plain-data"),
        )
    return value


Text = Annotated[str, AfterValidator(_written)]
Name = Annotated[str, AfterValidator(_name)]
Texts = Annotated[tuple[str, ...], PlainValidator(_texts)]
Sources = Annotated[dict[str, tuple[str, ...]], PlainValidator(_sources)]
Dice = Annotated[tuple[int | str, ...], PlainValidator(_dice)]
Data = Annotated[dict[str, Any], PlainValidator(_answers), AfterValidator(_plain)]

_BY_SEAT = "files/right-by-seat"
_LIST_OF_TEXTS = "files/right-texts"


class TrackTable(Strict):
    """`[[track]]`."""

    name: Name = Field(description="files/right-track")
    kind: Text = Field(description="files/right-kind")
    seats: list[Text] = Field(default_factory=list, description="files/right-seat-list")
    with_: dict[str, Any] = Field(default_factory=dict, alias="with", description="files/right-table")


class HeadTable(Strict):
    """What a scenario says before its turns."""

    title: Text = Field(description="files/right-title")
    ruleset: Name = Field(description="files/right-ruleset")
    options: dict[str, Any] = Field(default_factory=dict, description="files/right-options")
    state: dict[str, Any] = Field(description="files/right-state")
    track: list[TrackTable] = Field(default_factory=list, description="files/right-tracks")


class PostTable(Strict):
    """`[[turn.post]]`: who wrote (a seat, or an author without one), when, and the text as posted."""

    seat: Text | None = Field(None, description="files/right-seat-is")
    author: Text | None = Field(None, description="files/right-author")
    time: Annotated[datetime, PlainValidator(_instant)] = Field(description="files/right-moment")
    text: str = Field(description="files/right-posted")


class DiagnosticTable(Strict):
    """What a reading answers to one line; only the keys given are compared."""

    seat: Text | None = Field(None, description="files/right-seat")
    line: int | None = Field(None, ge=1, description="files/right-line")
    number: int | None = Field(None, ge=1, description="files/right-number")
    code: Text | None = Field(None, description="files/right-code")
    severity: Literal["error", "warning", "note"] | None = Field(None, description="files/right-severity")
    suggest: list[str] | None = Field(None, description=_LIST_OF_TEXTS)
    source: Texts | None = Field(None, description="files/right-text-or-texts")


class QuestionTable(Strict):
    """An open question; only the keys given are compared."""

    id: Text = Field(description="files/right-question-id")
    to: Text | None = Field(None, description="files/right-to")
    kind: Text | None = Field(None, description="files/right-question-kind")
    handle: Text | None = Field(None, description="files/right-handle")
    data: dict[str, Any] | None = Field(None, description="files/right-table")
    default: Text | None = Field(None, description="files/right-default")
    source: Texts | None = Field(None, description="files/right-text-or-texts")


class ReportTable(Strict):
    """Texts that a report has and lacks."""

    has: list[Text] = Field(default_factory=list, description=_LIST_OF_TEXTS)
    lacks: list[Text] = Field(default_factory=list, description=_LIST_OF_TEXTS)
    source: Texts | None = Field(None, description="files/right-text-or-texts")


class ExpectTable(Strict):
    """`[turn.expect]`; what isn't given isn't compared."""

    diagnostics: list[DiagnosticTable] | None = Field(None, description="files/right-tables")
    events: list[Data] | None = Field(None, description="files/right-events")
    held: list[Text] | None = Field(None, description="files/right-held")
    questions: list[QuestionTable] | None = Field(None, description="files/right-tables")
    absent: list[Text] = Field(default_factory=list, description="files/right-absent")
    state: dict[str, Any] = Field(default_factory=dict, description="files/right-compared")
    report: dict[str, ReportTable] = Field(default_factory=dict, description="files/right-readers")
    source: Sources = Field(default_factory=dict, description="files/right-sources")


class TurnTable(Strict):
    """One turn, or more of a turn that was held. Overrides are checked apart."""

    number: Annotated[int, PlainValidator(_number)] = Field(description="files/right-turn")
    track: Annotated[str, AfterValidator(_track)] = Field("", description="files/right-track-is")
    seed: Annotated[str, AfterValidator(_seed)] | None = Field(None, description="files/right-seed")
    orders: dict[str, str] = Field(default_factory=dict, description=_BY_SEAT)
    dice: dict[str, Dice] = Field(default_factory=dict, description="files/right-dice")
    replies: dict[str, str] = Field(default_factory=dict, description=_BY_SEAT)
    post: list[PostTable] = Field(default_factory=list, description="files/right-posts")
    override: list[Any] = Field(default_factory=list, description="files/right-overrides")
    expect: ExpectTable | None = Field(None, description="files/right-expect")
