"""Where a XenForo forum keeps its threads, its conversations and the texts as typed."""

from __future__ import annotations

import re
from typing import TypeVar

from parsers.pages import xenforo
from parsers.pages.guard import PageError
from parsers.pages.json_body import Shape, read_json
from parsers.pages.topics import TopicList, TopicPage
from processor.forums.api import ApiSession, check_answer
from processor.forums.http import Answer
from processor.forums.session import as_forum_errors
from processor.forums.xenforo_session import check_viewer, name_path
from processor.ports import Missing

S = TypeVar("S", bound=Shape)

_CONVERSATION = re.compile("c([0-9]{1,18})")
_MESSAGE = re.compile("c([0-9]{1,18})m([0-9]{1,18})")


def find_conversation(topic: str) -> str | None:
    """The number of a conversation, None for a thread."""
    found = _CONVERSATION.fullmatch(topic)
    return found[1] if found else None


def find_message(post_id: str) -> str | None:
    """The number of a conversation's message, None for a post."""
    found = _MESSAGE.fullmatch(post_id)
    return found[2] if found else None


def check_number(given: str) -> None:
    """Raise Missing unless a thread or post may have this id."""
    if not re.fullmatch("[0-9]{1,18}", given):
        raise Missing(f"{given!r} is no number of XenForo's")


class XenforoPages:
    """Implements `processor.forums.conversations.ConversationPages`."""

    per_page = 20

    def __init__(self, session: ApiSession) -> None:
        self._session = session

    def fetch(self, topic: str, number: int) -> tuple[TopicPage, None]:
        """See `TopicPages.fetch`."""
        conversation = find_conversation(topic)
        if conversation is not None:
            told = self._read(
                f"api/conversations/{conversation}/?with_messages=1&page={number}", xenforo.ConversationAnswer
            )
            with as_forum_errors():
                return xenforo.make_conversation(told, self.link, self._session.account), None
        check_number(topic)
        found = self._read(f"api/threads/{topic}/?with_posts=1&page={number}", xenforo.ThreadAnswer)
        with as_forum_errors():
            return xenforo.make_thread(found, self.link, self._session.account), None

    def list_conversations(self, number: int) -> TopicList:
        """See `ConversationPages.list_conversations`."""
        found = self._read(f"api/conversations/?page={number}", xenforo.ConversationsAnswer)
        with as_forum_errors():
            return xenforo.make_list(found, self._session.account)

    def raw_text(self, post_id: str) -> str:
        """A post's or message's text as typed. Raises ForumError."""
        message = find_message(post_id)
        if message is not None:
            path = f"api/conversation-messages/{message}/"
            return xenforo.tidy(self._read(path, xenforo.MessageAnswer).message.message)
        check_number(post_id)
        post = self._read(f"api/posts/{post_id}/", xenforo.PostAnswer).post
        if post.state != xenforo.VISIBLE:
            raise Missing(f"post {post_id} is {post.state}")
        return xenforo.tidy(post.message)

    def find_account(self, login: str) -> int | None:
        """The number of the account with that name, None where there is none. Raises ForumError."""
        named = self._read(name_path(login), xenforo.Named).exact
        return None if named is None else named.user_id

    def link(self, post_id: str) -> str:
        """Where a reader finds the post or message."""
        message = find_message(post_id)
        path = f"posts/{post_id}/" if message is None else f"conversations/messages/{message}/"
        return self._session.http.url(f"index.php?{path}")

    def _read(self, path: str, shape: type[S]) -> S:
        """As `ApiSession.read`, of an answer that says that it was made for us."""
        answer = self._session.ask(path)
        if _names_no_page(answer):
            raise Missing(f"the forum has no page {path}")
        check_answer(path, answer)
        check_viewer(answer, self._session.account)
        with as_forum_errors():
            return read_json(answer.body, answer.content_type, shape)


def _names_no_page(answer: Answer) -> bool:
    """Whether the forum refuses a page that is behind the last, in whatever class of status."""
    if not 400 <= answer.status < 500:
        return False
    try:
        faults = read_json(answer.body, answer.content_type, xenforo.Faults).errors
    except PageError:
        return False
    return any(fault.code == "invalid_page" for fault in faults)
