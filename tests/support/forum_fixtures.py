"""Forums for tests: real Spirit and the stand-in, booted in about half a second and one millisecond."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, cast

import pytest

from jobs.adapters import ADAPTERS
from jobs.demo.flaskbb_install import install_flaskbb
from jobs.demo.flaskbb_server import FlaskbbServer
from jobs.demo.forum_server import ForumServer
from jobs.demo.misago_install import install_misago
from jobs.demo.misago_server import MisagoServer
from jobs.demo.postgres import PostgresServer
from jobs.demo.spirit_server import Account, Build, OpeningPost, SpiritServer, install_spirit
from processor.forums.http import ForumHttp, Limits
from processor.forums.spirit import SPIRIT, SpiritForum
from processor.ports import Forum, Probing
from rules.play.game import ForumSettings
from tests.support.standin import STANDINS, PhpbbStandIn, StandIn

BUILD = Path(__file__).resolve().parents[2] / "build" / "forum"
GM = Account("gamemaster", "Passw0rd-gm", staff=True, zone="Europe/Madrid")
ALICE = Account("alice", "Passw0rd-alice")
BOB = Account("bob", "Passw0rd-bob", zone="America/Santiago")
BOT = Account("turnero", "Passw0rd-turnero")
ACCOUNTS = (GM, ALICE, BOB, BOT)
TITLE = "Turno 3: ñandúes & <órdenes>"
SCENE: dict[str, Any] = {
    "topics": (OpeningPost(TITLE, "Hola.", GM.name),),
    "comments_per_page": 3,
    "topics_per_page": 2,
}
# Neither waiting nor retrying longer than a test wants to.
QUICK = Limits(deadline=20.0, gap=0.0, retries=2, backoff=0.01, longest=0.05)


@pytest.fixture(scope="session")
def spirit_build() -> Build:
    """Spirit, installed and set up once below build/ (half a minute the first time)."""
    return install_spirit(BUILD)


@pytest.fixture
def start_spirit(spirit_build: Build) -> Iterator[Callable[..., SpiritServer]]:
    """Boot real forums: `start_spirit(accounts, topics=…, …)`; without rate limits unless settings say so."""
    with ExitStack() as stack:

        def start(accounts: tuple[Account, ...] = ACCOUNTS, **options: Any) -> SpiritServer:
            settings = {"ST_RATELIMIT_ENABLE": False, **options.pop("settings", {})}
            return stack.enter_context(SpiritServer(spirit_build, accounts, settings=settings, **options))

        yield start


@pytest.fixture(scope="session")
def shared_spirit(spirit_build: Build) -> Iterator[SpiritServer]:
    """One real forum for the whole session; use it through `spirit`."""
    options: dict[str, Any] = {**SCENE, "settings": {"ST_RATELIMIT_ENABLE": False}}
    with SpiritServer(spirit_build, ACCOUNTS, **options) as server:
        yield server


@pytest.fixture
def spirit(shared_spirit: SpiritServer) -> SpiritServer:
    """A real forum with the topic TITLE, three posts a page and no rate limits, as new for each test."""
    shared_spirit.reset()
    return shared_spirit


@pytest.fixture
def start_standin() -> Iterator[Callable[..., StandIn]]:
    """Start stand-in forums: `start_standin(accounts, topics=…, …)`."""
    with ExitStack() as stack:

        def start(accounts: tuple[Account, ...] = ACCOUNTS, **options: Any) -> StandIn:
            return stack.enter_context(StandIn(accounts, **options))

        yield start


@pytest.fixture(scope="session")
def flaskbb_build() -> Build:
    """FlaskBB, installed and set up once below build/; fails where there is no Python that it runs on."""
    return install_flaskbb(BUILD)


@pytest.fixture(scope="session")
def shared_flaskbb(flaskbb_build: Build) -> Iterator[FlaskbbServer]:
    """One real forum for the whole session; use it through `flaskbb`."""
    with FlaskbbServer(flaskbb_build, ACCOUNTS, **SCENE) as server:
        yield server


@pytest.fixture
def flaskbb(shared_flaskbb: FlaskbbServer) -> FlaskbbServer:
    """A real forum with the topic TITLE, three posts a page and no limit on logins, as new for each test."""
    shared_flaskbb.reset()
    return shared_flaskbb


@pytest.fixture(scope="session")
def cluster() -> Iterator[PostgresServer]:
    """A PostgreSQL server for forums that need one."""
    server = PostgresServer()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def misago_build() -> Build:
    """Misago, installed and set up once below build/ (a minute the first time)."""
    return install_misago(BUILD)


@pytest.fixture(scope="session")
def shared_misago(misago_build: Build, cluster: PostgresServer) -> Iterator[MisagoServer]:
    """One real forum for the whole session; use it through `misago`."""
    settings = {"flood_protection": False}
    with MisagoServer(misago_build, ACCOUNTS, cluster=cluster, settings=settings, **SCENE) as server:
        yield server


@pytest.fixture
def misago(shared_misago: MisagoServer) -> MisagoServer:
    """A real forum with the topic TITLE and pages that go on by three posts, without its
    distance between posts, as new for each test.
    """
    shared_misago.reset()
    return shared_misago


def _make_fixture(kind: type[StandIn], name: str) -> Callable[[], Iterator[StandIn]]:
    @pytest.fixture(name=name)
    def start() -> Iterator[StandIn]:
        with kind(ACCOUNTS, **SCENE) as server:
            yield server

    return start


standin = _make_fixture(StandIn, "standin")
"""The stand-in with the same accounts, topic and page lengths as `spirit`."""
globals().update(
    (f"{name}_standin", _make_fixture(kind, f"{name}_standin")) for name, kind in STANDINS.items()
)
"""The same in each dialect: `spirit_standin` and so on."""


class Adapter(Forum, Probing, Protocol):
    """What every forum that is reached over the network offers."""


def enter(
    forum: ForumServer | StandIn,
    account: Account,
    *,
    limits: Limits = QUICK,
    min_interval: float = 0.0,
    max_chars: int | None = None,
    **http: Any,
) -> Adapter:
    """The adapter for whatever software the forum has or plays. options: as for `connect`."""
    adapter = ADAPTERS[forum.software]
    most = max_chars or adapter.capabilities.max_chars
    capabilities = replace(adapter.capabilities, min_interval=min_interval, max_chars=most)
    settings = ForumSettings(forum.software, f"{forum.url}/", "", account.name, account.zone)
    if isinstance(forum, PhpbbStandIn):  # which wants forms to age: its clock is what passes
        http.setdefault("sleep", forum.shift_clock)
    connection = ForumHttp(forum.url, limits=limits, **http)
    opened = adapter.opening(settings, account.password, connection, capabilities)
    assert isinstance(opened, Probing)
    return cast("Adapter", opened)


def connect(
    forum: ForumServer | StandIn,
    account: Account,
    *,
    limits: Limits = QUICK,
    min_interval: float = 0.0,
    max_chars: int = SPIRIT.max_chars,
    **http: Any,
) -> SpiritForum:
    """The adapter as an account uses it, without waiting between posts unless told.

    http: further arguments for ForumHttp, such as clock, sleep or cookies.
    """
    capabilities = replace(SPIRIT, min_interval=min_interval, max_chars=max_chars)
    connection = ForumHttp(forum.url, limits=limits, **http)
    return SpiritForum(forum.url, account.name, account.password, account.zone, connection, capabilities)
