"""What the pure pipeline works on: one turn of one game with everything that was stored about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from rules.engine.catalogue import Catalogue
from rules.engine.messages import Message
from rules.engine.orders import Order
from rules.engine.ptd1 import SEED, Entropy
from rules.engine.questions import Answer
from rules.engine.resolution import Resolution
from rules.engine.ruleset import Kind, Outcome, Ruleset
from rules.engine.view import View
from rules.play.attempts import Redo, Tally, ToldLines
from rules.play.carried import Carried
from rules.play.clock import ClockChange
from rules.play.game import Game
from rules.play.posts import Capabilities, Post
from rules.play.reading import TurnReading
from rules.play.sightings import Sighting
from rules.play.turns import Deadline, TurnRef


@dataclass(frozen=True, slots=True)
class Pictures:
    """The public pictures of a turn, as its public report can show them.

    shown: by a picture's name, how a text refers to it (`Uploaded.reference`). missing: files of those that
    the forum hasn't taken, each with the reason, in the game's language.
    """

    shown: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class PlayContext:
    """One turn as it stands.

    state: the turn's input state. topic_url: address of the public topic, "" for none.
    tracks: names of the game's open tracks beside the main one. seats: who takes part in this track,
    empty: all.
    opened_at: when the turn was opened, by the forum's clock; older posts aren't for it. None: not known.
    changes: schedule entries that took effect while the turn was open.
    carried: what the seats bring from the turn before. nth: the how manieth account has a seat, where it
    isn't the first.
    redo: why the turn is played once more, None for a first attempt. told_before: what was told of the
    attempt that this one replaces, by reader who was told. tally: what became of the seeds so far, None where
    nobody has counted. sightings: what was found wrong with the post that published its commitment.
    proof: `seed` or `beacon`, as promised when the turn was planned.
    pictures: in the forum by the time that the report is written.
    """

    game: Game
    ruleset: Ruleset
    kind: Kind
    state: Any
    ref: TurnRef
    deadline: Deadline
    catalogue: Catalogue
    forum: Capabilities
    topic_url: str = ""
    tracks: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    opened_at: datetime | None = None
    changes: tuple[ClockChange, ...] = ()
    carried: Carried = field(default_factory=dict)
    nth: Mapping[str, int] = field(default_factory=dict)
    redo: Redo | None = None
    told_before: Mapping[str, ToldLines] = field(default_factory=dict)
    tally: Tally | None = None
    sightings: tuple[Sighting, ...] = ()
    proof: str = "seed"
    pictures: Pictures = field(default_factory=Pictures)

    @property
    def players(self) -> tuple[str, ...]:
        """Ids of the seats that take part, in the game's order."""
        return tuple(one.id for one in self.game.seats if not self.seats or one.id in self.seats)

    @property
    def out(self) -> frozenset[str]:
        """Seats that are out of the game for good."""
        return frozenset(self.ruleset.out(self.state))

    @property
    def absent(self) -> frozenset[str]:
        """Seats whose player has announced to be away on the day of the deadline."""
        day = self.deadline.at.astimezone(ZoneInfo(self.game.zone)).date()
        return frozenset(one.seat for one in self.game.absences if one.first <= day <= one.last)

    def look(self, viewer: str, state: Any = None) -> View[Any]:
        """What a seat, the public or the director sees of the turn's state, or of another state of it."""
        seen = self.state if state is None else state
        return self.ruleset.look(
            seen,
            viewer,
            self.game.options,
            kind=self.kind.name,
            track=self.ref.track,
            number=self.ref.turn,
        )

    def say(self, message: Message) -> str:
        """A message as bare words in the game's language; its id where the catalogue has no text for it."""
        return self.catalogue.text(message) if message.id in self.catalogue else message.id


@dataclass(frozen=True, slots=True)
class PostVersion:
    """One version of a post as it was first seen. seen_at: by the forum's clock, UTC.

    first_seen_at: when the post (in any version) was first seen. missing: no longer in the topic.
    missing_since: when that was first noticed, None where it isn't known: then it counts as deleted in time.
    """

    post: Post
    seen_at: datetime
    first_seen_at: datetime
    missing: bool = False
    missing_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Secrets:
    """What the dice of a turn are made from. seed: S. game_secret: H. Neither is shown before its time.

    attempt: the attempt at the turn for which the seeds were made; a later one may go on with them.
    """

    seed: bytes
    game_secret: bytes
    attempt: int = 1


@dataclass(frozen=True, slots=True)
class Commitments:
    """What is published before the deadline: C in hex, and the digest over all groups' commitments.

    secret: the commitment to the game's secret H, published with the first turn. proof: what else goes into
    the dice: nothing (`seed`), or a round of the beacon (`beacon`).
    """

    commitment: str
    groups: str
    secret: str = ""
    proof: str = "seed"


@dataclass(frozen=True, slots=True)
class Opens:
    """What a report says besides its turn. now: published for this turn.

    following, deadline, state: of the turn that it opens; None where the game ends with this one.
    """

    now: Commitments
    following: Commitments | None = None
    deadline: Deadline | None = None
    state: Any = None


@dataclass(frozen=True, slots=True)
class Frozen:
    """A locked turn: nothing here changes any more.

    reading: what counts. overrides: text of the override file at the lock, "" for none; override_hash: its
    SHA-256.
    lock_tag: L in hex. manifest_hash: SHA-256 of the manifest in hex. rules_id: rules, version, options.
    late_overrides: text of the override file now, where it differs from the one at the lock.
    answers: seats' answers (and defaults of offers whose time has run out) by question id.
    handles: question id -> handle as published in this attempt. last_handles: by seat, the number of its last
    handle in the whole game. published: ids of all questions published in this attempt.
    carried: what the seats take into the next turn. entropy: E, None while the beacon's round isn't out yet.
    """

    reading: TurnReading
    overrides: str
    lock_tag: str
    manifest_hash: str
    rules_id: str
    posts_read: int
    late_overrides: str | None = None
    answers: Mapping[str, Answer] = field(default_factory=dict)
    handles: Mapping[str, str] = field(default_factory=dict)
    last_handles: Mapping[str, int] = field(default_factory=dict)
    published: tuple[str, ...] = ()
    versions: tuple[PostVersion, ...] = ()
    carried: Carried = field(default_factory=dict)
    entropy: Entropy | None = SEED

    @property
    def overrides_now(self) -> str:
        """Text of the override file as it is now."""
        return self.overrides if self.late_overrides is None else self.late_overrides


@dataclass(frozen=True, slots=True)
class TurnResult:
    """A resolved (or asking) turn.

    resolution: of the engine, with the logged corrections in front of its events; nothing of it counts
    while there
    are problems. state: canonical JSON-able dump of the state after it, None while the turn is held.
    proofs: proof dicts by group, "" the public one. outcome: the end of the game, None while it goes on.
    handles: question id -> handle (`P7`), for questions to seats. problems: what the director has to put
    right
    in the override file before the turn can go on. orders: what was resolved, by seat, corrections included.
    closing: the proof of the whole game with its secret H, where it ends with this turn.
    reading: what counted, with the director's choice of posts; None: as it was frozen. carried: the same of
    what the seats take into the next turn.
    """

    resolution: Resolution
    state: dict[str, Any] | None
    proofs: Mapping[str, dict[str, Any]]
    outcome: Outcome | None = None
    handles: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    orders: Mapping[str, tuple[Order, ...]] = field(default_factory=dict)
    closing: Mapping[str, Any] | None = None
    reading: TurnReading | None = None
    carried: Carried | None = None

    @property
    def held(self) -> bool:
        """Whether the turn waits for somebody."""
        return bool(self.problems) or self.resolution.held
