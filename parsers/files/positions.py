"""Lines of keys in a TOML file, so that a mistake found in its data can be shown where it was written.

`tomllib` gives data without positions. This reads the text on its own, notes the line of each key and keeps
no values. On a text that `tomllib` refuses it ends too, with some ValueError or with lines that mean nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

KeyPath = tuple[str | int, ...]
"""From the top of the file to a value: keys, and places in lists counted from 0."""

DEEPEST = 64
"""Lists and inline tables inside each other, and parts of a dotted key; deeper files are refused."""

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_PLAIN = re.compile(r"[^,\]}\n#]+")
_TEXTS = (
    ('"""', re.compile(r'"""(?>(?:(?>[^\\"]+)|\\.|"(?!""))*)"""(?:"{0,2})', re.DOTALL)),
    ("'''", re.compile(r"'''.*?'''(?:'{0,2})", re.DOTALL)),
    ('"', re.compile(r'"(?>(?:(?>[^"\\\n]+)|\\.)*)"')),
    ("'", re.compile(r"'[^'\n]*'")),
)


class UnclosedText(ValueError):
    """A text, list or table is opened on `line` (1-based) and never closed; `mark` is what opens it."""

    def __init__(self, line: int, mark: str) -> None:
        super().__init__(f"{mark} on line {line} is not closed")
        self.line = line
        self.mark = mark


class TooDeep(ValueError):
    """Lists or inline tables are nested deeper than `DEEPEST`, on `line`."""

    def __init__(self, line: int) -> None:
        super().__init__(f"nested deeper than {DEEPEST} on line {line}")
        self.line = line


@dataclass(frozen=True, slots=True)
class Positions:
    """Line (1-based) of each key of one file. `at` puts a part of the file in front of all paths."""

    lines: Mapping[KeyPath, int] = field(default_factory=dict)

    def line_of(self, path: Iterable[str | int]) -> int | None:
        """The line of a key, else of the nearest thing around it; None for the file as a whole."""
        where = tuple(path)
        while where:
            line = self.lines.get(where)
            if line is not None:
                return line
            where = where[:-1]
        return None


def shown_key(path: Iterable[str | int]) -> str:
    """A path as a director reads it: `turn#2.expect.held`, entries of lists counted from 1."""
    shown = ""
    for part in path:
        if isinstance(part, int):
            shown += f"#{part + 1}"
        else:
            plain = _BARE.fullmatch(part) is not None
            shown += ("." if shown else "") + (part if plain else f'"{part}"')
    return shown


def index_lines(text: str) -> Positions:
    """Note the line of every key, table and list entry of a TOML text.

    text: with line feeds at line ends. Raises TooDeep, and other ValueErrors only where the text is no TOML.
    """
    scanner = _Scanner(text)
    scanner.scan()
    return Positions(MappingProxyType(scanner.lines))


class _Scanner:
    """Reads a text from left to right; `at` is the next character, `line` the line it stands on."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.lines: dict[KeyPath, int] = {}
        self._entries: dict[KeyPath, int] = {}

    def scan(self) -> None:
        """Read the whole text."""
        table: KeyPath = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            table = self._header() if self.text[self.at] == "[" else self._pair(table, 0)
            self._skip(_BLANK)

    def _move(self, to: int) -> None:
        self.line += self.text.count("\n", self.at, to)
        self.at = to

    def _skip(self, blank: re.Pattern[str]) -> None:
        found = blank.match(self.text, self.at)
        if found:
            self._move(found.end())

    def _next(self) -> str:
        return self.text[self.at : self.at + 1]

    def _note(self, path: KeyPath, line: int) -> None:
        """Keep the line of a path, and of what it stands in where nothing else names that."""
        self.lines[path] = line
        parent = path[:-1]
        while parent and parent not in self.lines:
            self.lines[parent] = line
            parent = parent[:-1]

    def _header(self) -> KeyPath:
        line = self.line
        double = self.text.startswith("[[", self.at)
        self._move(self.at + (2 if double else 1))
        *outer, last = self._key()
        self._move(self.at + (2 if double else 1))
        path = self._inside(outer, last) if double else self._inside([*outer, last])
        if double:
            count = self._entries.get(path, 0)
            self._entries[path] = count + 1
            path = (*path, count)
        self._note(path, line)
        return path

    def _inside(self, keys: list[str], last: str | None = None) -> KeyPath:
        """The path that a header names: below a list of tables its newest entry is meant."""
        path: KeyPath = ()
        for key in keys:
            path = (*path, key)
            if path in self._entries:
                path = (*path, self._entries[path] - 1)
        return path if last is None else (*path, last)

    def _pair(self, table: KeyPath, depth: int) -> KeyPath:
        line = self.line
        path = (*table, *self._key())
        self._note(path, line)
        self._move(self.at + 1)  # the equals sign
        self._skip(_SPACE)
        self._value(path, depth)
        return table

    def _key(self) -> list[str]:
        keys: list[str] = []
        while True:
            self._skip(_SPACE)
            keys.append(self._key_part())
            if len(keys) > DEEPEST:
                raise TooDeep(self.line)
            self._skip(_SPACE)
            if self._next() != ".":
                return keys
            self._move(self.at + 1)

    def _key_part(self) -> str:
        start = self.at
        if self._next() in ("'", '"'):
            self._text()
            return str(tomllib.loads(f"key = {self.text[start : self.at]}")["key"])
        self._skip(_BARE)
        if self.at == start:
            raise ValueError(f"no key on line {self.line}")
        return self.text[start : self.at]

    def _value(self, path: KeyPath, depth: int) -> None:
        if depth > DEEPEST:
            raise TooDeep(self.line)
        if self._next() in ("'", '"'):
            self._text()
        elif self._next() == "[":
            self._list(path, depth)
        elif self._next() == "{":
            self._inline(path, depth)
        else:
            start = self.at
            self._skip(_PLAIN)
            if self.at == start:
                raise ValueError(f"no value on line {self.line}")

    def _text(self) -> None:
        for mark, form in _TEXTS:
            if self.text.startswith(mark, self.at):
                found = form.match(self.text, self.at)
                if found is None:
                    raise UnclosedText(self.line, mark)
                self._move(found.end())
                return

    def _list(self, path: KeyPath, depth: int) -> None:
        opened, place = self.line, 0
        self._move(self.at + 1)
        self._skip(_BLANK)
        while self._more("]", opened, "["):
            self._note((*path, place), self.line)
            self._value((*path, place), depth + 1)
            self._between()
            place += 1

    def _inline(self, path: KeyPath, depth: int) -> None:
        opened = self.line
        self._move(self.at + 1)
        self._skip(_BLANK)
        while self._more("}", opened, "{"):
            self._pair(path, depth + 1)
            self._between()

    def _more(self, end: str, opened: int, mark: str) -> bool:
        """Whether another entry follows; moves behind the end mark where none does."""
        if not self._next():
            raise UnclosedText(opened, mark)
        if self._next() != end:
            return True
        self._move(self.at + 1)
        return False

    def _between(self) -> None:
        self._skip(_BLANK)
        if self._next() == ",":
            self._move(self.at + 1)
            self._skip(_BLANK)
