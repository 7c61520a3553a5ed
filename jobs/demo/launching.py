"""What the launchers of forums share: a clock that can be moved, and talking with the owner in JSON lines.

It runs inside a forum's own environment, from the launcher's folder, and imports nothing of Turnero.
"""

# Forums are not in Turnero's environment, so their types aren't either.
# mypy: ignore-errors
# Django can only be imported once it is configured.
# ruff: noqa: PLC0415

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

_real_time = time.time


class Clock:
    """The forum's clock: the real one, moved by the owner; or a file's, which stands between its changes."""

    def __init__(self) -> None:
        self._shift = 0.0
        self._file: Path | None = None

    def time(self) -> float:
        """In place of `time.time`."""
        if self._file is not None:
            return datetime.fromisoformat(self._file.read_text(encoding="ascii")).timestamp()
        return _real_time() + self._shift

    def move(self, moment: datetime) -> datetime:
        """The real present as the forum sees it, in the same zone."""
        if self._file is not None:
            return datetime.fromtimestamp(self.time(), moment.tzinfo)
        return moment + timedelta(seconds=self._shift)

    def obey(self, command: dict[str, Any]) -> bool:
        """Do what the owner wants of the clock; False where the command isn't about it."""
        match command:
            case {"do": "shift", "seconds": seconds}:
                self._shift += seconds
            case {"do": "follow", "path": path}:
                self._file = Path(path)
            case _:
                return False
        return True

    def reset(self) -> None:
        """Be the real one again."""
        self._shift, self._file = 0.0, None


def say(message: dict[str, Any]) -> None:
    """Tell the owner."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def listen(obey: Callable[[dict[str, Any]], dict[str, Any]], clock: Clock) -> None:
    """Obey the owner's commands until it goes; then end the process, so that no forum outlives it.

    obey: those that are not the clock's.
    """
    for line in sys.stdin:
        try:
            command = json.loads(line)
            say({"ok": True} if clock.obey(command) else obey(command))
        except Exception as error:  # noqa: BLE001 - the owner is told, the forum lives on
            say({"error": f"{type(error).__name__}: {error}"})
    os._exit(0)


def bind(port: int) -> tuple[socket.socket, str]:
    """A socket on loopback, and the address of what is served there. port: 0 takes a free one."""
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    return listener, f"http://127.0.0.1:{listener.getsockname()[1]}"


def serve_django(listener: socket.socket, application: Any) -> Callable[[], None]:
    """Make a server of Django's for a bound socket; what is given back serves for ever."""
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler

    # Django sends head and body apart; without this each answer waits 40 ms for the other side's system.
    WSGIRequestHandler.disable_nagle_algorithm = True
    server = ThreadedWSGIServer(listener.getsockname(), WSGIRequestHandler, bind_and_activate=False)
    server.socket.close()
    server.socket = listener
    server.server_name, server.server_port = listener.getsockname()
    server.setup_environ()
    server.server_activate()
    server.daemon_threads = True
    server.set_app(application)
    return server.serve_forever
