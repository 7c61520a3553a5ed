"""One step at a time: what is due, who does it, what happens when it fails."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from processor import leases
from processor.checkpoints import Checkpoint
from processor.forum_words import explain_error
from processor.leases import Lease, LeaseLost
from processor.ports import ForumError, Unreachable, Unready
from processor.service.answering import ask_again
from processor.service.beaconing import awaits_beacon, draw_from_beacon
from processor.service.bundle import FolderFault, LoadedGame, Service
from processor.service.canary import is_canary_due, send_canary
from processor.service.cleaning import StrangeText
from processor.service.clock import read_clock, store_clock
from processor.service.collecting import collect
from processor.service.holding import hold, park, unpark
from processor.service.journal import name_turn, note_step, tell_fault
from processor.service.locking import close_turn
from processor.service.opening import open_turn
from processor.service.publishing import begin_publishing, publish, send_next, send_notice
from processor.service.queueing import go_on_if_approved
from processor.service.resolving import resolve_turn
from processor.service.resting import find_forum_rest, note_answer, note_silence, wait_for_forum
from processor.service.timing import back_off, closing_at, next_step_at
from processor.service.vetting import Unvetted, list_leaving
from processor.service.voiding import follow_voids
from processor.service.work import Work
from processor.service.zones import tell_moved_hour
from processor.store import attempts, games, turns
from processor.store.rows import GameRow, TurnRow
from processor.store.turns import Queue
from rules.engine.messages import msg
from rules.play.turns import TurnStatus

logger = logging.getLogger("turnero.service")

MOST_FAILURES = 5
"""So often in a row the forum may answer with something useless before the director is told."""


def find_queue(service: Service, only: Collection[str] | None = None) -> Queue:
    """Turns with something to do now that nobody holds, and when the next will have something to do."""
    with service.database.read() as connection:
        return turns.find_queue(connection, service.clock.now(), only)


def take_step(service: Service, due: TurnRow) -> bool:
    """Do one step of a turn; False where another worker was faster or the game can't be worked on."""
    with service.database.read() as connection:
        row = games.get_game(connection, due.ref.game)
    try:
        loaded = service.pipeline.load_game(Path(row.folder))
    except FolderFault as fault:
        park(service, row, str(fault))
        return False
    except Exception as error:  # noqa: BLE001 - a rule set that can't be loaded; the other games go on
        park(service, row, tell_fault(service, due, error))
        return False
    length = loaded.game.policies.lease
    lease = leases.claim(service.database, service.clock, due, service.owner, length)
    if lease is None:
        logger.debug("turn %s is held by another worker", due.id)
        return False
    service.reach(Checkpoint.CLAIMED)
    began = service.clock.monotonic()
    outcome = _guard(service, row, lease, loaded)
    note_step(due, outcome, service.clock.monotonic() - began)
    return True


def _guard(service: Service, row: GameRow, lease: Lease, loaded: LoadedGame) -> str:
    """Do the step and say in a word what became of it; whatever goes wrong concerns this game alone."""
    with service.database.read() as connection:
        turn = turns.find_turn(connection, lease.turn_id)
        changed = games.find_changed_seats(connection, loaded.game)
    if changed:
        with service.database.write(row.id) as connection:
            games.follow_seats(connection, loaded.game)
    work = Work(service, lease, row, turn, loaded)
    try:
        if follow_voids(service, row, loaded) is not None:
            return "voided"  # whatever this turn was, it may be another one by now
        later = _do(work)
        _give_back(work, later)
    except LeaseLost as lost:
        logger.warning("%s", lost, extra=name_turn(turn))
        return "overtaken"
    except FolderFault as fault:
        _give_up(work, fault.say(work.loaded.catalogue))
        return "parked"
    except Exception as error:  # noqa: BLE001 - whatever it is, the other games go on
        _give_up(work, tell_fault(service, turn, error))
        return "parked"
    return "done" if later is None else "waits"


def _do(work: Work) -> datetime | None:
    """The step that the turn's state asks for; when to come back, None for the usual time."""
    rest = find_forum_rest(work)
    wait = wait_for_forum(work, rest) if rest is not None else None
    if wait is not None:
        return wait
    try:
        later = _STEPS[work.turn.status](work)
        if rest is not None:
            note_answer(work, rest)
    except StrangeText as strange:
        hold(work, "alarm", strange.said)
        return None
    except Unvetted as unvetted:
        hold(work, unvetted.code, unvetted.said)
        return None
    except ForumError as error:
        return _fail(work, error)
    return later


def _step_open(work: Work) -> datetime | None:
    now, turn = work.now, work.turn
    followed = read_clock(work)
    if followed.clock != turn.clock:
        store_clock(work, followed)
        return None
    if not turn.paused and now >= closing_at(turn.due_at, work.forum.capabilities):
        if followed.problems:
            # The file may hold an extension that can't be read: closing now could not be taken back.
            hold(work, "override", "\n".join(followed.problems))
            return None
        return _close(work)
    if send_next(work):
        return None
    if turn.reading_at is not None and now < turn.reading_at:
        return None
    if work.carriage.by_machine:
        _send_canary(work)
    tell_moved_hour(work)
    return collect(work)


def _close(work: Work) -> datetime | None:
    """Close the turn; what players are told doesn't wait for a file that their director has to mend."""
    try:
        return close_turn(work)
    except Unready:
        if send_next(work):
            return None
        raise


def _send_canary(work: Work) -> None:
    if is_canary_due(work.turn, work.policies, work.now, first=work.turn.ref.turn == work.row.first_turn):
        send_canary(work)


def _step_asking(work: Work) -> datetime | None:
    return None if send_next(work) else ask_again(work)


def _step_held(work: Work) -> datetime | None:
    send_next(work)
    go_on_if_approved(work)
    return None


def _step_planned(work: Work) -> datetime | None:
    """A commitment may not be in the forum before the seed of the voided attempt is (reliability.md 1.3)."""
    return None if send_notice(work) else open_turn(work)


def _step_locked(work: Work) -> datetime | None:
    if send_notice(work):
        return None
    return draw_from_beacon(work) if awaits_beacon(work) else resolve_turn(work)


def _step_void(work: Work) -> datetime | None:
    """What was under way when the attempt was voided is settled; then the next attempt may speak."""
    send_next(work)
    with leases.fenced(work.service.database, work.lease) as connection:
        attempts.wake_next(connection, work.turn.ref, work.now)
    return None


_STEPS: Mapping[TurnStatus, Callable[[Work], datetime | None]] = {
    TurnStatus.PLANNED: _step_planned,
    TurnStatus.OPEN: _step_open,
    TurnStatus.LOCKED: _step_locked,
    TurnStatus.RESOLVING: resolve_turn,
    TurnStatus.ASKING: _step_asking,
    TurnStatus.RESOLVED: begin_publishing,
    TurnStatus.PUBLISHING: publish,
    TurnStatus.HELD: _step_held,
    TurnStatus.PUBLISHED: _step_held,
    TurnStatus.VOID: _step_void,
}


def _fail(work: Work, error: ForumError) -> datetime | None:
    """Come back later; a forum that answers nonsense for long enough is the director's business."""
    failures = work.turn.failures + 1
    level = logging.INFO if isinstance(error, Unready) else logging.WARNING  # there the screen says it
    logger.log(level, "%s", error, extra=name_turn(work.turn))
    if failures >= MOST_FAILURES and _matters(work) and not isinstance(error, Unreachable | Unready):
        said = work.say(explain_error(error))
        hold(work, "forum", msg("hold/forum", said=said, failures=failures))
        return None
    with leases.fenced(work.service.database, work.lease) as connection:
        turns.change_turn(connection, work.turn.id, failures=failures, reason=work.say(explain_error(error)))
    note_silence(work, error)
    return work.now + back_off(failures, error.retry_after)


def _matters(work: Work) -> bool:
    """Whether the night stands still: at the closing reading, while resolving and while publishing."""
    status = work.turn.status
    running = status is TurnStatus.OPEN and not work.turn.paused
    closing = running and work.now >= closing_at(work.turn.due_at, work.forum.capabilities)
    return closing or status in (TurnStatus.LOCKED, TurnStatus.RESOLVING, TurnStatus.PUBLISHING)


def _give_back(work: Work, later: datetime | None) -> None:
    """Store when the turn is due again and free it."""
    now = work.now
    with leases.fenced(work.service.database, work.lease) as connection:
        turn = turns.find_turn(connection, work.turn.id)
        rows = list_leaving(connection, turn)
        at = later or next_step_at(turn, rows, now, work.forum.capabilities)
        change: dict[str, Any] = {"next_at": at, "lease_owner": None, "lease_until": None}
        if later is None and turn.failures:
            change |= {"failures": 0} | ({} if turn.status is TurnStatus.HELD else {"reason": None})
        turns.change_turn(connection, turn.id, **change)
        unpark(connection, work.row)
    work.service.reach(Checkpoint.RELEASED)


def _give_up(work: Work, reason: str) -> None:
    park(work.service, work.row, reason)
    leases.release(work.service.database, work.lease)
