"""What the forum has taken and a moderator has yet to let through: told once, waited for, never sent twice.

Nothing of a turn is lost over it: orders are read meanwhile, other texts leave, and a report that is let
through late is found. Only whether it was rejected no forum tells, so that is the director's to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from processor import leases
from processor.outbox import LONGEST_QUEUE
from processor.service.holding import UNAPPROVED, hold, put_letters
from processor.service.work import Work
from processor.store import outbox_rows, turns
from processor.store.rows import OutboxRow, SendState
from rules.engine.audience import DIRECTOR_SEAT
from rules.engine.messages import msg
from rules.play.turns import TurnStatus


def tell_queued(work: Work, rows: Iterable[OutboxRow]) -> None:
    """Write to the director what waits for a moderator, once for each text. Raises LeaseLost.

    It is put out when the turn is next looked at, so nothing is lost if we die before.
    """
    waiting = [row for row in rows if row.state is SendState.QUEUED and row.recipient != DIRECTOR_SEAT]
    if not waiting or work.turn.status is TurnStatus.VOID:
        return
    for row in {row.kind: row for row in reversed(waiting)}.values():
        kind = f"queued-{row.kind}"
        with work.service.database.read() as connection:
            if outbox_rows.find_newest(connection, work.turn.id, kind):
                continue
        said = work.say(msg("hold/queued", marker=row.marker, reason=row.reason))
        letters = work.service.pipeline.letters(work.play, said, "queued")
        with leases.fenced(work.service.database, work.lease) as connection:
            put_letters(connection, work, tuple(replace(one, kind=kind) for one in letters))


def hold_unapproved(work: Work) -> bool:
    """Stop a turn whose text no moderator has let through for days; whether that was done."""
    row = _find_unapproved(work)
    if row is None:
        return False
    hold(work, UNAPPROVED, msg("hold/unapproved", marker=row.marker, days=LONGEST_QUEUE.days))
    return True


def go_on_if_approved(work: Work) -> None:
    """Let such a turn go on once all its texts were let through; it is looked for them while it is held."""
    turn = work.turn
    if turn.status is not TurnStatus.HELD or turn.held_code != UNAPPROVED or _find_unapproved(work):
        return
    free = {"status": turn.held_from or TurnStatus.OPEN, "held_from": None, "held_code": None, "reason": None}
    with leases.fenced(work.service.database, work.lease) as connection:
        turns.change_turn(connection, turn.id, **free)


def _find_unapproved(work: Work) -> OutboxRow | None:
    """A text that has waited for too long, and its turn with it."""
    with work.service.database.read() as connection:
        queued = outbox_rows.list_rows(connection, work.turn.id, SendState.QUEUED)
    too_long = work.now - LONGEST_QUEUE
    return next(
        (row for row in queued if row.is_awaited and row.sending_since and row.sending_since <= too_long),
        None,
    )
