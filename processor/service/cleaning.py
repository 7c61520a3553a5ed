"""Clearing away twins of own posts, and raising the alarm for texts that nobody here wrote."""

from __future__ import annotations

import logging
from datetime import datetime
from functools import partial

from sqlalchemy import Connection

from processor import leases
from processor.cleaning import (
    OwnPost,
    Twin,
    find_first_part,
    find_own_posts,
    find_strangers,
    find_twins,
    is_in_twin,
    without_twins,
)
from processor.forum_words import explain_reason
from processor.gate import LEAVING
from processor.ports import ForumError
from processor.service.reading import Gathered
from processor.service.vetting import needs_vetting, read_for_vetting, vet_reading
from processor.service.work import Work
from processor.store import outbox_rows, turns
from processor.store.rows import OutboxRow, SendState
from rules.engine.messages import Message, msg
from rules.play.posts import Published, Refused
from rules.play.turns import TurnRef

logger = logging.getLogger("turnero.cleaning")


class StrangeText(Exception):
    """A post of our account carries a marker of ours and a text that isn't ours; `said` tells which."""

    def __init__(self, said: Message) -> None:
        super().__init__(f"{said.params['post']} {said.params['marker']}")
        self.said = said


def vet(work: Work) -> None:
    """Compare the game with its forum, unless this process has done so; before anything is sent or resolved.

    Raises StrangeText, Unvetted, LeaseLost, ForumError.
    """
    if needs_vetting(work):
        clean(work, read_for_vetting(work))


def clean(work: Work, gathered: Gathered) -> tuple[OwnPost, ...]:
    """Edit every twin to say so; the own posts that stay. A post that the database doesn't know is an alarm.

    Raises StrangeText, Unvetted, LeaseLost, ForumError.
    """
    own = find_own_posts(gathered.readings, gathered.account)
    with work.service.database.read() as connection:
        rows = _rows_of_game(connection, work)
    strange = find_strangers(own, rows)
    if strange:
        raise StrangeText(msg("hold/alarm", post=strange[0].post_id, marker=strange[0].marker))
    twins = find_twins(own)
    stay = without_twins(own, twins)
    vet_reading(work, gathered, stay)
    for twin in twins:
        _clear(work, twin, rows)
    return stay


def published_at(work: Work, own: tuple[OwnPost, ...], ref: TurnRef, kind: str) -> datetime | None:
    """When the first part of a text was published; None where it isn't there. By the forum's clock, or where
    the forum has appended it to an older post, when we sent it.
    """
    one = find_first_part(own, ref, kind)
    if one is None or one.created_at is not None:
        return None if one is None else one.created_at
    with work.service.database.read() as connection:
        return outbox_rows.find_departure(connection, ref.game, one.marker)


def _rows_of_game(connection: Connection, work: Work) -> tuple[OutboxRow, ...]:
    """What was put out for this turn and the one before, whose last texts are in this turn's readings."""
    recent = [
        one for one in turns.list_turns(connection, work.row.id) if one.ref.turn >= work.turn.ref.turn - 1
    ]
    return tuple(row for turn in recent for row in outbox_rows.list_rows(connection, turn.id))


def _clear(work: Work, twin: Twin, rows: tuple[OutboxRow, ...]) -> None:
    logger.warning("post %s repeats post %s of game %s", twin.post_id, twin.kept, work.row.id)
    # Stored first: were we to die after the edit, nothing in the forum would lead us back to the twin.
    with leases.fenced(work.service.database, work.lease) as connection:
        for row in rows:
            if is_in_twin(row, twin):
                _move(connection, work, row, twin)
    with work.service.gate.watched(partial(_watch, work)):
        outcome = work.forum.retract(twin.post_id, twin.marker, twin.text)
    if isinstance(outcome, Refused) and outcome.retry_after is None:
        said = work.say(explain_reason(outcome.reason))
        logger.warning("post %s stays as it is: %s", twin.post_id, said)  # it says the same as the other
    elif not isinstance(outcome, Published):
        raise ForumError(
            "turnero/twin", f"post {twin.post_id} repeats {twin.kept} and can't be edited: {outcome}"
        )


def _watch(work: Work, moment: str) -> None:
    if moment == LEAVING:
        leases.require_time(work.service.clock, work.lease)


def _move(connection: Connection, work: Work, row: OutboxRow, twin: Twin) -> None:
    """The row's text stands in the older post from now on; what can be edited is edited there again."""
    outbox_rows.change_row(connection, row.id, forum_post_id=twin.kept)
    newest = {one.id for one in outbox_rows.find_newest(connection, row.turn_id, row.kind)}
    if row.editable and row.turn_id == work.turn.id and row.state is SendState.SENT and row.id in newest:
        outbox_rows.change_row(connection, row.id, state=SendState.READY, not_before=None)
