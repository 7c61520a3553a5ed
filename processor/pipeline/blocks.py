"""The order blocks of one seat, one after the other, and which of them is in force (design.md 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from parsers.orders.limits import MAX_ORDERS
from parsers.orders.reading import BlockReading
from processor.pipeline.context import PlayContext
from processor.pipeline.keeping import carried_seat, read_block, read_kept
from rules.engine.diagnostics import Diagnostic, error, refuses, warning
from rules.engine.folding import fold
from rules.engine.messages import Code, Quoted
from rules.engine.names import NameIndex
from rules.engine.text import tokenize
from rules.play.blocks import Block, BlockProblem
from rules.play.carried import CarriedSeat, KeptBlock
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


@dataclass(frozen=True, slots=True)
class _Valid:
    """A block that counts: what it says in this turn, and what is kept of it for later ones."""

    read: Submission
    kept: KeptBlock


class SeatBlocks:
    """What stands for a seat while its posts are read in sequence."""

    def __init__(self, play: PlayContext, seat: str) -> None:
        self._play = play
        self._seat = seat
        self._before = carried_seat(play, seat)
        self._in_force: tuple[_Valid, ...] = ()
        self._standing = self._read_standing()
        self._latest: Submission | None = None
        self._rejected: list[Submission] = []
        self._is_heard = False

    def reading(self) -> SeatReading:
        """What stands now."""
        return SeatReading(
            self._seat,
            tuple(one.read for one in self._in_force),
            self._latest,
            tuple(self._rejected),
            tuple(one.read for one in self._kept),
        )

    @property
    def _kept(self) -> tuple[_Valid, ...]:
        """The standing orders, which a new player doesn't take over."""
        since = self._play.game.seat(self._seat).since
        return tuple(one for one in self._standing if since is None or one.kept.post.at >= since)

    def carry(self) -> CarriedSeat:
        """What the seat takes into the next turn."""
        before, account = self._before, self._play.game.seat(self._seat).account
        standing = tuple(one.kept for one in self._kept)
        if self._play.game.policies.nmr is not NmrPolicy.STANDING:  # it may become so again
            standing = before.standing
        given = [one for one in self._in_force if one.read.lines or one.read.withdrawal]
        last = tuple(one.kept for one in given if not one.read.withdrawal) if given else before.last
        return CarriedSeat(account, standing, last, self._count_missed(account))

    def _count_missed(self, account: str | None) -> int:
        if self._is_heard or account is None or self._seat in self._play.out:
            return 0
        return self._before.missed + (0 if self._seat in self._play.absent else 1)

    def _read_standing(self) -> tuple[_Valid, ...]:
        kept = self._before.standing if self._play.game.policies.nmr is NmrPolicy.STANDING else ()
        read = read_kept(self._play, self._seat, kept, standing=True)
        return tuple(map(_Valid, read, kept))

    def refuse(self, problems: Sequence[BlockProblem], ref: PostRef) -> None:
        """Blocks and marks of a post that make no block: told, and the older block stays in force."""
        lines = tuple(LineRead(0, one.line, one.text, None, None, (one.finding,)) for one in problems)
        self._reject(Submission(self._seat, ref, lines, valid=False))

    def take(
        self,
        block: Block,
        ref: PostRef,
        *,
        raw: bool,
        wrong: Diagnostic | None = None,
        remarks: tuple[Diagnostic, ...] = (),
    ) -> None:
        """Read a closed block; `wrong` already refuses it, `remarks` are what the receipt says besides."""
        problems = [
            one for one in (wrong or self._wrong_header(block, private=ref.private),) if one is not None
        ]
        text = "\n".join(part.text for part in block.lines)
        header = block.header
        made = Submission(self._seat, ref, append=header.append, standing=header.standing, text=text)
        if problems:
            self._reject(replace(made, valid=False, problems=tuple(problems)))
            return
        kept = KeptBlock(ref, block, self._play.ref.turn, raw)
        read = self._read(kept)
        if len(read.lines) > MAX_ORDERS:
            too_many = error("parse/too-many-orders", limit=MAX_ORDERS)
            self._reject(replace(made, valid=False, problems=(too_many,)))
            return
        withdrawal = read.nothing or block.is_empty
        self._settle(
            replace(
                made,
                lines=read.lines,
                valid=withdrawal or _says_something(read),
                withdrawal=withdrawal,
                ready=read.ready,
                problems=(*self._remarks(ref), *remarks),
                replies=read.replies,
                standing=header.standing and (withdrawal or bool(read.lines)),
            ),
            kept,
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

    def _remarks(self, ref: PostRef) -> list[Diagnostic]:
        """What a receipt warns of although the block counts."""
        found = []
        if self._play.game.forum.secret and not ref.private:
            found.append(warning("block/secret-in-public"))
        return found

    def _read(self, kept: KeptBlock) -> BlockReading:
        header = kept.block.header
        older = self._standing if header.standing else self._in_force
        before = [line for one in older for line in one.read.lines] if header.append else []
        return read_block(self._play, self._seat, kept, before)

    def _reject(self, made: Submission) -> None:
        self._latest = made
        self._rejected.append(made)

    def _settle(self, made: Submission, kept: KeptBlock) -> None:
        """The newest valid block replaces the older ones whole; `añade`, and one without orders, goes with
        them. Standing orders stand apart from those of the turn.
        """
        if not made.valid or refuses(list(made.problems)):
            self._reject(made)
            return
        self._latest = made
        self._is_heard = True
        if made.standing:
            self._standing = _join(self._standing, _Valid(made, kept))
        else:
            self._in_force = _join(self._in_force, _Valid(made, kept))


def _join(older: tuple[_Valid, ...], newest: _Valid) -> tuple[_Valid, ...]:
    """What stands once a further block has come; an empty one ends standing orders."""
    made = newest.read
    if made.withdrawal:
        return () if made.standing else (newest,)
    if not made.lines:
        return (*older, newest)
    if made.append:
        return (*(one for one in older if not one.read.withdrawal), newest)
    return (newest,)


def _says_something(read: BlockReading) -> bool:
    """At least one accepted line; or, without any order, that the seat is ready or what it answers."""
    accepted = any(line.order is not None for line in read.lines)
    return accepted or (not read.lines and (read.ready or bool(read.replies)))
