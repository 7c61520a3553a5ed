"""What is wrong in a file of a game: where, what, and what would be right, in the director's words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileProblem:
    """One mistake in one file.

    file: name as the director knows it. line: 1-based, None where the file as a whole is meant.
    key: where in the file (`turn#2.dice`), "" for the file as a whole; entries of lists count from 1.
    code: stable (`file/unknown-key`). wrong: what stands there. right: what would be right, "" where
    `wrong` says it too.
    """

    file: str
    line: int | None
    key: str
    code: str
    wrong: str
    right: str

    def __str__(self) -> str:
        """One line: file, line, key, what is wrong and what to write."""
        place = self.file if self.line is None else f"{self.file}, línea {self.line}"
        key = f", «{self.key}»" if self.key else ""
        said = f"{place}{key}: {self.wrong}{'' if self.wrong.endswith(('.', '…')) else '.'}"
        end = "" if self.right.endswith(("?", ".")) else "."
        return f"{said} {self.right}{end}" if self.right else said


class FileErrors(Exception):
    """A file can't be used; holds the one syntax error, or else all other mistakes by line (design.md 3)."""

    def __init__(self, problems: Iterable[FileProblem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda one: (one.line or 0, one.key, one.code)))
        super().__init__("\n".join(map(str, self.problems)))
