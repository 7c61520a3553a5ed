"""Rows of the store as values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Self

from sqlalchemy import Row

from rules.play.attempts import Redo, is_unproven
from rules.play.clock import ClockChange, TurnClock
from rules.play.outgoing import TOPIC
from rules.play.turns import Deadline, GameStatus, TurnRef, TurnStatus


@dataclass(frozen=True, slots=True)
class GameRow:
    """A registered game. secret: H. not_before: nothing is done for it until then. note: why it is parked."""

    id: str
    folder: str
    status: GameStatus
    secret: bytes
    first_turn: int
    failures: int
    not_before: datetime | None
    note: str | None

    @classmethod
    def of(cls, row: Row[Any]) -> Self:
        """From the table `games`."""
        return cls(
            row.id,
            row.folder,
            GameStatus(row.status),
            bytes.fromhex(row.secret),
            row.first_turn,
            row.failures,
            row.not_before,
            row.note,
        )


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One attempt at a turn. seed: S. next_at: when something is to be done, None: nothing by itself.

    first_position: where its reading of the topic begins, None for the topic's first post.
    failures: steps that failed in a row since the last that didn't. waived: codes of holds that the
    director has lifted by `retry`. clock: its deadline, and what the director has made of it.
    reminded_at: when who has no orders was reminded of it, None: that is still to come.
    seed_attempt: the attempt that S was made for. orders_of: id of the attempt whose posts it goes on with,
    None: its own. redo: why the turn is played once more, None: nothing of it was voided. carried: JSON of
    what the seats bring, None: what the turn before has left. canary_at: when its forum was last tried out,
    canary: what was wrong then, for the director. proof: mode of its dice, `seed` or `beacon`.
    """

    id: int
    ref: TurnRef
    status: TurnStatus
    held_from: TurnStatus | None
    held_code: str | None
    reason: str | None
    waived: frozenset[str]
    due_at: datetime
    zone: str
    next_at: datetime | None
    reading_at: datetime | None
    seed: bytes
    commitment: str
    groups: str
    first_position: int | None
    failures: int
    opened_at: datetime | None
    fence: int
    clock: TurnClock
    reminded_at: datetime | None
    seed_attempt: int
    orders_of: int | None
    redo: Redo | None
    carried: str | None
    canary_at: datetime | None
    canary: str | None
    proof: str

    @property
    def evidence(self) -> int:
        """Id of the turn's row to which its posts belong."""
        return self.orders_of or self.id

    @property
    def reopened(self) -> bool:
        """Whether it was voided itself, so that no report opens it."""
        return self.redo is not None and self.redo.turn == self.ref.turn

    def is_unproven(self, now: datetime) -> bool:
        """Whether its seed should have been shown and isn't, for 48 hours (reliability.md 1.4)."""
        settled = (TurnStatus.PLANNED, TurnStatus.PUBLISHED, TurnStatus.VOID)
        waits = self.status not in settled and self.held_from is not TurnStatus.PLANNED and not self.paused
        return waits and is_unproven(self.due_at, now)

    @property
    def paused(self) -> bool:
        """Whether the turn's clock stands still."""
        return self.clock.paused_at is not None

    @property
    def deadline(self) -> Deadline:
        """When it closes, in the zone in which that is said."""
        return Deadline(self.due_at, self.zone, self.paused)

    @classmethod
    def of(cls, row: Row[Any]) -> Self:
        """From the table `turns`."""
        return cls(
            row.id,
            TurnRef(row.game_id, row.number, row.track, row.attempt),
            TurnStatus(row.status),
            TurnStatus(row.held_from) if row.held_from else None,
            row.held_code,
            row.reason,
            frozenset(row.waived.split()),
            row.due_at,
            row.zone,
            row.next_at,
            row.reading_at,
            bytes.fromhex(row.seed),
            row.commitment,
            row.groups,
            row.first_position,
            row.failures,
            row.opened_at,
            row.fence,
            _clock_of(row),
            row.reminded_at,
            row.seed_attempt,
            row.orders_of,
            Redo.of(json.loads(row.redo)) if row.redo else None,
            row.carried,
            row.canary_at,
            row.canary,
            row.proof,
        )


def _clock_of(row: Row[Any]) -> TurnClock:
    told: dict[str, Any] = json.loads(row.changes) if row.changes else {"notices": 0, "entries": []}
    changes = tuple(
        ClockChange(key, *map(datetime.fromisoformat, moments)) for key, *moments in told["entries"]
    )
    stops = tuple(
        (datetime.fromisoformat(begin), datetime.fromisoformat(end)) for begin, end in told.get("stops", ())
    )
    planned = row.planned_at or row.due_at
    early = datetime.fromisoformat(told["early"]) if told.get("early") else None
    grace = timedelta(seconds=told.get("grace", 0))
    offset = None if row.due_offset is None else timedelta(seconds=row.due_offset)
    notices = told["notices"]
    return TurnClock(planned, row.due_at, row.paused_at, changes, notices, stops, early, grace, offset)


def clock_columns(clock: TurnClock) -> dict[str, Any]:
    """A clock as columns of the table `turns`."""
    entries = [
        [one.key, *(moment.isoformat() for moment in (one.at, one.before, one.after))]
        for one in clock.changes
    ]
    stops = [[moment.isoformat() for moment in stop] for stop in clock.stops]
    early = None if clock.early is None else clock.early.isoformat()
    told = {"notices": clock.notices, "entries": entries, "stops": stops, "early": early}
    told["grace"] = clock.grace.total_seconds()
    return {
        "planned_at": clock.planned,
        "due_at": clock.due,
        "due_offset": None if clock.offset is None else int(clock.offset.total_seconds()),
        "paused_at": clock.paused_at,
        "changes": json.dumps(told, ensure_ascii=False),
    }


class SendState(StrEnum):
    """Where a text is on its way.

    READY: to be sent. SENDING: a request may have left, so whether the forum has it is unknown by definition.
    QUEUED: the forum took it, and a moderator has to let it through before anybody sees it.
    WRITTEN: it lies in a file for a person to paste, who will say so.
    SENT: seen to be in the forum, or said to be. HELD: needs the director.
    REPLACED: a newer revision took its place before it left. SKIPPED: there is nobody to send it to.
    VOIDED: its turn was voided before it left.
    """

    READY = "ready"
    SENDING = "sending"
    QUEUED = "queued"
    WRITTEN = "written"
    SENT = "sent"
    HELD = "held"
    REPLACED = "replaced"
    SKIPPED = "skipped"
    VOIDED = "voided"


WAITING = (SendState.READY, SendState.SENDING)
"""States in which something is still to be done."""


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """One revision of one part of one text. not_before: nothing is tried before.

    sending_since: when it was marked; the request left after that or never.
    """

    id: int
    turn_id: int
    ref: TurnRef
    kind: str
    part: int
    parts: int
    revision: int
    recipient: str
    title: str
    editable: bool
    body: str
    body_sha256: str
    marker: str
    state: SendState
    attempts: int
    unknowns: int
    not_before: datetime | None
    sending_since: datetime | None
    sent_at: datetime | None
    forum_topic: str | None
    forum_post_id: str | None
    reason: str | None
    url: str | None = None
    lead: str = ""

    @property
    def is_awaited(self) -> bool:
        """Whether its turn waits for it: no receipt, which is edited as orders come in, and no letter."""
        return self.recipient == TOPIC and not self.editable

    @property
    def is_put_off(self) -> bool:
        """Whether the forum refused it for the moment, and it is tried again at `not_before`."""
        return self.state is SendState.READY and self.reason is not None and self.not_before is not None

    @property
    def text(self) -> str:
        """What the forum gets: what it replaces, if anything; the body; on the last line, the marker."""
        return "\n\n".join(one for one in (self.lead, self.body, self.marker) if one)

    @classmethod
    def of(cls, row: Row[Any]) -> Self:
        """From the table `outbox`."""
        return cls(
            row.id,
            row.turn_id,
            TurnRef(row.game_id, row.number, row.track, row.attempt),
            row.kind,
            row.part,
            row.parts,
            row.revision,
            row.recipient,
            row.title,
            row.editable,
            row.body,
            row.body_sha256,
            row.marker,
            SendState(row.state),
            row.attempts,
            row.unknowns,
            row.not_before,
            row.sending_since,
            row.sent_at,
            row.forum_topic,
            row.forum_post_id,
            row.reason,
            row.url,
            row.lead,
        )
