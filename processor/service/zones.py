"""A zone whose rules changed after a deadline was told: the moment in UTC stands, the director learns of it.

Governments move clocks, and an update of the system brings that here (reliability.md F6). What the players
read then, and what a clock on their wall shows at that moment, are no longer the same.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import UTC

from processor import leases
from processor.pipeline.schedule import offset_at
from processor.service.holding import put_letters
from processor.service.journal import name_turn
from processor.service.work import Work
from processor.store import outbox_rows
from processor.store.rows import TurnRow
from rules.engine.messages import Message, msg

logger = logging.getLogger("turnero.zones")

CODE = "zone"
"""Names the letter, and its words."""


def find_moved_hour(turn: TurnRow) -> Message | None:
    """What is no longer as the players were told of a turn's deadline; None where its local time holds."""
    told, now = turn.clock.offset, offset_at(turn.due_at, turn.zone)
    if told is None or told == now:
        return None
    local = turn.due_at.astimezone(UTC).replace(tzinfo=None)
    return msg(
        "clock/zone-moved",
        zone=turn.zone,
        told=f"{local + told:%H:%M}",
        now=f"{local + now:%H:%M}",
        utc=f"{local:%H:%M}",
        entry=f"{local + told:%Y-%m-%dT%H:%M:%S}",
    )


def tell_moved_hour(work: Work) -> None:
    """Tell the director of an open turn, once for each turn, that its local time has moved."""
    found = find_moved_hour(work.turn)
    if found is None:
        return
    with work.service.database.read() as connection:
        if outbox_rows.find_newest(connection, work.turn.id, CODE):
            return
    logger.warning("the rules of a zone have changed: %s", work.say(found), extra=name_turn(work.turn))
    letters = work.service.pipeline.letters(work.play, found, CODE)
    with leases.fenced(work.service.database, work.lease) as connection:
        put_letters(connection, work, tuple(replace(one, kind=CODE) for one in letters))
