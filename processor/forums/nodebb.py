"""The forum port for NodeBB 4 (Markdown, an interface in JSON for reading and another for writing).

What stands in place of the account's password is a token that an administrator makes for it.

What it can't do: tell how often a post was edited, only that it was and when; see what people write whom the
account has blocked (a topic with their posts is refused as incomplete); tell a text that is sent again from a
new one; edit after the time that a forum may set for it; send a private message of more than a thousand
characters in one piece; keep the title of a private conversation longer than fifty, or from its participants,
who may rename a chat; read a long chat on from a place that it hasn't seen since the program began;
read posts that have come from other servers as somebody's orders unless their address is the seat's
account; upload pictures, since `POST /api/post/upload`, unlike all else, looks for a browser's session
with its token against forgery, and refuses whoever has neither.
"""

from __future__ import annotations

from processor.forums.api import ApiPublisher, ApiSession
from processor.forums.conversations import ConversationReader
from processor.forums.http import ForumHttp
from processor.forums.nodebb_publishing import NodebbCalls, shorten
from processor.forums.nodebb_reading import NodebbPages
from processor.forums.nodebb_session import NodebbAccount
from processor.forums.online import OnlineForum
from processor.ports import Missing
from rules.play.posts import Capabilities, Limit, Precision

NODEBB = Capabilities(
    precision=Precision.SECOND,
    private=True,
    edit=True,
    max_chars=32_000,  # of 32,767, since NodeBB counts an emoji twice
    max_private=980,  # of 1,000
    min_interval=10.0,
    mentions=True,
    limits=frozenset((Limit.SAME_TEXT, Limit.SESSIONS)),
)


class NodebbForum(OnlineForum):
    """One NodeBB forum as one account sees it; implements `processor.ports.Forum`."""

    def __init__(
        self,
        base_url: str,
        username: str,
        token: str,
        http: ForumHttp | None = None,
        capabilities: Capabilities = NODEBB,
    ) -> None:
        """http: a connection to the same `base_url`, None for one with default limits.

        capabilities: of this installation.
        """
        session = ApiSession(http or ForumHttp(base_url), NodebbAccount(username, token))
        self._pages = NodebbPages(session)
        writer = ApiPublisher(session, NodebbCalls(session, self._pages, capabilities), capabilities)
        reader = ConversationReader(session, self._pages)
        super().__init__(session, reader, writer, capabilities, self._pages.link)

    def raw_text(self, post_id: str, topic: str) -> str | None:
        """See `Forum.raw_text`; whoever may read a post is given its text."""
        try:
            return self._pages.raw_text(post_id)
        except Missing:
            return None

    def same_title(self, shown: str, sent: str) -> bool:
        """See `OnlineForum.same_title`: a chat's name is short."""
        return shown == shorten(sent)
