"""What `turnero seats` writes into a game's file: announced absences, and who takes over a seat."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from jobs.commands.files import fail, fail_with
from jobs.folders import GAME, read_game_file
from jobs.speech import say
from parsers.files.errors import FileErrors
from parsers.files.game import parse_game
from parsers.files.toml_text import write_entry
from processor.folder import write_file
from reporters.dates import say_date

WORDS = {"absence": 3, "replace": 3, "retire": 1}
"""What can be done with a seat, and how many words follow: the seat, and what else it takes."""


def change_seats(folder: Path, words: Sequence[str], now: datetime) -> str:
    """Do what the words behind the folder say; what was done. Ends the command where that is nothing."""
    act, *told = words
    if WORDS.get(act) != len(told):
        fail(say("cli/seats-usage"))
    if act == "absence":
        return record_absence(folder, told[0], _read_day(told[1]), _read_day(told[2]))
    if act == "replace":
        return replace_player(folder, told[0], now, {"account": told[1], "login": told[2]})
    return replace_player(folder, told[0], now, {})


def replace_player(folder: Path, seat: str, now: datetime, player: dict[str, str]) -> str:
    """Give a seat to another account, or to nobody, from this minute on."""
    zone = ZoneInfo(read_game_file(folder).game.zone)
    since = now.astimezone(zone).replace(second=0, microsecond=0, tzinfo=None)
    _append(folder, "replacements", {"seat": seat, "since": since, **player})
    done = "cli/seat-replaced" if player else "cli/seat-retired"
    return say(done, seat=seat, file=GAME, login=player.get("login"))


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
