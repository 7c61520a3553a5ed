"""The canary: hours before a deadline, and once when a game opens, the forum is tried out without a trace.

What is wrong is told while there is time to mend it: in `status`, in the log, in the health line, and in
private where that still works. The turn itself goes on as if nothing had been tried.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta

from processor import leases
from processor.service.holding import put_letters
from processor.service.journal import name_turn
from processor.service.trying import Look, Trial, try_out
from processor.service.work import Work
from processor.store import marks, outbox_rows, turns
from processor.store.rows import SendState, TurnRow
from rules.engine.messages import msg
from rules.play.game import Policies

logger = logging.getLogger("turnero.canary")

_OFTEN = 3
"""So many refusals of one text are no accident."""
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


def _look_at_texts(work: Work) -> Iterable[Look]:
    """What became of the turn's own texts shows what no form tells: that the forum keeps them back."""
    with work.service.database.read() as connection:
        rows = outbox_rows.list_rows(connection, work.turn.id, SendState.READY, SendState.QUEUED)
    queued = sum(1 for row in rows if row.state is SendState.QUEUED)
    if queued:
        yield Look(False, msg("try/own-queued", count=queued))
    put_off = [row for row in rows if row.is_put_off and row.attempts >= _OFTEN]
    if put_off:
        worst = max(put_off, key=lambda row: row.attempts)
        yield Look(False, msg("try/put-off", attempts=worst.attempts, reason=worst.reason or ""))


def send_canary(work: Work) -> None:
    """Try the turn's forum, and keep what is wrong with it."""
    with work.service.database.read() as connection:
        mark = marks.find_marks(connection, work.turn.evidence).get(work.game.forum.topic)
    since = None if mark is None else (mark.position, mark.post_id)
    trial = Trial(work.game, work.forum, work.service.clock.now, since, thorough=False)
    shown = tuple(try_out(trial))
    told = {one.said.id for one in shown}
    looks = (*shown, *(one for one in _look_at_texts(work) if one.said.id not in told))
    wrong = "\n".join(dict.fromkeys(work.say(one.said) for one in looks if not one.good)) or None
    if wrong is not None:
        logger.warning("the forum isn't as it should be: %s", wrong, extra=name_turn(work.turn))
    news = wrong is not None and wrong != work.turn.canary
    letters = work.service.pipeline.letters(work.play, wrong, "canary") if wrong and news else ()
    with leases.fenced(work.service.database, work.lease) as connection:
        turns.change_turn(connection, work.turn.id, canary_at=work.now, canary=wrong)
        put_letters(connection, work, letters)
