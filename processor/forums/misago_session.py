"""How an account enters a Misago forum: by name and password, with cookies that change at the login."""

from __future__ import annotations

from collections.abc import Mapping

from parsers.pages.guard import PageError
from parsers.pages.json_body import Shape, read_json
from parsers.pages.misago import Viewer
from processor.forums.http import Answer, ForumHttp, Payload
from processor.forums.session import as_forum_errors, check_status
from processor.ports import LoginFailed, NotATopic, Unreachable

_SESSION, _TOKEN = "sessionid", "csrftoken"
_WHO = "api/auth/"
_LOGIN_WAIT = 900.0


class Refusal(Shape):
    """What Misago says where it refuses: one sentence, or some for each field."""

    detail: str = ""
    post: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    title: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    username: tuple[str, ...] = ()
    password: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """All of it, "" where it says nothing."""
        fields = (self.to, self.title, self.post, self.attachments, self.username, self.password)
        return " ".join((self.detail, *(said for field in fields for said in field))).strip()


class MisagoAccount:
    """Implements `processor.forums.api.Account`."""

    def __init__(self, username: str, password: str) -> None:
        self._username, self._password = username, password
        self._http: ForumHttp | None = None

    def enter(self, http: ForumHttp) -> str:
        """See `Account.enter`; a session that was kept is taken up where the forum still knows it."""
        self._http = http
        number = self._ask(http) if http.cookie(_SESSION) else None
        return str(self._log_in(http) if number is None else number)

    def is_shut_out(self, answer: Answer) -> bool:
        """See `Account.is_shut_out`. Misago shows a guest what guests may see, with status 200; but it takes
        the cookie of a session back that it doesn't know.
        """
        del answer
        return self._http is not None and self._http.cookie(_SESSION) is None

    def _ask(self, http: ForumHttp) -> int | None:
        """The own id, None for a guest."""
        answer = http.get(_WHO)
        check_status(answer)
        with as_forum_errors():
            return read_json(answer.body, answer.content_type, Viewer).id

    def _log_in(self, http: ForumHttp) -> int:
        http.forget_cookies()
        check_status(http.get("", patient=False))  # sets the cookie whose word each sending repeats
        own = {"username": self._username, "password": self._password}
        answer = http.send("POST", _WHO, Payload(json=own), token_headers(http))
        if answer.status != 200:
            raise _judge_refusal(answer)
        with as_forum_errors():
            number = read_json(answer.body, answer.content_type, Viewer).id
        if number is None or http.cookie(_SESSION) is None:
            raise LoginFailed("forum/login", "the forum takes the password and gives no session")
        http.save_cookies()
        return number


def token_headers(http: ForumHttp) -> Mapping[str, str]:
    """What Misago wants with everything that is sent: the token of the cookie, and where we come from.

    Raises NotATopic where the forum has set no such cookie.
    """
    token = http.cookie(_TOKEN)
    if token is None:
        raise NotATopic("page/not-misago", f"the forum sets no cookie {_TOKEN!r}, as Misago does")
    return {"X-CSRFToken": token, "Referer": http.base_url}


def _judge_refusal(answer: Answer) -> LoginFailed | Unreachable:
    if answer.status == 429:
        wait = answer.retry_after or _LOGIN_WAIT
        return LoginFailed("forum/login-limit", f"too many logins, wait {wait:g} seconds", wait)
    if answer.status not in (400, 403):
        return Unreachable("forum/status", f"login: {answer.status}", answer.retry_after)
    said = words_of(answer)
    detail = said or "the forum refuses name or password"
    return LoginFailed("forum/login-refused", detail, words=said)


def words_of(answer: Answer) -> str:
    """What the forum says about a refusal, "" where that is nothing of Misago's, such as a proxy's page."""
    try:
        return read_json(answer.body, answer.content_type, Refusal).words
    except PageError:
        return ""
