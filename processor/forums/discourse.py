"""The forum port for Discourse (JSON interface with a key that an administrator makes).

What it can't do: read a topic of 10,000 posts or more, of which Discourse no longer tells which there are (it
closes them by itself then); send more than three posts in a row in a topic that somebody else began, unless
the account is of the forum's team or `max consecutive replies` is 0; send the same text twice within five
minutes; notice an edit within five minutes of the post by anything but its text; show pictures as an account
of trust level 0; show one in a text that goes two days later.
"""

from __future__ import annotations

from processor.forums.api import ApiSession
from processor.forums.api_pictures import ApiPicturePublisher
from processor.forums.conversations import ConversationReader
from processor.forums.discourse_calls import DiscourseCalls
from processor.forums.discourse_reading import DiscourseAccount, DiscoursePages
from processor.forums.http import ForumHttp
from processor.forums.online import PictureForum
from processor.ports import Missing
from rules.engine.text import same_letters
from rules.play.posts import Capabilities, Limit, PictureKind, Post, Precision, Uploads

DISCOURSE = Capabilities(
    precision=Precision.SECOND,
    private=True,
    edit=True,
    max_chars=32_000,
    min_interval=5.0,
    mentions=True,
    limits=frozenset((Limit.SESSIONS,)),
    uploads=Uploads(PictureKind.PNG, 4 * 1024 * 1024 - 1),
)


class DiscourseForum(PictureForum):
    """One Discourse forum as one account sees it; implements `processor.ports.Forum`."""

    def __init__(
        self, account: str, key: str, http: ForumHttp, capabilities: Capabilities = DISCOURSE
    ) -> None:
        """account: its name. key: of the interface, for that account or for all. http: below the forum's
        address.
        """
        session = ApiSession(http, DiscourseAccount(account, key))
        self._pages = DiscoursePages(session, account)
        calls = DiscourseCalls(session, self._pages)
        reader = ConversationReader(session, self._pages)
        writer = ApiPicturePublisher(session, calls, capabilities)
        super().__init__(session, reader, writer, capabilities, self._pages.link)

    def raw_text(self, post_id: str, topic: str) -> str | None:
        """See `Forum.raw_text`; whoever may read a post is given it."""
        try:
            return self._pages.raw_text(post_id)
        except Missing:
            return None

    def read_post(self, topic: str, post_id: str, number: int) -> Post | None:
        """See `Forum.read_post`: posts have addresses of their own."""
        try:
            return self._pages.read_post(topic, post_id, number)
        except Missing:
            return None

    def same_title(self, shown: str, sent: str) -> bool:
        """See `OnlineForum.same_title`: Discourse tidies capitals, stops and blanks of titles."""
        return same_letters(shown, sent)
