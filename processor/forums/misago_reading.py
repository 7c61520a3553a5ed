"""Where a Misago forum keeps the posts of its threads, its private threads, and the texts as typed."""

from __future__ import annotations

import re

from parsers.pages import misago
from parsers.pages.topics import TopicList, TopicPage
from processor.forums.api import ApiSession
from processor.forums.session import as_forum_errors
from processor.ports import Missing

_TOPIC = re.compile("(p?)([0-9]{1,18})")
_POST = re.compile("(p?[0-9]{1,18})-([0-9]{1,18})")


class MisagoPages:
    """Implements `processor.forums.conversations.ConversationPages`; remembers where parts of lists begin."""

    per_page = 17  # 18 with the first of the next page

    def __init__(self, session: ApiSession) -> None:
        self._session = session
        self._cursors: dict[int, int] = {}

    def fetch(self, topic: str, number: int) -> tuple[TopicPage, None]:
        """See `TopicPages.fetch`."""
        path = posts_path(topic) if number == 1 else f"{posts_path(topic)}?page={number}"
        found = self._session.read(path, misago.Thread)
        with as_forum_errors():
            return misago.read_thread(found, topic.startswith("p"), self.link), None

    def is_closed(self, topic: str) -> bool:
        """Whether nobody but its moderators may reply. Raises ForumError."""
        return self._session.read(posts_path(topic), misago.Thread).is_closed

    def list_conversations(self, number: int) -> TopicList:
        """See `ConversationPages.list_conversations`: each part of the list tells where the next begins."""
        start = "" if number == 1 else f"?start={self._cursors[number]}"
        found = self._session.read(f"api/private-threads/{start}", misago.ThreadList)
        if found.next is not None:
            self._cursors[number + 1] = found.next
        return misago.read_list(found)

    def source(self, post_id: str, topic: str) -> str:
        """The text as typed, which whoever may reply in the thread is given of anybody's post.

        topic: where the post stands, if its id doesn't say. Raises ForumError.
        """
        named = _POST.fullmatch(post_id)
        thread, number = (named[1], named[2]) if named else (topic, post_id)
        if not number.isdecimal():
            raise Missing(f"{post_id!r} is no post's id")
        return self._read_source(f"{posts_path(thread)}reply_editor/?reply={number}")

    def own_source(self, post_id: str) -> str:
        """The same of a post that the own account may edit. Raises ForumError."""
        return self._read_source(f"{post_path(post_id)}post_editor/")

    def link(self, post_id: str) -> str:
        """Where a reader finds the post; the word for the title in the address is mended by the forum."""
        topic, _, number = post_id.rpartition("-")
        kind = "p" if topic.startswith("p") else "t"
        return self._session.http.url(f"{kind}/-/{topic.removeprefix('p')}/post/{number}/")

    def _read_source(self, path: str) -> str:
        return self._session.read(path, misago.Source).post.replace("\r\n", "\n")


def posts_path(topic: str) -> str:
    """Where a thread's posts stand. Raises Missing for what is no thread's id."""
    named = _TOPIC.fullmatch(topic)
    if named is None:
        raise Missing(f"{topic!r} is no number of a thread")
    return f"api/{'private-' if named[1] else ''}threads/{named[2]}/posts/"


def post_path(post_id: str) -> str:
    """Where a post stands. Raises Missing for what is no post's id."""
    named = _POST.fullmatch(post_id)
    if named is None:
        raise Missing(f"{post_id!r} is no post's id")
    return f"{posts_path(named[1])}{named[2]}/"
