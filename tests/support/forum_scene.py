"""One small forum as tests of adapters see it, whatever software or stand-in plays it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jobs.demo.forum_server import Account, ForumServer
from rules.play.posts import Merged, Published
from tests.support.forum_fixtures import ALICE, TITLE, Adapter, enter
from tests.support.standin import StandIn

MARKER = "ptd1:alfa:3.1:informe:1/2:8f3ac1d2"


@dataclass(frozen=True)
class Scene:
    """A forum with one topic, three posts a page."""

    server: ForumServer | StandIn

    @property
    def topic(self) -> str:
        """Id of the topic."""
        return self.server.topics[TITLE]

    def connect(self, account: Account, **options: Any) -> Adapter:
        """The adapter as an account uses it; `options` as for `connect`."""
        return enter(self.server, account, **options)

    def fill(self, count: int) -> list[str]:
        """Post until the topic has `count` posts; the new ids."""
        return [self.server.write_post(self.topic, ALICE.name, f"mensaje {n}") for n in range(2, count + 1)]


def post_id(outcome: object) -> str:
    """The id of the post in which a text stands."""
    assert isinstance(outcome, Published | Merged), outcome
    return outcome.post_id


def numbers(forum: Adapter, topic: str, since: int | None = None) -> list[int | None]:
    """The positions that a reading holds."""
    return [post.number for post in forum.read_topic(topic, since).posts]


@dataclass
class Meanwhile:
    """Lets something happen between getting a form and sending it, once; a checkpoint of `ForumHttp`.

    at: its name; `http/answered` for what happens when the form was sent.
    """

    action: Callable[[], object] | None = None
    at: str = "http/sending"

    def __call__(self, name: str) -> None:
        """See `ForumHttp`."""
        if name == self.at and self.action is not None:
            action, self.action = self.action, None
            action()
