"""Having a turn looked at now instead of at its time."""

from __future__ import annotations

from sqlalchemy import update

from processor.service.bundle import Service
from processor.store.tables import turns
from rules.play.turns import TurnStatus


def read_soon(service: Service, game_id: str) -> bool:
    """Make the reading of a game's open turns due now; whether there was one.

    Only moments are set, so no lease is needed: whoever works on the turn sets them anew when done.
    """
    now = service.clock.now()
    mine = (turns.c.game_id == game_id, turns.c.status.in_((TurnStatus.OPEN, TurnStatus.ASKING)))
    with service.database.write() as connection:
        done = connection.execute(update(turns).where(*mine).values(reading_at=now, next_at=now))
    return done.rowcount > 0
