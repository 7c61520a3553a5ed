"""Files that the director names: read, or told why not, in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import typer
from rich.console import Console

from jobs.speech import catalogue, say
from parsers.files.errors import FileProblem
from parsers.files.toml import MAX_BYTES
from rules.engine.catalogue import Catalogue

USAGE = 2
"""Exit code where a file or an argument can't be used (design.md 5)."""

FAILED = 1
"""Exit code of a check that fails, or of a turn that is held."""


def make_console(*, stderr: bool = False) -> Console:
    """A console that never interprets what stands in a game's texts."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=True)


def read_bytes(path: Path, most: int = MAX_BYTES) -> bytes:
    """The file's bytes, `-` for standard input; one byte more than `most` where there are more.

    Ends the command with a message where the file can't be read.
    """
    try:
        if str(path) == "-":
            return sys.stdin.buffer.read(most + 1)
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError as fault:
        fail(say("cli/unreadable", path=str(path), why=_reason(fault)))


def read_text(path: Path) -> str:
    """The file's text in UTF-8. Ends the command where it is none."""
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as fault:
        fail(say("cli/no-utf8", path=str(path), byte=str(fault.start)))


def fail(message: str) -> NoReturn:
    """Say what is wrong and end the command with the code for usage."""
    make_console(stderr=True).print(f"✘ {message}")
    raise typer.Exit(USAGE)


def fail_with(problems: Iterable[FileProblem], texts: Catalogue | None = None) -> NoReturn:
    """Say all that is wrong with a file, and end the command. texts: with those of the file's rule set."""
    console = make_console(stderr=True)
    for problem in problems:
        console.print(f"✘ {problem.say(texts or catalogue())}")
    raise typer.Exit(USAGE)


def _reason(fault: OSError) -> str:
    known = {
        FileNotFoundError: "cli/is-missing",
        IsADirectoryError: "cli/is-folder",
        PermissionError: "cli/is-forbidden",
    }
    found = known.get(type(fault))
    return say(found) if found is not None else fault.strerror or str(fault)
