"""What stand-in forums of all dialects share: requests, answers, and faults that let nothing be done."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from tests.support.schema import Schema
from tests.support.standin_state import Fault, State, StoredAccount, StoredPost, StoredTopic


@dataclass
class Reply:
    """What goes back. location: a redirect. cookies: to set. content_type: of the body. headers: more."""

    status: int = 200
    body: str = ""
    location: str | None = None
    cookies: dict[str, str] = field(default_factory=dict)
    retry_after: str | None = None
    content_type: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)


def as_json(status: int, value: object, retry_after: str | None = None) -> Reply:
    """An answer in JSON."""
    body = json.dumps(value, ensure_ascii=False)
    return Reply(status, body, retry_after=retry_after, content_type="application/json; charset=utf-8")


@dataclass
class Call:
    """A request as views see it.

    data: a form's fields. files: its files, by field: name and content.
    headers: with names in lower case. body: as it came, for what is no form.
    """

    action: str
    path: str
    parts: Mapping[str, str | None]
    query: Mapping[str, str]
    data: Mapping[str, str]
    account: StoredAccount | None
    token: str
    fault: Fault | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    files: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)

    @property
    def user(self) -> StoredAccount:
        """The account of the session; a view that needs one is never called without."""
        if self.account is None:
            raise ValueError(self.path)
        return self.account

    @property
    def json(self) -> Any:
        """What a body in JSON says; None for a body that isn't any."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    def number(self, part: str) -> int:
        """A number in the path."""
        return int(self.parts[part] or 0)


class ForumViews:
    """Answers requests from the state; every method runs under the state's lock.

    gets, posts, puts: action and pattern of each address, by method. schema: the forum's published interface,
    where it has one: requests that it doesn't know and answers that it doesn't give fail the test.
    session_cookie: name of the cookie that keeps a session.
    """

    moderates = False
    """Whether the forum can have posts wait for a moderator: those of the accounts in `queued`."""
    signs = False
    """Whether its posts come with signatures: HTML by account name in `signatures`."""
    most_files: int | None = None
    """How many pictures a post may have, None for as many as it likes."""
    gets: Sequence[tuple[str, str]]
    posts: Sequence[tuple[str, str]]
    puts: Sequence[tuple[str, str]] = ()
    schema: Schema | None = None
    session_cookie = "sessionid"

    def __init__(self, state: State, per_page: int, topics_per_page: int, rate_limits: bool) -> None:
        self.state = state
        self.url = ""
        self.sessions: dict[str, int] = {}
        self.queued: set[str] = set()
        self.signatures: dict[str, str] = {}
        self._per_page, self._topics_per_page = per_page, topics_per_page
        self._rate_limits = rate_limits

    def route(self, method: str, path: str) -> tuple[str, Mapping[str, str | None]] | None:
        """The action behind an address, None where there is nothing."""
        known = {"GET": self.gets, "POST": self.posts, "PUT": self.puts, "PATCH": self.puts}
        for action, pattern in known[method]:
            found = re.fullmatch(pattern, urlsplit(path).path)
            if found:
                return action, found.groupdict()
        return None

    def press(self, action: str, data: Mapping[str, str]) -> str:
        """What an action is in truth, where a form has several buttons."""
        del data
        return action

    def identify(self, headers: Mapping[str, str], session: str) -> int | None:
        """Whose request it is, None for a guest. headers: with names in lower case. session: the cookie's."""
        del headers
        return self.sessions.get(session)

    def check_request(self, method: str, address: str, headers: Mapping[str, str], body: bytes) -> None:
        """Note what the published interface doesn't know of a request."""
        if self.schema is not None:
            parts = urlsplit(address)
            wrong = self.schema.check_request(method, parts.path, parts.query, headers, body)
            self._note_drift(f"{method} {address}", wrong)

    def check_answer(self, method: str, call: Call, reply: Reply) -> None:
        """Note what the published interface doesn't know of an answer in JSON."""
        if self.schema is not None and reply.content_type.startswith("application/json"):
            wrong = self.schema.check_answer(method, call.path, reply.status, reply.body)
            self._note_drift(f"{method} {call.path}", wrong)

    def _note_drift(self, what: str, wrong: Sequence[str]) -> None:
        for one in wrong:
            self.state.log("drift", what, "", one)

    def answer(self, method: str, call: Call) -> Reply:
        """Answer a request whose action is known."""
        raise NotImplementedError

    def sets_token(self, call: Call) -> bool:
        """Whether an answer sets the cookie with the token of forms."""
        del call
        return True

    def broken(self) -> Reply:
        """The forum's answer when it fails."""
        raise NotImplementedError

    def flood(self, call: Call) -> Reply:
        """The forum's answer to whoever sends too much."""
        raise NotImplementedError

    def login_page(self, call: Call) -> Reply:
        """The login form in place of what was asked for."""
        raise NotImplementedError

    def login_redirect(self) -> Reply:
        """To the login form."""
        raise NotImplementedError

    def missing(self) -> Reply:
        """The answer for what isn't there."""
        return Reply(404, "<!doctype html>\n<html><body><h1>Not Found</h1></body></html>\n")

    def _post(self, call: Call) -> StoredPost | None:
        return next((post for post in self.state.stored if post.id == call.number("post")), None)

    def _may_see(self, topic: StoredTopic, call: Call) -> bool:
        return topic.members is None or (call.account is not None and call.account.id in topic.members)

    def _may_edit(self, post: StoredPost, call: Call) -> bool:
        return post.author_id == call.user.id or call.user.staff

    def _delay(self, call: Call) -> float:
        return call.fault.visible_after if call.fault else 0.0


_WALL = "<!doctype html>\n<html><head><title>{title}</title></head><body>{body}</body></html>\n"
_TOKEN = '<form method="post"><input type="hidden" name="token" value="x">{body}<button>OK</button></form>'
WALLS = {
    "maintenance": _WALL.format(title="Mantenimiento", body="<h1>Back soon</h1>"),
    "captcha": _WALL.format(
        title="Un momento", body=_TOKEN.format(body='<div class="captcha" data-sitekey="x"></div>')
    ),
    "consent": _WALL.format(
        title="Tu privacidad", body=_TOKEN.format(body="<p>Usamos cookies. <b>Aceptar</b></p>")
    ),
}
"""Pages that stand where something else was asked for, all with status 200."""


def spoil(fault: Fault, views: ForumViews, call: Call) -> Reply | None:
    """The answer of a fault that lets nothing be done, None for those that spoil the answer afterwards."""
    early: dict[str, Any] = {
        "error-before": views.broken,
        "limited": lambda: Reply(429, "slow down", retry_after=fault.retry_after),
        "flood": lambda: views.flood(call),
        "login-page": lambda: views.login_page(call),
        "login-redirect": views.login_redirect,
        **{kind: lambda kind=kind: Reply(body=WALLS[kind]) for kind in WALLS},
        "redirect": lambda: Reply(302, location=fault.text),
    }
    make = early.get(fault.kind)
    return make() if make else None
