"""Looking at a game without changing anything: where it stands, who has ordered what, what it waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from processor.pipeline.context import PlayContext, Secrets, TurnResult
from processor.service.bundle import LoadedGame, Service
from processor.service.resolving import load_frozen_with
from processor.service.work import find_before
from processor.store import answers, attempts, evidence, games, locks, outbox_rows, turns
from processor.store.rows import WAITING, GameRow, OutboxRow, SendState, TurnRow
from rules.play.answers import Waiting
from rules.play.posts import Capabilities, Precision
from rules.play.reading import TurnReading
from rules.play.turns import Deadline, TurnRef, TurnStatus

PAPER = Capabilities(Precision.SECOND, private=True, edit=True, max_chars=1_000_000, min_interval=0.0)
"""What a reader at the terminal can take: no forum is asked for what it can do."""

_NOT_THERE = (*WAITING, SendState.QUEUED, SendState.WRITTEN, SendState.HELD)
NOT_LOCKED = (TurnStatus.PLANNED, TurnStatus.OPEN)


@dataclass(frozen=True, slots=True)
class Look:
    """A game as it stands. reading: what is stored of the turn's posts; frozen from the lock on.

    result: what the turn asks, while it does. waits: how long, by question. texts: what is to be sent or
    can't be.
    """

    row: GameRow
    loaded: LoadedGame
    turn: TurnRow
    play: PlayContext
    reading: TurnReading
    locked: bool
    result: TurnResult | None
    texts: tuple[OutboxRow, ...]
    waits: Mapping[str, Waiting] = field(default_factory=dict)

    @property
    def stuck(self) -> tuple[OutboxRow, ...]:
        """Texts that need the director."""
        return tuple(one for one in self.texts if one.state is SendState.HELD)


def look_at(service: Service, row: GameRow, number: int | None = None, attempt: int | None = None) -> Look:
    """Where a game stands, or one turn of its main track by number, in its newest attempt or in another.

    Raises FolderFault where its folder can't be used, LookupError for a turn that there isn't.
    """
    loaded = service.pipeline.load_game(Path(row.folder))
    with service.database.read() as connection:
        turn = choose_turn(turns.list_turns(connection, row.id), number, attempt)
        locked = not is_movable(turn) and attempts.is_locked(connection, turn.id)
        texts = outbox_rows.list_rows(connection, turn.id, *_NOT_THERE)
        versions = evidence.load_versions(connection, turn.evidence)
        waits = answers.find_waits(connection, turn.id)
    play = play_stored(service, row, loaded, turn)
    if not locked:
        read = service.pipeline.read_turn(play, versions, "")  # our own posts are never stored
        overrides = read_overrides_of(service, row, turn)
        reading = service.pipeline.choose_posts(play, read, versions, overrides)
        return Look(row, loaded, turn, play, reading, False, None, texts)
    _, frozen = load_frozen_with(service, row, turn, read_overrides_of(service, row, turn))
    result = None
    if turn.status is TurnStatus.ASKING:
        result = service.pipeline.resolve_turn(
            play, frozen, Secrets(turn.seed, row.secret, turn.seed_attempt)
        )
    reading = service.pipeline.choose_posts(play, frozen.reading, frozen.versions, frozen.overrides_now)
    return Look(row, loaded, turn, play, reading, True, result, texts, waits)


def is_movable(turn: TurnRow) -> bool:
    """Whether a turn's deadline can still be moved: it isn't locked, though it may be held."""
    return turn.status in NOT_LOCKED or (turn.status is TurnStatus.HELD and turn.held_from in NOT_LOCKED)


def read_overrides_of(service: Service, row: GameRow, turn: TurnRow) -> str:
    """The override file that a turn is run with; a voided attempt keeps the one that it had. Raises
    FolderFault.
    """
    if turn.status is not TurnStatus.VOID:
        return service.folder.read_overrides(Path(row.folder), turn.ref)
    with service.database.read() as connection:
        return locks.find_used_overrides(connection, turn.id)


def choose_turn(known: Sequence[TurnRow], number: int | None = None, attempt: int | None = None) -> TurnRow:
    """The main track's turn that the game is at: the first that isn't over, else the last.

    number: that turn instead, in its newest attempt that counts. attempt: that one instead, voided or not.
    Raises LookupError.
    """
    if number is not None and attempt is not None:
        wanted = ("", number, attempt)
        found = [one for one in known if (one.ref.track, one.ref.turn, one.ref.attempt) == wanted]
        return found[-1]
    main = [one for one in known if one.ref.track == "" and one.status is not TurnStatus.VOID]
    if number is not None:
        return [one for one in main if one.ref.turn == number][-1]
    return next((one for one in main if one.status is not TurnStatus.PUBLISHED), main[-1])


def play_stored(service: Service, row: GameRow, loaded: LoadedGame, turn: TurnRow) -> PlayContext:
    """A stored turn as the pipeline sees it, for a reader at the terminal."""
    with service.database.read() as connection:
        state = turns.find_state(connection, turn.id).load(loaded.ruleset)
        kind = games.find_track_kind(connection, row.id, turn.ref.track)
        before = find_before(connection, turn, service.clock.now())
    play = play_on_paper(loaded, kind, state, turn.ref, turn.deadline)
    return replace(play, opened_at=turn.opened_at, changes=turn.clock.changes, proof=turn.proof, **before)


def play_on_paper(loaded: LoadedGame, kind: str, state: Any, ref: TurnRef, deadline: Deadline) -> PlayContext:
    """A turn as the pipeline sees it, without a forum."""
    return PlayContext(
        game=loaded.game,
        ruleset=loaded.ruleset,
        kind=loaded.ruleset.kinds[kind],
        state=state,
        ref=ref,
        deadline=deadline,
        catalogue=loaded.catalogue,
        forum=PAPER,
        topic_url=loaded.topic_url,
    )
