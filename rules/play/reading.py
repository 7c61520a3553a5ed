"""What was understood of the posts of a turn: the values between reading, receipts and resolution."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from rules.engine.diagnostics import Diagnostic
from rules.engine.messages import Message
from rules.engine.orders import Order
from rules.engine.turn import Facts


@dataclass(frozen=True, slots=True)
class PostRef:
    """Where something was written. number: as readers of the topic see it, None for private messages."""

    id: str
    number: int | None
    url: str
    at: datetime
    private: bool = False


@dataclass(frozen=True, slots=True)
class LineRead:
    """One order line of a block with what became of it.

    number: the order's number in the receipt, from 1; 0 for findings on lines that are no order.
    line: 1-based line of the post. text: as written. order: None where it was refused.
    told: how the receipt words the accepted order, None where it was refused.
    """

    number: int
    line: int
    text: str
    order: Order | None
    told: Message | None = None
    findings: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Submission:
    """One order block of one seat, as read.

    valid: whether it counts (closed, right header, at least one accepted line, or a withdrawal).
    withdrawal: an empty block or `ninguna`. append: `añade`. standing: `permanentes`.
    ready: has a line `listo`. since: the turn in which it was written, None where that is this one.
    problems: what is wrong with the block as a whole. replies: handle -> answer as written.
    text: the lines of the block as its reader sees them, for the manifest of the lock.
    salt: hex digits that open a private post's leaf in the manifest, for its author alone; "" before the
    lock.
    """

    seat: str
    post: PostRef
    lines: tuple[LineRead, ...] = ()
    valid: bool = True
    withdrawal: bool = False
    append: bool = False
    standing: bool = False
    ready: bool = False
    problems: tuple[Diagnostic, ...] = ()
    replies: tuple[tuple[str, str], ...] = ()
    text: str = ""
    salt: str = ""
    since: int | None = None

    @property
    def orders(self) -> tuple[Order, ...]:
        """The accepted orders, in the order written."""
        return tuple(line.order for line in self.lines if line.order is not None)


@dataclass(frozen=True, slots=True)
class SkippedText:
    """Something that looked like orders and doesn't count, named in the receipt.

    why: in a post that counts `quote`, `signature`, `struck`, `code`, `spoiler`, `hidden`, `heading`; of a
    whole post `late`, `early` (before the turn was open), `edited-late` (an older version counts), `doubtful`
    (first read behind an edit that may have been late), `removed`, `unapproved`, `no-seat`, `ignored` (the
    director's choice; excerpt: the reason).
    seat: whose it is, None for others. author: name of who wrote it. line, excerpt: where it stands there.
    """

    post: PostRef
    why: str
    seat: str | None = None
    author: str = ""
    line: int | None = None
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class SeatReading:
    """What stands for a seat: the submissions in force, and those that are not, newest last.

    in_force: the valid block (and what was appended to it), as one list of lines, empty for none.
    latest: the newest submission, whether valid or not; None where the seat has posted nothing.
    standing: the seat's standing orders as they read in this turn. They count where they are in force too,
    which they are from the lock on where nothing else is.
    """

    seat: str
    in_force: tuple[Submission, ...] = ()
    latest: Submission | None = None
    rejected: tuple[Submission, ...] = ()
    standing: tuple[Submission, ...] = ()

    @property
    def orders(self) -> tuple[Order, ...]:
        """The accepted orders in force."""
        return tuple(order for one in self.in_force for order in one.orders)

    @property
    def lines(self) -> tuple[LineRead, ...]:
        """The lines in force, refused ones included."""
        return tuple(line for one in self.in_force for line in one.lines)

    @property
    def withdrawn(self) -> bool:
        """Whether the seat has said that it gives no orders."""
        return any(one.withdrawal for one in self.in_force)

    @property
    def stand_in(self) -> tuple[Submission, ...]:
        """What is in force without having been ordered for this turn: standing orders, or repeated ones."""
        return tuple(one for one in self.in_force if one.standing or one.since is not None)

    @property
    def silent(self) -> bool:
        """NMR: no block of this turn in force; a withdrawal is one."""
        return len(self.stand_in) == len(self.in_force)

    @property
    def gives_orders(self) -> bool:
        """Whether there are orders in force, or the word that there are to be none."""
        return any(one.lines or one.withdrawal for one in self.in_force)


@dataclass(frozen=True, slots=True)
class PostRead:
    """A post of a player that holds a block, or what was meant as one.

    seats: of its author. why: None where it counts, else as in `SkippedText` (`edited-late`: an older version
    counts). accepted: whether it counts because the director says so.
    """

    post: PostRef
    seats: tuple[str, ...]
    why: str | None = None
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class TurnReading:
    """All seats of a turn, in the game's order, and what was skipped.

    facts: of each post that carries orders in force, by post id. posts: those that a director can ignore or
    accept, in sequence. until: when the newest version of any post was seen, by the forum's clock; None
    without posts. openly: what everybody may know, None where that is the same: the director's choice of
    posts may be secret. closed: read at the lock, with what the game's policy has for seats without orders.
    """

    seats: tuple[SeatReading, ...]
    skipped: tuple[SkippedText, ...] = ()
    late: tuple[SkippedText, ...] = ()
    facts: Mapping[str, Facts] = field(default_factory=dict)
    posts: tuple[PostRead, ...] = ()
    until: datetime | None = None
    openly: TurnReading | None = None
    closed: bool = False

    def seat(self, seat_id: str) -> SeatReading:
        """One seat's reading. Raises KeyError."""
        for one in self.seats:
            if one.seat == seat_id:
                return one
        raise KeyError(seat_id)
