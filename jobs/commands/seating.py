"""What `turnero seats` writes into a game's file: announced absences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from jobs.commands.files import fail, fail_with
from jobs.folders import GAME, read_game_file
from jobs.speech import say
from parsers.files.errors import FileErrors
from parsers.files.game import parse_game
from parsers.files.toml_text import write_entry
from processor.folder import write_file
from reporters.dates import say_date

ABSENCE_WORDS = 4
"""`absence`, the seat, the first day and the last."""


def change_seats(folder: Path, words: Sequence[str]) -> str:
    """Do what the words behind the folder say; what was done. Ends the command where that is nothing."""
    if words[0] != "absence" or len(words) != ABSENCE_WORDS:
        fail(say("cli/seats-usage"))
    _, seat, first, last = words
    return record_absence(folder, seat, _read_day(first), _read_day(last))


def record_absence(folder: Path, seat: str, first: date, last: date) -> str:
    """Note that a seat's player is away on these days, both included."""
    _append(folder, "absences", {"seat": seat, "from": first, "until": last})
    language = read_game_file(folder).game.language
    days = {"first": say_date(first, language), "last": say_date(last, language)}
    return say("cli/absence-noted", seat=seat, file=GAME, **days)


def _append(folder: Path, table: str, entry: dict[str, Any]) -> None:
    """Write an entry behind all that stands in the file, unless the file would be wrong with it."""
    path = folder / GAME
    text = path.read_text(encoding="utf-8")
    changed = f"{text.rstrip()}\n\n{write_entry(entry, table)}"
    try:
        parse_game(changed)
    except FileErrors as wrong:
        fail_with(wrong.problems)
    write_file(path, changed.encode())


def _read_day(written: str) -> date:
    try:
        return date.fromisoformat(written)
    except ValueError:
        fail(say("cli/no-day", word=written))
