"""What the commands run on: the host's service, and the folders and games that the director names."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import DBAPIError

from jobs.clock import SystemClock
from jobs.commands.files import fail
from jobs.folders import GAME
from jobs.logs import set_up_logging
from jobs.pipeline import PIPELINE
from jobs.settings import (
    DATA,
    DATABASE,
    Settings,
    SettingsError,
    list_secrets,
    read_secret,
    read_settings,
)
from jobs.speech import catalogue, say, speak_like
from jobs.wiring import Forums, OnlineForums, Scenes, assemble
from parsers.files.credentials import variable_of
from processor.backup.folders import Secrets
from processor.gate import Gate
from processor.ports import Clock, Forum
from processor.service.bundle import FolderFault, Service
from processor.store import games
from processor.store.rows import GameRow
from processor.store.urls import DatabaseFault, explain_error, parse_url, password_of
from rules.engine.messages import msg
from rules.play.game import Game

ANY_GAME = "TURNERO_FORUM_PASSWORD"
"""The password for games that have none of their own."""


@contextmanager
def open_service() -> Iterator[Service]:
    """The service of this machine, from its environment; ends the command where a setting can't be used."""
    with told_to_the_host():
        settings = read_settings(os.environ)
        gate, clock = Gate(), SystemClock()
        forums = _make_forums(settings, gate, clock)
        service = assemble(settings, PIPELINE, forums, gate=gate, clock=clock)
        try:
            yield service
        finally:
            service.database.close()


def has_database() -> bool:
    """Whether this machine's database is there already; ends the command where a setting can't be used."""
    with told_to_the_host():
        url = parse_url(read_settings(os.environ).database)
    return url.get_backend_name() != "sqlite" or Path(url.database or "").is_file()


@contextmanager
def told_to_the_host() -> Iterator[None]:
    """End the command with one line where a setting, a folder or the database can't be used."""
    try:
        yield
    except DatabaseFault as wrong:
        fail(catalogue().text(wrong.said))
    except (SettingsError, FolderFault) as wrong:
        fail(wrong.say(catalogue()))
    except DBAPIError as error:
        fail(catalogue().text(explain_error(error).said))


def _find_own_password(game: Game) -> str:
    """The same from this machine's environment. Raises FolderFault, so that only this game is parked."""
    try:
        return find_password(os.environ, game)
    except SettingsError as wrong:
        raise FolderFault(wrong.said) from wrong


def _find_session(game: Game) -> str | None:
    """The cookies of a browser's session that a director lends in place of a password; never those of all
    games, which are another forum's password. Raises FolderFault.
    """
    try:
        return read_secret(os.environ, variable_of(game.id))
    except SettingsError as wrong:
        raise FolderFault(wrong.said) from wrong


def find_password(environ: Mapping[str, str], game: Game) -> str:
    """The password of a game's forum account. Raises SettingsError where there is none."""
    own = variable_of(game.id)
    found = read_secret(environ, own) or read_secret(environ, ANY_GAME)
    if found is None:
        forum = game.forum
        raise SettingsError(msg("cli/no-password", account=forum.account, url=forum.url, variable=own))
    return found


def open_forum(game: Game) -> Forum:
    """A game's forum, without a database; ends the command where a setting can't be used."""
    try:
        settings = read_settings(os.environ)
        forums = _make_forums(settings, Gate(), SystemClock())
        return forums(game)
    except (SettingsError, FolderFault) as wrong:
        fail(wrong.say(catalogue()))


def now() -> datetime:
    """The machine's time, UTC."""
    return SystemClock().now()


def start_logging(level: int = logging.WARNING) -> None:
    """Log to standard error, without the secrets that this machine knows."""
    _, passwords = list_secrets(os.environ)
    set_up_logging(level, (*passwords, password_of(read_settings(os.environ).database)))


def _make_forums(settings: Settings, gate: Gate, clock: Clock) -> Callable[[Game], Forum]:
    online = OnlineForums(settings.data, gate, clock, _find_own_password)
    return Forums(online, gate, clock, Scenes(clock, _find_session))


def describe_settings() -> dict[str, str]:
    """The host's settings as they may be shown: without secrets."""
    settings = read_settings(os.environ)
    database = make_url(settings.database).set(query={})
    return {DATABASE: database.render_as_string(hide_password=True), DATA: str(settings.data)}


def find_secrets() -> Secrets:
    """What of this machine must not get into a backup."""
    files, texts = list_secrets(os.environ)
    return Secrets(files, (*texts, password_of(read_settings(os.environ).database)))


def list_missing_passwords(game_ids: Iterable[str]) -> tuple[str, ...]:
    """The variables in which passwords of these games have still to be put on this machine."""
    found = [variable_of(one) for one in game_ids]
    return tuple(one for one in found if not any(_is_set(name) for name in (one, ANY_GAME)))


def _is_set(name: str) -> bool:
    return bool(os.environ.get(name) or os.environ.get(f"{name}_FILE"))


def find_folder(folder: Path) -> Path:
    """A game's folder, whose language is spoken from now on; ends the command where it is none."""
    if not folder.is_dir():
        fail(say("cli/no-folder", folder=str(folder)))
    if not (folder / GAME).is_file():
        fail(say("cli/no-game", folder=str(folder), file=GAME))
    speak_like(folder / GAME)
    return folder.resolve()


def find_row(service: Service, folder: Path) -> GameRow | None:
    """The game registered from a folder."""
    with service.database.read() as connection:
        return games.find_game_in(connection, str(find_folder(folder)))


def require_row(service: Service, folder: Path) -> GameRow:
    """The game registered from a folder; ends the command where none is."""
    row = find_row(service, folder)
    if row is None:
        fail(say("cli/not-registered", folder=str(folder)))
    return row


def choose_rows(service: Service, folders: Sequence[Path]) -> tuple[GameRow, ...]:
    """The games of those folders, all registered ones where none is named."""
    if folders:
        return tuple(require_row(service, folder) for folder in folders)
    with service.database.read() as connection:
        return games.list_games(connection)
