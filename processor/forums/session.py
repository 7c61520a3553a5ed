"""A logged-in session in a forum that is read by its pages, each proven to be made for the own account."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

from bs4 import Tag

from parsers.pages.forms import Form, parse_form
from parsers.pages.guard import NotATopicPage, PageError
from parsers.pages.topics import read_page
from processor.forums.http import Answer, ForumHttp, Payload, SentFile
from processor.ports import IncompletePage, LoginFailed, Missing, NotATopic, Unreachable

_HOPS = 3


@dataclass(frozen=True, slots=True)
class Page:
    """A parsed page and the path under which it was found in the end."""

    tree: Tag
    path: str


class Site(Protocol):
    """What a session has to know of the forum's software.

    software: as in `game.toml`. login: path of the login form; its query counts where it has one.
    login_target: where the form is sent to. name_field, password_field: of that form. login_values: sent
    along. login_wait: seconds after which a forum that allows no more logins allows them again. home: path of
    a page that only members see.
    """

    software: str
    login: str
    login_target: str
    name_field: str
    password_field: str
    login_values: Mapping[str, str]
    login_wait: float
    home: str

    def find_viewer(self, page: Tag) -> str | None:
        """Account id of the session that the page was made for, None for a guest."""
        ...

    def offers_login(self, page: Tag) -> bool:
        """Whether the page is the forum's, made for a guest."""
        ...

    def find_complaints(self, page: Tag) -> tuple[str, ...]:
        """What the page says about a refused form, in the forum's words."""
        ...

    def check_answer(self, body: bytes) -> None:
        """Refuse a page that the forum sends with status 200 in place of an error's. Raises PageError."""
        ...

    def learn(self, page: Tag) -> None:
        """Take from the page at `home` what is needed besides the account. Raises ForumError."""
        ...


@contextmanager
def as_forum_errors() -> Iterator[None]:
    """Let what a parser refuses reach the caller as the port's errors, with the parser's code and words."""
    try:
        yield
    except NotATopicPage as error:
        if error.code == "forum/missing":
            raise Missing(error.detail, error.words) from None
        raise NotATopic(error.code, error.detail, words=error.words) from None
    except PageError as error:
        raise IncompletePage(error.code, error.detail, words=error.words) from None


class Session:
    """Logs in when needed, at most once per page, since forums allow few logins (forums.md 3)."""

    def __init__(
        self, http: ForumHttp, site: Site, username: str, password: str, form_age: float = 0.0
    ) -> None:
        """form_age: seconds that have to lie between getting a form and sending it, where the forum takes
        whoever is quicker for a machine.
        """
        self.http, self._site, self._form_age = http, site, form_age
        self._username, self._password = username, password
        self._account: str | None = None

    @property
    def account(self) -> str:
        """The own account id."""
        return self._account or self.open()

    def open(self) -> str:
        """Log in unless the kept session still holds, learn the account id. Raises ForumError."""
        page = self._fetch(self._site.home)
        account = self._site.find_viewer(page.tree)
        if account is None:
            raise LoginFailed("forum/login", "the forum shows a guest's page after logging in")
        self._site.learn(page.tree)
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
        viewer = self._site.find_viewer(page.tree)
        if viewer != account:
            raise NotATopic(
                "forum/other-account", f"the page was made for account {viewer}, not for {account}"
            )
        return page

    def send(
        self, path: str, data: Mapping[str, str], referer: str, files: Mapping[str, SentFile] | None = None
    ) -> Answer:
        """Send a form once that was got just before. referer: path of the page that held it. files: by the
        form's field. Raises as `ForumHttp.post` does.
        """
        if self._form_age:
            self.http.sleep(self._form_age)
        if files is None:
            return self.http.post(path, data, referer)
        payload = Payload(form=data, files=files)
        return self.http.send("POST", path, payload, {"Referer": self.http.url(referer)})

    def locate(self, path: str) -> str:
        """The path to which the forum redirects, without reading what stands there. Raises as `fetch`
        does.
        """
        answer = self.answer(path)
        return urlsplit(answer.location or answer.url).path

    def answer(self, path: str) -> Answer:
        """The bare answer to a member's request, a redirect or not. Raises as `fetch` does."""
        answer = self.http.get(path)
        if self.is_login(answer.location):
            self._log_in()
            answer = self.http.get(path)
        if answer.location is None:
            check_status(answer)
            with as_forum_errors():
                self._site.check_answer(answer.body)
        return answer

    def login_form(self, page: Tag) -> Form:
        """The form with which one logs in. Raises PageError, or LoginFailed where the page tells more."""
        return parse_form(page, self._site.name_field, self._site.password_field)

    def has_entered(self, answer: Answer) -> bool:
        """Whether the login form was taken: the forum leads elsewhere. Raises LoginFailed where an answer
        tells more.
        """
        return answer.location is not None and not self.is_login(answer.location)

    def is_login(self, location: str | None) -> bool:
        """Whether a redirect leads to the login form."""
        if location is None:
            return False
        form, found = urlsplit("/" + self._site.login), urlsplit(location)
        return found.path.endswith(form.path) and f"{found.query}&".replace(";", "&").startswith(
            f"{form.query}&" if form.query else ""
        )

    def read(self, answer: Answer) -> Tag:
        """The tree behind an answer. Raises PageError."""
        self._site.check_answer(answer.body)
        return read_page(answer.body, answer.content_type)

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
            if self.is_login(answer.location):
                return None
            answer = self.http.get(answer.location)
        check_status(answer)
        with as_forum_errors():
            tree = self.read(answer)
        if self._site.find_viewer(tree) is not None:
            return Page(tree, urlsplit(answer.url).path)
        if self._site.offers_login(tree):
            return None
        code = f"page/not-{self._site.software}"
        raise NotATopic(code, "the page shows neither a session nor where to log in")

    def _log_in(self) -> None:
        site = self._site
        self.http.forget_cookies()
        answer = self.http.get(site.login, patient=False)
        self._check_limit(answer)
        check_status(answer)
        with as_forum_errors():
            form = self.login_form(self.read(answer))
        own = {site.name_field: self._username, site.password_field: self._password}
        data = form.filled(**site.login_values, **own)
        self._judge_login(self.send(site.login_target, data, site.login))
        self.http.save_cookies()

    def _judge_login(self, answer: Answer) -> None:
        if self.has_entered(answer):
            return
        self._check_limit(answer)
        if answer.status != 200:
            raise Unreachable("forum/status", f"login: {answer.status}", answer.retry_after)
        with as_forum_errors():
            said = " ".join(self._site.find_complaints(self.read(answer)))
        detail = said or "the forum refuses name or password"
        raise LoginFailed("forum/login-refused", detail, words=said)

    def _check_limit(self, answer: Answer) -> None:
        """Raise LoginFailed where the forum sends 429, or back to the form without a word."""
        if answer.status == 429 or self.is_login(answer.location):
            wait = answer.retry_after or self._site.login_wait
            detail = f"the forum allows few logins in {wait / 60:g} minutes"
            raise LoginFailed("forum/login-limit", detail, wait)


def check_status(answer: Answer) -> None:
    """Raise what a status other than 200 means: Missing, NotATopic for what is forbidden, Unreachable."""
    if answer.status == 200:
        return
    if answer.status in (401, 403, 404, 410):
        detail = f"the forum answers {answer.status}: no such page for this account"
        raise Missing(detail) if answer.status in (404, 410) else NotATopic("forum/forbidden", detail)
    raise Unreachable("forum/status", str(answer.status), answer.retry_after)
