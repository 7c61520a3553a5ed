"""The order blocks of one seat, one after the other, and which of them is in force (design.md 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from parsers.orders.limits import MAX_ORDERS
from parsers.orders.lines import logical_lines
from parsers.orders.reading import BlockReading, read_orders
from processor.pipeline.context import PlayContext
from rules.engine.diagnostics import Diagnostic, error, refuses, warning
from rules.engine.folding import fold
from rules.engine.messages import Code, Quoted
from rules.engine.names import NameIndex
from rules.engine.text import tokenize
from rules.play.blocks import Block, BlockProblem
from rules.play.game import NmrPolicy, Seat
from rules.play.reading import LineRead, PostRef, SeatReading, Submission


def is_for_track(block: Block, play: PlayContext) -> bool:
    """Whether a block is for this track's reading: its own, or on the main track one that names no track
    at all.
    """
    named = fold(block.header.track or "")
    if named in map(fold, play.tracks):
        return named == fold(play.ref.track)
    return play.ref.track == ""


def find_owner(block: Block, seats: Sequence[Seat]) -> Seat | Diagnostic:
    """Which of the account's seats (one or more) a block is for, or what is wrong with saying so."""
    wanted = block.header.seat_name
    names = tuple(seat.shown for seat in seats)
    if wanted is None:
        return seats[0] if len(seats) == 1 else error("block/whose", seats=names, example=names[0].text)
    found = _named(wanted, seats)
    if len(found) > 1:
        return error("block/whose", seats=tuple(seat.shown for seat in found), example=found[0].shown.text)
    return found[0] if found else error("block/not-your-seat", name=Quoted(wanted))


def _named(words: str, seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """The seats that words may name: whole or shortened, with or without article."""
    names = {seat.id: (seat.shown.text, seat.id) for seat in seats}
    tokens = tokenize(words)
    found = NameIndex(names, ids=False, nouns=("de", "del")).find(tokens, 0)
    return tuple(seat for seat in seats if seat.id in found.ids) if found.end == len(tokens) else ()


class SeatBlocks:
    """What stands for a seat while its posts are read in sequence."""

    def __init__(self, play: PlayContext, seat: str) -> None:
        self._play = play
        self._seat = seat
        self._in_force: tuple[Submission, ...] = ()
        self._latest: Submission | None = None
        self._rejected: list[Submission] = []

    def reading(self) -> SeatReading:
        """What stands now."""
        return SeatReading(self._seat, self._in_force, self._latest, tuple(self._rejected))

    def refuse(self, problems: Sequence[BlockProblem], ref: PostRef) -> None:
        """Blocks and marks of a post that make no block: told, and the older block stays in force."""
        lines = tuple(LineRead(0, one.line, one.text, None, None, (one.finding,)) for one in problems)
        self._settle(Submission(self._seat, ref, lines, valid=False))

    def take(
        self,
        block: Block,
        ref: PostRef,
        *,
        raw: bool,
        wrong: Diagnostic | None = None,
        at_the_edge: bool = False,
    ) -> None:
        """Read a closed block; `wrong` is what already refuses it."""
        problems = [
            one for one in (wrong or self._wrong_header(block, private=ref.private),) if one is not None
        ]
        text = "\n".join(part.text for part in block.lines)
        header = block.header
        made = Submission(self._seat, ref, append=header.append, standing=header.standing, text=text)
        if problems:
            self._settle(replace(made, valid=False, problems=tuple(problems)))
            return
        read = self._read(block, ref, raw=raw, append=header.append)
        if len(read.lines) > MAX_ORDERS:
            too_many = error("parse/too-many-orders", limit=MAX_ORDERS)
            self._settle(replace(made, valid=False, problems=(too_many,)))
            return
        withdrawal = read.nothing or block.is_empty
        self._settle(
            replace(
                made,
                lines=read.lines,
                valid=withdrawal or _says_something(read),
                withdrawal=withdrawal,
                ready=read.ready,
                problems=tuple(self._remarks(ref, at_the_edge=at_the_edge)),
                replies=read.replies,
            )
        )

    def _wrong_header(self, block: Block, *, private: bool) -> Diagnostic | None:
        header, ref = block.header, self._play.ref
        if private and not self._play.game.forum.secret:
            return error("block/private-in-open")
        if header.track is not None and fold(header.track) != fold(ref.track):
            meant = _named(header.track, self._play.game.seats)
            seat = meant[0].shown.text if len(meant) == 1 else None
            return error("block/unknown-track", word=Code(header.track), seat=seat)
        if header.turn is not None and header.turn != ref.turn:
            return error("block/wrong-turn", turn=header.turn, open=ref.turn)
        if header.standing and self._play.game.policies.nmr is not NmrPolicy.STANDING:
            return error("block/no-standing-orders")
        return None

    def _remarks(self, ref: PostRef, *, at_the_edge: bool) -> list[Diagnostic]:
        """What a receipt warns of although the block counts."""
        found = []
        if self._play.game.forum.secret and not ref.private:
            found.append(warning("block/secret-in-public"))
        if at_the_edge:
            found.append(warning("block/deadline-minute"))
        return found

    def _read(self, block: Block, ref: PostRef, *, raw: bool, append: bool) -> BlockReading:
        kind = self._play.kind
        plan = kind.plan(self._play.look(self._seat))
        before = [line for one in self._in_force for line in one.lines] if append else []
        for line in before:
            if line.order is not None:
                plan.accept(line.order)
        first = max((line.number for line in before), default=0) + 1
        lines = logical_lines(block, raw=raw)
        return read_orders(lines, kind, plan, post=ref.id, secret=ref.private, first=first)

    def _settle(self, made: Submission) -> None:
        """The newest valid block replaces the older ones whole; `añade`, and one without orders, goes with
        them.
        """
        self._latest = made
        if not made.valid or refuses(list(made.problems)):
            self._rejected.append(made)
        elif made.withdrawal:
            self._in_force = (made,)
        elif not made.lines:
            self._in_force = (*self._in_force, made)
        elif made.append:
            self._in_force = (*(one for one in self._in_force if not one.withdrawal), made)
        else:
            self._in_force = (made,)


def _says_something(read: BlockReading) -> bool:
    """At least one accepted line; or, without any order, that the seat is ready or what it answers."""
    accepted = any(line.order is not None for line in read.lines)
    return accepted or (not read.lines and (read.ready or bool(read.replies)))
