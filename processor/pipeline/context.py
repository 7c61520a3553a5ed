"""What the pure pipeline works on: one turn of one game with everything that was stored about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from rules.engine.catalogue import Catalogue
from rules.engine.questions import Answer
from rules.engine.resolution import Resolution
from rules.engine.ruleset import Kind, Outcome, Ruleset
from rules.play.game import Game
from rules.play.posts import Capabilities, Post
from rules.play.reading import TurnReading
from rules.play.turns import Deadline, TurnRef


@dataclass(frozen=True, slots=True)
class PlayContext:
    """One turn as it stands. state: the turn's input state. link: address of a post by its id."""

    game: Game
    ruleset: Ruleset
    kind: Kind
    state: Any
    ref: TurnRef
    deadline: Deadline
    catalogue: Catalogue
    forum: Capabilities
    topic_url: str = ""


@dataclass(frozen=True, slots=True)
class PostVersion:
    """One version of a post as it was first seen. seen_at: by the forum's clock, UTC.

    first_seen_at: when the post (in any version) was first seen. missing: no longer in the topic.
    """

    post: Post
    seen_at: datetime
    first_seen_at: datetime
    missing: bool = False


@dataclass(frozen=True, slots=True)
class Secrets:
    """What the dice of a turn are made from. seed: S. game_secret: H. Neither is shown before its time."""

    seed: bytes
    game_secret: bytes


@dataclass(frozen=True, slots=True)
class Commitments:
    """What is published before the deadline: C in hex, and the digest over all groups' commitments."""

    commitment: str
    groups: str


@dataclass(frozen=True, slots=True)
class Frozen:
    """A locked turn: nothing here changes any more.

    reading: what counts. overrides: text of the override file at the lock, "" for none; override_hash: its SHA-256.
    lock_tag: L in hex. manifest_hash: SHA-256 of the manifest in hex. rules_id: rules, version, options.
    late_overrides: text of the override file now, where it differs from the one at the lock.
    """

    reading: TurnReading
    overrides: str
    lock_tag: str
    manifest_hash: str
    rules_id: str
    posts_read: int
    late_overrides: str | None = None
    answers: Mapping[str, Answer] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TurnResult:
    """A resolved (or asking) turn.

    resolution: of the engine. state: canonical JSON-able dump of the state after it, None while it asks.
    proofs: proof dicts by group, "" the public one. outcome: the end of the game, None while it goes on.
    handles: question id -> handle (`P7`), for questions to seats.
    """

    resolution: Resolution
    state: dict[str, Any] | None
    proofs: Mapping[str, dict[str, Any]]
    outcome: Outcome | None = None
    handles: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
