"""A logged-in session in a Spirit forum: every page it hands out is proven to be made for the own account."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bs4 import Tag

from parsers.pages.guard import NotATopicPage, PageError
from parsers.pages.spirit import parse_viewer, read_page
from parsers.pages.spirit_forms import parse_complaints, parse_form, parse_zone
from processor.forums.http import Answer, ForumHttp
from processor.ports import ForumError, IncompletePage, LoginFailed, NotATopic, Unreachable

_LOGIN = "user/login/"
_PREFERENCES = "user/"
# Spirit counts logins, good ones too, in windows of five minutes.
_LOGIN_WAIT = 300.0
_HOPS = 3


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page and the path under which it was found in the end."""

    tree: Tag
    path: str


@contextmanager
def as_forum_errors() -> Iterator[None]:
    """Let what a parser refuses reach the caller as the port's errors, with the parser's code and words."""
    try:
        yield
    except NotATopicPage as error:
        raise NotATopic(error.code, error.detail) from None
    except PageError as error:
        raise IncompletePage(error.code, error.detail) from None


class SpiritSession:
    """Logs in when needed, at most once per page, since Spirit allows five logins in five minutes."""

    def __init__(self, http: ForumHttp, username: str, password: str, zone: str | None) -> None:
        self.http = http
        self._username, self._password = username, password
        self._wanted_zone = zone
        self._account: str | None = None
        self._zone: ZoneInfo | None = None

    @property
    def account(self) -> str:
        """The own account id."""
        return self._account or self.open()

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which the forum shows times to the account."""
        if self._zone is None:
            self.open()
        if self._zone is None:
            raise ForumError("forum/unknown-zone", "the account's time zone is not known")
        return self._zone

    def open(self) -> str:
        """Log in unless the kept session still holds, learn account id and zone. Raises ForumError."""
        page = self._fetch(_PREFERENCES)
        account = parse_viewer(page.tree)
        if account is None:
            raise LoginFailed("forum/login", "the forum shows a guest's page after logging in")
        self._zone = self._find_zone(parse_zone(page.tree))
        self._account = account
        return account

    def fetch(self, path: str) -> Page:
        """Read a page of the own session.

        Raises:
            NotATopic: missing, forbidden, or none of the forum's pages. IncompletePage: cut or garbled.
            LoginFailed: the session ended and a new login was refused. Unreachable: no answer.
        """
        account = self.account
        page = self._fetch(path)
        viewer = parse_viewer(page.tree)
        if viewer != account:
            raise NotATopic(
                "forum/other-account", f"the page was made for account {viewer}, not for {account}"
            )
        return page

    def locate(self, path: str) -> str:
        """The path to which the forum redirects, without reading what stands there. Raises as `fetch`
        does.
        """
        answer = self.http.get(path)
        if answer.location is not None and is_login(answer.location):
            self._log_in()
            answer = self.http.get(path)
        if answer.location is None:
            _check_status(answer)
        return urlsplit(answer.location or answer.url).path

    def _fetch(self, path: str) -> Page:
        page = self._follow(path)
        if page is None:
            self._log_in()
            page = self._follow(path)
        if page is None:
            raise LoginFailed("forum/login", "the forum asks to log in again right after logging in")
        return page

    def _follow(self, path: str) -> Page | None:
        """The page behind the path's redirects; None where the forum takes us for a guest."""
        answer = self.http.get(path)
        for _ in range(_HOPS):
            if answer.location is None:
                break
            if is_login(answer.location):
                return None
            answer = self.http.get(answer.location)
        _check_status(answer)
        with as_forum_errors():
            tree = read_page(answer.body, answer.content_type)
        if parse_viewer(tree) is not None:
            return Page(tree, urlsplit(answer.url).path)
        if tree.select_one("header.layout__header a.header__login"):
            return None
        raise NotATopic("page/not-spirit", "the page shows neither a session nor where to log in")

    def _log_in(self) -> None:
        self.http.forget_cookies()
        answer = self.http.get(_LOGIN)
        _check_status(answer)
        with as_forum_errors():
            form = parse_form(read_page(answer.body, answer.content_type), "username", "password")
        data = form.filled(username=self._username, password=self._password)
        self._judge_login(self.http.post(_LOGIN, data, _LOGIN))
        self.http.save_cookies()

    def _judge_login(self, answer: Answer) -> None:
        if answer.location is not None and not is_login(answer.location):
            return
        if answer.location is not None:
            raise LoginFailed("forum/login-limit", "the forum allows few logins in five minutes", _LOGIN_WAIT)
        if answer.status != 200:
            raise Unreachable(
                "forum/status", f"the forum answers a login with {answer.status}", answer.retry_after
            )
        with as_forum_errors():
            said = parse_complaints(read_page(answer.body, answer.content_type))
        raise LoginFailed("forum/login-refused", " ".join(said) or "the forum refuses name or password")

    def _find_zone(self, chosen: str | None) -> ZoneInfo:
        """The zone that the account has chosen; what the settings say must agree, else every deadline is
        off.
        """
        wanted = self._wanted_zone
        if chosen and wanted and chosen != wanted:
            detail = f"the account sees times in {chosen}, the settings say {wanted}"
            raise ForumError("forum/wrong-zone", f"{detail}: make them agree")
        try:
            return ZoneInfo(chosen or wanted or "")
        except (ZoneInfoNotFoundError, ValueError):
            raise ForumError("forum/unknown-zone", f"no known time zone: {chosen or wanted!r}") from None


def is_login(location: str) -> bool:
    """Whether a redirect leads to the login form."""
    return urlsplit(location).path.endswith("/" + _LOGIN)


def _check_status(answer: Answer) -> None:
    if answer.status == 200:
        return
    if answer.status in (401, 403, 404, 410):
        code = "forum/missing" if answer.status in (404, 410) else "forum/forbidden"
        raise NotATopic(code, f"the forum answers {answer.status}: no such page for this account")
    raise Unreachable("forum/status", f"the forum answers {answer.status}", answer.retry_after)
