"""The host's switches: what holds for all games on this machine at once."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, exists, insert, select

from processor.store.tables import switches

PAUSE = "pause"


def find_pause(connection: Connection) -> datetime | None:
    """Since when all games are paused, None where they aren't."""
    return connection.execute(select(switches.c.since).where(switches.c.name == PAUSE)).scalar_one_or_none()


def add_pause(connection: Connection, since: datetime) -> None:
    """Pause all games."""
    connection.execute(insert(switches).values(name=PAUSE, since=since))


def remove_pause(connection: Connection) -> None:
    """Let all games go on."""
    connection.execute(delete(switches).where(switches.c.name == PAUSE))


def runs() -> ColumnElement[bool]:
    """As a condition: games aren't all paused."""
    return ~exists(select(switches.c.name).where(switches.c.name == PAUSE))
