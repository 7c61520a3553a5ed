"""Rows of the outbox: putting texts in, finding what is to be sent, changing their state."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, false, func, insert, or_, select, update

from processor.store.columns import digest
from processor.store.rows import WAITING, OutboxRow, SendState
from processor.store.tables import games, outbox
from rules.play.joined import as_edition, edition_of
from rules.play.outgoing import TOPIC, Outgoing
from rules.play.turns import GameStatus, TurnRef


class TextChanged(Exception):
    """A text that can't be edited was put in twice with different bodies; that is our bug."""


def put(
    connection: Connection,
    turn_id: int,
    ref: TurnRef,
    texts: Iterable[Outgoing],
    logins: Mapping[str, str | None],
    emptied: str,
) -> None:
    """Put texts into the outbox; what stands there already with the same body is left alone.

    logins: login name by recipient; who has none gets nothing, and the row says so.
    emptied: body of a part that an edited text no longer needs.
    """
    texts = tuple(texts)
    newest = _find_newest(connection, turn_id, {one.kind for one in texts})
    replaced: list[int] = []
    added: list[dict[str, Any]] = []
    for one in texts:
        reason = None if one.to == TOPIC or logins.get(one.to) else f"{one.to} has no account in the forum"
        for old, values in _changed_parts(ref, one, newest.get(one.kind, {}), emptied):
            if old is not None and old.state is SendState.READY and old.attempts == 0:
                replaced.append(old.id)
            state = SendState.SKIPPED if reason else SendState.READY
            added.append({**values, "turn_id": turn_id, "state": state, "reason": reason})
    # One statement for each kind of change: a long report has many parts.
    if replaced:
        connection.execute(update(outbox).where(outbox.c.id.in_(replaced)).values(state=SendState.REPLACED))
    if added:
        connection.execute(insert(outbox), added)


def _changed_parts(
    ref: TurnRef, one: Outgoing, before: Mapping[int, OutboxRow], emptied: str
) -> Iterator[tuple[OutboxRow | None, dict[str, Any]]]:
    """The parts of a text that aren't in the outbox as they are now: what stands there, and the new row."""
    bodies = list(one.parts)
    if one.editable:
        bodies += [emptied] * (len(before) - len(bodies))
    for part, body in enumerate(bodies, 1):
        marker = ref.marker(one.kind, part, len(bodies), None if one.editable else digest(body))
        old = before.get(part)
        marker = as_edition(marker, edition_of(old.marker)) if old is not None else marker
        if old is not None and (old.body, old.marker) == (body, marker):
            continue
        if old is not None and not one.editable:
            raise TextChanged(f"{marker} stands in the outbox with another body: {old.marker}")
        yield (
            old,
            {
                "game_id": ref.game,
                "track": ref.track,
                "number": ref.turn,
                "attempt": ref.attempt,
                "kind": one.kind,
                "part": part,
                "parts": len(bodies),
                "revision": old.revision + 1 if old else 1,
                "recipient": one.to,
                "title": one.title,
                "editable": one.editable,
                "body": body,
                "body_sha256": digest(body),
                "marker": marker,
                "lead": old.lead if old is not None else "",
            },
        )


def _find_newest(
    connection: Connection, turn_id: int, kinds: Collection[str]
) -> dict[str, dict[int, OutboxRow]]:
    """The newest revision of each part, by kind of text and part."""
    mine = (outbox.c.turn_id == turn_id, outbox.c.kind.in_(kinds))
    rows = connection.execute(select(outbox).where(*mine).order_by(outbox.c.part, outbox.c.revision))
    found: dict[str, dict[int, OutboxRow]] = {}
    for row in rows:
        found.setdefault(row.kind, {})[row.part] = OutboxRow.of(row)
    return found


def find_newest(connection: Connection, turn_id: int, kind: str) -> tuple[OutboxRow, ...]:
    """The newest revision of each part of a text, by part."""
    return tuple(_find_newest(connection, turn_id, {kind}).get(kind, {}).values())


def list_rows(connection: Connection, turn_id: int, *states: SendState) -> tuple[OutboxRow, ...]:
    """The turn's rows (in those states) in the order in which they are sent."""
    mine: list[ColumnElement[bool]] = [outbox.c.turn_id == turn_id]
    if states:
        mine.append(outbox.c.state.in_(states))
    return tuple(
        OutboxRow.of(row) for row in connection.execute(select(outbox).where(*mine).order_by(outbox.c.id))
    )


@dataclass(frozen=True, slots=True)
class Waiting:
    """What of a game is still to be sent. texts: how many. not_before: of the one that was put off longest,
    UTC, None where all may leave.
    """

    game: str
    folder: str
    texts: int
    not_before: datetime | None


def list_waiting(connection: Connection) -> tuple[Waiting, ...]:
    """All games in play from which something is still to be sent, by id."""
    put_off = case((outbox.c.state == SendState.READY, outbox.c.not_before))
    counted = (games.c.id, games.c.folder, func.count(), func.max(put_off))
    mine = (outbox.c.state.in_(WAITING), games.c.status == GameStatus.ACTIVE)
    rows = connection.execute(
        select(*counted)
        .join(games, games.c.id == outbox.c.game_id)
        .where(*mine)
        .group_by(games.c.id, games.c.folder)
        .order_by(games.c.id)
    )
    return tuple(Waiting(*row) for row in rows)


def find_sent_post(connection: Connection, row: OutboxRow) -> str | None:
    """The forum's id of the post that earlier revisions of a row stand in; None before the first was sent,
    and where a new post is to replace the one that can't be edited.
    """
    same = (
        outbox.c.turn_id == row.turn_id,
        outbox.c.number == row.ref.turn,  # an attempt may tell of several that were voided
        outbox.c.attempt == row.ref.attempt,
        outbox.c.kind == row.kind,
        outbox.c.part == row.part,
        outbox.c.forum_post_id.is_not(None),
    )
    columns = (outbox.c.forum_post_id, outbox.c.marker)
    found = connection.execute(select(*columns).where(*same).order_by(outbox.c.revision.desc()))
    edition = edition_of(row.marker)
    return next((one.forum_post_id for one in found if edition_of(one.marker) == edition), None)


def find_departure(connection: Connection, game_id: str, marker: str) -> datetime | None:
    """When the text with a marker last left for the forum, by our clock; None where none is known to have."""
    mine = (outbox.c.game_id == game_id, outbox.c.marker == marker, outbox.c.sending_since.is_not(None))
    found = connection.execute(select(outbox.c.sending_since).where(*mine).order_by(outbox.c.id.desc()))
    return found.scalars().first()


@dataclass(frozen=True, slots=True)
class SentMark:
    """How far a revision of a text is on its way. post_id: the post in which it stands, None: in none yet.

    may_be_sent: whether a request for it has left, or may have. has_commitment: see `find_publishing`.
    """

    id: int
    marker: str
    state: SendState
    post_id: str | None
    may_be_sent: bool
    has_commitment: bool = False


def find_marks(
    connection: Connection, game_id: str, markers: Collection[str]
) -> dict[str, tuple[SentMark, ...]]:
    """By marker, what was put out with it in any turn of a game."""
    found: dict[str, tuple[SentMark, ...]] = {}
    ordered = sorted(markers)
    for start in range(0, len(ordered), _MOST_MARKERS):
        some = outbox.c.marker.in_(ordered[start : start + _MOST_MARKERS])
        for row in connection.execute(select(*_MARK).where(outbox.c.game_id == game_id, some)):
            found[row.marker] = (*found.get(row.marker, ()), _mark_of(row))
    return found


def find_publishing(
    connection: Connection, game_id: str, ref: TurnRef, commitment: str
) -> tuple[SentMark, ...]:
    """The public texts in the forum that have published a turn's commitment, or should have, oldest first:
    what holds it, and for a first attempt the opening and the report of the turn before.
    """
    holds = outbox.c.body.contains(commitment, autoescape=True)
    before = and_(outbox.c.number == ref.turn - 1, outbox.c.kind == "report")
    first = and_(outbox.c.number == ref.turn, outbox.c.attempt == 1, outbox.c.kind == "open")
    expected = or_(before, first) if ref.attempt == 1 else false()
    sent = (
        outbox.c.game_id == game_id,
        outbox.c.track == ref.track,
        outbox.c.number.between(ref.turn - 1, ref.turn),
        outbox.c.recipient == TOPIC,
        outbox.c.state == SendState.SENT,
    )
    rows = connection.execute(
        select(*_MARK, holds.label("holds")).where(*sent, or_(holds, expected)).order_by(outbox.c.id)
    )
    return tuple(_mark_of(row, has_commitment=bool(row.holds)) for row in rows)


def list_in_post(connection: Connection, game_id: str, post_id: str) -> tuple[OutboxRow, ...]:
    """What of ours stands in a post, oldest first: several texts where the forum has put them together."""
    here = (outbox.c.game_id == game_id, outbox.c.forum_post_id == post_id, outbox.c.state == SendState.SENT)
    rows = connection.execute(select(outbox).where(*here).order_by(outbox.c.id))
    return tuple(OutboxRow.of(row) for row in rows)


def _mark_of(row: Any, *, has_commitment: bool = False) -> SentMark:
    state = SendState(row.state)
    left = state in (SendState.SENT, SendState.SENDING) or bool(row.attempts or row.unknowns)
    may_be_sent = left or row.sending_since is not None or row.forum_post_id is not None
    return SentMark(row.id, row.marker, state, row.forum_post_id, may_be_sent, has_commitment)


_MOST_MARKERS = 500
_MARK: tuple[ColumnElement[Any], ...] = (
    outbox.c.id,
    outbox.c.marker,
    outbox.c.state,
    outbox.c.forum_post_id,
    outbox.c.attempts,
    outbox.c.unknowns,
    outbox.c.sending_since,
)


def replace_written(connection: Connection, row: OutboxRow) -> None:
    """Older revisions of a text that were never pasted have gone with the new one that lies in their file."""
    same = (
        outbox.c.turn_id == row.turn_id,
        outbox.c.kind == row.kind,
        outbox.c.part == row.part,
        outbox.c.revision < row.revision,
        outbox.c.state == SendState.WRITTEN,
    )
    connection.execute(update(outbox).where(*same).values(state=SendState.REPLACED))


def change_row(connection: Connection, row_id: int, **values: Any) -> None:
    """Set columns of a row; the caller holds the turn's fence."""
    connection.execute(update(outbox).where(outbox.c.id == row_id).values(**values))
