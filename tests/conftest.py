"""What holds for the whole suite: no clock in property tests, only loopback, nothing skipped."""

from __future__ import annotations

import os
import socket
from collections.abc import Generator
from ipaddress import ip_address
from typing import Any

import pytest
from hypothesis import settings

from jobs.demo.postgres import NoPostgres
from jobs.speech import speaking
from tests.support import databases
from tests.support.standin import STANDINS

BOOTED = ("flaskbb", "misago")
"""Forums that not every machine can run; Spirit runs wherever we do."""

pytest_plugins = ["tests.support.forum_fixtures"]

# A deadline would make a property test fail on a busy machine.
settings.register_profile("turnero", deadline=None, print_blob=True)
settings.load_profile("turnero")

_connect = socket.socket.connect


def _is_local(address: object) -> bool:
    if not isinstance(address, tuple):  # a path: Unix sockets
        return True
    try:
        return ip_address(str(address[0])).is_loopback
    except ValueError:  # a name
        return str(address[0]) == "localhost"


def _connect_locally(self: socket.socket, address: Any, /) -> None:
    if not _is_local(address):
        raise RuntimeError(f"a test wants to reach {address}: tests use loopback only")
    _connect(self, address)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--database`: on which the tests run whose database isn't a matter of the test itself."""
    parser.addoption("--database", choices=("sqlite", "postgres"), default="sqlite")

    parser.addoption("--forums", action="store_true", help="only the forums that not every machine can run")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`forum_name`: each forum and stand-in that is reached; `scene_name`: and those that a person carries;
    `flaskbb_name` and so on: those of one software.
    """
    reached = [*(f"{name}_standin" for name in STANDINS), "spirit", *BOOTED]
    named = {f"{one}_name": [name for name in reached if name.startswith(one)] for one in STANDINS}
    named |= {"forum_name": reached, "scene_name": [*reached, "carried", "saved", "live"]}
    for name, forums in named.items():
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, [_mark_booted(forum) for forum in forums])


def _mark_booted(forum: str) -> object:
    return pytest.param(forum, marks=pytest.mark.forums) if forum in BOOTED else forum


def pytest_configure(config: pytest.Config) -> None:
    """Start the database, and keep the tests' requests on this machine, whatever proxy is set for pip."""
    if config.getoption("database") == "postgres" and not databases.on_postgres():
        try:
            config.add_cleanup(databases.start_server().stop)
        except NoPostgres as missing:
            raise pytest.UsageError(str(missing)) from missing
    config.add_cleanup(databases.close_newer)  # before the server stops
    os.environ["no_proxy"] = os.environ["NO_PROXY"] = "127.0.0.1,localhost,::1"
    socket.socket.connect = _connect_locally  # type: ignore[assignment, method-assign]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On PostgreSQL run what has to do with the database, but for the tests that boot a real forum; forums
    that not every machine can run where they are asked for, and then nothing else.
    """
    asked = config.getoption("forums")
    chosen = [item for item in items if asked == (item.get_closest_marker("forums") is not None)]
    if config.getoption("database") == "postgres":
        chosen = [item for item in chosen if _concerns_database(item)]
    left = set(items) - set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item in left])
    items[:] = chosen


def _concerns_database(item: pytest.Item) -> bool:
    return (
        databases.are_used_by(item.path)
        and "spirit_build" not in getattr(item, "fixturenames", ())
        and item.get_closest_marker("sqlite") is None
    )


@pytest.fixture(autouse=True)
def _no_database_left() -> Generator[None]:
    """What a test alone has used goes with it; what fixtures of its module made before stays."""
    before = databases.count_open()
    yield
    databases.close_newer(before)


@pytest.fixture(autouse=True)
def _in_spanish() -> Generator[None]:
    """What a test makes the terminal speak is no matter of the next one."""
    with speaking("es"):
        yield


def _fail_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    if not report.skipped:
        return
    report.outcome = "failed"
    report.longrepr = f"skipped, which counts as failed here: {report.longrepr}"
    if hasattr(report, "wasxfail"):  # with it the session wouldn't count the failure
        del report.wasxfail


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn a skipped or expectedly failing test into a failed one: what isn't run isn't known."""
    report = yield
    _fail_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a module that is skipped whole."""
    report = yield
    _fail_skipped(report)
    return report
