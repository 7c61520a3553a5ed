"""A forum that doesn't answer is asked by one game at a time, ever more rarely (reliability.md 6.5, F9, F42).

Fifty games on a forum that is down would make fifty requests a minute otherwise, and fifty waits for an
answer that keep the games of other forums from their turn. It stands in the database, because a host may
start a new process every minute. A game's own failure counts for its forum until the next game has asked;
so one broken topic costs the others half a minute.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from processor import leases
from processor.ports import ForumError, Unreachable
from processor.service.bundle import Service
from processor.service.timing import back_off
from processor.service.work import Work
from processor.store import rests, turns
from processor.store.rests import Rest
from rules.play.game import Game
from rules.play.turns import TurnStatus

logger = logging.getLogger("turnero.rests")

_EARLIER = timedelta(seconds=1)
"""By so much the other games come before the one that failed."""


def find_forum_rest(work: Work) -> Rest | None:
    """The rest of a turn's forum, over or not; None where it answered the last time, or isn't needed."""
    if not _asks_forum(work):
        return None
    with work.service.database.read() as connection:
        rest = rests.find_rest(connection, work.game.forum.url)
    return None if rest is None or not work.carriage.by_machine else rest


def _asks_forum(work: Work) -> bool:
    """Whether the step of the turn's state asks the forum anything."""
    if work.turn.status is TurnStatus.RESOLVING:
        return work.forum.capabilities.uploads is not None
    return work.turn.status is not TurnStatus.RESOLVED


def wait_for_forum(work: Work, rest: Rest) -> datetime | None:
    """When a turn is to come back because its forum rests; None: it is the one that asks again."""
    now, database = work.now, work.service.database
    if rest.until <= now:
        later = now + back_off(rest.failures + 1) - _EARLIER
        with database.write() as connection:
            if rests.take_turn(connection, rest, later):
                return None
    with leases.fenced(database, work.lease) as connection:
        newest = rests.find_rest(connection, rest.url)
        turns.change_turn(connection, work.turn.id, waits_for=None if newest is None else rest.url)
    return now if newest is None else max(now, newest.until)


def note_silence(work: Work, error: ForumError) -> None:
    """Leave the forum alone after an error that isn't about this game's topic alone."""
    if not isinstance(error, Unreachable) and error.retry_after is None:
        return
    url, now = work.game.forum.url, work.now
    with work.service.database.write() as connection:
        known = rests.find_rest(connection, url)
        failures = 1 if known is None else known.failures + 1
        until = now + back_off(failures, error.retry_after) - _EARLIER
        rests.store_rest(connection, Rest(url, failures, now if known is None else known.since, until))
    logger.warning("%s is left alone until %s", url, until.isoformat())


def cut_rest_short(service: Service, game: Game) -> bool:
    """Ask a game's forum again now, because its director says so; whether it was being left alone.

    One game asks, as after any rest: the game itself. An answer wakes all others.
    """
    with service.database.write() as connection:
        return rests.cut_short(connection, game.forum.url, game.id, service.clock.now())


def note_answer(work: Work, rest: Rest) -> None:
    """The forum was asked again and has answered: its rest is over."""
    with work.service.database.write() as connection:
        rests.end_rest(connection, rest.url, work.now)
    logger.info("%s answers again", rest.url)
