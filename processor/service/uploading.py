"""A turn's pictures handed over to its forum, before the report that shows them is written (ADR 21).

No report waits long for a picture: what the forum hasn't taken by then, the report goes without, and the
director is told. A picture may come to lie in the forum twice, behind a crash or a lost answer; nobody sees
one that no text shows.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from processor import leases
from processor.checkpoints import Checkpoint
from processor.forum_words import explain_error, explain_reason
from processor.gate import LEAVING
from processor.pipeline.context import Pictures, TurnResult
from processor.pipeline.filing import Drawn
from processor.ports import Forum, ForumError, Uploading
from processor.service.work import Work
from processor.store import uploads
from processor.store.columns import digest
from processor.store.uploads import UploadRow
from reporters.blocks import Figure
from reporters.dialects import renderer_for
from reporters.pictures.drawing import DRAW
from rules.engine.messages import msg
from rules.play.game import Game
from rules.play.posts import Refused, Unknown, Uploaded, Uploads

logger = logging.getLogger("turnero.uploads")

MOST_ATTEMPTS = 4
"""So often, in all, pictures are handed over to a forum that refuses them for the moment, or doesn't answer.
"""
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=10), timedelta(minutes=1)
"""What lies between two attempts: as much as the forum asks for, within these."""
_LONGEST = 500
"""Characters of an address in a text: of a post that has few there must be some left."""


@dataclass(frozen=True, slots=True)
class Desk:
    """A forum that takes pictures, and which. markup: of its posts, as for `renderer_for`."""

    forum: Uploading
    takes: Uploads
    markup: str

    def take(self, topic: str, name: str, content: bytes, beside: str = "") -> Uploaded | Refused | Unknown:
        """See `Uploading.upload`; name: without its ending. What no text can show counts as not taken.

        Raises ForumError.
        """
        outcome = self.forum.upload(topic, f"{name}.{self.takes.kind}", content, beside)
        if isinstance(outcome, Uploaded) and not can_show(self.markup, outcome):
            return Refused(msg("upload/strange-place"))
        return outcome


def find_desk(game: Game, forum: Forum) -> Desk | None:
    """Where a game's pictures are handed over, None where its forum takes none."""
    takes = forum.capabilities.uploads
    return Desk(forum, takes, game.forum.markup) if takes and isinstance(forum, Uploading) else None


def hand_over(work: Work, result: TurnResult) -> Pictures | datetime:
    """The public pictures as the turn's report can show them, or when to come back to go on with them.

    One that fails for the moment keeps back the others: a forum that wants to be left alone is left alone.
    Next time another goes first, so that one that never gets through costs the others no more than the wait.

    Raises ForumError where the forum can't be entered, and nothing could be published either; LeaseLost.
    """
    desk = find_desk(work.game, work.forum)
    if desk is None:
        return Pictures()
    drawn = work.service.pipeline.pictures(work.play, result)
    mine = {digest(one.svg): one for one in drawn}
    rows = _load_rows(work, mine) if mine else {}
    while pending := [one for one in rows.values() if not one.settled]:
        if sum(one.attempts for one in pending) >= MOST_ATTEMPTS:
            break
        waits = [one.not_before for one in pending if one.not_before is not None]
        if waits and max(waits) > work.now:
            return max(waits)
        row = min(pending, key=lambda one: one.attempts)
        rows[row.sha256] = _try(work, desk, mine[row.sha256], row, _beside(rows.values()))
    return _as_pictures(drawn, rows)


def _load_rows(work: Work, mine: Mapping[str, Drawn]) -> dict[str, UploadRow]:
    """How far each picture is. What shares its handle with one that a correction has changed since is handed
    over anew: a forum may show all that goes along with a post.
    """
    with work.service.database.read() as connection:
        known = uploads.find_uploads(connection, work.turn.id)
    spoilt = {row.handle for sha256, row in known.items() if sha256 not in mine} - {""}
    kept = {sha256: row for sha256, row in known.items() if row.handle not in spoilt}
    return {sha256: kept.get(sha256) or UploadRow(sha256, f"{one.file}.png") for sha256, one in mine.items()}


def _beside(rows: Iterable[UploadRow]) -> str:
    """A handle of a picture that the forum has already, "" for none."""
    return next((one.handle for one in rows if one.handle), "")


def _as_pictures(drawn: Iterable[Drawn], rows: Mapping[str, UploadRow]) -> Pictures:
    """What wasn't even tried lacks for the same reason as what failed before it."""
    mine = [(one.name, rows[digest(one.svg)]) for one in drawn]
    common = next((row.reason for _, row in mine if row.reason and not row.settled), "")
    return Pictures(
        {name: row.uploaded.reference for name, row in mine if row.uploaded is not None},
        tuple((row.name, row.reason or common) for _, row in mine if row.uploaded is None),
    )


def _try(work: Work, desk: Desk, drawn: Drawn, row: UploadRow, beside: str) -> UploadRow:
    """Hand a picture over once, and store what became of it."""
    content = _draw(desk, drawn)
    outcome = content if isinstance(content, Refused) else _send(work, desk, drawn.file, content, beside)
    row = _judge(work, row, outcome)
    if row.uploaded is None:
        logger.warning("picture %s of turn %s isn't in the forum: %s", row.name, work.turn.id, row.reason)
    with leases.fenced(work.service.database, work.lease) as connection:
        uploads.store_upload(connection, work.turn.id, row)
    return row


def _draw(desk: Desk, drawn: Drawn) -> bytes | Refused:
    try:
        content = DRAW[desk.takes.kind](drawn.svg)
    except Exception:  # whatever it is, the report doesn't need the picture
        logger.exception("picture %s can't be drawn", drawn.file)
        return Refused(msg("upload/not-drawn"))
    size, most = len(content), desk.takes.max_bytes
    if size <= most:
        return content
    return Refused(msg("upload/too-big", size=_kilobytes(size), most=_kilobytes(most)))


def can_show(markup: str, kept: Uploaded) -> bool:
    """Whether a text can show a picture by what a forum says of its place. markup: as for `renderer_for`."""
    renderer = renderer_for(markup, lambda _: kept.reference)
    return len(kept.reference) <= _LONGEST and kept.stands_in(renderer.render((Figure("", (), told=True),)))


def _kilobytes(size: int) -> int:
    return -(-size // 1024)


def _send(work: Work, desk: Desk, name: str, content: bytes, beside: str) -> Uploaded | Refused | Unknown:
    work.forum.open()
    lease = leases.renew(work.service.database, work.service.clock, work.lease)

    def watch(moment: str) -> None:
        if moment == LEAVING:
            leases.require_time(work.service.clock, lease)

    with work.service.gate.watched(watch):
        try:
            outcome = desk.take(work.topic, name, content, beside)
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
    if asked is None:
        return tried
    wait = min(max(timedelta(seconds=asked), FIRST_WAIT), LONGEST_WAIT)
    return replace(tried, not_before=work.now + wait)
