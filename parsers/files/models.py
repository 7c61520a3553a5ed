"""Strict models of files, and pydantic's findings as problems with file, line and key.

A field's description is the id of a text that says what belongs there ("una lista de textos, por ejemplo
…"); it is what a director is told where something else stands.
"""

from __future__ import annotations

import difflib
import types
import typing
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from parsers.files.errors import FileProblem
from parsers.files.positions import KeyPath
from parsers.files.toml import TomlFile
from rules.engine.messages import Message, Param, msg

M = TypeVar("M", bound="Strict")

LONGEST_SHOWN = 40
"""Characters of a wrong text that a message repeats."""


class Strict(BaseModel):
    """A table of a file: no conversions, no unknown keys."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


def refuse(wrong: Message, right: Message, code: str = "file/value") -> PydanticCustomError:
    """The error that a validator of a field raises: what is wrong and what would be right."""
    return PydanticCustomError("turnero", "refused", {"wrong": wrong, "right": right, "code": code})


def check_table(
    model: type[M], data: object, file: TomlFile, path: KeyPath, other_keys: Iterable[str] = ()
) -> tuple[M | None, list[FileProblem]]:
    """Check one table of a file against its model.

    path: where the table stands in the file. other_keys: further keys that a misspelt one may have meant.
    Returns the table, None with all that is wrong with it.
    """
    try:
        return model.model_validate(data), []
    except ValidationError as found:
        errors = found.errors(include_url=False)
    meant = _meant_keys(errors, model)
    return None, [
        _problem(one, model, file, path, tuple(other_keys))
        for one in errors
        if not (one["type"] == "missing" and _clean(one["loc"]) in meant)
    ]


def _meant_keys(errors: list[ErrorDetails], model: type[Strict]) -> set[KeyPath]:
    """Keys that are there, but misspelt: one mistake gives one error."""
    unknown = [_clean(one["loc"]) for one in errors if one["type"] == "extra_forbidden"]
    near = [(path[:-1], nearest(str(path[-1]), _keys_at(model, path[:-1]))) for path in unknown]
    return {(*table, key) for table, key in near if key}


def _problem(
    error: ErrorDetails, model: type[Strict], file: TomlFile, path: KeyPath, other_keys: tuple[str, ...]
) -> FileProblem:
    inside = _clean(error["loc"])
    where = (*path, *inside)
    kind = error["type"]
    if kind == "turnero":
        context = error.get("ctx", {})
        return file.problem(where, context["code"], context["wrong"], context["right"])
    if kind == "extra_forbidden":
        keys = (*_keys_at(model, inside[:-1]), *(other_keys if len(inside) == 1 else ()))
        return unknown_key(file, where, keys)
    right = _say(_described(model, inside))
    if kind == "missing":
        missing = msg("files/missing-key", key=str(inside[-1]))
        return file.problem(where, "file/missing-key", missing, right)
    return file.problem(where, "file/type", what_is(error["input"]), right)


def unknown_key(file: TomlFile, where: KeyPath, keys: Iterable[str]) -> FileProblem:
    """The problem of a key that means nothing where it stands; the nearest of `keys` is offered."""
    key, allowed = str(where[-1]), sorted(set(keys))
    right = offer(nearest(key, allowed), allowed)
    return file.problem(where, "file/unknown-key", msg("files/unknown-key", key=key), right)


def offer(near: str | None, words: Iterable[str], otherwise: str = "files/allowed") -> Message:
    """What would be right: the word that was meant, else all there are. otherwise: id that lists them."""
    return msg("files/meant", word=near) if near else msg(otherwise, words=quoted(words))


def quoted(words: Iterable[str]) -> tuple[Param, ...]:
    """Words of files, set off one by one."""
    return tuple(msg("files/quoted", word=one) for one in words)


def nearest(word: str, words: Sequence[str]) -> str | None:
    """The known word that somebody may have meant, None where nothing is near."""
    found = difflib.get_close_matches(word.lower(), words, n=1, cutoff=0.7)
    return found[0] if found else None


def describe_value(value: object) -> Message:
    """A value of a file in a director's words: `el texto "3"`, `una lista`."""
    if isinstance(value, bool):
        return msg("files/value-truth", word=str(value).lower())
    if isinstance(value, str):
        return msg("files/value-text", text=value[:LONGEST_SHOWN], cut=int(len(value) > LONGEST_SHOWN))
    if isinstance(value, int | float):
        return msg("files/value-number", number=str(value))
    if isinstance(value, datetime | date | time):
        return msg("files/value-time", time=value.isoformat())
    return msg(
        "files/value-things", kind="list" if isinstance(value, list) else "table", empty=int(not value)
    )


def what_is(value: object) -> Message:
    """What stands there, where something else should."""
    return msg("files/here-is", value=describe_value(value))


def _say(right: str | None) -> Message:
    """What a field's description, an id of a text, says of what belongs there."""
    return msg("files/put", what=Message(right)) if right else msg("files/look-up")


def _clean(loc: tuple[str | int, ...]) -> KeyPath:
    return tuple(part for part in loc if part != "[key]")


def _described(model: type[Strict], inside: KeyPath) -> str | None:
    """The description of the field at a path, or of the nearest field around it."""
    said: str | None = None
    place: Any = model
    for part in inside:
        fields = _fields(place)
        if fields is not None and part in fields:
            said = fields[str(part)][1] or said
            place = fields[str(part)][0]
        else:
            place = _element(place)
    return said


def _keys_at(model: type[Strict], inside: KeyPath) -> tuple[str, ...]:
    place: Any = model
    for part in inside:
        fields = _fields(place)
        place = fields[str(part)][0] if fields is not None and part in fields else _element(place)
    return tuple(_fields(place) or ())


def _fields(place: Any) -> dict[str, tuple[Any, str | None]] | None:
    """Fields by their key in the file, with annotation and description; None for what is no model."""
    place = _bare(place)
    if not (isinstance(place, type) and issubclass(place, Strict)):
        return None
    return {
        field.alias or name: (field.annotation, field.description)
        for name, field in place.model_fields.items()
    }


def _bare(place: Any) -> Any:
    """An annotation without `None` and `Annotated`."""
    if typing.get_origin(place) is typing.Annotated:
        return _bare(typing.get_args(place)[0])
    if typing.get_origin(place) in (typing.Union, types.UnionType):
        rest = [one for one in typing.get_args(place) if one is not type(None)]
        return _bare(rest[0]) if len(rest) == 1 else place
    return place


def _element(place: Any) -> Any:
    """What a list or a table of things holds."""
    arguments = typing.get_args(_bare(place))
    return arguments[-1] if arguments else None
