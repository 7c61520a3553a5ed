"""A night on a real forum, whose clock is moved along with ours."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from jobs.demo.forum_server import Account, ForumServer
from rules.play.posts import Published
from tests.support.forum_fixtures import enter
from tests.support.forum_night import ACCOUNTS, ForumNight, block


@dataclass
class ServedNight(ForumNight):
    """A night on Spirit or FlaskBB; it takes as long as the processes and the forum need."""

    forum: ForumServer
    ahead: timedelta = timedelta()

    def turn_clock(self, offset: timedelta) -> None:
        """See `ForumNight.turn_clock`."""
        self.forum.shift_clock((offset - self.ahead).total_seconds())
        self.ahead = offset

    def whisper(self, name: str, word: str) -> None:
        """See `ForumNight.whisper`."""
        self.whisper_text(next(one for one in ACCOUNTS if one.name == name), block(word))

    def whisper_text(self, account: Account, text: str) -> None:
        """A private message to our account, now."""
        sent = enter(self.forum, account).send_private("turnero", "Mis órdenes", text)
        assert isinstance(sent, Published), sent

    @contextmanager
    def frozen_forum(self) -> Iterator[None]:
        """Requests arrive and nobody answers them before the end of the block."""
        process = self.forum._process
        assert process is not None
        os.kill(process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(process.pid, signal.SIGCONT)
