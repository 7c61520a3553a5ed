"""Somebody else's server, to which a forum could lead us: it keeps all that anybody sends it."""

from __future__ import annotations

import socket
import socketserver
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self

_ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"


class Trap:
    """A context manager. seen: what came with each connection, TLS hellos and empty ones too.

    address: host and port under which it stands, by another name than the forum's, too: `localhost`.
    """

    def __init__(self) -> None:
        self.seen: list[bytes] = []
        trap = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                self.request.settimeout(0.5)
                with suppress(OSError):
                    trap.seen.append(self.request.recv(65536))
                    self.request.sendall(_ANSWER)
                    self.request.shutdown(socket.SHUT_WR)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self.port = self._server.server_address[1]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def addresses(self, forum_url: str, path: str) -> tuple[str, ...]:
        """How a forum could write that we should go there, and to its own host in another way."""
        port, own = self.port, forum_url.removeprefix("http://")
        return (
            f"http://127.0.0.1:{port}{path}",
            f"http://localhost:{port}{path}",
            f"//127.0.0.1:{port}{path}",
            f"https://127.0.0.1:{port}{path}",
            f"http://{own}@127.0.0.1:{port}{path}",
            f"\\\\127.0.0.1:{port}{path}",
        )
