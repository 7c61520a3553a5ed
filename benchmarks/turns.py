"""A whole turn of a made-up game: its blocks read, locked, resolved, and told to everybody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time

from benchmarks.orders import write_blocks
from benchmarks.worlds import Size, make_options, make_state
from jobs.catalogues import load_catalogue
from parsers.orders.lines import block_of
from processor.pipeline import texts
from processor.pipeline.blocks import SeatBlocks
from processor.pipeline.context import Commitments, Frozen, PlayContext, Secrets, TurnResult
from processor.pipeline.locking import commitments, freeze_reading
from processor.pipeline.resolving import resolve_turn
from rules.conquista import RULESET
from rules.play.game import ForumSettings, Game, Policies, Schedule, Seat
from rules.play.outgoing import Outgoing
from rules.play.posts import Capabilities, Precision
from rules.play.reading import PostRef, TurnReading
from rules.play.turns import Deadline, TurnRef

_AT = datetime(2026, 12, 6, 21, tzinfo=UTC)
_FORUM = Capabilities(Precision.MINUTE, private=True, edit=True, max_chars=30_000, min_interval=0)
SECRETS = Secrets(bytes(range(32)), bytes(range(32, 64)))


@dataclass(frozen=True, slots=True)
class Table:
    """A game at its deadline. blocks: the order lines of each faction."""

    play: PlayContext
    blocks: dict[str, str]
    committed: Commitments


def set_table(size: Size) -> Table:
    """The game of that size, with its players' orders written and none read."""
    state = make_state(size)
    names = RULESET.seats(state)
    game = Game(
        id="medida",
        title="Medida",
        ruleset=RULESET.id,
        language="es",
        zone="Europe/Madrid",
        forum=ForumSettings("spirit", "http://foro.example", "1", "turnero", "Europe/Madrid"),
        schedule=Schedule(time(22), datetime(2026, 12, 6, 22), every_days=7),  # noqa: DTZ001 - local time
        seats=tuple(Seat(key, str(at), key.lower(), name) for at, (key, name) in enumerate(names.items(), 2)),
        policies=Policies(),
        options=make_options(size),
    )
    play = PlayContext(
        game=game,
        ruleset=RULESET,
        kind=RULESET.main_kind,
        state=state,
        ref=TurnRef(game.id, 3),
        deadline=Deadline(_AT, game.zone),
        catalogue=load_catalogue("es", RULESET.package),
        forum=_FORUM,
        opened_at=_AT,
    )
    blocks = {key: "\n".join(lines) for key, lines in write_blocks(state, size).items()}
    return Table(play, blocks, commitments(play, SECRETS))


def read(table: Table) -> TurnReading:
    """Read every faction's block, as sent in a private message."""
    readings = []
    for number, (seat, text) in enumerate(table.blocks.items(), 1):
        blocks = SeatBlocks(table.play, seat)
        post = PostRef(str(number), None, "", _AT, private=True)
        blocks.take(block_of(text), post, raw=False)
        readings.append(blocks.reading())
    return TurnReading(tuple(readings))


def lock(table: Table, reading: TurnReading) -> Frozen:
    """The frozen turn."""
    return freeze_reading(table.play, reading, "", SECRETS, len(table.blocks))


def resolve(table: Table, frozen: Frozen) -> TurnResult:
    """Resolve the locked turn. Raises ValueError for a turn that is held: then the game is made up wrong."""
    result = resolve_turn(table.play, frozen, SECRETS)
    if result.held:
        raise ValueError("; ".join(result.problems) or "the turn asks something")
    return result


def report(table: Table, frozen: Frozen, result: TurnResult) -> tuple[Outgoing, ...]:
    """The public report, every faction's own, and the director's digest, as they are posted."""
    ahead, state = Deadline(_AT.replace(day=13), table.play.game.zone), result.resolution.state
    return texts.reports(table.play, frozen, result, table.committed, table.committed, ahead, state)
