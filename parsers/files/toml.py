"""Reading a TOML file of a game: size, syntax, data and the lines of its keys."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from parsers.files.errors import FileErrors, FileProblem
from parsers.files.positions import DEEPEST, KeyPath, Positions, TooDeep, UnclosedText, index_lines, shown_key
from parsers.files.syntax import SyntaxFault, explain_syntax
from rules.engine.legible import is_legible
from rules.engine.messages import Message, msg

MAX_BYTES = 256 * 1024
"""Larger files are refused unread (design.md 3)."""


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A file that is TOML. name: as the director knows it. data: as `tomllib` gives it."""

    name: str
    data: dict[str, Any]
    positions: Positions

    def problem(
        self, path: Iterable[str | int], code: str, wrong: Message, right: Message | None = None
    ) -> FileProblem:
        """A mistake at a key of this file; `path` may name a key that is missing."""
        where: KeyPath = tuple(path)
        return FileProblem(self.name, self.positions.line_of(where), shown_key(where), code, wrong, right)


def read_toml(text: str, name: str) -> TomlFile:
    """Parse a file's text.

    Raises FileErrors with the one thing that is wrong with its size or syntax, or with the texts that hold a
    NUL by way of an escape.
    """
    if len(text) > MAX_BYTES or len(text.encode(errors="surrogatepass")) > MAX_BYTES:
        raise FileErrors([_too_big(name)])
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n")
    positions, trouble = _index(plain)
    if isinstance(trouble, TooDeep):
        raise FileErrors([_too_deep(name, trouble.line)])
    try:
        data = tomllib.loads(plain)
    except RecursionError:
        raise FileErrors([_too_deep(name, None)]) from None
    except ValueError as fault:
        raise FileErrors([_syntax(name, plain, fault, trouble)]) from None
    if trouble is not None:
        raise trouble  # our scanner failed on valid TOML: a bug, not the director's
    file = TomlFile(name, data, positions)
    controls = [*_is_legibles(file, data, ())]
    if controls:
        raise FileErrors(controls)
    return file


def _is_legibles(file: TomlFile, value: Any, path: KeyPath) -> Iterator[FileProblem]:
    """Texts with a character that nobody means to write and that not every database takes."""
    match value:
        case str():
            if not is_legible(value):
                wrong = msg("files/control", what="\\u0000")
                yield file.problem(path, "file/control", wrong, msg("files/no-escape"))
        case dict():
            for key, inner in value.items():
                yield from _is_legibles(file, key, (*path, key))
                yield from _is_legibles(file, inner, (*path, key))
        case list():
            for at, inner in enumerate(value):
                yield from _is_legibles(file, inner, (*path, at))


def _index(text: str) -> tuple[Positions, ValueError | None]:
    try:
        return index_lines(text), None
    except ValueError as trouble:
        return Positions(), trouble


def _syntax(name: str, text: str, fault: ValueError, trouble: ValueError | None) -> FileProblem:
    last = text.rstrip("\n").count("\n") + 1
    found = explain_syntax(str(fault), last)
    if isinstance(trouble, UnclosedText) and (found.line is None or found.line >= last):
        # A text that is never closed swallows the rest of the file: show where it starts.
        found = SyntaxFault(trouble.line, msg("files/unclosed", mark=trouble.mark), msg("files/close-it"))
    return FileProblem(name, found.line, "", "file/syntax", found.wrong, found.right)


def _too_big(name: str) -> FileProblem:
    wrong = msg("files/too-big", given=MAX_BYTES // 1024)
    return FileProblem(name, None, "", "file/too-big", wrong, msg("files/split-up"))


def _too_deep(name: str, line: int | None) -> FileProblem:
    wrong = msg("files/too-deep", DEEPEST=DEEPEST)
    return FileProblem(name, line, "", "file/too-deep", wrong, msg("files/lift-out"))
