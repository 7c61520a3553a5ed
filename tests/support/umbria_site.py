"""A site on loopback whose scene is shown as Comunidad Umbría shows posts.

How the site cuts a scene into pages isn't known: here pages are told by a query, and each links to the others
by their numbers, which is all that the adapter relies on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

from tests.support.spirit_pages import http_date
from tests.support.umbria_pages import UmbriaPost, show_scene

SCENE = "/partida/la-feria/escena/7"
"""The scene's path; nothing is known of the real one's."""


@dataclass(frozen=True, slots=True)
class Told:
    """One answer, in place of the scene's page."""

    status: int = 200
    body: str = ""
    location: str | None = None
    kind: str = "text/html; charset=utf-8"


@dataclass
class UmbriaSite:
    """The scene. now: the site's clock. per_page: posts on a page. session: the cookie that is needed to see
    notes. asked: each request's path and cookies. instead: what is answered next, by path with query.
    """

    now: Callable[[], datetime]
    zone: ZoneInfo = field(default_factory=lambda: ZoneInfo("Europe/Madrid"))
    per_page: int = 3
    session: str = "sesion=secreta"
    posts: list[UmbriaPost] = field(default_factory=list)
    asked: list[tuple[str, str]] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    instead: dict[str, Callable[[str], Told]] = field(default_factory=dict)
    address: str = ""
    made: int = 700

    def write(self, account: int, author: str, html: str, notes: str = "") -> str:
        """A new post, at the site's time."""
        self.made += 1
        date = f"{self.now().astimezone(self.zone):%d/%m/%Y, %H:%M}"
        self.posts.append(UmbriaPost(self.made, account, author, date, html, notes))
        return str(self.made)

    def rewrite(self, post_id: str, html: str) -> None:
        """A post's text is another now."""
        self.posts = [replace(one, html=html) if str(one.id) == post_id else one for one in self.posts]

    def delete(self, post_id: str) -> None:
        """A post is gone."""
        self.posts = [one for one in self.posts if str(one.id) != post_id]

    def show(self, page: int, cookies: str) -> str:
        """A page of the scene; notes for who is logged in."""
        shown = self.posts[(page - 1) * self.per_page : page * self.per_page]
        if self.session not in cookies:
            shown = [replace(one, notes="") for one in shown]
        pages = max(1, -(-len(self.posts) // self.per_page))
        others = [number for number in range(1, pages + 1) if number != page]
        links = " ".join(f'<a href="{SCENE}?pagina={number}">{number}</a>' for number in others)
        return show_scene(shown).replace("</body>", f'<div class="paginado">{links}</div></body>')

    def answer(self, path: str, cookies: str) -> Told:
        """What the site says to a request."""
        self.asked.append((path, cookies))
        parts = urlsplit(path)
        page = int(parse_qs(parts.query).get("pagina", ["1"])[0])
        if parts.path != SCENE and path not in self.instead:
            return Told(404, "<!DOCTYPE html><html><body>No existe</body></html>")
        body = self.show(page, cookies)
        special = self.instead.get(path)
        return special(body) if special is not None else Told(body=body)


@contextmanager
def serve(site: UmbriaSite) -> Iterator[UmbriaSite]:
    """The site, reachable at its address while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            """Answer a reading."""
            site.agents.add(self.headers.get("User-Agent", ""))
            told = site.answer(self.path, self.headers.get("Cookie", ""))
            body = told.body.encode()
            with suppress(ConnectionError):
                self.send_response(told.status)
                self.send_header("Content-Type", told.kind)
                self.send_header("Content-Length", str(len(body)))
                if told.location is not None:
                    self.send_header("Location", told.location)
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def date_time_string(self, timestamp: float | None = None) -> str:
            """The site's clock."""
            del timestamp
            return http_date(site.now())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site.address = f"http://127.0.0.1:{server.server_port}{SCENE}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
