"""Boots a real django-spirit forum on loopback, in a virtual environment of its own.

Installing and setting up happen once per build folder (`spirit_install`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from jobs.demo.environments import Build, ForumBootError
from jobs.demo.forum_server import Account, ForumServer, OpeningPost
from jobs.demo.spirit_install import install_spirit

__all__ = ["Account", "Build", "ForumBootError", "OpeningPost", "SpiritServer", "install_spirit"]

_LAUNCHER = Path(__file__).with_name("spirit_launch.py")


class SpiritServer(ForumServer):
    """A running Spirit; see `ForumServer`."""

    software = "spirit"

    def __init__(  # noqa: PLR0913 - a forum is described by many independent things
        self,
        build: Build,
        accounts: Sequence[Account],
        *,
        categories: Sequence[str] = ("Partidas",),
        topics: Sequence[OpeningPost] = (),
        comments_per_page: int = 20,
        topics_per_page: int = 20,
        settings: Mapping[str, Any] | None = None,
        port: int = 0,
    ) -> None:
        """Describe the forum; nothing runs before `start`.

        settings: Django's or Spirit's, such as {"ST_RATELIMIT_ENABLE": False}, and FORUM_DROP_MIDDLEWARE,
            names of middleware to do without.
        port: 0 takes a free one.
        """
        spec = {
            "accounts": [asdict(account) for account in accounts],
            "categories": list(categories),
            "topics": [asdict(topic) for topic in topics],
            "comments_per_page": comments_per_page,
            "topics_per_page": topics_per_page,
            "settings": dict(settings or {}),
            "port": port,
        }
        super().__init__(build, _LAUNCHER, spec)
