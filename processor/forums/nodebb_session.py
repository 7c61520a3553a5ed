"""How a NodeBB forum knows an account: by a token with each request."""

from __future__ import annotations

import re
from urllib.parse import quote

from parsers.pages.guard import PageError
from parsers.pages.json_body import read_json
from parsers.pages.nodebb import PingAnswer, Viewed, Whose
from processor.forums.api import check_key
from processor.forums.http import Answer, ForumHttp, Payload
from processor.forums.session import as_forum_errors, check_status
from processor.ports import LoginFailed


class NodebbAccount:
    """Implements `processor.forums.api.Account`."""

    def __init__(self, username: str, token: str) -> None:
        """username: to which the token has to belong."""
        self._username, self._token = username, token
        self._is_named = False

    def enter(self, http: ForumHttp) -> str:
        """See `Account.enter`: the forum is asked whose the token is, since it takes readers with a bad one
        for guests without a word.
        """
        check_key(self._token, self._username)
        http.set_header("Authorization", f"Bearer {self._token}")
        http.refuse_cookies()
        answer = http.send("POST", "api/v3/ping", Payload(json={}))
        if answer.status == 400:
            raise LoginFailed("forum/key-for-all", self._username)
        if answer.status in (401, 403):
            raise LoginFailed("forum/key-refused", self._username)
        check_status(answer)
        with as_forum_errors():
            uid = read_json(answer.body, answer.content_type, PingAnswer).response.uid
        if uid <= 0:
            raise LoginFailed("forum/key-refused", self._username)
        self._check_name(http, uid)
        return str(uid)

    def is_shut_out(self, answer: Answer) -> bool:
        """See `Account.is_shut_out`: a topic that a guest was given. Who was refused may be a guest, too, or
        not be allowed to: `session.open` finds out.
        """
        if answer.status == 401:
            return True
        try:
            return read_json(answer.body, answer.content_type, Viewed).viewer.uid <= 0
        except PageError:
            return False

    def _check_name(self, http: ForumHttp, uid: int) -> None:
        """Refuse another account's token, such as the administrator's, once. Raises LoginFailed."""
        if self._is_named:
            return
        answer = http.get(account_path(self._username))
        if answer.status != 403:  # the forum may hide accounts from members
            if answer.status == 404:
                raise LoginFailed("forum/no-account", self._username)
            check_status(answer)
            with as_forum_errors():
                named = read_json(answer.body, answer.content_type, Whose).uid
            if named != uid:
                raise LoginFailed("forum/key-other", self._username)
        self._is_named = True


def account_path(login: str) -> str:
    """Where an account is looked up: by its name as addresses have it, in small letters, with one hyphen for
    whatever is no letter, digit or underscore.
    """
    slug = re.sub(r"\W+", "-", login.lower()).strip("-")
    return f"api/user/{quote(slug, safe='')}"
