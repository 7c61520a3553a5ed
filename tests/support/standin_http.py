"""The stand-in forum's HTTP side: cookies, answers, and the ways in which a connection goes wrong."""

from __future__ import annotations

import re
import secrets
import socket
import time
from contextlib import suppress
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qsl, urlsplit

from tests.support.forms import read_form
from tests.support.spirit_pages import http_date
from tests.support.standin_call import Call, ForumViews, Reply, spoil
from tests.support.standin_state import Fault

_SHUT_OUT = re.compile("bot|python-requests", re.IGNORECASE)
"""Agents to whom forums give no session, without saying so (forums.md 3)."""


class Handler(BaseHTTPRequestHandler):
    """One connection; `views` is set by whoever starts the server."""

    views: ForumViews
    protocol_version = "HTTP/1.1"
    # Else head and body wait for each other, 40 ms with every answer.
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        """Answer a reading."""
        self._serve("GET", b"")

    def do_POST(self) -> None:
        """Answer a sending."""
        self._serve("POST", self.rfile.read(int(self.headers.get("Content-Length", "0"))))

    def do_PUT(self) -> None:
        """Answer a change."""
        self._serve("PUT", self.rfile.read(int(self.headers.get("Content-Length", "0"))))

    def do_PATCH(self) -> None:
        """Answer a change."""
        self._serve("PATCH", self.rfile.read(int(self.headers.get("Content-Length", "0"))))

    def log_message(self, *_: object) -> None:
        """Say nothing; the event log has it all."""

    def date_time_string(self, timestamp: float | None = None) -> str:
        """The forum's clock, which a test may have moved."""
        del timestamp
        return http_date(self.views.state.now())

    def _serve(self, method: str, body: bytes) -> None:
        agent = self.headers.get("User-Agent", "")
        if _SHUT_OUT.search(agent):
            self.views.state.log("crawler", f"{method} {self.path}", "", agent)
        with suppress(ConnectionError):
            reply, fault = self._answer(method, body)
            if reply is None:
                self._drop()
            else:
                self._send(reply, fault)

    def _answer(self, method: str, body: bytes) -> tuple[Reply | None, Fault | None]:
        """Do what is asked, or not, as the faults want it; no reply means to hang up."""
        parts = urlsplit(self.path)
        state = self.views.state
        with state.lock:
            found = self.views.route(method, self.path)
            call = self._call(found[0] if found else "", parts.path, found[1] if found else {}, body)
            state.log("request", f"{method} {self.path}", call.account.name if call.account else "")
            self.views.check_request(method, self.path, call.headers, body)
            if not found:
                return self.views.missing(), None
            call.fault = fault = state.take_fault(call.action)
            if fault is not None and fault.kind == "drop-before-store":
                return None, fault
            early = spoil(fault, self.views, call) if fault else None
            if early is not None:
                return early, None
            reply = self.views.answer(method, call)
            self.views.check_answer(method, call, reply)
            if self.views.sets_token(call):
                reply.cookies.setdefault("csrftoken", call.token)
            if fault is not None and fault.kind == "store-then-drop":
                return None, fault
            if fault is not None and fault.kind == "error-after":
                return self.views.broken(), fault
            return reply, fault

    def _call(self, action: str, path: str, parts: dict[str, str | None] | object, body: bytes) -> Call:
        cookies = SimpleCookie(self.headers.get("Cookie", ""))
        name = self.views.session_cookie
        session = cookies[name].value if name in cookies else ""
        headers = {name.lower(): value for name, value in self.headers.items()}
        number = self.views.identify(headers, session)
        query = dict(parse_qsl(urlsplit(self.path).query))
        data, files = read_form(headers.get("content-type", ""), body)
        token = cookies["csrftoken"].value if "csrftoken" in cookies else secrets.token_hex(16)
        account = self.views.state.accounts[number] if number else None
        found = parts if isinstance(parts, dict) else {}
        action = self.views.press(action, data)
        return Call(action, path, found, query, data, account, token, None, headers, body, files)

    def _send(self, reply: Reply, fault: Fault | None) -> None:
        body = reply.body.encode()
        kind = fault.kind if fault else ""
        if fault is not None and fault.mutate is not None:
            body = fault.mutate(body)
        announced = len(body)
        if fault is not None and kind in ("truncate", "short"):
            body = body[: fault.at]
            announced = len(body) if kind == "truncate" else announced
        if fault is not None and kind == "slow":
            time.sleep(fault.seconds)
        self.send_response(reply.status)
        for name, value in reply.cookies.items():
            gone = "" if value else "; Max-Age=0"
            self.send_header("Set-Cookie", f"{name}={value}; Path=/{gone}")
        if reply.location is not None:
            self.send_header("Location", reply.location)
        if reply.retry_after is not None:
            self.send_header("Retry-After", reply.retry_after)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", reply.content_type)
        self.send_header("Content-Length", str(announced))
        self.end_headers()
        self._write(body, fault.seconds if fault is not None and kind == "drip" else 0.0)
        if kind == "short":
            self._drop()

    def _write(self, body: bytes, pause: float) -> None:
        if not pause:
            self.wfile.write(body)
            return
        for n in range(len(body)):
            self.wfile.write(body[n : n + 1])
            self.wfile.flush()
            time.sleep(pause)

    def _drop(self) -> None:
        self.close_connection = True
        with suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)
