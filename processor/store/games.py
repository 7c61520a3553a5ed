"""Rows of games, seats, tracks and the conversations with their people."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from processor.store.rows import GameRow
from processor.store.tables import conversations, games, seats, tracks
from rules.play.game import Game
from rules.play.turns import GameStatus


def add_game(
    connection: Connection,
    game: Game,
    *,
    folder: str,
    secret: bytes,
    first_turn: int,
    kind: str,
    now: datetime,
) -> None:
    """Register a game with its seats and its main track."""
    connection.execute(
        insert(games).values(
            id=game.id,
            folder=folder,
            title=game.title,
            ruleset=game.ruleset,
            status=GameStatus.ACTIVE,
            secret=secret.hex(),
            first_turn=first_turn,
            registered_at=now,
        )
    )
    connection.execute(
        insert(seats),
        [
            {
                "game_id": game.id,
                "seat": seat.id,
                "account": seat.account,
                "login": seat.login,
                "shown": json.dumps(asdict(seat.shown), ensure_ascii=False),
            }
            for seat in game.seats
        ],
    )
    connection.execute(insert(tracks).values(game_id=game.id, name="", kind=kind, topic=game.forum.topic))


def follow_seats(connection: Connection, game: Game) -> None:
    """Take over who plays the seats now. What was private between us and a former player ends: the next
    player is written to anew, under other names.
    """
    known = {row.seat: row for row in connection.execute(select(seats).where(seats.c.game_id == game.id))}
    for seat in game.seats:
        old = known.get(seat.id)
        if old is None or (old.account, old.login) == (seat.account, seat.login):
            continue
        left = old.account is not None and old.account != seat.account
        mine = (seats.c.game_id == game.id, seats.c.seat == seat.id)
        values = {"account": seat.account, "login": seat.login, "player": old.player + int(left)}
        connection.execute(update(seats).where(*mine).values(**values))
        if left:
            forget_conversation(connection, game.id, seat.id)


def find_changed_seats(connection: Connection, game: Game) -> bool:
    """Whether `follow_seats` has anything to do."""
    found = select(seats.c.seat, seats.c.account, seats.c.login).where(seats.c.game_id == game.id)
    known = {row.seat: (row.account, row.login) for row in connection.execute(found)}
    return any(known.get(one.id, (one.account, one.login)) != (one.account, one.login) for one in game.seats)


def count_players(connection: Connection, game_id: str) -> dict[str, int]:
    """By seat, the how manieth account has it; seats with their first one are left out."""
    found = select(seats.c.seat, seats.c.player).where(seats.c.game_id == game_id, seats.c.player > 1)
    return {row.seat: row.player for row in connection.execute(found)}


def find_game(connection: Connection, game_id: str) -> GameRow | None:
    """A registered game."""
    row = connection.execute(select(games).where(games.c.id == game_id)).one_or_none()
    return None if row is None else GameRow.of(row)


def get_game(connection: Connection, game_id: str) -> GameRow:
    """A game that is known to be registered."""
    return GameRow.of(connection.execute(select(games).where(games.c.id == game_id)).one())


def find_game_in(connection: Connection, folder: str) -> GameRow | None:
    """The game registered with that folder."""
    row = connection.execute(select(games).where(games.c.folder == folder)).one_or_none()
    return None if row is None else GameRow.of(row)


def list_games(connection: Connection) -> tuple[GameRow, ...]:
    """All registered games, by id."""
    return tuple(GameRow.of(row) for row in connection.execute(select(games).order_by(games.c.id)))


def change_game(connection: Connection, game_id: str, **values: Any) -> None:
    """Set columns of a game."""
    connection.execute(update(games).where(games.c.id == game_id).values(**values))


def activate_parked(connection: Connection, game_id: str) -> None:
    """Let a game go on, if it is parked at this moment."""
    parked = (games.c.id == game_id, games.c.status == GameStatus.PARKED)
    connection.execute(update(games).where(*parked).values(status=GameStatus.ACTIVE))


def find_track_kind(connection: Connection, game_id: str, track: str) -> str:
    """The kind of turn of a track."""
    found = select(tracks.c.kind).where(tracks.c.game_id == game_id, tracks.c.name == track)
    return str(connection.execute(found).scalar_one())


def find_conversation(connection: Connection, game_id: str, recipient: str) -> str | None:
    """The private conversation with a seat, None where none was opened yet."""
    mine = (conversations.c.game_id == game_id, conversations.c.recipient == recipient)
    found = connection.execute(select(conversations.c.topic).where(*mine)).scalar()
    return None if found is None else str(found)


def list_conversations(connection: Connection, game_id: str) -> dict[str, str]:
    """Recipient by topic of the conversations opened by us."""
    found = select(conversations.c.topic, conversations.c.recipient).where(conversations.c.game_id == game_id)
    return {str(row.topic): str(row.recipient) for row in connection.execute(found)}


def keep_conversation(connection: Connection, game_id: str, recipient: str, topic: str) -> None:
    """Remember where a recipient is written to."""
    forget_conversation(connection, game_id, recipient)
    connection.execute(insert(conversations).values(game_id=game_id, recipient=recipient, topic=topic))


def forget_conversation(connection: Connection, game_id: str, recipient: str) -> None:
    """Open a new conversation next time."""
    mine = (conversations.c.game_id == game_id, conversations.c.recipient == recipient)
    connection.execute(delete(conversations).where(*mine))
