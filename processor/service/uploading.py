"""A turn's pictures handed over to its forum, before the report that shows them is written (ADR 21).

No report waits long for a picture: what the forum hasn't taken by then, the report goes without, and the
director is told. A picture may come to lie in the forum twice, behind a crash or a lost answer; nobody sees
one that no text shows.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from processor import leases
from processor.checkpoints import Checkpoint
from processor.forum_words import explain_error, explain_reason
from processor.gate import LEAVING
from processor.pipeline.context import Pictures, TurnResult
from processor.pipeline.filing import Drawn
from processor.ports import ForumError, Uploading
from processor.service.work import Work
from processor.store import uploads
from processor.store.columns import digest
from processor.store.uploads import UploadRow
from reporters.pictures.drawing import DRAW
from rules.engine.messages import msg
from rules.play.posts import Refused, Unknown, Uploaded, Uploads

logger = logging.getLogger("turnero.uploads")

MOST_ATTEMPTS = 4
"""So often a picture is handed over to a forum that refuses it for the moment, or doesn't answer."""
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=10), timedelta(minutes=1)
"""What lies between two attempts: as much as the forum asks for, within these."""


@dataclass(frozen=True, slots=True)
class _Desk:
    """A forum that takes pictures, and which."""

    forum: Uploading
    takes: Uploads


def hand_over(work: Work, result: TurnResult) -> Pictures | datetime:
    """The public pictures as the turn's report can show them, or when to come back to go on with them.

    Raises ForumError where the forum can't be entered, and nothing could be published either; LeaseLost.
    """
    desk = _find_desk(work)
    drawn = () if desk is None else work.service.pipeline.pictures(work.play, result)
    with work.service.database.read() as connection:
        rows = uploads.find_uploads(connection, work.turn.id) if drawn else {}
    for one in drawn:
        sha256 = digest(one.svg)
        row = rows.get(sha256) or UploadRow(sha256, f"{one.file}.png")
        if desk is not None and not row.settled and (row.not_before or work.now) <= work.now:
            row = _try(work, desk, one, row, _beside(rows.values()))
        rows[sha256] = row
    mine = [(one, rows[digest(one.svg)]) for one in drawn]
    waits = [row.not_before for _, row in mine if row.not_before is not None]
    return min(waits) if waits else _as_pictures(mine)


def _find_desk(work: Work) -> _Desk | None:
    takes, forum = work.forum.capabilities.uploads, work.forum
    return _Desk(forum, takes) if takes is not None and isinstance(forum, Uploading) else None


def _beside(rows: Iterable[UploadRow]) -> str:
    """A handle of a picture that the forum has already, "" for none."""
    return next((one.uploaded.handle for one in rows if one.uploaded is not None and one.uploaded.handle), "")


def _as_pictures(mine: Iterable[tuple[Drawn, UploadRow]]) -> Pictures:
    mine = tuple(mine)
    return Pictures(
        {one.name: row.uploaded.reference for one, row in mine if row.uploaded is not None},
        tuple((row.name, row.reason or "") for _, row in mine if row.uploaded is None),
    )


def _try(work: Work, desk: _Desk, drawn: Drawn, row: UploadRow, beside: str) -> UploadRow:
    """Hand a picture over once, and store what became of it."""
    content = DRAW[desk.takes.kind](drawn.svg)
    if len(content) > desk.takes.max_bytes:
        said = msg("upload/too-big", size=_kilobytes(len(content)), most=_kilobytes(desk.takes.max_bytes))
        outcome: Uploaded | Refused | Unknown = Refused(said)
    else:
        outcome = _send(work, desk, f"{drawn.file}.{desk.takes.kind}", content, beside)
    row = _judge(work, row, outcome)
    if row.uploaded is None:
        logger.warning("picture %s of turn %s isn't in the forum: %s", row.name, work.turn.id, row.reason)
    with leases.fenced(work.service.database, work.lease) as connection:
        uploads.store_upload(connection, work.turn.id, row)
    return row


def _kilobytes(size: int) -> int:
    return -(-size // 1024)


def _send(work: Work, desk: _Desk, name: str, content: bytes, beside: str) -> Uploaded | Refused | Unknown:
    work.forum.open()
    lease = leases.renew(work.service.database, work.service.clock, work.lease)

    def watch(moment: str) -> None:
        if moment == LEAVING:
            leases.require_time(work.service.clock, lease)

    with work.service.gate.watched(watch):
        try:
            outcome = desk.forum.upload(work.topic, name, content, beside)
        except ForumError as error:
            outcome = Unknown(explain_error(error))
    work.service.reach(Checkpoint.UPLOADED)
    return outcome


def _judge(work: Work, row: UploadRow, outcome: Uploaded | Refused | Unknown) -> UploadRow:
    """The row behind an attempt."""
    tried = replace(row, attempts=row.attempts + 1, not_before=None)
    if isinstance(outcome, Uploaded):
        return replace(tried, uploaded=outcome, reason=None)
    asked = outcome.retry_after if isinstance(outcome, Refused) else FIRST_WAIT.total_seconds()
    tried = replace(tried, reason=work.say(explain_reason(outcome.reason)))
    if asked is None or tried.attempts >= MOST_ATTEMPTS:
        return tried
    wait = min(max(timedelta(seconds=asked), FIRST_WAIT), LONGEST_WAIT)
    return replace(tried, not_before=work.now + wait)
