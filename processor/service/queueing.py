"""What the forum doesn't show: told to the director once for each text.

What a moderator has yet to let through is waited for and never sent twice. Nothing of a turn is lost over
it: orders are read meanwhile, other texts leave, and a report that is let through late is found. Only whether
it was rejected no forum tells, so that is the director's to say.
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


def tell_unshown(work: Work, rows: Iterable[OutboxRow]) -> None:
    """Write to the director which texts wait for a moderator and which the forum refuses, each once, while
    their turn goes on. Raises LeaseLost.

    It is put out when the turn is next looked at, so nothing is lost if we die before.
    """
    if work.turn.status is TurnStatus.VOID:
        return
    for row in reversed(
        {row.kind: row for row in reversed(tuple(rows)) if _is_to_be_told(work, row)}.values()
    ):
        code = "queued" if row.state is SendState.QUEUED else "refused"
        kind = f"{code}-{row.kind}"
        with work.service.database.read() as connection:
            if outbox_rows.find_newest(connection, work.turn.id, kind):
                continue
        said = work.say(msg(_SAID[row.state], marker=row.marker, reason=row.reason))
        letters = work.service.pipeline.letters(work.play, said, code)
        with leases.fenced(work.service.database, work.lease) as connection:
            put_letters(connection, work, tuple(replace(one, kind=kind) for one in letters))


def _is_to_be_told(work: Work, row: OutboxRow) -> bool:
    """Of a text without which its turn can't go on, the hold tells that it was refused."""
    if row.state not in _SAID or row.recipient == DIRECTOR_SEAT:
        return False
    return row.state is SendState.QUEUED or not row.is_awaited or work.turn.status in _GOING_ON


_SAID = {SendState.QUEUED: "hold/queued", SendState.HELD: "hold/outbox"}
_GOING_ON = (TurnStatus.OPEN, TurnStatus.ASKING)


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
