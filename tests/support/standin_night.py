"""The small game's night on the stand-in forum, by the real clock or by one that a file holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.support.forum_night import TITLE, ForumNight, block
from tests.support.hand_clock import DEADLINE
from tests.support.standin import StandIn

EVENING, LATER, CLOSED, ANSWERED = (DEADLINE + timedelta(minutes=minutes) for minutes in (-120, -60, 2, 60))
"""When ticks are due: the opening, the receipts, what the turn asks, everything after the answer."""


@dataclass
class ScriptedClock:
    """The forum's clock, read from the night's file; what people do at their hour is done as it passes."""

    path: Path
    script: list[tuple[datetime, Callable[[], object]]] = field(default_factory=list)
    acting: datetime | None = None

    def __call__(self) -> datetime:
        """The forum's time."""
        if self.acting is not None:
            return self.acting
        now = datetime.fromisoformat(self.path.read_text(encoding="ascii"))
        while self.script and self.script[0][0] <= now:
            self.acting, act = self.script.pop(0)
            act()
            self.acting = None
        return now


@dataclass
class StandInNight(ForumNight):
    """A night on the stand-in; a whole one takes a second, since its clock moves as the processes sleep."""

    forum: StandIn

    def __post_init__(self) -> None:
        super().__post_init__()
        self.clock = self.folder / "clock"
        self.clock.write_text(EVENING.isoformat(), encoding="ascii")
        self.people = ScriptedClock(self.clock, self.script())
        self.forum.follow_clock(self.people)
        moments = [one.isoformat() for one in (EVENING, LATER, CLOSED, ANSWERED)]
        self.write_settings(clock=str(self.clock), moments=moments)

    def script(self) -> list[tuple[datetime, Callable[[], object]]]:
        """What people do, and when."""
        return [
            (EVENING + timedelta(minutes=20), lambda: self.order("alice", "dado")),
            (EVENING + timedelta(minutes=22), lambda: self.whisper("bob", "secreto")),
            (LATER + timedelta(minutes=40), self.doubt),
            (CLOSED - timedelta(seconds=10), lambda: self.order("bob", "tarde")),
            (ANSWERED - timedelta(minutes=10), self.answer),
        ]

    def doubt(self) -> None:
        """Alice's newest block, which has the turn ask her something."""
        self.write("[órdenes]\ntirar otro\ndudar algo\n[/órdenes]")

    def answer(self) -> None:
        """Alice answers."""
        self.write("[órdenes]\nresponder P1 sí\n[/órdenes]")

    def write(self, text: str) -> None:
        """A post of alice's, now."""
        self.forum.write_post(self.forum.topics[TITLE], "alice", text)

    def turn_clock(self, offset: timedelta) -> None:
        """See `ForumNight.turn_clock`."""
        self.forum.follow_clock(lambda: datetime.now(UTC) + offset)

    def whisper(self, name: str, word: str) -> None:
        """See `ForumNight.whisper`."""
        self.whisper_text(name, block(word))

    def whisper_text(self, name: str, text: str) -> None:
        """A private message to our account, now."""
        state = self.forum.state
        author = state.by_name(name)
        topic = state.add_topic("Mis órdenes", (author.id, state.by_name("turnero").id))
        state.add_post(topic.id, author, text)
