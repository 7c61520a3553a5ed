"""Where a MyBB forum shows whose session a page is made for, how one logs in, and how times are written."""

from __future__ import annotations

from collections.abc import Mapping

from bs4 import Tag

from parsers.pages import mybb
from parsers.pages.forms import Form
from parsers.pages.guard import NotATopicPage
from parsers.pages.mybb_time import Face, check_clock, find_clock, learn_face
from parsers.pages.topics import attribute
from processor.forums.http import Answer, ForumHttp
from processor.forums.session import Page, Session, as_forum_errors
from processor.ports import ForumError, IncompletePage, LoginFailed, NotATopic

_LOGIN_WAIT = 900.0
"""Seconds. Ten tries in a quarter of an hour, of which MyBB tells in words only."""
_SESSION = "mybbuser"
"""Cookie without which nobody is logged in, whatever the page says."""


class MybbSite:
    """Implements `processor.forums.session.Site`; learns at each opening how the account sees times."""

    software = "mybb"
    login = "member.php?action=login"
    login_target = "member.php"
    name_field, password_field = "username", "password"
    login_values: Mapping[str, str] = {"remember": "yes"}
    login_wait = _LOGIN_WAIT
    home = "usercp.php?action=options"

    def __init__(self, http: ForumHttp) -> None:
        self._http = http
        self._face: Face | None = None

    @property
    def face(self) -> Face:
        """How the account sees times. Raises IncompletePage before the first opening."""
        if self._face is None:
            raise IncompletePage("page/no-clock", "the account's clock wasn't seen yet")
        return self._face

    def find_viewer(self, page: Tag) -> str | None:
        """See `Site.find_viewer`."""
        return mybb.parse_viewer(page)

    def offers_login(self, page: Tag) -> bool:
        """See `Site.offers_login`."""
        return mybb.offers_login(page)

    def find_complaints(self, page: Tag) -> tuple[str, ...]:
        """See `Site.find_complaints`."""
        return mybb.parse_complaints(page)

    def check_answer(self, body: bytes) -> None:
        """See `Site.check_answer`: what MyBB says in place of a page is known by its tree."""

    def learn(self, page: Tag) -> None:
        """See `Site.learn`. A board that is closed says so here, too, and only here can that be told from a
        topic that isn't there.
        """
        with as_forum_errors():
            mybb.check_notice(page, "forum/closed-board")
            face = learn_face(find_clock(page), self._http.server_time())
        chosen = page.select_one('select[name="dateformat"] option[selected]')
        self._face = face.narrow(attribute(chosen, "value"))


class MybbSession(Session):
    """Knows by a cookie whether a login succeeded, and by the clock on each page that it is no older one."""

    def __init__(self, http: ForumHttp, site: MybbSite, username: str, password: str) -> None:
        super().__init__(http, site, username, password)
        self._clock = site

    @property
    def face(self) -> Face:
        """How the account sees times."""
        _ = self.account
        return self._clock.face

    def login_form(self, page: Tag) -> Form:
        """See `Session.login_form`: after too many tries there is a page in its place that says so."""
        try:
            return super().login_form(page)
        except NotATopicPage:
            said = mybb.parse_notice(page)
            if said is None:
                raise
            raise LoginFailed("forum/login-limit", said, _LOGIN_WAIT, said) from None

    def has_entered(self, answer: Answer) -> bool:
        """See `Session.has_entered`. A page that only says something asks to wait, as it seems: a wrong
        password is told beside the form.
        """
        if self.http.has_cookie(_SESSION):
            return True
        with as_forum_errors():
            tree = self.read(answer) if answer.status == 200 and answer.location is None else None
        said = None if tree is None or mybb.parse_complaints(tree) else mybb.parse_notice(tree)
        if said is not None:
            raise LoginFailed("forum/login-limit", said, _LOGIN_WAIT, said)
        return False

    def fetch(self, path: str) -> Page:
        """See `Session.fetch`; a page whose clock isn't the forum's is an older one (IncompletePage)."""
        face = self.face
        page = super().fetch(path)
        with as_forum_errors():
            if mybb.find_refresh(page.tree) is None:
                check_clock(find_clock(page.tree), face, self.http.server_time())
        return page


def is_refused(error: ForumError) -> bool:
    """Whether the forum shows something else than it was asked for, which is no error of ours."""
    return isinstance(error, NotATopic) and error.code in ("forum/missing", "forum/forbidden")
