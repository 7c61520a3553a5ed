"""What the override files of a game want voided.

Each step asks, and most of the files are of turns that are long over. So a file in which nothing voids its
turn is remembered with its stamp and read again only once that has changed, by whichever process; what
is read is read while no transaction is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from parsers.files.override import Void
from processor.pipeline.override_entries import Refused, read_quietly
from processor.pipeline.void_entries import Standing, find_void, require_voidable
from processor.service.bundle import FolderFault, Service
from processor.service.looking import NOT_LOCKED
from processor.store import attempts, turns
from processor.store.rows import GameRow, TurnRow
from rules.play.turns import TurnStatus


@dataclass(frozen=True, slots=True)
class Wanted:
    """An entry that can be followed. voided: its attempt first, then what was opened behind it, by number."""

    entry: Void
    voided: tuple[TurnRow, ...]

    @property
    def turn(self) -> TurnRow:
        """The attempt that the entry voids."""
        return self.voided[0]


def find_wanted(service: Service, row: GameRow) -> Wanted | None:
    """The earliest turn whose file wants it voided; with it goes everything behind it."""
    with service.database.read() as connection:
        valid = list_valid(connection, row.id)
    files = _list_files(service, row, valid)
    if not files or not _judge(service, _read_changed(service, row, files)):
        return None
    # Whoever writes into several begins with the earliest, so that one is read last, changed or not.
    files.sort(key=lambda one: one.turn.ref.turn, reverse=True)
    found = _judge(service, [(one.turn, _read_void(service, row, one.turn)) for one in files])
    return Wanted(found[-1][1], _list_behind(valid, found[-1][0])) if found else None


def stand(connection: Connection, turn: TurnRow) -> Standing:
    """A turn as an entry that voids it finds it."""
    opened = turn.status is not TurnStatus.PLANNED and turn.held_from is not TurnStatus.PLANNED
    locked = not (turn.status in NOT_LOCKED or turn.held_from in NOT_LOCKED)
    over = attempts.is_secret_out(connection, turn.ref.game)
    return Standing(turn.ref.turn, turn.ref.attempt, opened or turn.reopened, locked, over)


def list_valid(connection: Connection, game_id: str) -> tuple[TurnRow, ...]:
    """The attempts of a game that count: the newest at each turn, those that are voided left out."""
    known = {(one.ref.track, one.ref.turn): one for one in turns.list_turns(connection, game_id)}
    return tuple(one for one in known.values() if one.status is not TurnStatus.VOID)


@dataclass(frozen=True, slots=True)
class _File:
    """A turn's override file. stamp: see `Folder.find_overrides`."""

    turn: TurnRow
    stamp: str


def _list_files(service: Service, row: GameRow, valid: Sequence[TurnRow]) -> list[_File]:
    tracks = {one.ref.track for one in valid}
    stamps = {track: service.folder.find_overrides(Path(row.folder), track) for track in tracks}
    return [
        _File(one, stamps[one.ref.track][one.ref.turn])
        for one in valid
        if one.ref.turn in stamps[one.ref.track]
    ]


def _read_changed(
    service: Service, row: GameRow, files: Iterable[_File]
) -> list[tuple[TurnRow, Void | None]]:
    """What the files say that aren't as they were when nothing in them voided their turns."""
    with service.database.read() as connection:
        known = attempts.find_stamps(connection, row.id)
    changed = [one for one in files if not one.stamp or known.get(one.turn.id) != one.stamp]
    read = [(one, _read_void(service, row, one.turn)) for one in changed]
    silent = {one.turn.id: one.stamp for one, void in read if one.stamp and void is None}
    if silent:
        with service.database.write(row.id) as connection:
            attempts.keep_stamps(connection, silent)
    return [(one.turn, void) for one, void in read]


def _read_void(service: Service, row: GameRow, turn: TurnRow) -> Void | None:
    """The entry that voids a turn's attempt; None where the file can't be read: whoever needs it says so."""
    try:
        text = service.folder.read_overrides(Path(row.folder), turn.ref)
    except FolderFault:
        return None
    return find_void(read_quietly(text), turn.ref.attempt) if "void" in text else None


def _judge(service: Service, read: Iterable[tuple[TurnRow, Void | None]]) -> list[tuple[TurnRow, Void]]:
    """The entries that can be followed as their turns stand, in the order given."""
    entries = [(turn, void) for turn, void in read if void is not None]
    if not entries:
        return []
    with service.database.read() as connection:
        return [(turn, void) for turn, void in entries if _is_voidable(void, stand(connection, turn))]


def _is_voidable(void: Void, standing: Standing) -> bool:
    try:
        require_voidable(void, standing)
    except Refused:
        return False
    return True


def _list_behind(valid: Sequence[TurnRow], first: TurnRow) -> tuple[TurnRow, ...]:
    same = (one for one in valid if one.ref.track == first.ref.track and one.ref.turn >= first.ref.turn)
    return tuple(sorted(same, key=lambda one: one.ref.turn))
