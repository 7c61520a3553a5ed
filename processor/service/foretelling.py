"""A turn resolved now with throw-away dice, for its director alone: nothing is stored or posted.

Neither the turn's seed nor the game's secret enters: what comes out says nothing of the dice to come.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from processor.pipeline.context import Frozen, PlayContext, Secrets, TurnResult
from processor.service.bundle import Service
from processor.service.looking import choose_turn, is_movable, play_stored
from processor.service.previewing import OVER
from processor.service.resolving import load_frozen
from processor.store import evidence, turns
from processor.store.rows import GameRow, TurnRow
from rules.engine.document import Document
from rules.engine.orders import Order

SEED_BYTES = 32


class TurnOver(LookupError):
    """The game's turn is resolved already. turn: its number."""

    def __init__(self, turn: int) -> None:
        super().__init__(str(turn))
        self.turn = turn


@dataclass(frozen=True, slots=True)
class Trial:
    """A turn as it would be resolved now. locked: its orders are frozen; else more may come."""

    play: PlayContext
    frozen: Frozen
    locked: bool

    @property
    def read_at(self) -> datetime | None:
        """When the newest post was seen, by the forum's clock, None where there is none."""
        return self.frozen.reading.until


@dataclass(frozen=True, slots=True)
class Chance:
    """What came of an order, or of the turn itself, in some of several runs.

    seat, number, order: whose, as the receipt numbers and words it; None for what is nobody's.
    runs: in how many it happened, by event id; those of every run are left out.
    """

    seat: str | None
    number: int | None
    order: Order | None
    runs: Mapping[str, int]


def set_trial(service: Service, row: GameRow, now: datetime) -> Trial:
    """The turn that the game is at, with what has been read of it and the override file as it is.

    An open turn is closed for it as the lock would: standing orders and the game's policies included.
    Raises FolderFault, TurnOver.
    """
    loaded = service.pipeline.load_game(Path(row.folder))
    with service.database.read() as connection:
        turn = choose_turn(turns.list_turns(connection, row.id))
    if turn.status in OVER:
        raise TurnOver(turn.ref.turn)
    play = play_stored(service, row, loaded, turn)
    if is_movable(turn):
        return _close_now(service, row, turn, play, now)
    return Trial(play, load_frozen(service, row, turn)[1], locked=True)


def _close_now(service: Service, row: GameRow, turn: TurnRow, play: PlayContext, now: datetime) -> Trial:
    text = service.folder.read_overrides(Path(row.folder), turn.ref)
    with service.database.read() as connection:
        versions = evidence.load_versions(connection, turn.evidence)
    followed = service.pipeline.follow_clock(play, turn.clock, text, now)
    moved = replace(play, changes=followed.clock.changes)
    frozen = service.pipeline.freeze(moved, versions, "", text, _throw_away(service))
    return Trial(moved, frozen, locked=False)


def try_turn(service: Service, trial: Trial) -> TurnResult:
    """Resolve it with dice of its own; each call throws others."""
    return service.pipeline.resolve_turn(trial.play, trial.frozen, _throw_away(service))


def tell_ahead(service: Service, trial: Trial) -> Document | None:
    """What the rule set can tell of the turn ahead of its dice; None where it tells nothing."""
    return service.pipeline.foretell(trial.play, trial.frozen, _throw_away(service))


def _throw_away(service: Service) -> Secrets:
    return Secrets(service.random_bytes(SEED_BYTES), service.random_bytes(SEED_BYTES))


def count_chances(results: Sequence[TurnResult]) -> tuple[Chance, ...]:
    """What happened in some runs and not in all, order by order."""
    counts: dict[tuple[str | None, int | None], Counter[str]] = {}
    for result in results:
        for seat, number, event in sorted(_happened(result), key=str):
            counts.setdefault((seat, number), Counter())[event] += 1
    orders = {
        (one.seat, one.number): one for result in results for own in result.orders.values() for one in own
    }
    ranked = sorted(counts.items(), key=lambda item: (str(item[0][0] or ""), item[0][1] or 0))
    return tuple(
        Chance(seat, number, orders.get((seat or "", number or 0)), runs)
        for (seat, number), happened in ranked
        if (runs := {event: times for event, times in happened.most_common() if times < len(results)})
    )


def _happened(result: TurnResult) -> set[tuple[str | None, int | None, str]]:
    """Each thing once a run."""
    return {(one.seat, one.number, one.id) for one in result.resolution.events}
