"""What is wrong in a file of a game: where, what, and what would be right, in the director's words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.engine.catalogue import Catalogue
from rules.engine.legible import make_legible
from rules.engine.messages import Message, msg


@dataclass(frozen=True, slots=True)
class FileProblem:
    """One mistake in one file.

    file: name as the director knows it. line: 1-based, None where the file as a whole is meant.
    key: where in the file (`turn#2.dice`), "" for the file as a whole; entries of lists count from 1.
    code: stable (`file/unknown-key`). wrong: what stands there. right: what would be right, None where
    `wrong` says it too.
    """

    file: str
    line: int | None
    key: str
    code: str
    wrong: Message
    right: Message | None = None

    def say(self, catalogue: Catalogue) -> str:
        """One line: file, line, key, what is wrong and what to write."""
        line = None if self.line is None else str(self.line)
        place = catalogue.text(msg("files/place", file=make_legible(self.file), line=line, key=self.key))
        wrong = _said(self.wrong, catalogue)
        said = f"{place}: {wrong}{'' if wrong.endswith(('.', '…')) else '.'}"
        if self.right is None:
            return said
        right = _said(self.right, catalogue)
        return f"{said} {right}{'' if right.endswith(('?', '.')) else '.'}"


def _said(message: Message, catalogue: Catalogue) -> str:
    """The text; the id where a rule set has none for what it finds."""
    return catalogue.text(message) if message.id in catalogue else message.id


class FileErrors(Exception):
    """A file can't be used; holds the one syntax error, or else all other mistakes by line (design.md 3).

    As an exception it names codes and lines; `say` is what the director reads.
    """

    def __init__(self, problems: Iterable[FileProblem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda one: (one.line or 0, one.key, one.code)))
        super().__init__(
            "; ".join(f"{one.file}:{one.line or ''} {one.key} {one.code}" for one in self.problems)
        )

    def say(self, catalogue: Catalogue) -> str:
        """All that is wrong, one line each."""
        return "\n".join(one.say(catalogue) for one in self.problems)
