"""The forum port for django-spirit 0.14 (Markdown, HTML pages and forms)."""

from __future__ import annotations

from parsers.pages.spirit_forms import parse_quoted
from processor.forums.conversations import ConversationReader
from processor.forums.http import ForumHttp
from processor.forums.online import PictureForum
from processor.forums.session import Session
from processor.forums.spirit_publishing import SpiritForms, SpiritPublisher
from processor.forums.spirit_reading import SpiritPages
from processor.forums.spirit_session import SpiritSite
from processor.ports import Missing
from rules.play.posts import Capabilities, Outcome, PictureKind, Precision, Uploads

SPIRIT = Capabilities(
    precision=Precision.MINUTE,
    private=True,
    edit=True,
    max_chars=3000,
    min_interval=10.0,
    line_end=2,
    mentions=True,
    uploads=Uploads(PictureKind.GIF, 1024 * 1024),
)
"""Of pictures the program takes JPEG and GIF, PNG where its host has added it to
`ST_ALLOWED_UPLOAD_IMAGE_FORMAT`.
"""


class SpiritForum(PictureForum):
    """One Spirit forum as one account sees it; implements `processor.ports.Forum`.

    Pages are asked for in English; times are read in the zone of the account's own preferences, never
    guessed.
    """

    def __init__(
        self,
        base_url: str,
        username: str,
        password: str,
        zone: str | None = None,
        http: ForumHttp | None = None,
        capabilities: Capabilities = SPIRIT,
    ) -> None:
        """zone: what the account's preferences are expected to say, None to believe them.

        http: a connection to the same `base_url`, None for one with default limits.
        capabilities: of this installation (a host may have raised ST_COMMENT_MAX_LEN or lifted the rate
        limits).
        """
        http = http or ForumHttp(base_url)
        site = SpiritSite(zone)
        session = Session(http, site, username, password)
        pages = SpiritPages(session, site)
        reader = ConversationReader(session, pages)
        forms = SpiritForms(capabilities.min_interval)
        self._publisher = SpiritPublisher(session, reader, pages, forms, capabilities)
        super().__init__(session, reader, self._publisher, capabilities, pages.link)

    def raw_text(self, post_id: str, topic: str) -> str | None:
        """See `Forum.raw_text`; the quote form gives anybody's text, where the topic is closed the edit form
        our own.
        """
        try:
            form = self._publisher.find_form(f"comment/{topic}/publish/{post_id}/quote/", "comment")
            return parse_quoted(form.text)
        except Missing:
            return self._own_text(post_id)

    def _own_text(self, post_id: str) -> str | None:
        try:
            return self._publisher.own_text(post_id)
        except Missing:
            return None

    def open_topic(self, category: str, title: str, text: str) -> Outcome:
        """Open a public topic in the category with this id; `Published.topic` is the new topic's id."""
        return self._publisher.open_topic(category, title, text)
