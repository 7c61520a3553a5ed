"""Boots a real django-spirit forum on loopback, in a virtual environment of its own.

Installing and setting up happen once per build folder (`spirit_install`).
"""

from __future__ import annotations

from pathlib import Path

from jobs.demo.environments import Build, ForumBootError
from jobs.demo.forum_server import Account, ForumServer, OpeningPost
from jobs.demo.spirit_install import install_spirit

__all__ = ["Account", "Build", "ForumBootError", "OpeningPost", "SpiritServer", "install_spirit"]


class SpiritServer(ForumServer):
    """A running Spirit; see `ForumServer`.

    settings: Django's or Spirit's, such as {"ST_RATELIMIT_ENABLE": False}, and FORUM_DROP_MIDDLEWARE, names
        of middleware to do without.
    """

    software = "spirit"
    launcher = Path(__file__).with_name("spirit_launch.py")
