"""What a game's override file would change in its turn, before anything is stored (design.md 4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from parsers.files.errors import FileErrors
from parsers.files.override import Override, Void
from processor.pipeline.context import PlayContext, Secrets
from processor.pipeline.given import compare_overrides, override_file
from processor.pipeline.locking import entry_data
from processor.pipeline.override_entries import read_entries, read_quietly
from processor.pipeline.previewing import Step, walk_overrides
from processor.service.bundle import Service
from processor.service.looking import choose_turn, is_movable, play_stored
from processor.service.resolving import load_frozen
from processor.store import evidence, locks, turns
from processor.store.rows import GameRow, TurnRow
from rules.play.turns import TurnStatus

RESOLVED = (TurnStatus.RESOLVED, TurnStatus.PUBLISHING, TurnStatus.PUBLISHED)
OVER = (*RESOLVED, TurnStatus.VOID)


@dataclass(frozen=True, slots=True)
class Preview:
    """A turn with its override file. locked: else all of it is provisional, since orders may still come.

    steps: what each entry changes. problems: what else the file is held for, in the director's words.
    """

    play: PlayContext
    file: str
    locked: bool
    steps: tuple[Step, ...]
    problems: tuple[str, ...] = ()


def preview_overrides(service: Service, row: GameRow, now: datetime) -> Preview | None:
    """What the file would change in the turn that the game is at; None where the turn is resolved already, or
    the file is empty or can't be read.

    Raises FolderFault where the game's folder can't be used.
    """
    loaded = service.pipeline.load_game(Path(row.folder))
    with service.database.read() as connection:
        turn = choose_turn(turns.list_turns(connection, row.id))
    text = service.folder.read_overrides(Path(row.folder), turn.ref)
    play = play_stored(service, row, loaded, turn)
    try:
        overrides = read_entries(text, override_file(play), turn.ref.attempt)
    except FileErrors:
        return None
    if not overrides or turn.status in OVER:
        return None
    if is_movable(turn):
        return _preview_open(service, turn, play, overrides, text, now)
    return _preview_locked(service, row, turn, play, overrides)


def find_unused_changes(service: Service, row: GameRow) -> tuple[TurnRow, ...]:
    """Turns that are over and whose override file says something else than they were resolved with: what was
    written afterwards counts for nothing until the turn is resolved once more. Files that can't be read are
    told of elsewhere.
    """
    with service.database.read() as connection:
        over = [one for one in turns.list_turns(connection, row.id) if one.status in RESOLVED]
        used = {one.id: locks.find_used_overrides(connection, one.id) for one in over}
    return tuple(one for one in over if _differs(service, row, one, used[one.id]))


def _differs(service: Service, row: GameRow, turn: TurnRow, used: str) -> bool:
    text = service.folder.read_overrides(Path(row.folder), turn.ref)
    try:
        now = read_entries(text, "", turn.ref.attempt)
    except FileErrors:
        return False
    then = read_quietly(used, turn.ref.attempt)
    return [entry_data(one) for one in now] != [entry_data(one) for one in then]


def _preview_open(
    service: Service,
    turn: TurnRow,
    play: PlayContext,
    overrides: tuple[Override, ...],
    text: str,
    now: datetime,
) -> Preview:
    with service.database.read() as connection:
        versions = evidence.load_versions(connection, turn.evidence)
    followed = service.pipeline.follow_clock(play, turn.clock, text, now)
    moved = replace(play, changes=followed.clock.changes)
    reading = service.pipeline.read_turn(moved, versions, "")
    steps = tuple(one for one in walk_overrides(moved, reading, overrides, versions) if not _is_told(one))
    return Preview(moved, override_file(play), False, steps, followed.problems)


def _is_told(step: Step) -> bool:
    """Whether an entry is told apart from the others: one that voids an attempt (`list_voids`)."""
    return isinstance(step.entry, Void) and step.problem is not None


def _preview_locked(
    service: Service, row: GameRow, turn: TurnRow, play: PlayContext, overrides: tuple[Override, ...]
) -> Preview:
    """The turn is run as well, for what only a run can tell; of its dice nothing is shown."""
    _, frozen = load_frozen(service, row, turn)
    late = compare_overrides(frozen.overrides, overrides)
    walked = walk_overrides(play, frozen.reading, overrides, frozen.versions, late)
    steps = tuple(one for one in walked if not _is_told(one))
    result = service.pipeline.resolve_turn(play, frozen, Secrets(turn.seed, row.secret, turn.seed_attempt))
    told = {step.problem.say(play.catalogue) for step in steps if step.problem is not None}
    others = tuple(one for one in result.problems if one not in told)
    return Preview(play, override_file(play), True, steps, others)
