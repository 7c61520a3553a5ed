"""The canary: hours before a deadline, and once when a game opens, the forum is tried out without a trace.

What is wrong is told while there is time to mend it: in `status`, in the log, in the health line, and in
private where that still works. The turn itself goes on as if nothing had been tried.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from processor import leases
from processor.service.holding import put_letters
from processor.service.journal import name_turn
from processor.service.trying import Trial, try_out
from processor.service.work import Work
from processor.store import marks, turns
from processor.store.rows import TurnRow
from rules.play.game import Policies

logger = logging.getLogger("turnero.canary")

AGAIN = timedelta(hours=1)
"""How soon a forum is tried again in which something was wrong."""


def is_canary_due(turn: TurnRow, policies: Policies, now: datetime, *, first: bool) -> bool:
    """Whether an open turn's forum is to be tried now. first: whether the game has just begun with it."""
    last = turn.canary_at
    if policies.canary is None or turn.paused:
        return False
    if last is None and first:
        return True
    if last is not None and turn.canary is not None:
        return now >= last + AGAIN
    due = turn.due_at - policies.canary
    return due <= now and (last is None or last < due)


def send_canary(work: Work) -> None:
    """Try the turn's forum, and keep what is wrong with it."""
    with work.service.database.read() as connection:
        mark = marks.find_marks(connection, work.turn.evidence).get(work.game.forum.topic)
    since = None if mark is None else (mark.position, mark.post_id)
    looks = try_out(Trial(work.game, work.forum, work.now, since, thorough=False))
    wrong = "\n".join(work.say(one.said) for one in looks if not one.good) or None
    if wrong is not None:
        logger.warning("the forum isn't as it should be: %s", wrong, extra=name_turn(work.turn))
    news = wrong is not None and wrong != work.turn.canary
    letters = work.service.pipeline.letters(work.play, wrong, "canary") if wrong and news else ()
    with leases.fenced(work.service.database, work.lease) as connection:
        turns.change_turn(connection, work.turn.id, canary_at=work.now, canary=wrong)
        put_letters(connection, work, letters)
