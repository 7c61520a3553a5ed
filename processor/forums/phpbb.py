"""The forum port for phpBB 3.3 (BBCode, HTML pages and forms) in its own style and those made of it.

What it can't do: tell when a post was edited, only how often, and not even that of a topic's newest post, or
where a moderator has edited; give a text as typed once its topic is closed, or where this account may not
quote; give quotes within quotes deeper than the board lets people quote, which count for nothing anyway;
edit private messages; tell a text that is sent again from a new one; see posts that moderators have removed,
behind which all others move up; notify by mentioning; read boards whose addresses an extension rewrites;
show more pictures in a turn than the board lets a post have, which are three at first.
Private messages from accounts that are gone are left out, and the account must be allowed to see profiles,
since these tell who is who.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from processor.forums.http import ForumHttp
from processor.forums.letterbox import MailReader
from processor.forums.online import PictureForum
from processor.forums.phpbb_mailbox import Mailbox, is_letter
from processor.forums.phpbb_publishing import PhpbbPublisher
from processor.forums.phpbb_reading import PhpbbPages
from processor.forums.phpbb_session import FORM_AGE, PhpbbSite
from processor.forums.session import Session
from processor.ports import NotATopic
from rules.play.posts import Capabilities, Limit, PictureKind, Precision, Uploads

T = TypeVar("T")

PHPBB = Capabilities(
    precision=Precision.SECOND,
    private=True,
    edit=True,
    max_chars=50_000,  # phpBB takes 60,000, and counts `&`, `<`, `>` and `"` as what HTML makes of them
    min_interval=16.0,  # phpBB wants 15 s from when it stored the last one
    limits=frozenset((Limit.SAME_TEXT, Limit.EDIT_MARKS, Limit.CLOSED_TEXTS)),
    uploads=Uploads(PictureKind.PNG, 256 * 1024),
)


class PhpbbForum(PictureForum):
    """One phpBB forum as one account sees it; implements `processor.ports.Forum`."""

    def __init__(
        self,
        base_url: str,
        username: str,
        password: str,
        http: ForumHttp | None = None,
        capabilities: Capabilities = PHPBB,
    ) -> None:
        """http: a connection to the same `base_url`, None for one with default limits.

        capabilities: of this installation (a board may allow longer posts or another distance between them).
        """
        session = Session(http or ForumHttp(base_url), PhpbbSite(), username, password, FORM_AGE)
        self._pages = PhpbbPages(session)
        self._mailbox = Mailbox(session, self._pages.link)
        reader = MailReader(session, self._pages, self._mailbox.mail)
        publisher = PhpbbPublisher(session, reader, self._pages, self._mailbox, capabilities)
        super().__init__(session, reader, publisher, capabilities, self._pages.link)

    def raw_text(self, post_id: str, topic: str) -> str | None:
        """See `Forum.raw_text`: what one quotes, which is anybody's, else what one edits, which is ours."""
        if is_letter(post_id):
            return _unless_refused(lambda: self._mailbox.text_of(post_id))
        quoted = _unless_refused(lambda: self._pages.quote(post_id))
        return quoted.text if quoted else _unless_refused(lambda: self._writer.own_text(post_id))


def _unless_refused(read: Callable[[], T | None]) -> T | None:
    """What the forum gives, None where it refuses, which is no error of ours."""
    try:
        return read()
    except NotATopic as error:
        if error.code not in ("forum/missing", "forum/forbidden"):
            raise
        return None
