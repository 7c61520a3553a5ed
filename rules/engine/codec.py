"""One codec for every state: dataclasses of dicts by id to plain data and back, by type hints.

None and defaults are left out, so a dumped state is a valid setup (design.md 8, *State*). Loading
reports every mistake at once, each with its path.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import types
import typing
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar

from rules.engine.messages import Message, msg

T = TypeVar("T")
Path = tuple[str, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class StateProblem:
    """One mistake in plain data. path: keys from the top to the value."""

    path: Path
    message: Message


class StateError(Exception):
    """Plain data that is no state; `problems` holds every mistake."""

    def __init__(self, problems: tuple[StateProblem, ...]) -> None:
        super().__init__("; ".join(f"{'/'.join(one.path)}: {one.message.id}" for one in problems))
        self.problems = problems


def dump_state(value: Any, *, defaults: bool = False) -> Any:
    """Plain data (dicts, lists, texts, numbers, booleans) of a state; dict keys sorted.

    defaults: whether values equal to their default are written too, and None: for looking things up.
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: dump_state(inner, defaults=defaults)
            for field in dataclasses.fields(value)
            if not _is_default(field, inner := getattr(value, field.name)) or defaults
        }
    if isinstance(value, Mapping):
        return {str(key): dump_state(value[key], defaults=defaults) for key in sorted(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, set | frozenset):
        return [dump_state(one, defaults=defaults) for one in sorted(value)]
    if isinstance(value, list | tuple):
        return [dump_state(one, defaults=defaults) for one in value]
    return value


def _is_default(field: dataclasses.Field[Any], value: Any) -> bool:
    if value is None or (field.default is not dataclasses.MISSING and value == field.default):
        return True
    return field.default_factory is not dataclasses.MISSING and value == field.default_factory()


def load_state(cls: type[T], data: Any) -> T:
    """The state that plain data describes. Raises StateError with every mistake."""
    problems: list[StateProblem] = []
    loaded = _load(cls, data, (), problems)
    if problems:
        raise StateError(tuple(problems))
    return typing.cast("T", loaded)


def canonical_json(data: Any) -> str:
    """One text for equal data: sorted keys, no blanks, no escapes."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def leaves(data: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Each value of plain data with its path, tables walked, lists kept whole."""
    if isinstance(data, Mapping) and data:
        for key in data:
            yield from leaves(data[key], (*path, str(key)))
    else:
        yield path, data


@lru_cache(maxsize=256)
def _hints(cls: Any) -> dict[str, Any]:
    return typing.get_type_hints(cls)


def _load(hint: Any, data: Any, path: Path, problems: list[StateProblem]) -> Any:
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        inner = [one for one in args if one is not type(None)]
        return None if data is None else _load(inner[0], data, path, problems)
    if hint is Any:
        return data
    if dataclasses.is_dataclass(hint):
        return _load_dataclass(typing.cast("type", hint), data, path, problems)
    if origin is dict or origin is Mapping:
        return _load_mapping(args[1], data, path, problems)
    if origin in (list, tuple, frozenset, set):
        return _load_items(origin, args, data, path, problems)
    return _load_leaf(hint, data, path, problems)


def _load_dataclass(cls: type[Any], data: Any, path: Path, problems: list[StateProblem]) -> Any:
    if not isinstance(data, Mapping):
        problems.append(StateProblem(path, msg("state/not-a-table")))
        return None
    fields = {one.name: one for one in dataclasses.fields(cls) if one.init}
    before = len(problems)
    for key in data:
        if key not in fields:
            close = difflib.get_close_matches(str(key), fields, 1)
            problems.append(
                StateProblem((*path, str(key)), msg("state/unknown-key", close=close[0] if close else None))
            )
    hints = _hints(typing.cast("Any", cls))
    values = {
        name: _load(hints[name], data[name], (*path, name), problems) for name in fields if name in data
    }
    for name, one in fields.items():
        needed = one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING
        if needed and name not in data:
            problems.append(StateProblem((*path, name), msg("state/missing-key")))
    return cls(**values) if len(problems) == before else None


def _load_mapping(hint: Any, data: Any, path: Path, problems: list[StateProblem]) -> Any:
    if not isinstance(data, Mapping):
        problems.append(StateProblem(path, msg("state/not-a-table")))
        return {}
    wrong = [str(key) for key in data if "/" in str(key) or not str(key).strip()]
    problems.extend(StateProblem((*path, key), msg("state/bad-id")) for key in wrong)
    return {str(key): _load(hint, value, (*path, str(key)), problems) for key, value in data.items()}


def _load_items(
    origin: Any, args: tuple[Any, ...], data: Any, path: Path, problems: list[StateProblem]
) -> Any:
    if not isinstance(data, list | tuple):
        problems.append(StateProblem(path, msg("state/not-a-list")))
        return origin()
    return origin(_load(args[0], one, (*path, str(at)), problems) for at, one in enumerate(data))


def _load_leaf(hint: Any, data: Any, path: Path, problems: list[StateProblem]) -> Any:
    if isinstance(hint, type) and issubclass(hint, Enum):
        try:
            return hint(data)
        except ValueError:
            choices = tuple(str(one.value) for one in hint)
            problems.append(StateProblem(path, msg("state/not-a-choice", choices=choices)))
            return None
    right = isinstance(data, hint) and not (hint is int and isinstance(data, bool))
    if not right:
        problems.append(StateProblem(path, msg("state/wrong-type", wanted=hint.__name__)))
    return data
