"""Connections whose sockets can be cut from outside, for a deadline over a whole request."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool


class TrackingAdapter(HTTPAdapter):
    """A transport without own retries that remembers its open sockets."""

    def __init__(self) -> None:
        self._sockets: list[socket.socket] = []
        super().__init__(max_retries=0)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """Make the pools' connections report their sockets."""
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {
            "http": _pool_class(HTTPConnectionPool, _tracked(HTTPConnection, self._track)),
            "https": _pool_class(HTTPSConnectionPool, _tracked(HTTPSConnection, self._track)),
        }

    def cut(self) -> None:
        """Shut every connection down; whoever reads from one gets an error at once."""
        for sock in self._sockets:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def _track(self, sock: socket.socket) -> None:
        self._sockets = [known for known in self._sockets if known.fileno() >= 0]
        self._sockets.append(sock)


def _tracked(kind: type[HTTPConnection], track: Callable[[socket.socket], None]) -> type[HTTPConnection]:
    def connect(self: HTTPConnection) -> None:
        kind.connect(self)
        if self.sock is not None:
            track(self.sock)

    return type(f"Tracked{kind.__name__}", (kind,), {"connect": connect})


def _pool_class(kind: type[HTTPConnectionPool], connection: type[HTTPConnection]) -> type[HTTPConnectionPool]:
    return type(f"Tracked{kind.__name__}", (kind,), {"ConnectionCls": connection})
