"""A turn of the toy fair with posts as a forum holds them, for tests of reading, lock and resolution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any

from jobs.catalogues import load_catalogue
from processor.pipeline.context import PlayContext, PostVersion, Secrets
from processor.pipeline.reading import read_turn
from rules.engine.catalogue import Catalogue
from rules.engine.codec import load_state
from rules.engine.diagnostics import Severity
from rules.engine.messages import Name
from rules.engine.ruleset import Ruleset
from rules.play.game import ForumSettings, Game, Policies, Schedule, Seat
from rules.play.posts import Capabilities, Post, Precision, Visibility
from rules.play.reading import TurnReading
from rules.play.turns import Deadline, TurnRef
from tests.toy.ruleset import RULESET
from tests.toy.state import Options, State

BOT = "1"
ACCOUNTS = {"Ana": "11", "Bea": "12", "Ciro": "13"}
DEADLINE = datetime(2027, 5, 2, 20, 0, tzinfo=UTC)
SECRETS = Secrets(bytes(range(32)), bytes(range(100, 132)))

SETUP: dict[str, Any] = {
    "folk": {"Ana": {"coins": 5, "apprentice": "Nico"}, "Bea": {"coins": 5}, "Ciro": {"coins": 2}},
    "stalls": {
        "tombola": {"name": "Tómbola", "price": 1, "prizes": ["abanico", "botijo", "peluche"], "places": 3},
        "tiro": {"name": "Tiro al blanco", "price": 1, "prizes": ["gorra"], "outdoor": True},
    },
}


def at(minutes: float) -> datetime:
    """So many minutes before the deadline."""
    return DEADLINE - timedelta(minutes=minutes)


def make_play(
    setup: dict[str, Any] | None = None,
    *,
    accounts: dict[str, str] | None = None,
    secret: bool = False,
    policies: Policies | None = None,
    software: str = "markdown",
    precision: Precision = Precision.MINUTE,
) -> PlayContext:
    """The third day of a fair that is open until `DEADLINE`."""
    seats = tuple(Seat(key, account, key, Name(key)) for key, account in (accounts or ACCOUNTS).items())
    game = Game(
        id="feria",
        title="La feria",
        ruleset="feria",
        language="es",
        zone="Europe/Madrid",
        forum=ForumSettings(software, "", "7", "Turnero", "Europe/Madrid", secret),
        schedule=Schedule(time(22), datetime(2027, 5, 2, 22), every_days=1),  # noqa: DTZ001 - local time
        seats=seats,
        policies=policies or Policies(),
        options=Options(),
    )
    return PlayContext(
        game=game,
        ruleset=RULESET,
        kind=RULESET.main_kind,
        state=load_state(State, setup or SETUP),
        ref=TurnRef("feria", 3),
        deadline=Deadline(DEADLINE, "Europe/Madrid"),
        catalogue=load_catalogue("es", RULESET.package),
        forum=Capabilities(precision, private=True, edit=True, max_chars=3000, min_interval=0),
    )


def load_toy(_name: str) -> Ruleset:
    """The rule set, whatever the file calls it: no entry point leads to it."""
    return RULESET


def toy_texts(ruleset: Ruleset) -> Catalogue:
    """Its Spanish texts."""
    return load_catalogue("es", ruleset.package)


class Topic:
    """Posts as they are written, edited and read; times are minutes before the deadline, negative ones
    behind it.
    """

    def __init__(self, precision: Precision = Precision.MINUTE) -> None:
        self.versions: list[PostVersion] = []
        self._precision = precision

    def post(
        self,
        who: str,
        text: str,
        minutes: float,
        *,
        post_id: str | None = None,
        private: bool = False,
        seen: float | None = None,
        visibility: Visibility = Visibility.VISIBLE,
    ) -> str:
        """Somebody writes; it is read a minute later, or when `seen` says. Gives the post's id."""
        number = len({one.post.id for one in self.versions}) + 1
        made = Post(
            id=post_id or str(1000 + number),
            topic="8" if private else "7",
            author_id=ACCOUNTS.get(who, BOT if who == "Turnero" else "99"),
            author=who,
            created_at=at(minutes),
            precision=self._precision,
            url="",
            raw=text,
            private=private,
            number=None if private else number,
            visibility=visibility,
        )
        moment = at(minutes - 1 if seen is None else seen)
        self.versions.append(PostVersion(made, moment, moment))
        return made.id

    def edit(self, post_id: str, text: str | None, *, seen: float, **fields: Any) -> None:
        """A later version of a post is read; None keeps its text."""
        last = next(one for one in reversed(self.versions) if one.post.id == post_id)
        raw = last.post.raw if text is None else text
        fields.setdefault("edits", last.post.edits + 1)
        self.versions.append(PostVersion(replace(last.post, raw=raw, **fields), at(seen), last.first_seen_at))

    def lose(self, post_id: str) -> None:
        """The post is no longer in the topic."""
        self.versions = [
            replace(one, missing=True) if one.post.id == post_id else one for one in self.versions
        ]

    def read(self, play: PlayContext | None = None) -> TurnReading:
        """What the turn's orders are."""
        return read_turn(play or make_play(), self.versions, BOT)


def block(*lines: str, header: str = "turno 3") -> str:
    """An order block."""
    return "\n".join((f"[órdenes {header}]", *lines, "[/órdenes]"))


def texts(reading: TurnReading, seat: str) -> list[str]:
    """A seat's accepted orders as written."""
    return [order.text for order in reading.seat(seat).orders]


def codes(reading: TurnReading, seat: str) -> list[str]:
    """What was found about a seat's blocks and lines, in force or not; notes apart."""
    own = reading.seat(seat)
    blocks = (*own.in_force, *own.rejected)
    findings = [one for block in blocks for one in block.problems]
    findings += [one for block in blocks for line in block.lines for one in line.findings]
    return [one.code for one in findings if one.severity is not Severity.NOTE]


def whys(skipped: Sequence[Any]) -> list[tuple[str | None, str]]:
    """Whose, and why it doesn't count."""
    return [(one.seat, one.why) for one in skipped]
