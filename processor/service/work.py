"""One step of one turn: the lease, the rows it starts from, and what is read from the game's folder."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from processor.forum_words import explain_reason
from processor.leases import Lease
from processor.outbox import Sender
from processor.pipeline.context import Commitments, PlayContext, Secrets
from processor.ports import Forum
from processor.service.bundle import LoadedGame, Service
from processor.service.carriage import Carriage, carriage_of
from processor.store import attempts, games, locks, outbox_rows, turns, uploads
from processor.store.rows import GameRow, TurnRow
from rules.engine import ptd1
from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.messages import Message, msg
from rules.engine.ruleset import Kind
from rules.play.archive import load_carried
from rules.play.game import Game, Policies
from rules.play.outgoing import Outgoing
from rules.play.turns import Deadline, TurnRef, TurnStatus


def find_before(connection: Connection, turn: TurnRow, now: datetime) -> dict[str, Any]:
    """What came before an attempt, as fields of its `PlayContext`."""
    return {
        "carried": load_carried(locks.find_brought(connection, turn)),
        "redo": turn.redo,
        "told_before": attempts.find_told(connection, turn.ref, EVERYBODY) if turn.redo else {},
        "tally": attempts.count_seeds(connection, turn, now),
    }


@dataclass(frozen=True)
class Work:
    """What a step has in its hands. `turn` and `row` are as they were when the lease was taken."""

    service: Service
    lease: Lease
    row: GameRow
    turn: TurnRow
    loaded: LoadedGame

    @property
    def game(self) -> Game:
        """The game as its folder says now."""
        return self.loaded.game

    @property
    def policies(self) -> Policies:
        """The game's settings."""
        return self.loaded.game.policies

    @property
    def path(self) -> Path:
        """The game's folder."""
        return Path(self.row.folder)

    def say(self, said: Message | str) -> str:
        """A message in the game's language; ready words stay as they are."""
        return self.loaded.catalogue.text(said) if isinstance(said, Message) else said

    @property
    def now(self) -> datetime:
        """Wall clock, UTC."""
        return self.service.clock.now()

    @cached_property
    def forum(self) -> Forum:
        """The game's forum as our account sees it."""
        return self.service.open_forum(self.game)

    @property
    def carriage(self) -> Carriage:
        """What can be expected of the way to that forum and back."""
        return carriage_of(self.forum.capabilities)

    @property
    def topic(self) -> str:
        """The turn's public topic."""
        return self.turn.ref.inbox if self.carriage.own_topics else self.game.forum.topic

    @property
    def secrets(self) -> Secrets:
        """S of this turn and H of the game."""
        return Secrets(self.turn.seed, self.row.secret, self.turn.seed_attempt)

    @property
    def commitments(self) -> Commitments:
        """What was published about the secrets."""
        secret = ptd1.secret_commitment(self.row.id, self.row.secret)
        return Commitments(self.turn.commitment, self.turn.groups, secret, self.turn.proof)

    @property
    def logins(self) -> dict[str, str | None]:
        """Login name by private recipient, None for whom nothing can be written to: nobody at all, where the
        forum has no private messages.
        """
        people = {seat.id: seat.login for seat in self.game.seats} | {DIRECTOR_SEAT: self.game.director}
        return people if self.forum.capabilities.private else dict.fromkeys(people)

    @cached_property
    def kind(self) -> Kind:
        """The kind of turn of this track."""
        with self.service.database.read() as connection:
            return self.loaded.ruleset.kinds[
                games.find_track_kind(connection, self.row.id, self.turn.ref.track)
            ]

    @cached_property
    def play(self) -> PlayContext:
        """The turn as the pipeline sees it."""
        with self.service.database.read() as connection:
            stored = turns.find_state(connection, self.turn.id)
            before = find_before(connection, self.turn, self.now)
            nth = games.count_players(connection, self.row.id)
        state = stored.load(self.loaded.ruleset)
        play = self.play_of(self.turn.ref, state, self.turn.deadline)
        return replace(
            play,
            opened_at=self.turn.opened_at,
            changes=self.turn.clock.changes,
            nth=nth,
            proof=self.turn.proof,
            **before,
        )

    def play_of(self, ref: TurnRef, state: Any, deadline: Deadline) -> PlayContext:
        """Another turn of this track as the pipeline sees it."""
        return PlayContext(
            game=self.game,
            ruleset=self.loaded.ruleset,
            kind=self.kind,
            state=state,
            ref=ref,
            deadline=deadline,
            catalogue=self.loaded.catalogue,
            forum=self.forum.capabilities,
            topic_url=self.loaded.topic_url,
        )

    def sender(self) -> Sender:
        """What the outbox needs."""
        service = self.service
        enclosed: dict[int, tuple[str, ...]] = {}
        if self.forum.capabilities.uploads is not None:
            with service.database.read() as connection:
                enclosed = uploads.find_enclosed(connection, self.turn.id)
        return Sender(
            database=service.database,
            clock=service.clock,
            forum=self.forum,
            gate=service.gate,
            reach=service.reach,
            lease=self.lease,
            quiet=self.policies.quiet,
            topic=self.topic,
            voided=self.turn.status is TurnStatus.VOID,
            logins=self.logins,
            replaces=lambda url: self.say(msg("part/replaces", url=url or None)),
            enclosed=enclosed,
            say=lambda reason: self.say(explain_reason(reason)),
        )

    def put(self, connection: Connection, texts: tuple[Outgoing, ...]) -> None:
        """Put texts of this turn into the outbox."""
        emptied = self.say(msg("part/emptied"))
        outbox_rows.put(connection, self.turn.id, self.turn.ref, texts, self.logins, emptied)
