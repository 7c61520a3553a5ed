"""What `turnero void` and `rollback` do: the entry that a director could write by hand, followed at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import Connection

from parsers.files.errors import FileErrors
from parsers.files.override import Void
from processor.pipeline.context import Secrets
from processor.pipeline.given import override_file
from processor.pipeline.locking import entry_data
from processor.pipeline.override_entries import read_entries, read_quietly
from processor.pipeline.void_entries import find_void, require_voidable
from processor.service.bundle import FolderFault, LoadedGame, Service
from processor.service.directing import append_entry
from processor.service.looking import choose_turn, play_stored
from processor.service.resolving import load_frozen_with
from processor.service.voiding import follow_voids
from processor.service.wanting import list_valid, stand
from processor.store import attempts, locks, results, turns
from processor.store.rows import GameRow, TurnRow
from rules.engine.codec import canonical_json
from rules.play.attempts import Orders

TRIES = 5
"""So often the entry is followed while another worker moves the turn on; after that `tick` does it."""


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a command. turn: the attempt that it voids. later: turns that are voided with it.

    following: the attempt that comes next, None where the entry is written and not followed yet. file: the
    override file. unchanged: whether that says the same as when the voided attempt was resolved.
    """

    turn: TurnRow
    later: tuple[int, ...]
    following: TurnRow | None
    file: str
    unchanged: bool = False


class NoneLocked(Exception):
    """No turn of the game was closed yet."""


class Unfit(Exception):
    """The override file doesn't fit the turn's orders: resolved once more, the turn would be held at once.

    problems: in the director's words.
    """

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def void_attempt(service: Service, row: GameRow, orders: Orders, number: int | None, reason: str) -> Done:
    """Void a turn's newest attempt: write the entry into its override file and follow it.

    number: of the turn; None: the one that the game is at, or where orders are kept the last that was closed.

    Raises Refused where the turn can't be voided so, LookupError for a turn that there isn't, NoneLocked,
    Unfit, FolderFault where the folder or the override file can't be used.
    """
    loaded = service.pipeline.load_game(Path(row.folder))
    with service.database.read() as connection:
        valid = list_valid(connection, row.id)
        turn = _choose(connection, valid, orders, number)
        standing = stand(connection, turn)
    file = override_file(play_stored(service, row, loaded, turn))
    before = service.folder.read_overrides(Path(row.folder), turn.ref)
    text, entry = _add_entry(
        loaded, turn, before, file, Void(reason, False, None, 0, turn.ref.attempt, orders)
    )
    require_voidable(entry, standing)
    if orders is Orders.KEEP:
        _require_fit(service, row, loaded, turn, text)
    service.folder.write_overrides(Path(row.folder), turn.ref, text)
    later = tuple(one.ref.turn for one in valid if one.ref.turn > turn.ref.turn)
    unchanged = orders is Orders.KEEP and _is_unchanged(service, turn, before)
    return Done(turn, later, _follow(service, row, loaded, turn), file, unchanged)


def _choose(connection: Connection, valid: Sequence[TurnRow], orders: Orders, number: int | None) -> TurnRow:
    if number is not None or orders is Orders.REOPEN:
        return choose_turn(valid, number)
    locked = [one for one in valid if not one.ref.track and attempts.is_locked(connection, one.id)]
    if not locked:
        raise NoneLocked
    return max(locked, key=lambda one: one.ref.turn)


def _require_fit(service: Service, row: GameRow, loaded: LoadedGame, turn: TurnRow, text: str) -> None:
    """Raise Unfit where the orders can't be resolved with an override file; the dice stay unseen."""
    again = replace(turn, ref=replace(turn.ref, attempt=turn.ref.attempt + 1))
    play = replace(play_stored(service, row, loaded, turn), ref=again.ref)
    _, frozen = load_frozen_with(service, row, again, text)
    secrets = Secrets(turn.seed, row.secret, turn.seed_attempt)
    result = service.pipeline.resolve_turn(play, frozen, secrets)
    if result.problems:
        raise Unfit(result.problems)


def _add_entry(loaded: LoadedGame, turn: TurnRow, before: str, file: str, wanted: Void) -> tuple[str, Void]:
    """The file with the entry, unless it stands there already, and the entry."""
    try:
        known = find_void(read_entries(before, file), turn.ref.attempt)
    except FileErrors as wrong:
        raise FolderFault(wrong.say(loaded.catalogue)) from wrong
    if known is not None and known.orders is wanted.orders:
        return before, known
    data = {"void": wanted.attempt, "orders": wanted.orders.value, "reason": wanted.reason}
    return append_entry(before, data), wanted


def _follow(service: Service, row: GameRow, loaded: LoadedGame, turn: TurnRow) -> TurnRow | None:
    """The attempt that comes next; another worker may move the turn on meanwhile, or follow the entry."""
    for _ in range(TRIES):
        follow_voids(service, row, loaded)
        with service.database.read() as connection:
            ref = turn.ref
            newest = turns.find_valid(connection, ref.game, ref.track, ref.turn)
        if newest is not None and newest.ref.attempt > ref.attempt:
            return newest
    return None


def _is_unchanged(service: Service, turn: TurnRow, text: str) -> bool:
    """Whether the override file has the entries with which the attempt was resolved, voids apart."""
    with service.database.read() as connection:
        used = locks.find_used_overrides(connection, turn.id)
        resolved = results.find_result(connection, turn.id) is not None
    return resolved and _list_entries(used) == _list_entries(text)


def _list_entries(text: str) -> list[str]:
    entries = (one for one in read_quietly(text) if not isinstance(one, Void))
    return sorted(canonical_json(entry_data(one)) for one in entries)
