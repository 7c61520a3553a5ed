"""The host's switch: while all games are paused nothing is read, closed or published (design.md 1)."""

from __future__ import annotations

from dataclasses import replace

from processor.service.bundle import Service
from processor.service.looking import is_movable
from processor.store import games, switches, turns
from processor.store.rows import clock_columns
from processor.store.tables import turns as turns_table
from rules.play.turns import TurnStatus


def pause_all(service: Service) -> bool:
    """Pause all games; False where they were paused already. Steps under way are finished."""
    with service.database.write() as connection:
        if switches.find_pause(connection) is not None:
            return False
        switches.add_pause(connection, service.clock.now())
        return True


def resume_all(service: Service) -> int | None:
    """Let all games go on; the number of turns whose deadline moves, None where they weren't paused.

    Each turn that isn't locked keeps the time it had left: the next step moves its deadline by the length of
    the pause and tells the players.
    """
    now = service.clock.now()
    with service.database.write() as connection:
        since = switches.find_pause(connection)
        if since is None:
            return None
        switches.remove_pause(connection)
        running = [
            turn
            for game in games.list_games(connection)
            for turn in turns.list_turns(connection, game.id)
            if is_movable(turn)
        ]
        for turn in running:
            early = None if turn.clock.early is None else turn.clock.early + (now - since)
            clock = replace(turn.clock, stops=(*turn.clock.stops, (since, now)), early=early)
            # A worker that still has the turn in its hands knows nothing of this: it may write no more.
            values = clock_columns(clock) | {"fence": turns_table.c.fence + 1}
            if turn.status is TurnStatus.OPEN:
                values["next_at"] = now
            turns.change_turn(connection, turn.id, **values)
        return len(running)
