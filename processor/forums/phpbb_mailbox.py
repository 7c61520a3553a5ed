"""The private messages of an account on phpBB, as conversations.

phpBB has no conversations: each message stands alone, in the sender's folder and in the recipients'. Here
those make one that are exchanged by the same people under the same subject, whatever answering puts before
it. A conversation is called by both, not by its oldest message, which phpBB throws away when a folder is
full: `c3-…` is with account 3, `m7` is message 7.

A message that was read can't be changed any more, so each is asked for once: who can read it, and the form in
which one quotes it, which tells its text and, unlike the page, its time in numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

from bs4 import Tag

from parsers.pages.forms import parse_form
from parsers.pages.guard import NotATopicPage
from parsers.pages.letters import Letter
from parsers.pages.phpbb_forms import Quote, check_notice, parse_quote
from parsers.pages.phpbb_letters import Envelope, Folder, Head, parse_folder, parse_head
from processor.forums.letterbox import Mail
from processor.forums.session import Session, as_forum_errors
from processor.ports import ForumError, IncompletePage, NotATopic
from rules.play.posts import Post, Precision

_FOLDERS = (("outbox", -2), ("sentbox", -1), ("inbox", 0))
"""By their numbers. What the recipient reads moves from the first to the second, so that none slips by."""
_LETTER = re.compile("m([0-9]{1,18})")
_MAX_PAGES = 1000


def is_letter(post_id: str) -> bool:
    """Whether an id is that of a private message."""
    return _LETTER.fullmatch(post_id) is not None


def letter_path(post_id: str) -> str | None:
    """Where a private message is read, None for the id of a post."""
    found = _LETTER.fullmatch(post_id)
    return f"ucp.php?i=pm&mode=view&p={found.group(1)}" if found else None


class Mailbox:
    """Reads all folders; everything raises ForumError."""

    def __init__(self, session: Session, link: Callable[[str], str]) -> None:
        """link: makes a message's address from its id."""
        self._session, self._link = session, link
        self._kept: dict[str, Letter] = {}
        self.mail = Mail(session, self._letters)

    def text_of(self, post_id: str) -> str:
        """A message's text as typed."""
        kept = self._kept.get(post_id.removeprefix("m"))
        if kept is not None and kept.post.raw is not None:
            return kept.post.raw
        return self._quote(post_id.removeprefix("m")).text

    def confirm(self, post_id: str, text: str) -> bool:
        """Whether a message is ours and has this text."""
        quote = self._quote(post_id.removeprefix("m"))
        return quote.values.get("user_id") == self._session.account and quote.text == text.strip()

    def _letters(self) -> list[Letter]:
        """All messages, the oldest first, each once, those left out whose sender is gone."""
        listed = [one for name, number in _FOLDERS for one in self._list(name, number)]
        stands = {one.id for one in listed if not one.gone}
        return [self._letter(number) for number in sorted(stands, key=int)]

    def _list(self, name: str, number: int) -> tuple[Envelope, ...]:
        """A folder; what moves while it is read makes it another, and is read once more."""
        try:
            return self._list_proven(name, number)
        except IncompletePage:
            return self._list_proven(name, number)

    def _list_proven(self, name: str, number: int) -> tuple[Envelope, ...]:
        pages = [self._folder(name, number, 0)]
        whole = list(pages[0].envelopes)
        while len(whole) < pages[0].count and len(pages) < _MAX_PAGES and pages[-1].envelopes:
            pages.append(self._folder(name, number, len(whole)))
            whole += pages[-1].envelopes
        again = self._folder(name, number, 0) if len(pages) > 1 else pages[0]
        if len({one.id for one in whole}) != pages[0].count or again != pages[0]:
            detail = f"{name} has {pages[0].count} messages, {len(whole)} were listed"
            raise IncompletePage("forum/shifted", detail)
        return tuple(whole)

    def _folder(self, name: str, number: int, start: int) -> Folder:
        path = f"ucp.php?i=pm&folder={name}"
        tree = self._session.fetch(f"{path}&start={start}" if start else path).tree
        try:
            check_notice(tree)
        except NotATopicPage as error:
            raise ForumError("forum/no-private", error.detail) from None
        with as_forum_errors():
            return parse_folder(tree, number)

    def _letter(self, number: str) -> Letter:
        if number not in self._kept:
            self._kept[number] = self._fetch(number)
        return self._kept[number]

    def _fetch(self, number: str) -> Letter:
        """Look at a message, from when on its sender can't change it, and then at its text."""
        head = self._head(number)
        quote = self._quote(number)
        if head.author_id is None or quote.values.get("user_id") != head.author_id:
            detail = f"message {number} is by {head.author_id}, its quote by {quote.values.get('user_id')}"
            raise IncompletePage("page/other-author", detail)
        post = Post(
            id=f"m{number}",
            topic="",
            author_id=head.author_id,
            author=head.author,
            created_at=_moment(quote),
            precision=Precision.SECOND,
            url=self._link(f"m{number}"),
            raw=quote.text,
            private=True,
        )
        return Letter(post, head.title, frozenset(head.people))

    def _head(self, number: str) -> Head:
        tree = self._session.fetch(letter_path(f"m{number}") or "").tree
        with as_forum_errors():
            check_notice(tree)
            head = parse_head(tree)
        if head.id != number:
            raise NotATopic("forum/other-topic", f"asked for message {number}, got {head.id}")
        return head

    def _quote(self, number: str) -> Quote:
        tree = self._session.fetch(f"ucp.php?i=pm&mode=compose&action=quote&p={number}").tree
        with as_forum_errors():
            check_notice(tree)
            quote = parse_quote(_quoted(tree))
        if quote is None or not quote.values.get("time", "").isdecimal():
            detail = f"message {number} can't be quoted: may this account use BBCode in private messages?"
            raise IncompletePage("page/no-quote", detail)
        return quote


def _quoted(tree: Tag) -> str:
    return parse_form(tree, "message", "subject").text


def _moment(quote: Quote) -> datetime:
    return datetime.fromtimestamp(int(quote.values["time"]), UTC)
