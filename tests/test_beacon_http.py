"""The beacon over HTTP, as drand's servers answer, on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from jobs.settings import DRAND, SettingsError, read_settings
from jobs.wiring import make_beacon
from parsers.files.errors import FileErrors
from parsers.files.game import parse_game
from processor.beacon import HttpBeacon
from processor.ports import BeaconError
from rules.play.beacons import QUICKNET, Pulse
from tests.test_commands import GAME

SIGNATURE = "aa" * 48
RIGHT = {"round": 7, "randomness": sha256(bytes.fromhex(SIGNATURE)).hexdigest(), "signature": SIGNATURE}


@dataclass
class Server:
    """A server that gives one answer to everything."""

    url: str = ""
    status: int = 200
    body: bytes = json.dumps(RIGHT).encode()
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[Server]:
    """On a free port of this machine."""
    told = Server()

    class Handler(BaseHTTPRequestHandler):
        """Answers what the test says."""

        def do_GET(self) -> None:
            told.asked.append(self.path)
            self.send_response(told.status)
            self.send_header("Content-Length", str(len(told.body)))
            self.end_headers()
            self.wfile.write(told.body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as served:
        told.url = f"http://127.0.0.1:{served.server_port}/espejo"
        thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield told
        served.shutdown()
        thread.join()


def test_a_round_is_asked_for_by_its_number(server: Server) -> None:
    """Below the address that the host has set; its randomness is the hash of the signature."""
    assert Pulse(7, b"\xaa" * 48) == HttpBeacon(server.url).fetch(7)
    assert [f"/espejo/{QUICKNET}/public/7"] == server.asked


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (404, b"{}"),
        (503, b""),
        (200, b"<html>"),
        (200, b"[]"),
        (200, json.dumps(RIGHT | {"round": 8}).encode()),
        (200, json.dumps(RIGHT | {"signature": "aa"}).encode()),
        (200, json.dumps(RIGHT | {"signature": None}).encode()),
        (200, json.dumps(RIGHT | {"randomness": "bb" * 32}).encode()),
        (200, b" " * 20_000),
    ],
)
def test_any_other_answer_is_none(server: Server, status: int, body: bytes) -> None:
    """Another round, a cut signature, a randomness that isn't its hash, an error page."""
    server.status, server.body = status, body
    with pytest.raises(BeaconError):
        HttpBeacon(server.url).fetch(7)
    assert 1 == len(server.asked)


def test_the_host_says_whom_to_ask() -> None:
    """`TURNERO_BEACON`; an address that is none is told with its name."""
    assert (DRAND, "http://127.0.0.1:1") == (
        read_settings({"HOME": "h"}).beacon,
        read_settings({"HOME": "h", "TURNERO_BEACON": "http://127.0.0.1:1"}).beacon,
    )
    with pytest.raises(SettingsError, match="TURNERO_BEACON"):
        make_beacon("drand")


def test_a_game_chooses_the_beacon_where_the_forum_is_reached() -> None:
    """No person carries a lock to a forum within minutes."""
    game = GAME.replace('zone = "', 'proof = "beacon"\nzone = "', 1)
    assert "beacon" == parse_game(game).game.proof
    carried = 'software = "folder"\n'
    lines = [line for line in game.splitlines() if not line.startswith(("url =", 'account = "turnero"'))]
    text = "\n".join(carried.strip() if line.startswith("software") else line for line in lines)
    with pytest.raises(FileErrors) as found:
        parse_game(text)
    assert ["game/proof"] == [one.code for one in found.value.problems if one.key == "proof"]
