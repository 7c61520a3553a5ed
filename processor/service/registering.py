"""Making a game known: its row, its secret, and its first turn, planned."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from processor.pipeline.context import PlayContext, Secrets
from processor.service.bundle import FolderFault, LoadedGame, Service
from processor.store import games, turns
from processor.store.rows import GameRow
from processor.store.turns import PlannedTurn
from rules.engine.codec import canonical_json, dump_state
from rules.engine.legible import is_legible, make_legible
from rules.engine.messages import msg
from rules.play.game import Game
from rules.play.turns import TurnRef

SECRET_BYTES = 32


def register_game(service: Service, folder: Path) -> GameRow:
    """Register the game of a folder and plan its first turn; once registered it is only looked up.

    Raises FolderFault where the folder can't be used, its game is registered from another folder, or another
    game from this one.
    """
    folder = folder.resolve()
    if not is_legible(str(folder)):  # stored in any other way it would not be found again
        raise FolderFault(msg("folder/illegible", path=make_legible(str(folder))))
    loaded = service.pipeline.load_game(folder)
    with service.database.read() as connection:
        known = games.find_game(connection, loaded.game.id)
        other = games.find_game_in(connection, str(folder))
    if other is not None and other.id != loaded.game.id:
        raise FolderFault(msg("folder/other-game", game=other.id, named=loaded.game.id))
    known = known or _add(service, folder, loaded)
    if known.folder != str(folder):
        raise FolderFault(msg("folder/registered", game=known.id, folder=known.folder))
    return known


def _add(service: Service, folder: Path, loaded: LoadedGame) -> GameRow:
    _require_private(service, loaded.game)
    state = service.pipeline.load_setup(folder, loaded)
    secret = service.random_bytes(SECRET_BYTES)
    planned = _plan_first(service, loaded, state, secret)
    try:
        with service.database.write() as connection:
            _store(connection, folder, loaded, secret, planned, service.clock.now())
    except IntegrityError:  # somebody else has registered it meanwhile
        pass
    with service.database.read() as connection:
        return games.get_game(connection, loaded.game.id)


def _require_private(service: Service, game: Game) -> None:
    """A game with secret orders needs a forum in which they can be sent. Raises FolderFault."""
    if game.forum.secret and not service.open_forum(game).capabilities.private:
        raise FolderFault(msg("folder/no-private", software=game.forum.software))


def _store(
    connection: Connection,
    folder: Path,
    loaded: LoadedGame,
    secret: bytes,
    planned: PlannedTurn,
    now: datetime,
) -> None:
    games.add_game(
        connection,
        loaded.game,
        folder=str(folder),
        secret=secret,
        first_turn=loaded.game.first_turn,
        kind=loaded.ruleset.main_kind.name,
        now=now,
    )
    turns.add_turn(connection, planned, None, next_at=now)


def _plan_first(service: Service, loaded: LoadedGame, state: Any, secret: bytes) -> PlannedTurn:
    game = loaded.game
    deadline = service.pipeline.next_deadline(game.schedule, game.zone, service.clock.now())
    play = PlayContext(
        game=game,
        ruleset=loaded.ruleset,
        kind=loaded.ruleset.main_kind,
        state=state,
        ref=TurnRef(game.id, game.first_turn),
        deadline=deadline,
        catalogue=loaded.catalogue,
        forum=service.open_forum(game).capabilities,
        topic_url=loaded.topic_url,
    )
    return plan_turn(service, play, secret)


def plan_turn(service: Service, play: PlayContext, secret: bytes) -> PlannedTurn:
    """A turn with a fresh seed and what is published about it. secret: H."""
    seed = service.random_bytes(SECRET_BYTES)
    published = service.pipeline.commitments(play, Secrets(seed, secret, play.ref.attempt))
    state = canonical_json(dump_state(play.state))
    return PlannedTurn(play.ref, play.deadline, seed, published, state, play.ruleset.version)
