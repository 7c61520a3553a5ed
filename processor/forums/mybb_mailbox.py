"""The private messages of an account on MyBB, as conversations.

MyBB has no conversations: each message stands alone, and sender and recipients hold copies with numbers of
their own. Here those make one that are exchanged by the same people under the same subject, whatever
answering puts before it. A conversation is called by both: `c3-…` is with account 3, `m7` is message 7.

Nobody can change a message, so each is asked for once. Folders besides those for what came in and what was
sent aren't looked at, nor is the bin.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from parsers.pages.forms import parse_form
from parsers.pages.letters import Letter, name_conversation
from parsers.pages.mybb import check_notice
from parsers.pages.mybb_forms import parse_quote
from parsers.pages.mybb_letters import Envelope, Folder, parse_folder, parse_letter
from parsers.pages.mybb_letters import Letter as ShownLetter
from processor.forums.letterbox import Mail
from processor.forums.mybb_session import MybbSession
from processor.forums.session import as_forum_errors
from processor.ports import IncompletePage, NotATopic
from rules.play.posts import Post, Precision

_INBOX, _SENT = "private.php", "private.php?fid=2"
_LETTER = re.compile("m([0-9]{1,18})")
_MAX_PAGES = 1000


def letter_path(post_id: str) -> str | None:
    """Where a private message is read, None for the id of a post."""
    found = _LETTER.fullmatch(post_id)
    return f"private.php?action=read&pmid={found.group(1)}" if found else None


class Mailbox:
    """Reads both folders; everything raises ForumError."""

    def __init__(self, session: MybbSession, link: Callable[[str], str]) -> None:
        """link: makes a message's address from its id."""
        self._session, self._link = session, link
        self._kept: dict[str, ShownLetter] = {}
        self.mail = Mail(session, self._read_letters)

    def list_sent(self) -> tuple[Envelope, ...]:
        """The newest of what was sent, the newest first."""
        return self._folder(_SENT, 1).envelopes

    def text_of(self, post_id: str) -> str | None:
        """A message's text as typed; None where MyBB offers another one to quote."""
        path = f"private.php?action=send&pmid={post_id.removeprefix('m')}&do=reply"
        tree = self._session.fetch(path).tree
        with as_forum_errors():
            check_notice(tree)
            quote = parse_quote(parse_form(tree, "message", "subject").text)
        return None if quote is None else quote.text

    def topic_of(self, post_id: str) -> tuple[str, str | None]:
        """The conversation to which a message belongs, and whose it is."""
        letter = self._letter(post_id.removeprefix("m"))
        return self._topic_of(letter), letter.author_id

    def _topic_of(self, letter: ShownLetter) -> str:
        account = self._session.account
        return name_conversation([one for one in letter.people if one != account] or [account], letter.title)

    def _read_letters(self) -> list[Letter]:
        numbers = {one.id for path in (_INBOX, _SENT) for one in self._list(path)}
        return [self._as_letter(self._letter(number)) for number in numbers]

    def _as_letter(self, shown: ShownLetter) -> Letter:
        post = Post(
            id=f"m{shown.id}",
            topic="",
            author_id=shown.author_id,
            author=shown.author,
            created_at=shown.sent_at,
            precision=Precision.MINUTE,
            url=self._link(f"m{shown.id}"),
            html=shown.html,
            private=True,
        )
        return Letter(post, shown.title, frozenset(shown.people))

    def _list(self, path: str) -> tuple[Envelope, ...]:
        """A folder; what moves while it is read makes it another, and is read once more."""
        try:
            return self._list_proven(path)
        except IncompletePage:
            return self._list_proven(path)

    def _list_proven(self, path: str) -> tuple[Envelope, ...]:
        pages = [self._folder(path, 1)]
        while pages[-1].page < pages[-1].pages:
            if len(pages) >= _MAX_PAGES:
                raise IncompletePage("forum/too-long", f"over {_MAX_PAGES} pages of private messages")
            pages.append(self._folder(path, len(pages) + 1))
        whole = tuple(one for page in pages for one in page.envelopes)
        again = self._folder(path, 1) if len(pages) > 1 else pages[0]
        if again.envelopes != pages[0].envelopes or len({one.id for one in whole}) != len(whole):
            raise IncompletePage("forum/shifted", "a folder of private messages changed while it was read")
        return whole

    def _folder(self, path: str, number: int) -> Folder:
        along = "&" if "?" in path else "?"
        tree = self._session.fetch(path if number == 1 else f"{path}{along}page={number}").tree
        with as_forum_errors():
            folder = parse_folder(tree)
        if folder.page != number:
            raise IncompletePage("forum/other-page", f"asked for page {number}, got {folder.page}")
        return folder

    def _letter(self, number: str) -> ShownLetter:
        if number not in self._kept:
            tree = self._session.fetch(f"private.php?action=read&pmid={number}").tree
            with as_forum_errors():
                letter = parse_letter(tree, self._session.face)
            if letter.id != number:
                raise NotATopic("forum/other-topic", f"asked for message {number}, got {letter.id}")
            self._kept[number] = letter
        return self._kept[number]
