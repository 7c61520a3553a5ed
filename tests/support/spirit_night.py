"""The small game's night on a real Spirit forum, whose clock is moved along with ours."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from jobs.demo.spirit_server import SpiritServer
from rules.play.posts import Published
from tests.support.forum_fixtures import connect
from tests.support.forum_night import ACCOUNTS, ForumNight, block


@dataclass
class SpiritNight(ForumNight):
    """A night on Spirit; it takes as long as the processes and the forum need."""

    forum: SpiritServer
    ahead: timedelta = timedelta()

    def turn_clock(self, offset: timedelta) -> None:
        """See `ForumNight.turn_clock`."""
        self.forum.shift_clock((offset - self.ahead).total_seconds())
        self.ahead = offset

    def whisper(self, name: str, word: str) -> None:
        """See `ForumNight.whisper`."""
        account = next(one for one in ACCOUNTS if one.name == name)
        sent = connect(self.forum, account).send_private("turnero", "Mis órdenes", block(word))
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
