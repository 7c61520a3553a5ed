"""The suite's own guards (tests/conftest.py)."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    "code",
    [
        "import pytest\n\ndef test_it(): pytest.skip('not here')\n",
        "import pytest\n\n@pytest.mark.xfail\ndef test_it(): raise ValueError\n",
        "import pytest\n\npytest.skip('not here', allow_module_level=True)\n",
        "import unittest as u\n\n@u.skip('')\nclass TestIt(u.TestCase):\n    def test_it(self): ...\n",
    ],
    ids=["skip", "xfail", "module", "unittest"],
)
def test_a_skipped_test_counts_as_failed(tmp_path: Path, code: str) -> None:
    """However a test is skipped, the run fails and says so."""
    (tmp_path / "test_it.py").write_text(code)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.conftest",
        "--rootdir",
        str(tmp_path),
        str(tmp_path),
    ]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert "skipped, which counts as failed here" in run.stdout


@pytest.mark.parametrize("host", ["192.0.2.1", "forum.example", "2001:db8::1"])
def test_other_machines_cannot_be_reached(host: str) -> None:
    """A test that would reach off this machine fails at once instead of hanging."""
    with socket.socket() as client, pytest.raises(RuntimeError, match="loopback only"):
        client.connect((host, 80))


def test_loopback_can_be_reached() -> None:
    """Forums of the tests listen on loopback."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()[:2]):
        pass
