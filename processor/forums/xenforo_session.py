"""How a XenForo forum knows an account: by a key with each request."""

from __future__ import annotations

from typing import TypeVar
from urllib.parse import urlencode

from parsers.pages.json_body import Shape, read_json
from parsers.pages.xenforo import Index, Key, Me, Named
from processor.forums.api import check_key
from processor.forums.http import Answer, ForumHttp
from processor.forums.session import as_forum_errors, check_status
from processor.ports import LoginFailed

S = TypeVar("S", bound=Shape)

_VIEWER = "XF-Request-User"
"""The header in which each answer says for which account it was made, 0 for a guest."""


class XenforoAccount:
    """Implements `processor.forums.api.Account`.

    key: what the key is for, once `enter` has asked.
    """

    key: Key | None = None

    def __init__(self, username: str, key: str) -> None:
        """username: to which the key has to belong, or as which a key for all accounts is to count."""
        self._username, self._secret = username, key

    def enter(self, http: ForumHttp) -> str:
        """See `Account.enter`. What the key is for is asked once."""
        check_key(self._secret, self._username)
        http.set_header("XF-Api-Key", self._secret)
        http.refuse_cookies()
        if self.key is None:
            self.key = self._learn_key(http)
        me = _ask(http, "api/me/", Me, self._username).me
        if me.username.casefold() != self._username.casefold():
            raise LoginFailed("forum/key-other", self._username)
        return str(me.user_id)

    def _learn_key(self, http: ForumHttp) -> Key:
        """What the key is for; one for all accounts is to count as ours. Raises ForumError."""
        key = _ask(http, "api/", Index, self._username).key
        if key.kind == "super":
            named = _ask(http, name_path(self._username), Named, self._username).exact
            if named is None:
                raise LoginFailed("forum/no-account", self._username)
            http.set_header("XF-Api-User", str(named.user_id))
        elif key.kind != "user":
            raise LoginFailed("forum/key-other", self._username)
        return key

    def is_shut_out(self, answer: Answer) -> bool:
        """See `Account.is_shut_out`: the key counts no more."""
        return answer.status == 401


def check_viewer(answer: Answer, account: str) -> None:
    """Refuse what was made for somebody else, such as by a cache. Raises LoginFailed."""
    viewer = answer.headers.get(_VIEWER, "0")
    if viewer != account:
        code = "forum/login" if viewer == "0" else "forum/other-account"
        raise LoginFailed(code, f"the answer was made for account {viewer}, not for {account}")


def name_path(login: str) -> str:
    """Where an account is looked up by its name."""
    return f"api/users/find-name?{urlencode({'username': login})}"


def _ask(http: ForumHttp, path: str, shape: type[S], account: str) -> S:
    answer = http.get(path)
    if answer.status in (400, 401, 403):
        raise LoginFailed("forum/key-refused", account)
    check_status(answer)
    with as_forum_errors():
        return read_json(answer.body, answer.content_type, shape)
