"""Conversations of forums that know single private messages only, read from the boxes that hold them.

Nobody can change a message once it is sent, so each is read once; from then on a box is read from its newest
message back to one that is known. New messages stand first and push the others back, so that a box which
changes while it is read shows a message twice, and none is missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

from bs4 import Tag

from parsers.pages.letters import Letter, gather, is_conversation
from parsers.pages.topics import TopicLink, TopicList, TopicPage, check_times
from processor.forums.reading import Entered, TopicPages, TopicReader
from processor.forums.session import as_forum_errors
from processor.ports import IncompletePage, Missing
from rules.play.posts import Post, Reading

_MAX_PAGES = 1000


class Mail:
    """Readings of the conversations that an account's single messages make; everything raises ForumError."""

    def __init__(self, session: Entered, read_letters: Callable[[], Iterable[Letter]]) -> None:
        """read_letters: reads all of them anew."""
        self._session, self._read_letters = session, read_letters

    def read_all(self) -> tuple[Reading, ...]:
        """Every conversation, the one with the newest message first."""
        return tuple(map(self._reading, gather(self._read_letters(), self._session.account)))

    def read(self, topic: str) -> Reading:
        """One conversation, whole. Raises Missing where there is none."""
        found = next((one for one in self.read_all() if one.topic == topic), None)
        if found is None:
            raise Missing(f"no private message belongs to {topic}")
        return found

    def _reading(self, page: TopicPage) -> Reading:
        now, account = self._session.http.server_time(), self._session.account
        with as_forum_errors():
            check_times(page.posts, now)
        people, last = page.participants, len(page.posts)
        return Reading(page.topic, page.posts, 1, last, now, page.title, people, account)


class MailReader(TopicReader[Tag]):
    """Reads topics from their pages, and conversations from the mail, whole each time: what is there already
    isn't asked for again.
    """

    def __init__(self, session: Entered, pages: TopicPages[Tag], mail: Mail) -> None:
        super().__init__(session, pages)
        self._mail = mail

    def read(self, topic: str, since: int | None = None, known: str | None = None) -> Reading:
        """See `TopicReader.read`."""
        if not is_conversation(topic):
            return super().read(topic, since, known)
        reading = self._mail.read(topic)
        if known is not None and all((post.number, post.id) != (since, known) for post in reading.posts):
            raise IncompletePage("forum/shifted", f"message {known} no longer stands at {since}")
        return reading

    def read_private(self, since: Mapping[str, int]) -> tuple[Reading, ...]:
        """See `TopicReader.read_private`."""
        del since  # older messages may have gone since then: numbers mean nothing from one day to another
        return self._mail.read_all()

    def read_titled(self, fits: Callable[[str], bool]) -> tuple[Reading, ...]:
        """See `TopicReader.read_titled`."""
        return tuple(one for one in self._mail.read_all() if fits(one.title))

    def read_post(self, topic: str, post_id: str, number: int) -> Post | None:
        """See `TopicReader.read_post`."""
        if not is_conversation(topic):
            return super().read_post(topic, post_id, number)
        return next((post for post in self._mail.read(topic).posts if post.id == post_id), None)


class Boxes(Protocol):
    """Where a forum keeps an account's messages. names: of all boxes, those that came in and those sent."""

    names: tuple[str, ...]

    def fetch_letters(self, box: str, number: int) -> tuple[tuple[Letter, ...], bool]:
        """A page of a box, 1-based, the newest first, and whether there is a further one. Raises
        ForumError.
        """
        ...


class Letterbox:
    """Remembers the messages that were read, by box."""

    def __init__(self, boxes: Boxes) -> None:
        self._boxes = boxes
        self._known: dict[str, dict[str, Letter]] = {name: {} for name in boxes.names}
        self._listed: dict[str, TopicPage] = {}

    def list_conversations(self, viewer: str) -> TopicList:
        """All conversations, the liveliest first, read anew. Raises ForumError."""
        pages = self._read(viewer)
        self._listed = dict(pages)
        links = tuple(TopicLink(page.topic, page.title, page.topic) for page in pages.values())
        return TopicList(links, further=False, viewer=viewer)

    def take(self, conversation: str, viewer: str) -> TopicPage:
        """A conversation: as it was listed a moment ago, once; else read anew. Raises ForumError."""
        page = self._listed.pop(conversation, None) or self._read(viewer).get(conversation)
        if page is None:
            raise Missing(f"conversation {conversation} is in none of the boxes")
        return page

    def find(self, post_id: str) -> Letter | None:
        """A message that was read."""
        return next((known[post_id] for known in self._known.values() if post_id in known), None)

    def read_box(self, box: str) -> Mapping[str, Letter]:
        """All messages of a box by their ids, read anew. Raises ForumError."""
        self._known[box] |= self._read_new(box)
        return self._known[box]

    def _read(self, viewer: str) -> dict[str, TopicPage]:
        self._listed = {}
        letters = {id_: one for box in self._boxes.names for id_, one in self.read_box(box).items()}
        return {page.topic: page for page in gather(letters.values(), viewer)}

    def _read_new(self, box: str) -> dict[str, Letter]:
        known, new = self._known[box], dict[str, Letter]()
        letters, further = first, _ = self._boxes.fetch_letters(box, 1)
        number = 1
        while True:
            new |= {one.post.id: one for one in letters if one.post.id not in known}
            if not further or any(one.post.id in known for one in letters):
                break
            number += 1
            if number > _MAX_PAGES:
                raise IncompletePage("forum/too-long", f"over {_MAX_PAGES} pages of private messages")
            letters, further = self._boxes.fetch_letters(box, number)
        # Whatever is thrown away meanwhile pulls the others forward, past a page that was read already.
        if number > 1 and [one.post.id for one in self._boxes.fetch_letters(box, 1)[0]] != [
            one.post.id for one in first
        ]:
            raise IncompletePage("forum/shifted", "the private messages changed while they were read")
        return new
