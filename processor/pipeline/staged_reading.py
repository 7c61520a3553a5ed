"""The orders of a scenario's turn: the text of each seat's block, or posts as a forum holds them."""

from __future__ import annotations

from datetime import UTC, datetime

from parsers.files.errors import FileErrors, FileProblem
from parsers.files.scenario import ScenarioPost, ScenarioTurn
from parsers.orders.lines import block_of
from processor.pipeline.blocks import SeatBlocks
from processor.pipeline.context import PlayContext, PostVersion
from processor.pipeline.reading import read_turn
from processor.pipeline.staging import Stage
from rules.engine.audience import DIRECTOR_SEAT
from rules.engine.messages import msg
from rules.play.posts import Post, Precision
from rules.play.reading import PostRef, TurnReading

_AT = datetime(1, 1, 1, tzinfo=UTC)


def read_staged(play: PlayContext, stage: Stage, turn: ScenarioTurn) -> TurnReading:
    """What a turn's orders or posts say. Raises FileErrors for seats that the state doesn't have."""
    problems = [*_unknown_seats(play, stage, turn)]
    if problems:
        raise FileErrors(problems)
    if turn.posts:
        return read_turn(play, stage_versions(turn), "")
    blocks = {seat: SeatBlocks(play, seat) for seat in play.players}
    for number, (seat, text) in enumerate(turn.orders.items(), 1):
        ref = PostRef(f"orders-{seat}", number, "", _AT)
        blocks[seat].take(block_of(text), ref, raw=True)
    return TurnReading(tuple(one.reading() for one in blocks.values()))


def stage_versions(turn: ScenarioTurn) -> tuple[PostVersion, ...]:
    """The posts of a scenario's turn as a forum would have shown them; their ids count from 1."""
    return tuple(_version(number, post) for number, post in enumerate(turn.posts, 1))


def _version(number: int, post: ScenarioPost) -> PostVersion:
    """A post as read once, the moment it was written. Times without a zone are UTC."""
    at = post.time if post.time.tzinfo is not None else post.time.replace(tzinfo=UTC)
    at = at.astimezone(UTC)
    made = Post(
        id=str(number),
        topic="",
        author_id=post.seat,
        author=post.seat or post.author or "",
        created_at=at,
        precision=Precision.SECOND,
        url="",
        raw=post.text,
        number=number,
    )
    return PostVersion(made, at, at)


def _unknown_seats(play: PlayContext, stage: Stage, turn: ScenarioTurn) -> list[FileProblem]:
    known = set(play.players)
    named = [("orders", seat) for seat in turn.orders] + [("replies", seat) for seat in turn.replies]
    named += [("post", post.seat) for post in turn.posts if post.seat is not None]
    if turn.expect is not None:
        readers = {*known, "public", DIRECTOR_SEAT}
        named += [("expect.report", reader) for reader in turn.expect.report if reader not in readers]
    return [
        FileProblem(
            stage.scenario.name,
            turn.line,
            f"turn {turn.number}, {key}",
            "scenario/seat",
            msg("correct/no-seat", seat=seat),
            msg("correct/seats-are", seats=play.players),
        )
        for key, seat in named
        if seat not in known
    ]
