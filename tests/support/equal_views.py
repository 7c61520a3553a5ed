"""Turns of a rule set through the whole pipeline, compared for readers who can't tell two states apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cache
from typing import Any

from jobs.catalogues import load_catalogue
from processor.pipeline import texts
from processor.pipeline.context import Commitments, Frozen, PlayContext, PostVersion, Secrets, TurnResult
from processor.pipeline.locking import commitments, freeze
from processor.pipeline.reading import read_turn
from processor.pipeline.resolving import resolve_turn
from reporters.proof import render_proof
from rules.engine.audience import EVERYBODY
from rules.engine.catalogue import Catalogue
from rules.engine.codec import load_state
from rules.engine.events import visible
from rules.engine.messages import Name
from rules.engine.ruleset import Ruleset
from rules.play.game import ForumSettings, Game, Policies, Schedule, Seat
from rules.play.outgoing import TOPIC, Outgoing
from rules.play.posts import Post, Precision
from rules.play.turns import Deadline, TurnRef
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import BOT, CAPABILITIES

SECRETS = Secrets(bytes(range(32)), bytes(range(100, 132)))
LATER = Deadline(DEADLINE + timedelta(days=7), "Europe/Madrid")


@cache
def spanish(package: str) -> Catalogue:
    """The texts of a rule set."""
    return load_catalogue("es", package)


@dataclass(frozen=True)
class Players:
    """Who plays what, in which turn. seats: ids, in the order of their accounts. policies: of the game."""

    ruleset: Ruleset
    seats: tuple[str, ...]
    options: Any
    number: int = 1
    policies: Policies = field(default_factory=Policies)

    def turn_of(self, state: Any, *, secret: bool) -> PlayContext:
        """A turn of a game of theirs, be orders secret or open."""
        seats = tuple(Seat(key, str(11 + n), key.lower(), Name(key)) for n, key in enumerate(self.seats))
        forum = ForumSettings(
            "spirit", "https://foro.example.net/", TOPIC, "turnero", "Europe/Madrid", secret
        )
        game = Game(
            id="parejas",
            title="Parejas",
            ruleset=self.ruleset.id,
            language="es",
            zone="Europe/Madrid",
            forum=forum,
            schedule=Schedule(DEADLINE.time(), DEADLINE.replace(tzinfo=None), every_days=7),
            seats=seats,
            policies=self.policies,
            options=self.options,
        )
        ref, deadline = TurnRef("parejas", self.number), Deadline(DEADLINE, "Europe/Madrid")
        kind, catalogue = self.ruleset.main_kind, spanish(self.ruleset.package)
        return PlayContext(game, self.ruleset, kind, state, ref, deadline, catalogue, CAPABILITIES)

    def posts_of(self, blocks: Mapping[str, str], *, secret: bool) -> tuple[PostVersion, ...]:
        """Each seat's block, by private message where orders are secret."""
        return tuple(
            self._version(n, seat, text, private=secret) for n, (seat, text) in enumerate(blocks.items(), 1)
        )

    def _version(self, number: int, seat: str, text: str, *, private: bool) -> PostVersion:
        at = DEADLINE - timedelta(minutes=30 - number)
        made = Post(
            id=str(100 + number),
            topic=str(1000 + number) if private else TOPIC,
            author_id=str(11 + self.seats.index(seat)),
            author=seat,
            created_at=at,
            precision=Precision.MINUTE,
            url=f"https://foro.example.net/{number}",
            raw=f"[órdenes turno {self.number}]\n{text}\n[/órdenes]",
            private=private,
            number=None if private else number,
        )
        return PostVersion(made, at, at)


def without_letters(play: PlayContext) -> PlayContext:
    """The same on a forum that has no private messages."""
    return replace(play, forum=replace(play.forum, private=False))


def collected(
    play: PlayContext, posts: tuple[PostVersion, ...], overrides: str = ""
) -> tuple[Frozen, list[Outgoing]]:
    """All that is sent up to the lock, whatever the orders are."""
    reading = read_turn(play, posts, BOT)
    frozen = freeze(play, posts, BOT, overrides, SECRETS)
    sent = [
        *texts.opening(play, commitments(play, SECRETS)),
        *texts.receipts(play, reading, None),
        *texts.reminders(play, reading, timedelta(hours=3)),
        *texts.reminders(without_letters(play), reading, timedelta(hours=3)),
        *texts.receipts(play, frozen.reading, frozen),
    ]
    return frozen, sent


def resolved(play: PlayContext, frozen: Frozen) -> tuple[str, list[Outgoing]]:
    """The public proof of the turn, and all that is sent of it."""
    result = resolve_turn(play, frozen, SECRETS)
    assert () == result.problems
    assert not result.resolution.held
    after = _state_after(play, result)
    following = Commitments("c4" * 32, "d5" * 32)
    made = texts.reports(play, frozen, result, commitments(play, SECRETS), following, LATER, after)
    return render_proof(result.proofs[""]), [*made]


def read_by(seat: str, sent: Iterable[Outgoing], frozen: Frozen) -> str:
    """What one reader could read, the lock tag masked: it is over what nobody else may know.

    seat: its id; "" for somebody who only reads the topic.
    """
    parts = [
        f"{one.kind}\n{one.title}\n{part}" for one in sent if one.to in (TOPIC, seat) for part in one.parts
    ]
    return "\n".join(parts).replace(frozen.lock_tag, "SELLO")


def known_to(play: PlayContext, frozen: Frozen, seat: str) -> object:
    """What happened as far as a seat may know, and how things look to it then."""
    result = resolve_turn(play, frozen, SECRETS)
    after = _state_after(play, result)
    events = [(one.id, dict(one.data)) for one in visible(result.resolution.events, seat)]
    return events, play.look(seat, after), play.look(EVERYBODY, after)


def _state_after(play: PlayContext, result: TurnResult) -> Any:
    return load_state(play.ruleset.state, result.state)
