"""One account's HTTP connection to one forum: polite, bounded in time and size, and never outside its origin.

Adapters for forums that speak HTTP share it. It retries reading and never retries writing: whether a POST may
be sent again is decided by reading back (reliability.md 2).
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from http.cookiejar import DefaultCookiePolicy
from typing import Any, Protocol
from urllib.parse import SplitResult, urljoin, urlsplit

import requests
from requests.cookies import RequestsCookieJar

from processor.forums.pace import Pace, Sendings
from processor.forums.sockets import TrackingAdapter
from processor.forums.trouble import ForeignAddress, NotSent, classify, parse_date, parse_retry_after
from processor.ports import IncompletePage, Unreachable

MAX_BYTES = 4 * 1024 * 1024
USER_AGENT = "Turnero/0.1 (play-by-forum turns)"


class CookieStore(Protocol):
    """Keeps a session between runs, so that logging in stays rare. Its text is as secret as a password."""

    def load(self) -> str | None:
        """What was saved last, None at first."""
        ...

    def save(self, cookies: str) -> None:
        """Keep the session."""
        ...


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as it came.

    location: the absolute target of a redirect within the forum, else None. headers: names in any case.
    """

    status: int
    url: str
    body: bytes
    content_type: str | None
    location: str | None
    retry_after: float | None
    headers: Mapping[str, str] = field(default_factory=dict)


SentFile = tuple[str, bytes, str]
"""A file as a form holds it: name, content, media type."""


@dataclass(frozen=True, slots=True)
class Payload:
    """What is sent: a form, or anything that JSON can say; files, by the form's field, go with a form."""

    form: Mapping[str, str] | None = None
    json: Any = None
    files: Mapping[str, SentFile] | None = None


def picture_file(name: str, content: bytes) -> SentFile:
    """A picture as a form holds it: its name, what is in it, and its media type, as its name ends."""
    return name, content, f"image/{name.rpartition('.')[2]}"


@dataclass(frozen=True, slots=True)
class Limits:
    """How hard the forum may be asked.

    deadline: seconds for one whole request, from connecting to the last byte. connect: seconds for
    connecting.
    gap: least seconds between two requests of one connection; with a shared pace, to one host. retries: how
    often reading is tried again. backoff: seconds before the first retry, doubled each time, capped at
    `longest`; what the forum asks to wait is waited up to `longest`.
    """

    deadline: float = 30.0
    connect: float = 10.0
    gap: float = 1.0
    retries: int = 3
    backoff: float = 1.0
    longest: float = 20.0
    max_bytes: int = MAX_BYTES


def _full_jitter(longest: float) -> float:
    return random.uniform(0, longest)  # noqa: S311 - spreads retries, keeps no secret


def _no_checkpoint(_: str) -> None:
    pass


class ForumHttp:
    """A session below `base_url`, which may have a path; not for use by several threads at once."""

    def __init__(  # noqa: PLR0913 - everything a test replaces is an argument
        self,
        base_url: str,
        *,
        limits: Limits = Limits(),
        cookies: CookieStore | None = None,
        pace: Pace | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[float], float] = _full_jitter,
        user_agent: str = USER_AGENT,
        checkpoint: Callable[[str], None] = _no_checkpoint,
    ) -> None:
        """pace: the host's, shared by all who ask it, None for one of its own with the gap of `limits`.

        clock, sleep: seconds, monotonic. jitter: draws a wait between 0 and its argument.

        checkpoint: told `http/sending` before a POST leaves and `http/answered` before its answer is used
        (kill tests).

        Raises:
            ValueError: an address without http(s) and host, or with credentials; an agent that forums lock
            out.
        """
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query:
            raise ValueError(f"{base_url!r} is no forum address such as https://foro.example.org/")
        if "bot" in user_agent.lower() or "python-requests" in user_agent.lower():
            raise ValueError(f"forums refuse the user agent {user_agent!r}")
        self.base_url = base_url.rstrip("/") + "/"
        self.clock, self.sleep = clock, sleep
        self.sendings = Sendings()
        self._limits, self._cookies = limits, cookies
        self._jitter = jitter
        self._checkpoint = checkpoint
        self._pace = pace or Pace(limits.gap, clock, sleep)
        self._date: datetime | None = None
        self._adapter = TrackingAdapter()
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.headers.update(
            {
                "User-Agent": user_agent,
                "Accept": "text/html",
                "Accept-Language": "en",
                "Cache-Control": "no-cache",
            }
        )
        self._session.mount("http://", self._adapter)
        self._session.mount("https://", self._adapter)
        self._restore_cookies()

    def url(self, path: str) -> str:
        """The address of a path below the base, checked to stay there.

        Raises:
            ForeignAddress: another scheme, host or port, or a path outside the base's.
        """
        return self._resolve(self.base_url, path)

    def server_time(self) -> datetime:
        """The forum's clock in UTC, as of its last answer. Raises IncompletePage where no answer told it."""
        if self._date is None:
            raise IncompletePage("forum/no-date", "the forum's answers carry no Date header")
        return self._date

    def get(self, path: str, *, patient: bool = True) -> Answer:
        """Read an address; tried again with growing waits on 429, 5xx, time-outs and cut bodies.

        patient: False where asking again only makes it worse: a 429 is returned then.

        Raises:
            Unreachable: still no answer, with what the forum asks to wait. IncompletePage: cut or too big.
        """
        url = self.url(path)
        for attempt in range(self._limits.retries + 1):
            last = attempt == self._limits.retries
            try:
                answer = self._request("GET", url, None, None)
            except (Unreachable, IncompletePage) as error:
                if last or error.code in ("forum/too-big", "forum/busy"):
                    raise (
                        IncompletePage(error.code, error.detail) if error.code == "forum/cut" else error
                    ) from None
                self._back_off(attempt, None)
                continue
            if answer.status < 500 and not (patient and answer.status == 429):
                return answer
            if last or (answer.retry_after or 0) > self._limits.longest:
                raise Unreachable("forum/status", str(answer.status), answer.retry_after)
            self._back_off(attempt, answer.retry_after)
        raise AssertionError("unreachable: the last attempt returns or raises")

    def post(self, path: str, data: Mapping[str, str], referer: str) -> Answer:
        """Send a form once and never again.

        referer: path of the page that held the form.

        Raises:
            NotSent: it certainly didn't arrive. Doubtful: it may have.
        """
        return self.send("POST", path, Payload(form=data), {"Referer": self.url(referer)})

    def send(
        self, method: str, path: str, payload: Payload, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Send something once and never again.

        method: POST, PUT, PATCH or DELETE. headers: of this request alone.

        Raises:
            NotSent: it certainly didn't arrive. Doubtful: it may have.
        """
        url = self.url(path)
        self._checkpoint("http/sending")
        answer = self._request(method, url, payload, headers)
        self._checkpoint("http/answered")
        return answer

    def set_header(self, name: str, value: str) -> None:
        """Say something with every request from now on, such as a key, which never leaves the origin."""
        self._session.headers[name] = value if value.isascii() else value.encode()

    def refuse_cookies(self) -> None:
        """Keep and send none from now on: where a key counts, no session may stand beside it."""
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=()))

    def cookie(self, name: str) -> str | None:
        """What the forum has set as a cookie, None where it hasn't."""
        found = [one.value for one in self._session.cookies if one.name == name]
        return found[-1] if found else None

    def set_cookie(self, name: str, value: str) -> None:
        """Keep something with the session as the forum itself would have set it."""
        host = urlsplit(self.base_url).hostname or ""
        self._session.cookies.set(name, value, domain=host, path="/")

    def has_cookie(self, ending: str) -> bool:
        """Whether the forum has set a cookie whose name, behind what a forum puts before all of its own, is
        this one.
        """
        return any(one.name.endswith(ending) and one.value for one in self._session.cookies)

    def save_cookies(self) -> None:
        """Hand the session's cookies to the store, where there is one."""
        if self._cookies is None:
            return
        jar = self._session.cookies
        self._cookies.save(
            json.dumps([[c.name, c.value, c.domain, c.path, c.secure, c.expires] for c in jar])
        )

    def forget_cookies(self) -> None:
        """Start without a session."""
        self._session.cookies = RequestsCookieJar()

    def _restore_cookies(self) -> None:
        saved = self._cookies.load() if self._cookies else None
        for name, value, domain, path, secure, expires in json.loads(saved) if saved else ():
            self._session.cookies.set(name, value, domain=domain, path=path, secure=secure, expires=expires)

    def _resolve(self, base: str, target: str) -> str:
        url = urljoin(base, target)
        ours, theirs = urlsplit(self.base_url), urlsplit(url)
        path = theirs.path or "/"
        inside = f"{path}/".startswith(ours.path) and "%2e" not in path.lower() and "\\" not in path
        if _origin(ours) != _origin(theirs) or not inside:
            port = f":{theirs.port}" if theirs.port else ""
            where = f"{theirs.scheme}://{theirs.hostname}{port}{path}"  # without names, passwords and tokens
            raise ForeignAddress("forum/foreign-address", f"{self.base_url} → {where}")
        return url

    def _back_off(self, attempt: int, asked: float | None) -> None:
        wait = self._jitter(min(self._limits.longest, self._limits.backoff * 2**attempt))
        self.sleep(max(wait, min(asked or 0.0, self._limits.longest)))

    def _request(
        self, method: str, url: str, payload: Payload | None, headers: Mapping[str, str] | None
    ) -> Answer:
        self._keep_pace()
        sent = payload or Payload()
        with self._deadline(url) as overdue:
            try:
                answer = self._session.request(
                    method,
                    url,
                    data=sent.form,
                    json=sent.json,
                    files=sent.files,
                    headers=headers,
                    allow_redirects=False,
                    stream=True,
                    timeout=(self._limits.connect, self._limits.deadline),
                )
                with answer:
                    body = self._read_body(answer, overdue)
            except requests.RequestException as error:
                raise classify(error, overdue.is_set(), self._limits.deadline) from None
        self._date = parse_date(answer.headers.get("Date")) or self._date
        made = self._make_answer(url, answer, body)
        if made.status == 429 and made.retry_after is not None:
            self._pace.rest(made.retry_after)
        return made

    def _make_answer(self, url: str, answer: requests.Response, body: bytes) -> Answer:
        location = answer.headers.get("Location") if answer.is_redirect else None
        return Answer(
            status=answer.status_code,
            url=url,
            body=body,
            content_type=answer.headers.get("Content-Type"),
            location=self._resolve(url, location) if location is not None else None,
            retry_after=parse_retry_after(answer.headers.get("Retry-After"), self._date),
            headers=answer.headers,
        )

    def _keep_pace(self) -> None:
        """Wait for the host, save where it wants more than is waited in one go. Raises NotSent."""
        left = self._pace.left()
        if left > self._limits.longest:
            detail = f"the forum wants to be asked nothing for {left:.0f} more seconds"
            raise NotSent("forum/busy", detail, left)
        self._pace.keep()

    @contextmanager
    def _deadline(self, url: str) -> Iterator[threading.Event]:
        """Cut the connection when the whole request takes too long; a server that drips bytes resets every
        other timer.
        """
        overdue = threading.Event()

        def cut() -> None:
            overdue.set()
            self._adapter.cut()

        timer = threading.Timer(self._limits.deadline, cut)
        timer.daemon = True
        timer.name = f"deadline {urlsplit(url).path}"
        timer.start()
        try:
            yield overdue
        finally:
            timer.cancel()

    def _read_body(self, answer: requests.Response, overdue: threading.Event) -> bytes:
        chunks, size = [], 0
        for chunk in answer.iter_content(16 * 1024):
            size += len(chunk)
            if size > self._limits.max_bytes:
                raise IncompletePage("forum/too-big", f"an answer of over {self._limits.max_bytes} bytes")
            if overdue.is_set():
                break
            chunks.append(chunk)
        if overdue.is_set():
            raise requests.ReadTimeout
        return b"".join(chunks)


def _origin(parts: SplitResult) -> tuple[str, str | None, int | None, str | None]:
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, parts.hostname, port, parts.username
