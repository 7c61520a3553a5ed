"""The forum port for MyBB 1.8 (BBCode, HTML pages and forms) in its own theme and those made of it.

What it can't do: tell times to the second, or read formats of dates with names of months; give each text a
post of its own, since MyBB appends what an account writes within the hour, if nobody has written in between;
tell a text that is sent again from a new one; give a text as typed once its topic is closed; tell what is
missing from what is forbidden; edit private messages; read folders for private messages besides the two that
all have; see posts that moderators have removed, behind which all others move up; notify by mentioning; read
boards whose addresses another extension than MyBB's own rewrites; show pictures in more than one post of a
turn, or more than the board lets a post have, which are five at first. Quotes within quotes may be cut as
deep as the board wants, which count for nothing anyway.
"""

from __future__ import annotations

from processor.forums.http import ForumHttp
from processor.forums.letterbox import MailReader
from processor.forums.mybb_mailbox import Mailbox, letter_path
from processor.forums.mybb_publishing import MybbPublisher
from processor.forums.mybb_reading import MybbPages
from processor.forums.mybb_session import MybbSession, MybbSite, is_refused
from processor.forums.online import PictureForum
from processor.ports import ForumError
from rules.play.posts import Capabilities, Limit, PictureKind, Precision, Uploads

MYBB = Capabilities(
    precision=Precision.MINUTE,
    private=True,
    edit=True,
    max_chars=20_000,  # MyBB takes 65,535, which several texts have to share where it puts them together
    min_interval=61.0,  # sixty seconds have to lie between two
    line_end=2,
    limits=frozenset((Limit.SAME_TEXT, Limit.MERGES, Limit.CLOSED_TEXTS)),
    uploads=Uploads(PictureKind.PNG, 500 * 1024),
)


class MybbForum(PictureForum):
    """One MyBB forum as one account sees it; implements `processor.ports.Forum`."""

    def __init__(
        self,
        base_url: str,
        username: str,
        password: str,
        http: ForumHttp | None = None,
        capabilities: Capabilities = MYBB,
    ) -> None:
        """http: a connection to the same `base_url`, None for one with default limits.

        capabilities: of this installation (a board may allow longer posts or another distance between them).
        """
        http = http or ForumHttp(base_url)
        session = MybbSession(http, MybbSite(http), username, password)
        self._pages = MybbPages(session)
        self._mailbox = Mailbox(session, self._pages.link)
        reader = MailReader(session, self._pages, self._mailbox.mail)
        publisher = MybbPublisher(session, reader, self._pages, self._mailbox, capabilities)
        super().__init__(session, reader, publisher, capabilities, self._pages.link)

    def raw_text(self, post_id: str, topic: str) -> str | None:
        """See `Forum.raw_text`: what one quotes, which is anybody's, else what one edits, which is ours."""
        try:
            if letter_path(post_id):
                return self._mailbox.text_of(post_id)
            quote = self._pages.quote(post_id, topic)
            return quote.text if quote else self._edited(post_id)
        except ForumError as error:
            if not is_refused(error):
                raise
        return None if letter_path(post_id) else self._edited(post_id)

    def _edited(self, post_id: str) -> str | None:
        try:
            return self._writer.own_text(post_id)
        except ForumError as error:
            if not is_refused(error):
                raise
            return None
