"""What holds for the whole suite: no clock in property tests, only loopback, nothing skipped."""

from __future__ import annotations

import os
import socket
from collections.abc import Generator
from ipaddress import ip_address
from typing import Any

import pytest
from hypothesis import settings

from jobs.speech import speaking

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


def pytest_configure() -> None:
    """Keep the tests' requests on this machine, whatever proxy its environment names for pip."""
    os.environ["no_proxy"] = os.environ["NO_PROXY"] = "127.0.0.1,localhost,::1"
    socket.socket.connect = _connect_locally  # type: ignore[assignment, method-assign]


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
