"""The forum port for Flarum 2 (JSON:API; texts in Markdown with its extension of that name).

What it can't do: send or read private messages, which Flarum itself doesn't have (a game with secret orders
refuses to start); give others' texts as typed, which only who may edit them is given; tell how often a post
was edited, only that it was and when; see what moderators have hidden, behind which all others move up.
"""

from __future__ import annotations

from processor.forums.api import ApiPublisher, ApiSession
from processor.forums.flarum_calls import FlarumCalls
from processor.forums.flarum_reading import FlarumAccount, FlarumPages
from processor.forums.http import ForumHttp
from processor.forums.online import OnlineForum
from processor.forums.reading import TopicReader
from processor.ports import Missing, NotATopic
from rules.play.posts import Capabilities, Limit, Post, Precision

FLARUM = Capabilities(
    precision=Precision.SECOND,
    private=False,
    edit=True,
    max_chars=63_000,
    min_interval=10.0,
    limits=frozenset((Limit.RAW_TEXT, Limit.SAME_TEXT)),
)


class FlarumForum(OnlineForum):
    """One Flarum forum as one account sees it; implements `processor.ports.Forum`."""

    def __init__(
        self, account: str, password: str, http: ForumHttp, capabilities: Capabilities = FLARUM
    ) -> None:
        """account: its name. http: below the forum's address."""
        session = ApiSession(http, FlarumAccount(account, password))
        self._pages = FlarumPages(session)
        writer = ApiPublisher(session, FlarumCalls(self._pages), capabilities)
        reader = TopicReader(session, self._pages)
        super().__init__(session, reader, writer, capabilities, self._pages.link)

    def raw_text(self, post_id: str, topic: str) -> str | None:
        """See `Forum.raw_text`: only who may edit a post is given it, and then it comes with the post."""
        try:
            return self._pages.own_text(post_id)
        except (Missing, NotATopic):
            return None

    def read_post(self, topic: str, post_id: str, number: int) -> Post | None:
        """See `Forum.read_post`: posts have addresses of their own."""
        try:
            return self._pages.read_post(topic, post_id, number)
        except Missing:
            return None
