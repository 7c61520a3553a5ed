"""Stopping for the director, parking a broken game, and going on afterwards."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from sqlalchemy import Connection, select, update

from processor import leases
from processor.service.bundle import Service
from processor.service.timing import back_off
from processor.service.vetting import ALTERED, UNVETTED
from processor.service.work import Work
from processor.store import games, outbox_rows, turns
from processor.store.rows import GameRow, SendState
from processor.store.tables import outbox
from processor.store.tables import turns as turns_table
from rules.engine.messages import Message
from rules.play.outgoing import Outgoing
from rules.play.turns import GameStatus, TurnStatus

WAIVABLE = frozenset(
    {"late", "outage", "clock", "too-late", "skew", "commitment", "nmr", "missing", "secret-out", ALTERED}
)
"""Holds that the director lifts by `retry`: the same finding doesn't hold the turn again."""
UNAPPROVED = "unapproved"
"""Code of the hold of a turn whose text no moderator has let through; it ends by itself when one does."""


def hold(work: Work, code: str, reason: Message | str) -> None:
    """Stop the turn until the director says `retry`, and write to the director why.

    code: stable, names the kind of obstacle. reason: for the director, as a message or in ready words.
    """
    said = work.say(reason)
    letters = work.service.pipeline.letters(work.play, said, code)
    if code in UNVETTED:  # a newer database doesn't know it and is not to take it for another letter
        letters = tuple(replace(one, kind=code) for one in letters)
    before = work.turn.held_from if work.turn.status is TurnStatus.HELD else work.turn.status
    with leases.fenced(work.service.database, work.lease) as connection:
        turns.change_turn(
            connection,
            work.turn.id,
            status=TurnStatus.HELD,
            held_from=before,
            held_code=code,
            reason=said,
        )
        put_letters(connection, work, letters)


def put_letters(connection: Connection, work: Work, letters: tuple[Outgoing, ...]) -> None:
    """Put letters into the outbox; a turn may be held or reminded of twice, then each letter goes out."""
    for letter in letters:
        kind, count = letter.kind, 1
        while earlier := outbox_rows.find_newest(connection, work.turn.id, kind):
            if tuple(row.body for row in earlier) == letter.parts:
                break
            count += 1
            kind = f"{letter.kind}-{count}"
        work.put(connection, (replace(letter, kind=kind),))


def park(service: Service, row: GameRow, reason: str) -> None:
    """Leave a game alone for a while because of its own fault; the others go on (reliability.md F42)."""
    failures = row.failures + 1
    with service.database.write(row.id) as connection:
        games.change_game(
            connection,
            row.id,
            status=GameStatus.PARKED,
            failures=failures,
            not_before=service.clock.now() + back_off(failures),
            note=reason,
        )


def unpark(connection: Connection, row: GameRow) -> None:
    """Note that a game works again. A step may have finished it meanwhile: then that stands."""
    if row.status is GameStatus.PARKED or row.failures:
        games.change_game(connection, row.id, failures=0, not_before=None, note=None)
        games.activate_parked(connection, row.id)


def retry(service: Service, game_id: str) -> int:
    """Go on where a game's turns are held, texts of its newest were given up, or the game is parked; the
    number of turns that go on.

    What is of unknown fate in the outbox is looked for before it is sent again.
    """
    now = service.clock.now()
    with service.database.write() as connection:
        row = games.find_game(connection, game_id)
        if row is None:
            return 0
        unpark(connection, row)
        known = [one for one in turns.list_turns(connection, game_id) if one.status is not TurnStatus.VOID]
        held = [one for one in known if one.status is TurnStatus.HELD]
        for turn in held:
            waived = turn.waived | ({turn.held_code} & WAIVABLE if turn.held_code else set())
            turns.change_turn(
                connection,
                turn.id,
                status=turn.held_from or TurnStatus.OPEN,
                held_from=None,
                held_code=None,
                reason=None,
                waived=" ".join(sorted(waived)),
                failures=0,
                next_at=now,
                fence=turns_table.c.fence + 1,
            )
            if turn.held_code == UNAPPROVED:
                _take_for_rejected(connection, (turn.id,))
        newest = max((one.ref.turn for one in known), default=0)
        fresh = {one.id for one in known if one.ref.turn >= newest - 1}
        refused = _release_rows(connection, fresh | {one.id for one in held})
        waking = update(turns_table).where(turns_table.c.id.in_(refused))
        connection.execute(waking.values(next_at=now))
        return len(refused | {turn.id for turn in held})


def send_again(service: Service, game_id: str) -> int:
    """Publish anew what a moderator has rejected, as the director says; the number of texts.

    Each is looked for once more before it is sent.
    """
    mine = (outbox.c.game_id == game_id, outbox.c.state == SendState.QUEUED)
    with service.database.write() as connection:
        found = connection.execute(select(outbox.c.turn_id).where(*mine)).scalars().all()
        _take_for_rejected(connection, found)
        going = update(turns_table).where(turns_table.c.id.in_(found))
        connection.execute(going.values(next_at=service.clock.now()))
    return len(found)


def _take_for_rejected(connection: Connection, turn_ids: Sequence[int]) -> None:
    mine = (outbox.c.turn_id.in_(turn_ids), outbox.c.state == SendState.QUEUED)
    fresh = {"state": SendState.SENDING, "unknowns": 0, "attempts": 0, "not_before": None}
    connection.execute(update(outbox).where(*mine).values(**fresh))


def _release_rows(connection: Connection, turn_ids: Collection[int]) -> set[int]:
    """Have every text of these turns tried again that was given up; the ids of those that have any."""
    mine = (outbox.c.turn_id.in_(turn_ids), outbox.c.state == SendState.HELD)
    found = set(connection.execute(select(outbox.c.turn_id).where(*mine)).scalars())
    for unsure, state in ((True, SendState.SENDING), (False, SendState.READY)):
        sent = outbox.c.sending_since.is_not(None) if unsure else outbox.c.sending_since.is_(None)
        fresh = {"state": state, "unknowns": 0, "attempts": 0, "not_before": None}
        connection.execute(update(outbox).where(*mine, sent).values(**fresh))
    return found
