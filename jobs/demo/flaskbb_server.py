"""Boots a real FlaskBB forum on loopback, in a virtual environment of its own.

Installing and setting up happen once per build folder (`flaskbb_install`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from jobs.demo.environments import Build
from jobs.demo.flaskbb_install import LAUNCHER
from jobs.demo.forum_server import Account, ForumServer, OpeningPost


class FlaskbbServer(ForumServer):
    """A running FlaskBB; see `ForumServer`. An account's id is its name."""

    software = "flaskbb"

    def __init__(  # noqa: PLR0913 - a forum is described by many independent things
        self,
        build: Build,
        accounts: Sequence[Account],
        *,
        categories: Sequence[str] = ("Partidas",),
        topics: Sequence[OpeningPost] = (),
        comments_per_page: int = 10,
        topics_per_page: int = 10,
        settings: Mapping[str, Any] | None = None,
        port: int = 0,
    ) -> None:
        """Describe the forum; nothing runs before `start`.

        settings: FlaskBB's own, such as {"CONVERSATIONS_MESSAGE_QUOTA": 500}. port: 0 takes a free one.
        """
        pages = {"POSTS_PER_PAGE": comments_per_page, "TOPICS_PER_PAGE": topics_per_page}
        spec = {
            "accounts": [asdict(account) for account in accounts],
            "categories": list(categories),
            "topics": [asdict(topic) for topic in topics],
            "settings": pages | dict(settings or {}),
            "port": port,
        }
        super().__init__(build, LAUNCHER, spec)
