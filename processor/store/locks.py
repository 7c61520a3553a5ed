"""Rows of a locked turn: what was frozen, each order a row of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, func, insert, select, update

from processor.store.columns import digest
from processor.store.rows import TurnRow
from processor.store.tables import locks, orders, results, submissions, turns
from rules.engine.ptd1 import Entropy
from rules.play.reading import SeatReading, Submission, TurnReading
from rules.play.turns import TurnRef, TurnStatus

WAITS = json.dumps(["beacon"])
"""What stands for E in the lock of a turn that is to wait for the beacon."""
BEACON_PARTS = 3


@dataclass(frozen=True, slots=True)
class LockRow:
    """A frozen turn as stored. reading: JSON of `TurnReading`. entropy: JSON of E, key: K; while the
    beacon is waited for what is known of E, and b"".

    carried: JSON of what the seats take into the next turn, "" where the turn was locked by a program that
    didn't know of it. promise: how the commitment's post was then, as `Seen.dump` wrote it; "" for the same.
    """

    locked_at: datetime
    reading: str
    overrides: str
    lock_tag: str
    manifest_hash: str
    rules_id: str
    posts_read: int
    last_position: int
    entropy: str
    key: bytes
    carried: str = ""
    promise: str = ""


def add_lock(connection: Connection, turn_id: int, lock: LockRow, reading: TurnReading) -> None:
    """Store a frozen turn with a row for each block and each line."""
    connection.execute(
        insert(locks).values(
            turn_id=turn_id,
            locked_at=lock.locked_at,
            reading=lock.reading,
            overrides=lock.overrides,
            overrides_sha256=digest(lock.overrides),
            lock_tag=lock.lock_tag,
            manifest_sha256=lock.manifest_hash,
            rules_id=lock.rules_id,
            posts_read=lock.posts_read,
            last_position=lock.last_position,
            entropy=lock.entropy,
            key=lock.key.hex(),
            carried=lock.carried,
            promise=lock.promise,
        )
    )
    blocks, lines = reading_rows(turn_id, reading)
    if blocks:
        connection.execute(insert(submissions), blocks)
    if lines:
        connection.execute(insert(orders), lines)


def reading_rows(turn_id: int, reading: TurnReading) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The rows of a reading: of its blocks, and of its lines in force."""
    blocks = [row for seat in reading.seats for row in _submission_rows(turn_id, seat)]
    return blocks, [row for seat in reading.seats for row in _order_rows(turn_id, seat)]


def find_lock(connection: Connection, turn_id: int) -> LockRow:
    """The frozen turn."""
    row = connection.execute(select(locks).where(locks.c.turn_id == turn_id)).one()
    return LockRow(
        row.locked_at,
        row.reading,
        row.overrides,
        row.lock_tag,
        row.manifest_sha256,
        row.rules_id,
        row.posts_read,
        row.last_position,
        row.entropy,
        bytes.fromhex(row.key),
        row.carried,
        row.promise,
    )


def find_carried(connection: Connection, ref: TurnRef) -> str:
    """What the turn before left to its seats: of its newest attempt that counts, "" where there is none."""
    before = (turns.c.game_id == ref.game, turns.c.track == ref.track, turns.c.number == ref.turn - 1)
    found = connection.execute(
        select(func.coalesce(results.c.carried, locks.c.carried))
        .join(turns, turns.c.id == locks.c.turn_id)
        .outerjoin(results, results.c.turn_id == locks.c.turn_id)
        .where(*before, turns.c.status != TurnStatus.VOID)
        .order_by(turns.c.attempt.desc())
        .limit(1)
    ).scalar()
    return "" if found is None else str(found)


def find_brought(connection: Connection, turn: TurnRow) -> str:
    """What the seats bring into a turn: what the turn before left, or what a voided attempt left over."""
    return find_carried(connection, turn.ref) if turn.carried is None else turn.carried


def find_used_overrides(connection: Connection, turn_id: int) -> str:
    """The text of the override file that a turn was resolved with, else locked with; "" where it wasn't."""
    found = _find_newest(connection, turn_id, results.c.late_overrides, locks.c.overrides)
    return "" if found is None else found


def find_left(connection: Connection, turn_id: int) -> str:
    """What a locked turn leaves to its seats, "" where it doesn't say."""
    found = _find_newest(connection, turn_id, results.c.carried, locks.c.carried)
    if found is None:
        raise LookupError(f"turn {turn_id} is not locked")
    return found


def _find_newest(
    connection: Connection, turn_id: int, resolved: Column[Any], locked: Column[Any]
) -> str | None:
    """What a turn was resolved with where that changed behind the lock, else locked with; None: neither."""
    found = connection.execute(
        select(func.coalesce(resolved, locked))
        .outerjoin(results, results.c.turn_id == locks.c.turn_id)
        .where(locks.c.turn_id == turn_id)
    ).scalar()
    return None if found is None else str(found)


def find_tried(connection: Connection, turn_id: int) -> str | None:
    """Hash of the override file of the last run that asked."""
    found = connection.execute(select(locks.c.tried_sha256).where(locks.c.turn_id == turn_id)).scalar_one()
    return None if found is None else str(found)


def mark_tried(connection: Connection, turn_id: int, overrides: str) -> None:
    """Remember with which override file the turn was run and asked."""
    connection.execute(update(locks).where(locks.c.turn_id == turn_id).values(tried_sha256=digest(overrides)))


def find_entropy(connection: Connection, turn_id: int) -> Entropy | None:
    """E of a locked turn; None for a turn that isn't locked, or that waits for the beacon."""
    found = connection.execute(select(locks.c.entropy).where(locks.c.turn_id == turn_id)).scalar()
    return None if found is None else parse_entropy(str(found))


def parse_entropy(text: str) -> Entropy | None:
    """E as stored; None while only the beacon's round, or not even that, is known. Raises ValueError."""
    parts = json.loads(text)
    return None if parts[0] == "beacon" and len(parts) < BEACON_PARTS else Entropy.from_texts(parts)


def find_round(connection: Connection, turn_id: int) -> int | None:
    """The beacon's round that was announced last for a locked turn, None for none."""
    text = connection.execute(select(locks.c.entropy).where(locks.c.turn_id == turn_id)).scalar_one()
    parts = json.loads(text)
    return int(parts[1].partition(":")[2]) if parts[0] == "beacon" and len(parts) > 1 else None


def set_round(connection: Connection, turn_id: int, source: str) -> None:
    """Store which round is announced (`quicknet:ROUND`)."""
    entropy = json.dumps(["beacon", source])
    connection.execute(update(locks).where(locks.c.turn_id == turn_id).values(entropy=entropy))


def fix_entropy(connection: Connection, turn_id: int, entropy: str, key: bytes) -> None:
    """Store E, as JSON, and K."""
    mine = locks.c.turn_id == turn_id
    connection.execute(update(locks).where(mine).values(entropy=entropy, key=key.hex()))


def change_reading(connection: Connection, turn_id: int, reading: str) -> None:
    """Store a frozen reading with more late posts in its list; what counts in it never changes."""
    connection.execute(update(locks).where(locks.c.turn_id == turn_id).values(reading=reading))


def move_up(connection: Connection, turn_id: int, find_moved: Callable[[int], int]) -> None:
    """Have the next turn's reading begin where the post stands now up to which this one was read.

    find_moved: from where a post stood to where it stands. Without effect where the turn isn't locked.
    """
    mine = locks.c.turn_id == turn_id
    last = connection.execute(select(locks.c.last_position).where(mine)).scalar()
    if last is not None and find_moved(last) != last:
        connection.execute(update(locks).where(mine).values(last_position=find_moved(last)))


def _submission_rows(turn_id: int, seat: SeatReading) -> list[dict[str, Any]]:
    kept = [(one, True) for one in seat.in_force] + [(one, False) for one in seat.rejected]
    return [
        {
            "turn_id": turn_id,
            "seat": seat.seat,
            "position": position,
            "post_id": one.post.id,
            "in_force": in_force,
            "valid": one.valid,
            "withdrawal": one.withdrawal,
            "standing": one.standing,
            "ready": one.ready,
        }
        for position, (one, in_force) in enumerate(kept, 1)
    ]


def _order_rows(turn_id: int, seat: SeatReading) -> list[dict[str, Any]]:
    lines = [(block, line) for block in seat.in_force for line in block.lines]
    return [
        {
            "turn_id": turn_id,
            "seat": seat.seat,
            "position": position,
            "number": line.number,
            "post_id": _post_of(block),
            "line": line.line,
            "text": line.text,
            "accepted": line.order is not None,
            "name": line.order.name if line.order else None,
        }
        for position, (block, line) in enumerate(lines, 1)
    ]


def _post_of(block: Submission) -> str:
    return block.post.id
