"""Forums that don't answer, and so are left alone for a while by all of their games."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select, update

from processor.store.tables import forum_rests, turns


@dataclass(frozen=True, slots=True)
class Rest:
    """A forum that is left alone. url: its address. failures: in a row. since: of the first of them, UTC.

    until: when one game, and no more, asks it again, UTC.
    """

    url: str
    failures: int
    since: datetime
    until: datetime


def find_rest(connection: Connection, url: str) -> Rest | None:
    """The rest of a forum, over or not; None where it answered the last time."""
    row = connection.execute(select(forum_rests).where(forum_rests.c.url == url)).one_or_none()
    return None if row is None else Rest(row.url, row.failures, row.since, row.until)


def list_rests(connection: Connection) -> tuple[Rest, ...]:
    """All forums that don't answer, by address."""
    found = connection.execute(select(forum_rests).order_by(forum_rests.c.url))
    return tuple(Rest(row.url, row.failures, row.since, row.until) for row in found)


def take_turn(connection: Connection, rest: Rest, until: datetime) -> bool:
    """Be the one who asks a forum whose rest is over; the others wait until `until`. False: another is."""
    mine = (forum_rests.c.url == rest.url, forum_rests.c.until == rest.until)
    return bool(connection.execute(update(forum_rests).where(*mine).values(until=until)).rowcount)


def store_rest(connection: Connection, rest: Rest) -> None:
    """Leave a forum alone."""
    values = {"failures": rest.failures, "since": rest.since, "until": rest.until}
    known = update(forum_rests).where(forum_rests.c.url == rest.url).values(**values)
    if not connection.execute(known).rowcount:
        connection.execute(insert(forum_rests).values(url=rest.url, **values))


def cut_short(connection: Connection, url: str, game_id: str, now: datetime) -> bool:
    """Have a forum asked again now, by a game's turns first; whether it was being left alone."""
    mine = (forum_rests.c.url == url, forum_rests.c.until > now)
    if not connection.execute(update(forum_rests).where(*mine).values(until=now)).rowcount:
        return False
    waiting = update(turns).where(turns.c.game_id == game_id, turns.c.next_at > now)
    connection.execute(waiting.values(next_at=now))
    return True


def end_rest(connection: Connection, url: str, now: datetime) -> None:
    """The forum answers: whoever waits for it has something to do at once."""
    connection.execute(delete(forum_rests).where(forum_rests.c.url == url))
    waiting = update(turns).where(turns.c.waits_for == url, turns.c.next_at > now)
    connection.execute(waiting.values(next_at=now, waits_for=None))
