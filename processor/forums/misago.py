"""The forum port for Misago 0.39 (Markdown with some BBCode, JSON interface).

What it can't do: tell a text that is sent again from a new one; give a text as typed in a closed thread, but
to its moderators; enter a forum that leaves logging in to another site (OAuth 2), or whose cookies have other
names than Misago's; see what waits for approval, but for its own; show a picture in a text that goes a day
later. Lines that the forum itself writes between posts are passed over.
"""

from __future__ import annotations

from processor.forums.api import ApiSession
from processor.forums.api_pictures import ApiPicturePublisher
from processor.forums.conversations import ConversationReader
from processor.forums.http import ForumHttp
from processor.forums.misago_publishing import INTERVAL, MisagoCalls
from processor.forums.misago_reading import MisagoPages
from processor.forums.misago_session import MisagoAccount
from processor.forums.online import PictureForum
from processor.ports import NotATopic
from rules.play.posts import Capabilities, Limit, PictureKind, Precision, Uploads

MISAGO = Capabilities(
    precision=Precision.SECOND,
    private=True,
    edit=True,
    max_chars=60_000,
    min_interval=INTERVAL,
    limits=frozenset((Limit.SAME_TEXT, Limit.CLOSED_TEXTS)),
    uploads=Uploads(PictureKind.PNG, 4 * 1024 * 1024),
)


class MisagoForum(PictureForum):
    """One Misago forum as one account sees it; implements `processor.ports.Forum`."""

    def __init__(
        self,
        base_url: str,
        username: str,
        password: str,
        http: ForumHttp | None = None,
        capabilities: Capabilities = MISAGO,
    ) -> None:
        """http: a connection to the same `base_url`, None for one with default limits.

        capabilities: of this installation.
        """
        session = ApiSession(http or ForumHttp(base_url), MisagoAccount(username, password))
        self._pages = MisagoPages(session)
        writer = ApiPicturePublisher(session, MisagoCalls(session, self._pages), capabilities)
        reader = ConversationReader(session, self._pages)
        super().__init__(session, reader, writer, capabilities, self._pages.link)

    def raw_text(self, post_id: str, topic: str) -> str | None:
        """See `Forum.raw_text`; None for what is hidden, and in a closed thread."""
        try:
            return self._pages.source(post_id, topic)
        except NotATopic as error:
            if error.code in ("forum/missing", "forum/forbidden"):
                return None
            raise
