"""Plain data written as TOML: always the same text for equal data, short tables on one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from rules.engine.codec import dump_state

WIDEST = 110
"""Characters of a table that still stands on one line."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}


def write_setup(state: Any) -> str:
    """A state as a setup file; loading it gives an equal state."""
    return write_toml(dump_state(state))


def write_toml(data: Mapping[str, Any]) -> str:
    """Plain data (tables, lists, texts, numbers, booleans; no None) as TOML, keys in their order."""
    return "\n".join(_table((), data)).strip("\n") + "\n"


def write_entry(entry: Mapping[str, Any], table: str = "override") -> str:
    """One entry of an override file, or of another list of tables."""
    lines = (f"{_key(key)} = {_value(value)}" for key, value in entry.items())
    return "\n".join((f"[[{table}]]", *lines, ""))


def _table(path: tuple[str, ...], data: Mapping[str, Any]) -> Iterable[str]:
    """A table's own lines, then those of the tables inside it that don't fit on a line."""
    inner = [key for key, value in data.items() if isinstance(value, Mapping) and not _fits(path, key, value)]
    lines = [f"{_key(key)} = {_value(value)}" for key, value in data.items() if key not in inner]
    if path and (lines or not inner):
        yield f"\n[{'.'.join(map(_key, path))}]"
    yield from lines
    for key in inner:
        yield from _table((*path, key), data[key])


def _fits(path: tuple[str, ...], key: str, value: Mapping[str, Any]) -> bool:
    """Whether a table stands on one line: the things of a top table do, as long as they are short."""
    flat = not any(isinstance(one, Mapping) for one in value.values())
    return bool(path) and flat and len(f"{_key(key)} = {_value(value)}") <= WIDEST


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key(key)} = {_value(one)}" for key, one in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    raise TypeError(f"{type(value).__name__} can't stand in a TOML file")


def _text(text: str) -> str:
    return '"' + "".join(_escaped(char) for char in text) + '"'


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    return f"\\u{ord(char):04x}" if ord(char) < 0x20 or ord(char) == 0x7F else char
