"""Single private messages, as older forums keep them, and the conversations that people see in them.

A conversation is what the same people write to each other under the same subject. Who is allowed to read it
is told by each message, so a message that went to one person more is another conversation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from parsers.pages.topics import TopicPage
from rules.play.posts import Post

_ANSWERED = re.compile(r"^(?:\s*re\s*:\s*)+", re.IGNORECASE)


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


def bare_subject(subject: str) -> str:
    """A subject without what answering puts before it, blanks folded."""
    return " ".join(_ANSWERED.sub("", subject).split())


def gather(letters: Iterable[Letter], viewer: str) -> tuple[TopicPage, ...]:
    """The conversations in all of an account's messages, the liveliest first.

    A conversation's id is `c` and the number of its first message, which both sides and all times agree on.
    """
    groups: dict[tuple[frozenset[str], str], list[Letter]] = {}
    for letter in sorted(letters, key=lambda one: one.number):
        people = letter.people | {viewer}
        groups.setdefault((people, bare_subject(letter.subject)), []).append(letter)
    newest_first = sorted(groups.items(), key=lambda item: item[1][-1].number, reverse=True)
    return tuple(_converse(title, people, group, viewer) for (people, title), group in newest_first)


def _converse(title: str, people: frozenset[str], group: list[Letter], viewer: str) -> TopicPage:
    topic = f"c{group[0].number}"
    return TopicPage(
        topic=topic,
        title=title,
        private=True,
        page=1,
        pages=1,
        posts=tuple(replace(one.post, topic=topic, number=at) for at, one in enumerate(group, 1)),
        viewer=viewer,
        participants=tuple(sorted(people, key=lambda account: (len(account), account))),
        open=len(people) > 1,
    )
