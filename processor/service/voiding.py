"""Any attempt → void: what the override files want voided is, and the next attempt begins.

One commit voids the attempt and everything behind it and makes the next one. Nothing is asked of the workers
that may be under way: their fence is raised, so they can store no more, and what they were sending is looked
for before the next attempt says anything (docs/adr/0011-attempts.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Connection

from parsers.files.errors import FileProblem
from parsers.files.override import Void
from processor.checkpoints import Checkpoint
from processor.pipeline.context import PlayContext, Secrets
from processor.pipeline.given import override_file
from processor.pipeline.override_entries import Refused, fault, read_quietly
from processor.pipeline.void_entries import Standing, find_void, require_voidable
from processor.pipeline.voiding import make_redo, reveal
from processor.service.bundle import LoadedGame, Service
from processor.service.directing import append_entry
from processor.service.looking import play_stored
from processor.service.registering import plan_turn
from processor.service.wanting import Wanted, find_wanted, list_valid, stand
from processor.store import attempts, evidence, locks, outbox_rows, turns
from processor.store.rows import GameRow, TurnRow
from processor.store.turns import PlannedTurn
from rules.play.archive import dump_carried, load_carried
from rules.play.attempts import Orders, Redo, VoidedTurn
from rules.play.carried import NOTHING, Carried
from rules.play.outgoing import TOPIC, Outgoing
from rules.play.turns import TurnStatus


def follow_voids(service: Service, row: GameRow, loaded: LoadedGame) -> TurnRow | None:
    """Void what the override files of a game want voided; the attempt that comes next, None: nothing to do.

    Raises FolderFault.
    """
    wanted = find_wanted(service, row)
    return None if wanted is None else _void(service, row, loaded, wanted)


@dataclass(frozen=True, slots=True)
class FoundVoid:
    """An entry that wants an attempt voided which isn't yet. problem: why it can't be followed."""

    turn: TurnRow
    entry: Void
    file: str
    problem: FileProblem | None = None


def list_voids(service: Service, row: GameRow, loaded: LoadedGame) -> Iterator[FoundVoid]:
    """The entries of a game's override files that are still to be followed, by turn.

    Files that can't be read are left out: whoever needs them says what is wrong with them.
    """
    folder = Path(row.folder)
    with service.database.read() as connection:
        standings = [(one, stand(connection, one)) for one in list_valid(connection, row.id)]
    for turn, standing in standings:
        text = service.folder.read_overrides(folder, turn.ref)
        file = override_file(play_stored(service, row, loaded, turn))
        for entry in read_quietly(text):
            if isinstance(entry, Void) and entry.attempt >= turn.ref.attempt:
                yield _judge(FoundVoid(turn, entry, file), standing)


def _judge(found: FoundVoid, standing: Standing) -> FoundVoid:
    try:
        require_voidable(found.entry, standing)
    except Refused as refused:
        problem = fault(found.file, found.entry, refused.code, refused.wrong, refused.right)
        return replace(found, problem=problem)
    return found


def _void(service: Service, row: GameRow, loaded: LoadedGame, wanted: Wanted) -> TurnRow | None:
    """Prepare everything, then store it in one commit, unless something has moved on meanwhile."""
    _divide_files(service, row, wanted)
    redo = make_redo(wanted.entry, wanted.turn.ref)
    notice = _make_notice(service, row, loaded, wanted, redo)
    planned = None if redo.keeps else _plan(service, row, loaded, wanted, redo)
    with service.database.write() as connection:
        if any(turns.find_turn(connection, one.id) != one for one in wanted.voided):
            return None
        made = _store(connection, service, loaded, wanted, redo, planned, notice)
    service.reach(Checkpoint.VOIDED)
    return made


def _divide_files(service: Service, row: GameRow, wanted: Wanted) -> None:
    """Mark in the files of the turns behind that what stands there was about an attempt that is over."""
    folder = Path(row.folder)
    for turn in wanted.voided[1:]:
        text = service.folder.read_overrides(folder, turn.ref)
        if text.strip() and find_void(read_quietly(text), turn.ref.attempt) is None:
            entry = {"void": turn.ref.attempt, "orders": Orders.REOPEN.value, "reason": wanted.entry.reason}
            entry |= {"secret": True} if wanted.entry.secret else {}
            service.folder.write_overrides(folder, turn.ref, append_entry(text, entry))


def _make_notice(
    service: Service, row: GameRow, loaded: LoadedGame, wanted: Wanted, redo: Redo
) -> tuple[Outgoing, ...]:
    play = replace(
        play_stored(service, row, loaded, wanted.turn), forum=service.open_forum(loaded.game).capabilities
    )
    with service.database.read() as connection:
        voided = tuple(_show(connection, row, one, redo, wanted) for one in wanted.voided)
    return service.pipeline.void_notice(play, redo, tuple(one for one in voided if one is not None))


def _show(
    connection: Connection, row: GameRow, turn: TurnRow, redo: Redo, wanted: Wanted
) -> VoidedTurn | None:
    """A voided attempt as the notice has it; None for one behind it of which nobody has heard."""
    same = turn.id == wanted.turn.id
    opener = attempts.list_told(connection, wanted.turn.id) if not turn.reopened else ()
    unheard = TurnStatus.PLANNED in (turn.status, turn.held_from) and TOPIC not in opener
    if unheard and not same:
        return None
    published = TOPIC in attempts.list_told(connection, turn.id)
    secrets = Secrets(turn.seed, row.secret, turn.seed_attempt)
    entropy = locks.find_entropy(connection, turn.id)
    shown = reveal(turn.ref, secrets, turn.groups, published=published, entropy=entropy)
    return replace(shown, seed=None, proof=None) if unheard or (same and redo.keeps) else shown


def _plan(service: Service, row: GameRow, loaded: LoadedGame, wanted: Wanted, redo: Redo) -> PlannedTurn:
    """The voided turn opened once more: the same state, a new seed, the next deadline of the schedule."""
    turn, game = wanted.turn, loaded.game
    earliest = service.clock.now() + game.policies.at_least - timedelta(microseconds=1)
    deadline = service.pipeline.next_deadline(game.schedule, game.zone, earliest)
    play = play_stored(service, row, loaded, turn)
    ref = replace(turn.ref, attempt=turn.ref.attempt + 1)
    planned = plan_turn(service, replace(play, ref=ref, deadline=deadline), row.secret)
    brought = _keep_standing(service, row, loaded, play.carried, wanted.voided)
    return replace(planned, redo=redo, carried=dump_carried(brought))


def _keep_standing(
    service: Service, row: GameRow, loaded: LoadedGame, brought: Carried, voided: Sequence[TurnRow]
) -> Carried:
    """What the seats bring, with the standing orders as they were left: those don't belong to one turn."""
    standing = brought
    for turn in voided:
        play = replace(play_stored(service, row, loaded, turn), carried=standing)
        standing = _find_carried(service, play, turn)
    seats = {*brought, *standing}
    return {
        seat: replace(
            brought.get(seat, NOTHING),
            standing=standing.get(seat, NOTHING).standing,
            account=standing.get(seat, NOTHING).account,
        )
        for seat in sorted(seats)
    }


def _find_carried(service: Service, play: PlayContext, turn: TurnRow) -> Carried:
    with service.database.read() as connection:
        locked = attempts.is_locked(connection, turn.id)
        text = locks.find_left(connection, turn.id) if locked else ""
        versions = () if locked else evidence.load_versions(connection, turn.evidence)
    return load_carried(text) if locked else service.pipeline.carry(play, versions)


def _store(
    connection: Connection,
    service: Service,
    loaded: LoadedGame,
    wanted: Wanted,
    redo: Redo,
    planned: PlannedTurn | None,
    notice: tuple[Outgoing, ...],
) -> TurnRow:
    now, turn = service.clock.now(), wanted.turn
    for one in wanted.voided:
        attempts.void_turn(connection, one, now)
    begin = None if attempts.is_unsure(connection, turn.ref) else now
    if planned is not None:
        made = turns.add_turn(connection, planned, turn.first_position, begin)
    else:
        made = attempts.repeat_turn(connection, turn, turn.ref.attempt + 1, redo, begin)
    attempts.reactivate_game(connection, turn.ref.game)
    outbox_rows.put(connection, made, turn.ref, notice, {}, "")
    attempts.move_notices(connection, turn.ref, made)
    return turns.find_turn(connection, made)
