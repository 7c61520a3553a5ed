"""What `turnero show` tells of a turn: orders, corrections, dice, events, and where its report lies."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from jobs.commands.paper import draw_pieces, indent, paper_setting
from jobs.speech import catalogue, say
from parsers.files.errors import FileErrors
from parsers.files.override import Override
from parsers.files.toml import read_toml
from processor.pipeline.context import PlayContext
from processor.pipeline.override_entries import read_entries
from processor.service.looking import Look
from processor.store.history import StoredEvent, StoredRoll
from reporters.findings import draw_line, gather
from reporters.setting import Setting
from rules.engine.messages import Message
from rules.play.outgoing import ReportFile
from rules.play.reading import SeatReading


def show_orders(look: Look) -> Iterable[str]:
    """What stands, or stood, for each seat."""
    setting = paper_setting(look.play)
    yield say("cli/orders")
    for own in look.reading.seats:
        yield f"  {setting.name(own.seat).text}"
        yield indent(_orders(own, setting), "    ")


def _orders(own: SeatReading, setting: Setting) -> str:
    if not own.in_force:
        return say("cli/without-orders")
    if own.withdrawn:
        return say("cli/withdrawn")
    return draw_pieces(gather(piece for line in own.lines for piece in draw_line(setting, line, carets=True)))


def show_corrections(text: str, name: str, attempt: int) -> Iterable[str]:
    """The entries of the turn's override file that are for an attempt."""
    try:
        entries = read_entries(text, name, attempt)
    except FileErrors as wrong:
        yield say("cli/corrections", file=None)
        yield from (f"  ✘ {problem.say(catalogue())}" for problem in wrong.problems)
        return
    if entries:
        yield say("cli/corrections", file=name)
        written = read_toml(text, name).data["override"]
        yield from (f"  {_say_entry(one, written[one.place - 1])}" for one in entries)


def _say_entry(entry: Override, written: Mapping[str, Any]) -> str:
    """An entry in the file's own words: what the director wrote is what the director looks for."""
    told = {key: value for key, value in written.items() if key not in ("reason", "secret")}
    said = ", ".join(f"{key} = {_short(value)}" for key, value in told.items())
    secret = f" ({say('cli/secret')})" if entry.secret else ""
    return f"{said}{secret} — {entry.reason}"


def show_rolls(play: PlayContext, rolls: Sequence[StoredRoll]) -> Iterable[str]:
    """The dice, each with what it was for and who knows of it."""
    if not rolls:
        return
    yield say("cli/dice")
    for one in rolls:
        instead = str(one.true_value) if one.value != one.true_value else None
        rolled = say("cli/rolled", value=str(one.value), sides=str(one.sides), instead=instead)
        purpose = play.say(Message(one.purpose))
        yield f"  {one.label} #{one.index}: {rolled} · {purpose}{_whom(one.audience)}"


def show_events(events: Sequence[StoredEvent]) -> Iterable[str]:
    """What happened, as it is stored."""
    if not events:
        return
    yield say("cli/happened")
    for one in events:
        by = f" [{one.seat}#{one.number}]" if one.seat is not None and one.number else ""
        said = ", ".join(f"{key} = {_short(_plain(value))}" for key, value in one.data.items())
        yield f"  {one.id}{by}: {said}{_whom(one.audience)}"


def show_files(folder: str, files: Sequence[ReportFile]) -> Iterable[str]:
    """Where the reports lie."""
    if files:
        yield say("cli/reports", folder=folder)
        yield from (f"  {one.name}" for one in files)


def _whom(audience: str | list[str]) -> str:
    if audience == "public":
        return ""
    seats = None if isinstance(audience, str) else tuple(audience)
    return f" ({say('cli/only-for', seats=seats)})"


def _plain(value: Any) -> Any:
    """A stored parameter without its type: a code's or a name's words."""
    if isinstance(value, Mapping):
        return value.get("text", value.get("id", dict(value)))
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _short(value: Any) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
