"""The forum port for XenForo 2.1 and newer (BBCode, its REST API with a key that an administrator makes).

What it can't do: see posts that not everybody sees, such as those that wait for a moderator, behind which the
others keep their places; tell how often a post was edited, only that it was and when, nor that a private
message was, nor what an administrator edits silently, by anything but the text; read threads whose posts are
sorted by votes; tell a text that is sent again from a new one; show a picture in more posts than one.

Pictures are a post's files, and all of a turn's belong to the first post that shows one of them, below which
XenForo puts those that aren't in its text. Where a report has several posts, the others link to theirs.
"""

from __future__ import annotations

from processor.forums.api import ApiSession
from processor.forums.api_pictures import ApiPicturePublisher
from processor.forums.conversations import ConversationReader
from processor.forums.http import ForumHttp
from processor.forums.online import PictureForum
from processor.forums.xenforo_publishing import XenforoCalls
from processor.forums.xenforo_reading import XenforoPages
from processor.forums.xenforo_session import XenforoAccount
from processor.ports import Missing
from rules.play.posts import Capabilities, Limit, PictureKind, Precision, Uploads

XENFORO = Capabilities(
    precision=Precision.SECOND,
    private=True,
    edit=True,
    max_chars=10_000,
    min_interval=10.0,
    mentions=True,
    limits=frozenset((Limit.SAME_TEXT, Limit.SESSIONS)),
    uploads=Uploads(PictureKind.PNG, 1024 * 1024),
)
"""How large a picture may be isn't published; our maps are smaller by far."""


class XenforoForum(PictureForum):
    """One XenForo forum as one account sees it; implements `processor.ports.Forum`."""

    def __init__(
        self, username: str, key: str, http: ForumHttp, capabilities: Capabilities = XENFORO
    ) -> None:
        """key: of the account, or for all accounts. http: below the forum's address."""
        account = XenforoAccount(username, key)
        session = ApiSession(http, account)
        self._pages = XenforoPages(session)
        calls = XenforoCalls(session, account, self._pages, capabilities)
        writer = ApiPicturePublisher(session, calls, capabilities, spaced_names=True)
        reader = ConversationReader(session, self._pages)
        super().__init__(session, reader, writer, capabilities, self._pages.link)

    def raw_text(self, post_id: str, topic: str) -> str | None:
        """See `Forum.raw_text`; whoever may read a post is given its text."""
        try:
            return self._pages.raw_text(post_id)
        except Missing:
            return None
