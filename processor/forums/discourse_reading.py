"""How a Discourse forum lets an account in, and where it keeps topics, conversations and single posts."""

from __future__ import annotations

import re
from urllib.parse import quote

from parsers.pages.discourse import (
    PRIVATE,
    ListShape,
    OwnShape,
    PostShape,
    TopicShape,
    UserShape,
    make_list,
    make_page,
    make_post,
)
from parsers.pages.json_body import read_json
from parsers.pages.topics import TopicList, TopicPage
from processor.forums.api import ApiSession, Elsewhere, check_key
from processor.forums.http import Answer, ForumHttp
from processor.forums.session import as_forum_errors, check_status
from processor.ports import IncompletePage, LoginFailed, Missing, NotATopic
from rules.play.posts import Post

_NUMBER = re.compile("[0-9]{1,18}")


class DiscourseAccount:
    """Implements `processor.forums.api.Account`: a key counts with each request."""

    def __init__(self, name: str, key: str) -> None:
        self._name, self._key = name, key

    def enter(self, http: ForumHttp) -> str:
        """See `Account.enter`. Discourse refuses whoever brings a wrong key, never takes it for a guest."""
        check_key(self._key, self._name)
        http.set_header("Api-Key", self._key)
        http.set_header("Api-Username", self._name)
        answer = http.get(f"u/{quote(self._name, safe='')}.json")
        if answer.status in (401, 403):
            raise LoginFailed("forum/key-refused", self._name)
        if answer.status == 404:
            raise LoginFailed("forum/no-account", self._name)
        check_status(answer)
        with as_forum_errors():
            return str(read_json(answer.body, answer.content_type, UserShape).user.id)

    def is_shut_out(self, answer: Answer) -> bool:
        """See `Account.is_shut_out`."""
        del answer
        return False


class DiscoursePages:
    """Implements `processor.forums.conversations.ConversationPages`."""

    per_page = 20

    def __init__(self, session: ApiSession, name: str) -> None:
        self._session, self._name = session, name
        self._inbox: int | None = None
        self._private: set[str] = set()

    def fetch(self, topic: str, number: int) -> tuple[TopicPage, None]:
        """See `TopicPages.fetch`. Behind the last page Discourse leads to it."""
        shape = self.topic(topic, number)
        with as_forum_errors():
            return make_page(shape, number, self._session.account, self._address), None

    def topic(self, topic: str, number: int = 1) -> TopicShape:
        """A topic with one page of its posts. Raises ForumError."""
        page = f"&page={number}" if number > 1 else ""
        try:
            found = self._session.read(f"t/{self.number(topic)}.json?include_raw=true{page}", TopicShape)
        except Elsewhere:
            if number == 1:
                raise
            raise Missing(f"topic {topic} has no page {number}") from None
        if found.archetype == PRIVATE:
            self._private.add(topic)
        return found

    def number(self, name: str) -> int:
        """A topic's or post's id as Discourse has it. Raises Missing."""
        if not _NUMBER.fullmatch(name):
            raise Missing(f"{name!r} is no number of Discourse")
        return int(name)

    def list_conversations(self, number: int) -> TopicList:
        """See `ConversationPages.list_conversations`: those that others have written in, then those that
        only we have.
        """
        if number == 1:
            self._inbox = None
        sent = self._inbox is not None and number > self._inbox
        which, page = ("-sent", number - (self._inbox or 0)) if sent else ("", number)
        path = f"topics/private-messages{which}/{quote(self._name, safe='')}.json?page={page - 1}"
        listed = make_list(self._session.read(path, ListShape), self._session.account)
        if sent or listed.further:
            return listed
        self._inbox = number
        return TopicList(listed.topics, True, listed.viewer)

    def may_write(self) -> bool:
        """Whether the own account may open private conversations. Raises ForumError."""
        return self.own().can_send_private_messages

    def own(self) -> OwnShape:
        """What the forum tells of the own account. Raises ForumError."""
        return self._session.read(f"u/{quote(self._name, safe='')}.json", UserShape).user

    def read_post(self, topic: str, post_id: str, number: int) -> Post | None:
        """One post by its id, None where it stands in another topic by now. Raises ForumError."""
        post = self._post(post_id)
        if str(post.topic_id) != topic:
            return None
        return make_post(post, topic in self._private, number, self._address)

    def raw_text(self, post_id: str) -> str:
        """A post's text as typed. Raises ForumError."""
        return self._text_of(self._post(post_id))

    def own_text(self, post_id: str) -> str:
        """The text of a post that may be edited. Raises ForumError."""
        post = self._post(post_id)
        if not post.can_edit:
            raise NotATopic("forum/forbidden", f"post {post_id} may not be edited")
        return self._text_of(post)

    def _post(self, post_id: str) -> PostShape:
        return self._session.read(f"posts/{self.number(post_id)}.json", PostShape)

    def _text_of(self, post: PostShape) -> str:
        if post.raw is None:
            raise IncompletePage("page/other-shape", f"post {post.id} comes without its text")
        return post.raw

    def link(self, post_id: str) -> str:
        """Where a reader finds the post."""
        return self._address(int(post_id))

    def _address(self, post_id: int) -> str:
        return self._session.http.url(f"p/{post_id}")
