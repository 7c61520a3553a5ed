"""Boots a real FlaskBB forum on loopback, in a virtual environment of its own.

Installing and setting up happen once per build folder (`flaskbb_install`).
"""

from __future__ import annotations

from jobs.demo.flaskbb_install import LAUNCHER
from jobs.demo.forum_server import ForumServer


class FlaskbbServer(ForumServer):
    """A running FlaskBB; see `ForumServer`. An account's id is its name.

    settings: FlaskBB's own, such as {"CONVERSATIONS_MESSAGE_QUOTA": 500}, and {"flood": "1 per 3 seconds"}:
        how often each form may be sent from one address, for which FlaskBB by itself has no limit.
    """

    software = "flaskbb"
    launcher = LAUNCHER
