"""Blocks that outlive their turn: standing orders, and the last ones, which a policy may repeat.

They are read against the view of the turn in which they act, so what has become impossible is refused like
any other line (design.md 1 and 2, *NMR*).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from parsers.orders.lines import logical_lines
from parsers.orders.reading import BlockReading, read_orders
from processor.pipeline.context import PlayContext
from rules.play.carried import NOTHING, CarriedSeat, KeptBlock
from rules.play.game import NmrPolicy
from rules.play.reading import LineRead, SeatReading, Submission, TurnReading


def read_block(play: PlayContext, seat: str, kept: KeptBlock, before: Sequence[LineRead]) -> BlockReading:
    """A block's lines as they read now. before: lines of the seat that it is appended to."""
    plan = play.kind.plan(play.look(seat))
    for line in before:
        if line.order is not None:
            plan.accept(line.order)
    first = max((line.number for line in before), default=0) + 1
    lines = logical_lines(kept.block, raw=kept.raw)
    post, secret = kept.post.id, kept.post.private
    return read_orders(lines, play.kind, plan, post=post, secret=secret, first=first)


def read_kept(
    play: PlayContext, seat: str, kept: Iterable[KeptBlock], *, standing: bool
) -> tuple[Submission, ...]:
    """Blocks of earlier turns as they read in this one; what they once answered or said besides is over."""
    told: list[Submission] = []
    lines: list[LineRead] = []
    for one in kept:
        read = read_block(play, seat, one, lines)
        lines += read.lines
        text = "\n".join(part.text for part in one.block.lines)
        told.append(
            Submission(
                seat, one.post, read.lines, append=bool(told), standing=standing, text=text, since=one.turn
            )
        )
    return tuple(told)


def carried_seat(play: PlayContext, seat: str) -> CarriedSeat:
    """What a seat brings into the turn. Standing orders end with their player, and so does the count."""
    before = play.carried.get(seat, NOTHING)
    if before.account in (None, play.game.seat(seat).account):
        return before
    return replace(before, standing=(), missed=0)


def stand_in(play: PlayContext, reading: TurnReading) -> TurnReading:
    """The reading at the lock: who has given no orders gets what the game's policy has for the seat."""
    return replace(reading, seats=tuple(_stand_in(play, own) for own in reading.seats), closed=True)


def _stand_in(play: PlayContext, own: SeatReading) -> SeatReading:
    played = play.game.seat(own.seat).account is not None and own.seat not in play.out
    if own.gives_orders or not played:
        return own
    return replace(own, in_force=(*own.in_force, *_find_stand_in(play, own)))


def _find_stand_in(play: PlayContext, own: SeatReading) -> tuple[Submission, ...]:
    match play.game.policies.nmr:
        case NmrPolicy.STANDING:
            return own.standing
        case NmrPolicy.REPEAT:
            return read_kept(play, own.seat, carried_seat(play, own.seat).last, standing=False)
        case _:
            return ()
