"""The connection under the adapters: origin, limits, retries, politeness, on a small server of its own."""

from __future__ import annotations

import gzip
import socket
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processor.forums.http import ForumHttp, Limits
from processor.forums.trouble import MAX_WAIT, Doubtful, ForeignAddress, NotSent, parse_retry_after
from processor.ports import IncompletePage, Unreachable

QUICK = Limits(deadline=5.0, gap=0.0, retries=1, backoff=0.0, longest=0.0)


class Echo:
    """A server that notes each request and answers by a function of its number."""

    def __init__(self, answer: Callable[[int], tuple[int, dict[str, str], bytes]]) -> None:
        self.seen: list[tuple[str, str, dict[str, str], bytes]] = []
        self.answer = answer
        echo = self

        class Handler(BaseHTTPRequestHandler):
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                length = int(self.headers.get("Content-Length", "0"))
                echo.seen.append((self.command, self.path, dict(self.headers), self.rfile.read(length)))
                status, headers, body = echo.answer(len(echo.seen))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET  # noqa: N815 - the name that http.server asks for

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End it."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@pytest.fixture
def serve() -> Iterator[Callable[[Callable[[int], tuple[int, dict[str, str], bytes]]], Echo]]:
    """Start servers that end with the test."""
    running: list[Echo] = []

    def start(answer: Callable[[int], tuple[int, dict[str, str], bytes]]) -> Echo:
        running.append(Echo(answer))
        return running[-1]

    yield start
    for echo in running:
        echo.stop()


Serve = Callable[[Callable[[int], tuple[int, dict[str, str], bytes]]], Echo]


def _hello(_: int) -> tuple[int, dict[str, str], bytes]:
    return 200, {"Content-Type": "text/html; charset=utf-8"}, b"hola"


@pytest.mark.parametrize(
    "base",
    ["ftp://x/", "foro.example.org", "", "http://", "http://user:pw@x/", "http://x/?a=b", "file:///etc"],
)
def test_a_base_address_must_be_one(base: str) -> None:
    """Anything but http(s), a host and perhaps a path is refused, credentials in it above all."""
    with pytest.raises(ValueError, match="no forum address"):
        ForumHttp(base)


@pytest.mark.parametrize("agent", ["TurnBot/1", "python-requests/2.32", "Robot"])
def test_agents_that_forums_lock_out_are_refused(agent: str) -> None:
    """Forums treat such names as crawlers, without saying so."""
    with pytest.raises(ValueError, match="user agent"):
        ForumHttp("http://x/", user_agent=agent)


@pytest.mark.parametrize(
    "target",
    [
        *("https://foro.example.org/a/x/", "http://foro.example.org:8080/a/x/", "http://evil.example/a/x/"),
        *("//evil.example/a/", "http://user@foro.example.org/a/", "/b/", "/ax/", "../b/", "x/../../b/"),
        *(
            "%2e%2e/b/",
            "x/%2E%2e/%2e%2e/b/",
            "http://foro.example.org.evil.example/a/",
            "javascript:alert(1)",
        ),
        *("http://169.254.169.254/latest/", "file:///etc/passwd", "\\\\evil\\x"),
    ],
)
def test_no_address_outside_the_base(target: str) -> None:
    """Another scheme, host or port, or a path beside the base's, is refused before anything is sent."""
    with pytest.raises(ForeignAddress):
        ForumHttp("http://foro.example.org/a").url(target)


def test_a_strange_address_is_told_without_what_it_may_hide() -> None:
    """The director sees what differs, be it the path alone; names, passwords and tokens aren't repeated."""
    for target, told in (
        ("/b/?sid=secreto", "http://foro.example.org/b/"),
        ("https://ana:secreto@foro.example.org:8443/a/x/", "https://foro.example.org:8443/a/x/"),
    ):
        with pytest.raises(ForeignAddress) as refused:
            ForumHttp("http://foro.example.org/a").url(target)
        assert f"http://foro.example.org/a/ → {told}" == refused.value.detail


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("topic/1/", "http://foro.example.org/a/topic/1/"),
        ("/a/topic/1/?page=2", "http://foro.example.org/a/topic/1/?page=2"),
        ("http://foro.example.org:80/a/x/", "http://foro.example.org:80/a/x/"),
        ("http://FORO.example.org/a/x/", "http://FORO.example.org/a/x/"),
        ("", "http://foro.example.org/a/"),
    ],
)
def test_addresses_below_the_base(target: str, expected: str) -> None:
    """Relative and absolute addresses of the forum itself are taken."""
    assert ForumHttp("http://foro.example.org/a").url(target) == expected


def test_what_is_asked_looks_polite(serve: Serve) -> None:
    """The agent names the program; English is asked for; no cached copy is wanted."""
    echo = serve(_hello)
    ForumHttp(echo.url, limits=QUICK).get("x/")
    (_, path, headers, _) = echo.seen[0]
    assert path == "/x/"
    assert headers["User-Agent"].startswith("Turnero/")
    assert (headers["Accept-Language"], headers["Cache-Control"]) == ("en", "no-cache")


def test_the_environment_gives_neither_proxy_nor_password(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A proxy or netrc of the host's user has no say in the forum's traffic."""
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login someone password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9/")
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("no_proxy", "")
    echo = serve(_hello)
    assert ForumHttp(echo.url, limits=QUICK).get("").status == 200
    assert "Authorization" not in echo.seen[0][2]


def test_a_form_is_sent_once_with_its_referer(serve: Serve) -> None:
    """POST goes out once, form-encoded, whatever comes back."""
    echo = serve(lambda _: (503, {}, b"later"))
    answer = ForumHttp(echo.url, limits=QUICK).post("a/", {"comment": "ñ\r\n&"}, "b/")
    assert answer.status == 503
    ((method, path, headers, body),) = echo.seen
    assert (method, path, body) == ("POST", "/a/", b"comment=%C3%B1%0D%0A%26")
    assert headers["Referer"] == f"{echo.url}/b/"


def test_redirects_are_handed_out_not_followed(serve: Serve) -> None:
    """The caller decides; the address is absolute and checked."""
    echo = serve(lambda _: (302, {"Location": "../other/?a=1"}, b""))
    answer = ForumHttp(echo.url, limits=QUICK).get("x/y/")
    assert (answer.status, answer.location) == (302, f"{echo.url}/x/other/?a=1")
    assert len(echo.seen) == 1


def test_cookies_come_back_on_the_next_request(serve: Serve) -> None:
    """The session's cookies are kept, and a saved session is taken up by the next run."""

    class Store:
        text: str | None = None

        def load(self) -> str | None:
            return self.text

        def save(self, cookies: str) -> None:
            self.text = cookies

    echo = serve(lambda _: (200, {"Set-Cookie": "sessionid=abc; Path=/"}, b""))
    store = Store()
    http = ForumHttp(echo.url, limits=QUICK, cookies=store)
    http.get("")
    http.save_cookies()
    ForumHttp(echo.url, limits=QUICK, cookies=store).get("")
    http.forget_cookies()
    http.get("")
    assert [headers.get("Cookie") for _, _, headers, _ in echo.seen] == [None, "sessionid=abc", None]


def test_a_bomb_in_gzip_is_stopped_while_it_unpacks(serve: Serve) -> None:
    """The cap counts decoded bytes; a hundred kilobytes that become a hundred megabytes end at the cap."""
    bomb = gzip.compress(b"0" * 100_000_000)
    headers = {"Content-Encoding": "gzip", "Content-Type": "text/html"}
    echo = serve(lambda _: (200, headers, bomb))
    with pytest.raises(IncompletePage, match="forum/too-big"):
        ForumHttp(echo.url, limits=QUICK).get("")
    assert len(echo.seen) == 1


def test_an_answer_cut_short_is_tried_again_then_incomplete(serve: Serve) -> None:
    """Less than announced is no answer for reading, and doubt for sending."""
    echo = serve(lambda _: (200, {"Content-Length": "100"}, b"half"))
    http = ForumHttp(echo.url, limits=QUICK)
    with pytest.raises(IncompletePage, match="forum/cut"):
        http.get("")
    assert len(echo.seen) == 2
    with pytest.raises(Doubtful):
        http.post("", {}, "")
    assert len(echo.seen) == 3


def test_garbage_in_gzip_is_no_answer(serve: Serve) -> None:
    """A body that can't be unpacked is trouble on the way."""
    echo = serve(lambda _: (200, {"Content-Encoding": "gzip"}, b"not gzip"))
    with pytest.raises(Unreachable, match="forum/broken-answer"):
        ForumHttp(echo.url, limits=QUICK).get("")


def test_nobody_there_is_certain() -> None:
    """A refused connection means that nothing was sent."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(NotSent):
        ForumHttp(url, limits=QUICK).post("", {"a": "b"}, "")


def test_the_forum_s_clock_comes_from_its_answers(serve: Serve) -> None:
    """The newest Date header counts; before any answer there is no clock."""
    http = ForumHttp("http://127.0.0.1:9", limits=QUICK)
    with pytest.raises(IncompletePage, match="forum/no-date"):
        http.server_time()
    dated = ForumHttp(serve(_hello).url, limits=QUICK)
    dated.get("")
    assert dated.server_time().tzinfo is UTC


def test_requests_keep_their_distance(serve: Serve) -> None:
    """Between the starts of two requests lies at least the gap, by the injected clock."""
    echo = serve(_hello)
    time, waits = [100.0], []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        time[0] += seconds

    http = ForumHttp(echo.url, limits=Limits(gap=2.0), clock=lambda: time[0], sleep=sleep)
    http.get("")
    time[0] += 0.5
    http.get("")
    time[0] += 9
    http.post("", {}, "")
    assert waits == [1.5]


def test_retries_wait_longer_each_time_up_to_a_cap(serve: Serve) -> None:
    """Exponential waits under full jitter: the jitter is given the growing bound."""
    bounds: list[float] = []

    def jitter(bound: float) -> float:
        bounds.append(bound)
        return 0.0

    echo = serve(lambda _: (500, {}, b""))
    limits = Limits(gap=0, retries=5, backoff=1, longest=6)
    http = ForumHttp(echo.url, limits=limits, sleep=lambda _: None, jitter=jitter)
    with pytest.raises(Unreachable):
        http.get("")
    assert bounds == [1, 2, 4, 6, 6]
    assert len(echo.seen) == 6


def test_a_short_wait_that_the_forum_asks_for_is_kept(serve: Serve) -> None:
    """Retry-After within our patience is waited in full, whatever the jitter says."""
    waits: list[float] = []
    echo = serve(lambda n: (429, {"Retry-After": "4"}, b"") if n == 1 else (200, {}, b"ok"))
    limits = Limits(gap=0, longest=5)
    http = ForumHttp(
        echo.url, limits=limits, clock=lambda: sum(waits), sleep=waits.append, jitter=lambda _: 0.0
    )
    assert http.get("").body == b"ok"
    assert waits == [4.0]


@given(st.text(max_size=40) | st.integers().map(str))
def test_retry_after_is_a_sane_wait_or_nothing(value: str) -> None:
    """Whatever a forum writes there, the wait lies between 0 and an hour."""
    wait = parse_retry_after(value, datetime(2026, 11, 29, tzinfo=UTC))
    assert wait is None or 0 <= wait <= MAX_WAIT


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("0", 0.0),
        (" 12 ", 12.0),
        ("12.5", None),
        ("Sun, 29 Nov 2026 00:01:30 GMT", 90.0),
        ("Sat, 28 Nov 2026 00:00:00 GMT", 0.0),
        ("Sun, 29 Nov 2099 00:00:00 GMT", MAX_WAIT),
        ("tomorrow", None),
        (None, None),
    ],
)
def test_retry_after_in_seconds_and_as_a_date(value: str | None, expected: float | None) -> None:
    """Both forms of the header, the date against the forum's clock."""
    assert parse_retry_after(value, datetime(2026, 11, 29, tzinfo=UTC)) == expected
