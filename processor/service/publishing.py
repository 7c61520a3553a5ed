"""resolved → publishing → published: each text sent once, seen in the forum, then filed."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from processor import leases, outbox
from processor.checkpoints import Checkpoint
from processor.pipeline.voiding import NOTICE
from processor.ports import IncompletePage
from processor.service.cleaning import clean, published_at, vet
from processor.service.holding import hold
from processor.service.queueing import hold_unapproved, tell_unshown
from processor.service.reading import read_own
from processor.service.vetting import UNVETTED, list_leaving
from processor.service.work import Work
from processor.store import attempts, games, outbox_rows, results, turns
from processor.store.rows import OutboxRow, SendState
from rules.engine.messages import msg
from rules.play.outgoing import TOPIC
from rules.play.turns import GameStatus, TurnStatus


def begin_publishing(work: Work) -> datetime | None:
    """Say that texts leave from now on."""
    with leases.fenced(work.service.database, work.lease) as connection:
        turns.change_turn(connection, work.turn.id, status=TurnStatus.PUBLISHING)
    work.service.reach(Checkpoint.PUBLISHING)
    return None


def publish(work: Work) -> datetime | None:
    """Send the next text; once all are sent, look at them in the forum and finish the turn."""
    busy = send_next(work)
    if hold_unapproved(work) or busy:
        return None
    stuck = find_stuck(work)
    if stuck:
        hold(work, "outbox", msg("hold/outbox", marker=stuck.marker, reason=stuck.reason))
        return None
    return None if _waiting(work) or _unpasted(work) else _finish(work)


def send_next(work: Work) -> bool:
    """Send or settle one text of the turn, if one is due; whether there was one."""
    leaving = _leaving(work)
    tell_unshown(work, leaving)
    if outbox.choose_row(leaving, work.now) is None:
        return False
    if work.turn.held_code not in UNVETTED:
        vet(work)
    row = outbox.choose_row(_leaving(work), work.now)
    if row is not None:  # as the forum has it, it may not be due yet after all
        outbox.work_on(work.sender(), row)
    return True


def send_notice(work: Work) -> bool:
    """Send that an attempt was voided, before the next says or does anything; whether that takes the step."""
    with work.service.database.read() as connection:
        rows = outbox_rows.list_rows(connection, work.turn.id)
    mine = [row for row in rows if row.kind == NOTICE]
    if all(row.state in (SendState.SENT, SendState.WRITTEN) for row in mine):  # files are pasted in order
        return False
    if not send_next(work):
        stuck = next((row for row in mine if row.state is SendState.HELD), None)
        if stuck is not None:
            hold(work, "outbox", msg("hold/outbox", marker=stuck.marker, reason=stuck.reason))
    return True


def find_stuck(work: Work) -> OutboxRow | None:
    """A public text that can't be sent; private ones and receipts don't keep the game waiting."""
    with work.service.database.read() as connection:
        held = outbox_rows.list_rows(connection, work.turn.id, SendState.HELD)
    return next((row for row in held if row.is_awaited), None)


def _waiting(work: Work) -> bool:
    return outbox.next_needed_at(_leaving(work), work.now) is not None


def _leaving(work: Work) -> tuple[OutboxRow, ...]:
    with work.service.database.read() as connection:
        return list_leaving(connection, work.turn)


def _unpasted(work: Work) -> bool:
    """Whether the director has still to say that the turn's public texts were pasted."""
    with work.service.database.read() as connection:
        return outbox.waits_for_person(outbox_rows.list_rows(connection, work.turn.id))


def _finish(work: Work) -> datetime | None:
    gathered = read_own(work)
    own = clean(work, gathered)
    if _waiting(work):  # a twin was cleared away, and its text has to be edited once more
        return None
    if work.carriage.shows:
        _require_visible(work, {one.marker for one in own})
    work.service.reach(Checkpoint.VERIFIED)
    with work.service.database.read() as connection:
        files = results.load_report_files(connection, work.turn.id)
        voided = {
            one.ref.attempt: results.load_report_files(connection, one.id)
            for one in attempts.list_voided(connection, work.turn.ref)
        }
    work.service.folder.write_reports(work.path, work.turn.ref, files, voided)
    work.service.reach(Checkpoint.FILES_WRITTEN)
    # The report carries the next turn's commitment, so this is when that turn was opened to the players.
    reported_at = published_at(work, own, work.turn.ref, "report")
    with leases.fenced(work.service.database, work.lease) as connection:
        _store_published(connection, work, reported_at)
    work.service.reach(Checkpoint.PUBLISHED)
    return None


def _require_visible(work: Work, own: set[str]) -> None:
    """Success is what can be read in the forum, not what an answer said."""
    with work.service.database.read() as connection:
        sent = outbox_rows.list_rows(connection, work.turn.id, SendState.SENT)
    newest = {(row.kind, row.part): row for row in sent if row.recipient == TOPIC}
    gone = next((row for row in newest.values() if row.marker not in own), None)
    if gone:
        raise IncompletePage("turnero/not-visible", f"{gone.marker} was sent and can't be seen in the topic")


def _store_published(connection: Connection, work: Work, reported_at: datetime | None) -> None:
    now = work.now
    turns.change_turn(connection, work.turn.id, status=TurnStatus.PUBLISHED, published_at=now)
    if results.is_last_turn(connection, work.turn.id):
        games.change_game(connection, work.row.id, status=GameStatus.FINISHED)
        return
    ref = work.turn.ref
    following = turns.find_valid(connection, ref.game, ref.track, ref.turn + 1)
    if following is not None:
        turns.change_turn(connection, following.id, next_at=now, opened_at=reported_at)
