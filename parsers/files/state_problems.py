"""Plain data in the rule set's own terms, and what the codec finds wrong in it, with line and key."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any, TypeVar

from parsers.files.errors import FileProblem
from parsers.files.models import nearest, offer, what_is
from parsers.files.positions import KeyPath
from parsers.files.toml import TomlFile
from rules.engine.codec import StateError, StateProblem, load_state
from rules.engine.messages import Message, msg

T = TypeVar("T")


def load_plain(
    cls: type[T], data: object, file: TomlFile, top: KeyPath
) -> tuple[T | None, list[FileProblem]]:
    """What plain data describe, or all that is wrong with them. top: where the data stand in the file."""
    try:
        return load_state(cls, data), []
    except StateError as fault:
        problems = fault.problems
    meant = _meant_keys(problems)
    told = [one for one in problems if not (one.message.id == "state/missing-key" and one.path in meant)]
    return None, [_problem(cls, one, data, file, top) for one in told]


def place_of(path: tuple[str, ...], data: object) -> KeyPath:
    """The codec's path as a file has it: entries of lists by number. Parts that aren't there stay texts."""
    place: list[str | int] = []
    for part in path:
        if isinstance(data, list | tuple) and part.isdigit():
            place.append(int(part))
            data = data[int(part)] if int(part) < len(data) else None
        else:
            place.append(part)
            data = data.get(part) if isinstance(data, Mapping) else None
    return tuple(place)


def _meant_keys(problems: tuple[StateProblem, ...]) -> set[tuple[str, ...]]:
    """Keys that are there, but misspelt: one mistake gives one error."""
    unknown = [one for one in problems if one.message.id == "state/unknown-key"]
    return {(*one.path[:-1], str(close)) for one in unknown if (close := one.message.params.get("close"))}


def _problem(cls: type[Any], one: StateProblem, data: object, file: TomlFile, top: KeyPath) -> FileProblem:
    where = (*top, *place_of(one.path, data))
    code = one.message.id.replace("state/", "file/")
    value = _value_at(one.path, data)
    known = _known_keys(cls, one.path[:-1])
    return file.problem(where, code, *_say(one.message, str(where[-1]) if where else "", value, known))


def _say(message: Message, key: str, value: object, known: tuple[str, ...]) -> tuple[Message, Message]:
    """What is wrong and what would be right, for each finding of the codec."""
    here = what_is(value)
    said = {
        "state/unknown-key": (msg("files/unknown-key", key=key), _offer(key, known)),
        "state/missing-key": (msg("files/missing-key", key=key), msg("files/add-it")),
        "state/bad-id": (msg("files/bad-id", key=key), msg("files/good-id")),
        "state/not-a-table": (here, msg("files/table-here")),
        "state/not-a-list": (here, msg("files/list-here")),
        "state/not-a-choice": (here, _offer(value, _texts(message, "choices"), "files/allowed-texts")),
    }
    return said.get(message.id) or (here, msg("files/wanted", wanted=str(message.params.get("wanted"))))


def _offer(word: object, words: tuple[str, ...], otherwise: str = "files/allowed") -> Message:
    near = nearest(word, words) if isinstance(word, str) else None
    if otherwise == "files/allowed" or near is not None:
        return offer(near, sorted(words))
    return msg(otherwise, words=tuple(f'"{one}"' for one in sorted(words)))


def _texts(message: Message, name: str) -> tuple[str, ...]:
    given = message.params.get(name)
    return tuple(str(one) for one in given) if isinstance(given, tuple) else ()


def _value_at(path: tuple[str, ...], data: object) -> object:
    for part in place_of(path, data):
        is_entry = isinstance(part, int) and isinstance(data, list | tuple) and part < len(data)
        if not is_entry and not (isinstance(data, Mapping) and part in data):
            return None
        data = typing.cast("Any", data)[part]
    return data


def _known_keys(cls: type[Any], path: tuple[str, ...]) -> tuple[str, ...]:
    """The keys of the table at a path, () where it isn't one with fixed keys."""
    place: Any = cls
    for part in path:
        place = _inside(place, part)
    return (
        tuple(one.name for one in dataclasses.fields(place) if one.init)
        if dataclasses.is_dataclass(place)
        else ()
    )


def _inside(hint: Any, part: str) -> Any:
    """The type of what stands at a key of a table, or of an entry of a list; None where there is none."""
    if dataclasses.is_dataclass(hint):
        return _bare(typing.get_type_hints(hint).get(part))
    arguments = typing.get_args(hint)
    is_mapping = typing.get_origin(hint) in (dict, Mapping)
    return _bare(arguments[1] if is_mapping else arguments[0]) if arguments else None


def _bare(hint: Any) -> Any:
    """A type without `None`."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return next(one for one in typing.get_args(hint) if one is not type(None))
    return hint
