"""The forum port for FlaskBB 3 (Markdown, HTML pages and forms, texts as typed at `/raw`).

What it can't do: know an account otherwise than by its login name (FlaskBB shows no other id, and only an
administrator can change the name: the seat's account in `game.toml` changes with it); tell how often a post
was edited, only that it was and when; edit private messages, which nobody can in FlaskBB; see posts that
moderators have hidden, behind which all others move up; notify by mentioning; tell a text that is sent again
from a new one.
"""

from __future__ import annotations

from processor.forums.conversations import ConversationReader
from processor.forums.flaskbb_publishing import FlaskbbPublisher
from processor.forums.flaskbb_reading import FlaskbbPages
from processor.forums.flaskbb_session import FlaskbbSite
from processor.forums.http import ForumHttp
from processor.forums.online import OnlineForum
from processor.forums.session import Session
from processor.ports import Missing
from rules.play.posts import Capabilities, Limit, Precision

FLASKBB = Capabilities(
    precision=Precision.SECOND,
    private=True,
    edit=True,
    max_chars=20_000,  # FlaskBB itself knows no limit; longer than this nobody reads
    min_interval=0.0,
    line_end=2,
    limits=frozenset((Limit.SAME_TEXT, Limit.NAMES)),
)


class FlaskbbForum(OnlineForum):
    """One FlaskBB forum as one account sees it; implements `processor.ports.Forum`."""

    def __init__(
        self,
        base_url: str,
        username: str,
        password: str,
        http: ForumHttp | None = None,
        capabilities: Capabilities = FLASKBB,
    ) -> None:
        """http: a connection to the same `base_url`, None for one with default limits.

        capabilities: of this installation (a host may run it without private messages).
        """
        http = http or ForumHttp(base_url)
        session = Session(http, FlaskbbSite(), username, password)
        self._pages = FlaskbbPages(session)
        reader = ConversationReader(session, self._pages)
        publisher = FlaskbbPublisher(session, reader, self._pages, capabilities)
        super().__init__(session, reader, publisher, capabilities, self._pages.link)

    def raw_text(self, post_id: str, topic: str) -> str | None:
        """See `Forum.raw_text`; any member is given anybody's."""
        try:
            return self._pages.raw_text(post_id)
        except Missing:
            return None
