"""The forum port for SMF 2.1 (BBCode, HTML pages and forms).

Everything here was read in SMF's sources and never tried on a running forum, so pages that differ in anything
are refused by name.

What it can't do: read times in whatever format the account has chosen (`smf_time` has the list; a format with
the year first always works); give the text as typed of somebody's post that quotes others, which SMF leaves
out, or of any post in a closed topic; see that a post was edited within 90 seconds, which SMF doesn't mark,
or how often it was; edit private messages, which nobody can in SMF; tell a text that is sent again from a
new one; log in where the account has a second factor. Private messages are single in SMF: what the same
people write under the same subject is taken for a conversation. The seconds in `[quote … date=…]` would tell
a time exactly, but take a request for each post, so a format that isn't known is an error instead.

Nor does it upload pictures. What `action=uploadAttach` takes belongs to no post, form or key but to the
session. SMF deletes all of it when a form for a post is opened in that session (`Post()`, "starting afresh"),
as for every edit of a receipt and for other games of the account; gives all of it to whatever is posted or
edited in it next; and refuses a text with it where the account may not attach in that board. So the number
that stands in a report's text since the turn was resolved may mean nothing when the text leaves. A file that
comes with the post itself gets its number only then, and one that is added to an older post of ours is seen
there at once, before the turn is stored.
"""

from __future__ import annotations

from processor.forums.conversations import ConversationReader
from processor.forums.http import ForumHttp
from processor.forums.online import OnlineForum
from processor.forums.session import Session
from processor.forums.smf_publishing import SmfPublisher
from processor.forums.smf_reading import SmfPages
from processor.forums.smf_session import SmfSite
from processor.ports import NotATopic
from rules.play.posts import Capabilities, Limit, Precision

SMF = Capabilities(
    precision=Precision.SECOND,
    private=True,
    edit=True,
    max_chars=20_000,
    min_interval=6.0,  # SMF wants 5 s, and counts in whole ones
    line_end=2,
    limits=frozenset((Limit.SAME_TEXT, Limit.CLOSED_TEXTS, Limit.QUOTING_TEXTS)),
)


class SmfForum(OnlineForum):
    """One SMF forum as one account sees it; implements `processor.ports.Forum`."""

    def __init__(
        self,
        base_url: str,
        username: str,
        password: str,
        zone: str | None = None,
        http: ForumHttp | None = None,
        capabilities: Capabilities = SMF,
    ) -> None:
        """zone: what the account's page of looks is expected to say, None to believe it.

        http: a connection to the same `base_url`, None for one with default limits.
        capabilities: of this installation.
        """
        site = SmfSite(zone)
        session = Session(http or ForumHttp(base_url), site, username, password)
        self._pages = SmfPages(session, site)
        reader = ConversationReader(session, self._pages)
        self._publisher = SmfPublisher(session, reader, self._pages, capabilities)
        super().__init__(session, reader, self._publisher, capabilities, self._pages.link)

    def raw_text(self, post_id: str, topic: str) -> str | None:
        """See `Forum.raw_text`; our own from the form for edits, others' from what SMF offers to quote."""
        try:
            if post_id.startswith("m"):
                return self._pages.letter_text(post_id)
            text = self._pages.raw_text(post_id, topic)
            return self._publisher.own_text(post_id) if text is None else text
        except NotATopic:
            return None
