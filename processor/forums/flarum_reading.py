"""How a Flarum forum lets an account in, and where it keeps discussions and posts."""

from __future__ import annotations

import re

from parsers.pages.flarum import (
    DiscussionShape,
    ForumShape,
    PostShape,
    TokenShape,
    count_shown,
    make_page,
    make_post,
    name_people,
)
from parsers.pages.guard import IncompletePageError
from parsers.pages.json_body import read_json
from parsers.pages.topics import TopicPage
from processor.forums.api import ApiSession
from processor.forums.http import Answer, ForumHttp, Payload
from processor.forums.session import as_forum_errors, check_status
from processor.ports import ForumError, LoginFailed, Missing, NotATopic
from rules.play.posts import Post

_NUMBER = re.compile("[0-9]{1,18}")
_KEPT = "flarum_remember"
"""The cookie in which Flarum itself keeps what a login gives."""
_LOGIN_WAIT = 600.0


class FlarumAccount:
    """Implements `processor.forums.api.Account`: name and password give a token, which is kept."""

    def __init__(self, name: str, password: str) -> None:
        self._name, self._password = name, password

    def enter(self, http: ForumHttp) -> str:
        """See `Account.enter`."""
        http.set_header("Accept", "application/vnd.api+json, application/json")
        kept = http.cookie(_KEPT)
        account = None if kept is None else self._ask(http, kept)
        if account is None:
            account = self._ask(http, self._log_in(http))
        if account is None:
            raise LoginFailed("forum/login", "the forum takes us for a guest right after logging in")
        return account

    def is_shut_out(self, answer: Answer) -> bool:
        """See `Account.is_shut_out`: a token that has run out is told by 401."""
        return answer.status == 401

    def _ask(self, http: ForumHttp, token: str) -> str | None:
        """As whom a token counts, None where it is good for nothing."""
        http.set_header("Authorization", f"Token {token}")
        answer = http.get("api")
        if answer.status == 401:
            return None
        check_status(answer)
        with as_forum_errors():
            actor = read_json(answer.body, answer.content_type, ForumShape).data.relationships.actor.data
        return actor.id if actor else None

    def _log_in(self, http: ForumHttp) -> str:
        http.forget_cookies()
        http.set_header("Authorization", "")
        asked = {"identification": self._name, "password": self._password, "remember": True}
        answer = http.send("POST", "api/token", Payload(json=asked))
        if answer.status == 401:
            raise LoginFailed("forum/login-refused", "the forum refuses name or password")
        if answer.status == 429:
            wait = answer.retry_after or _LOGIN_WAIT
            raise LoginFailed("forum/login-limit", "the forum allows no more logins for now", wait)
        check_status(answer)
        with as_forum_errors():
            token = read_json(answer.body, answer.content_type, TokenShape).token
        http.set_cookie(_KEPT, token)
        http.save_cookies()
        return token


class FlarumPages:
    """Implements `processor.forums.reading.TopicPages`."""

    per_page = 20

    def __init__(self, session: ApiSession) -> None:
        self._session = session
        self._places: dict[str, str] = {}
        # Nobody can choose how many posts come with a discussion; an extension may have changed it.
        self._size = self.per_page

    @property
    def account(self) -> str:
        """The own account id. Raises ForumError."""
        return self._session.account

    def fetch(self, topic: str, number: int) -> tuple[TopicPage, None]:
        """See `TopicPages.fetch`. Behind the end of a discussion Flarum shows no posts."""
        shape = self.discussion(topic, (number - 1) * self._size)
        total, offset = len(shape.data.relationships.posts.data), (number - 1) * self._size
        if number > 1 and total <= offset:
            raise Missing(f"discussion {topic} has no page {number}")
        with as_forum_errors():
            came = count_shown(shape, offset)
            if 0 < came < self._size and offset + came < total:
                self._size = came
                if number > 1:
                    return self.fetch(topic, number)
            page = make_page(shape, number, self._size, self._session.account, self._address)
        self._places |= {post.id: post.url for post in page.posts}
        return page, None

    def discussion(self, topic: str, offset: int = 0) -> DiscussionShape:
        """A discussion with its posts from an offset on. Raises ForumError."""
        path = f"api/discussions/{self.number(topic)}?page[offset]={offset}"
        return self._session.read(path, DiscussionShape)

    def number(self, name: str) -> str:
        """A discussion's or post's id, if it can be one. Raises Missing."""
        if not _NUMBER.fullmatch(name):
            raise Missing(f"{name!r} is no number of Flarum")
        return name

    def read_post(self, topic: str, post_id: str, number: int) -> Post | None:
        """One post by its id, None where it stands in another discussion by now. Raises ForumError."""
        shape = self._post(post_id)
        with as_forum_errors():
            post = make_post(shape.data, name_people(shape.included), number, self._address)
        return post if post.topic == topic else None

    def own_text(self, post_id: str) -> str:
        """The text of a post that may be edited. Raises ForumError."""
        told = self._post(post_id).data.attributes
        if not told.canEdit or not isinstance(told.content, str):
            raise NotATopic("forum/forbidden", f"post {post_id} may not be edited")
        return told.content

    def link(self, post_id: str) -> str:
        """Where a reader finds the post: addresses hold its number in the discussion. The forum's own address
        where that can't be told.
        """
        if post_id not in self._places:
            try:
                told = self._post(post_id).data
                self._places[post_id] = make_post(told, {}, None, self._address).url
            except (ForumError, IncompletePageError):
                return self._session.http.base_url
        return self._places[post_id]

    def _post(self, post_id: str) -> PostShape:
        return self._session.read(f"api/posts/{self.number(post_id)}", PostShape)

    def _address(self, topic: str, number: int) -> str:
        return self._session.http.url(f"d/{topic}/{number}")
