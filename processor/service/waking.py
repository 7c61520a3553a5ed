"""Having a turn looked at now instead of at its time."""

from __future__ import annotations

from sqlalchemy import update

from processor.service.bundle import Service
from processor.store.marks import forget_marks
from processor.store.tables import turns
from rules.play.turns import TurnStatus


def read_soon(service: Service, game_id: str) -> bool:
    """Make the reading of a game's open turns due now, and whole; whether there was one.

    Only moments are set, so no lease is needed: whoever works on the turn sets them anew when done.
    """
    now = service.clock.now()
    mine = (turns.c.game_id == game_id, turns.c.status.in_((TurnStatus.OPEN, TurnStatus.ASKING)))
    with service.database.write() as connection:
        changed = update(turns).where(*mine).values(reading_at=now, next_at=now).returning(turns.c.id)
        found = connection.execute(changed).scalars().all()
        for turn_id in found:
            forget_marks(connection, turn_id)
    return bool(found)
