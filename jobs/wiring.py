"""The one place where everything is put together: store, clock, forums, and the game's pure functions."""

from __future__ import annotations

import os
import secrets
import signal
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from jobs.adapters import ADAPTERS, Adapter
from jobs.catalogues import load_catalogue
from jobs.clock import SystemClock
from jobs.sessions import SessionFile
from jobs.settings import BEACON, Settings, SettingsError
from processor.beacon import HttpBeacon
from processor.checkpoints import DieAt, Reach, parse_kill_at, pass_by
from processor.folder import DiskFolder
from processor.forums.folder import FolderForum, Scene
from processor.forums.http import ForumHttp, Limits
from processor.forums.pace import Pace, origin_of
from processor.forums.umbria import GAP, UmbriaScene
from processor.gate import Gate
from processor.ports import Clock, Forum
from processor.service.bundle import FolderFault, Pipeline, Service
from processor.store.database import Database
from processor.store.migrate import upgrade
from processor.store.urls import SQLITE, DatabaseFault, is_in_memory
from rules.engine.messages import msg
from rules.play.game import UMBRIA, ForumSettings, Game

Password = Callable[[Game], str | None]
"""The forum password of a game's account, None where the host has set none."""


def assemble(
    settings: Settings,
    pipeline: Pipeline,
    open_forum: Callable[[Game], Forum],
    *,
    gate: Gate,
    clock: Clock | None = None,
    random_bytes: Callable[[int], bytes] = secrets.token_bytes,
) -> Service:
    """A service over the host's database, which is migrated where needed.

    open_forum: the same forum for the same account. gate: the one that its forums call.

    Raises DatabaseFault, SettingsError.
    """
    return Service(
        database=open_database(settings),
        clock=clock or SystemClock(),
        pipeline=pipeline,
        open_forum=open_forum,
        folder=DiskFolder(),
        random_bytes=random_bytes,
        owner=f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}",
        gate=gate,
        reach=make_reach(settings.kill_at),
        beacon=make_beacon(settings.beacon),
    )


def make_beacon(address: str) -> HttpBeacon:
    """The public source of randomness. Raises SettingsError for an address that can't be one."""
    try:
        return HttpBeacon(address)
    except ValueError as error:
        raise SettingsError(msg("cli/setting", name=BEACON, why=str(error))) from error


def open_database(settings: Settings) -> Database:
    """The host's database, brought to this program's schema. Raises DatabaseFault."""
    database = Database(settings.database)
    if database.url.get_backend_name() == SQLITE and not is_in_memory(database.url):
        _make_folder(Path(str(database.url.database)).parent)
    upgrade(database)
    return database


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseFault(msg("folder/unwritable", path=str(folder), why=str(error.strerror))) from error


def make_reach(kill_at: str | None) -> Reach:
    """What checkpoints do: nothing, or in the kill tests the end. Raises SettingsError for an unknown one."""
    if kill_at is None:
        return pass_by
    try:
        where, occurrence = parse_kill_at(kill_at)
    except ValueError as error:
        raise SettingsError(msg("cli/setting", name="TURNERO_KILL_AT", why=str(error))) from error
    return DieAt(where, occurrence, lambda: os.kill(os.getpid(), signal.SIGKILL))


@dataclass
class Forums:
    """Opens the forum of any game. online: of forums that are reached over the network. scenes: topics that
    are read though a person carries what is published in them.
    """

    online: Callable[[Game], Forum]
    gate: Gate
    clock: Clock
    scenes: Callable[[Game], Scene]

    def __call__(self, game: Game) -> Forum:
        """The forum of a game. Raises FolderFault."""
        if not game.forum.carried:
            return self.online(game)
        scene = self.scenes(game) if game.forum.software == UMBRIA else None
        return FolderForum(game, load_catalogue(game.language), self.clock, self.gate, scene)


@dataclass
class Scenes:
    """Opens scenes of Comunidad Umbría, each time anew, but at one pace for each host.

    session: the cookies that a game's director lends, None where the scene is read as a guest.
    """

    clock: Clock
    session: Password
    limits: Limits = field(default_factory=lambda: Limits(gap=GAP))
    _connections: dict[tuple[str, str], ForumHttp] = field(default_factory=dict)
    _paces: dict[str, Pace] = field(default_factory=dict)

    def __call__(self, game: Game) -> Scene:
        """The scene of a game. Raises FolderFault where what is lent can't be read."""
        forum, site = game.forum, origin_of(game.forum.url)
        made = Pace(self.limits.gap, self.clock.monotonic, self.clock.sleep)
        http = ForumHttp(
            site,
            limits=self.limits,
            pace=self._paces.setdefault(site, made),
            clock=self.clock.monotonic,
            sleep=self.clock.sleep,
        )
        session = self.session(game)
        return UmbriaScene(http, forum.url, forum.zone, session=session, notes=forum.notes)


@dataclass
class OnlineForums:
    """Opens forums that are reached over the network, one for each account, and keeps their sessions.

    Accounts on one host share its pace: it sees one visitor, however many games are played there.

    password: of a game's account. limits: of requests. adapters: by software, for a host who has changed a
    software's defaults.
    """

    data: Path
    gate: Gate
    clock: Clock
    password: Password
    limits: Limits = field(default_factory=Limits)
    adapters: Mapping[str, Adapter] = field(default_factory=lambda: ADAPTERS)
    _open: dict[ForumSettings, Forum] = field(default_factory=dict)
    _connections: dict[tuple[str, str], ForumHttp] = field(default_factory=dict)
    _paces: dict[str, Pace] = field(default_factory=dict)

    def __call__(self, game: Game) -> Forum:
        """The forum of a game. Raises FolderFault where there is no password."""
        key = replace(game.forum, topic="", secret=True)
        if key not in self._open:
            self._open[key] = self._connect(game)
        return self._open[key]

    def _connect(self, game: Game) -> Forum:
        password, forum = self.password(game), game.forum
        if password is None:
            raise FolderFault(msg("cli/password-missing", account=forum.account, url=forum.url))
        return self.adapters[forum.software].open(forum, password, self._connection_of(forum))

    def _connection_of(self, forum: ForumSettings) -> ForumHttp:
        """One for each account: its games share the session, and the distance between its posts."""
        key = (forum.url, forum.account)
        if key not in self._connections:
            self._connections[key] = self._make_connection(forum)
        return self._connections[key]

    def _make_connection(self, forum: ForumSettings) -> ForumHttp:
        return ForumHttp(
            forum.url,
            limits=self.limits,
            cookies=SessionFile(self.data / "sessions", forum.url, forum.account),
            pace=self._pace_of(forum.url),
            clock=self.clock.monotonic,
            sleep=self.clock.sleep,
            checkpoint=self.gate,
        )

    def _pace_of(self, url: str) -> Pace:
        made = Pace(self.limits.gap, self.clock.monotonic, self.clock.sleep)
        return self._paces.setdefault(origin_of(url), made)
