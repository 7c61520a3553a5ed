"""Single private messages, as older forums keep them, and the conversations that people see in them.

A conversation is what the same people write to each other under the same subject. Who is allowed to read it
is told by each message, so a message that went to one person more is another conversation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import sha256

from parsers.pages.topics import TopicPage
from rules.play.posts import Post

_AGAIN = re.compile(r"^(?:\s*(?:re|fw)\s*:\s*)+", re.IGNORECASE)
_CONVERSATION = re.compile("c[0-9g.]*-[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class Letter:
    """A private message. post: without topic and number yet; its id is `m` and the forum's number.

    subject: as the forum shows it. people: account ids of all who can read it, as far as the forum says.
    """

    post: Post
    subject: str
    people: frozenset[str]

    @property
    def number(self) -> int:
        """The forum's own number of the message; later ones are higher."""
        return int(self.post.id.removeprefix("m"))


def bare_title(subject: str) -> str:
    """A subject without what answering or sending on puts before it, blanks folded."""
    return " ".join(_AGAIN.sub("", subject).split())


def is_conversation(topic: str) -> bool:
    """Whether an id is that of a conversation made of letters."""
    return _CONVERSATION.fullmatch(topic) is not None


def name_conversation(others: Iterable[str], title: str) -> str:
    """The id of what is exchanged with others under a subject: `c3-…` is with account 3.

    It is called by both, not by its oldest message, which forums throw away when a box is full. others:
    account ids; a group's begins with `g`.
    """
    digest = sha256(title.encode()).hexdigest()[:8]
    return f"c{'.'.join(sorted(others, key=by_number))}-{digest}"


def by_number(account: str) -> tuple[bool, int]:
    """How accounts are sorted: by their numbers, groups behind."""
    return account.startswith("g"), int(account.removeprefix("g"))


def gather(letters: Iterable[Letter], viewer: str) -> tuple[TopicPage, ...]:
    """The conversations in all of an account's messages, the liveliest first."""
    groups: dict[tuple[frozenset[str], str], list[Letter]] = {}
    for letter in sorted(letters, key=lambda one: one.number):
        people = letter.people | {viewer}
        groups.setdefault((people, bare_title(letter.subject)), []).append(letter)
    newest_first = sorted(groups.items(), key=lambda item: item[1][-1].number, reverse=True)
    return tuple(_converse(title, people, group, viewer) for (people, title), group in newest_first)


def _converse(title: str, people: frozenset[str], group: list[Letter], viewer: str) -> TopicPage:
    topic = name_conversation(people - {viewer}, title)
    return TopicPage(
        topic=topic,
        title=title,
        private=True,
        page=1,
        pages=1,
        posts=tuple(replace(one.post, topic=topic, number=at) for at, one in enumerate(group, 1)),
        viewer=viewer,
        participants=tuple(sorted(people, key=by_number)),
        open=len(people) > 1,
    )
