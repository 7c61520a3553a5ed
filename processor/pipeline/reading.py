"""The posts of a turn to what was ordered: which post counts, whose it is, which block is in force
(design.md 2).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from parsers.markup.dialect import DIALECTS
from parsers.orders.blocks import find_blocks
from parsers.orders.marks import cut_excerpt, find_marks, find_near_mark
from processor.pipeline.blocks import SeatBlocks, find_owner, is_for_track
from processor.pipeline.context import PlayContext, PostVersion
from processor.pipeline.copies import settle_copies
from processor.pipeline.prose import Prose, facts_of
from processor.pipeline.seen import is_published, see_post
from processor.pipeline.strays import find_stray_order
from processor.pipeline.versions import Candidate, choose_versions
from rules.engine.diagnostics import Diagnostic, note, warning
from rules.play.blocks import Block, BlockProblem, BlockScan
from rules.play.carried import Carried
from rules.play.game import Seat
from rules.play.lines import SeenText, Skip
from rules.play.posts import Post
from rules.play.reading import PostRead, PostRef, SkippedText, TurnReading

_LATE = ("late", "early", "doubtful")
"""Why a whole post doesn't count; told together with posts that were edited late."""

_WORD = re.compile(r"\w+(?:['’-]\w+)*")


@dataclass(frozen=True, slots=True)
class Choice:
    """Which posts count because the director says so. ignored: reason by post id. accepted: post ids."""

    ignored: Mapping[str, str] = field(default_factory=dict)
    accepted: frozenset[str] = frozenset()


def read_turn(
    play: PlayContext, versions: Sequence[PostVersion], own_account: str, choice: Choice | None = None
) -> TurnReading:
    """Read every stored version of every post of the turn, public and private. Never raises for a player's
    text.

    own_account: account id of Turnero, whose posts never count. choice: of the director. Raises NoDialect for
    a forum software without one.
    """
    return read_and_carry(play, versions, own_account, choice)[0]


def read_and_carry(
    play: PlayContext, versions: Sequence[PostVersion], own_account: str, choice: Choice | None = None
) -> tuple[TurnReading, Carried]:
    """See `read_turn`; and what the seats take into the next turn if the turn closes like this."""
    choice = choice or Choice()
    reader = _TurnReader(play, choice)
    others = settle_copies(play.game, [one for one in versions if one.post.author_id != own_account])
    for candidate in choose_versions(others, play.deadline.cut_off, play.opened_at, choice.accepted):
        reader.read(candidate)
    until = max((one.seen_at for one in versions), default=None)
    return replace(reader.reading(), until=until), reader.carry()


def carry(play: PlayContext, versions: Sequence[PostVersion]) -> Carried:
    """What the seats would take into the next turn if the turn closed with these posts."""
    return read_and_carry(play, versions, "")[1]


def wants_raw(post: Post, software: str) -> bool:
    """Whether a post's text as typed is worth a request of its own: it holds a block, or what was meant as
    one, or code whose word the forum has lost.
    """
    if post.html is None:
        return False
    seen, _ = see_post(post, software)
    nameless = DIALECTS[software].nameless_code
    return any(
        find_marks(line.text)
        or find_near_mark(line.text, inside=False)
        or (nameless and line.fence is not None)
        for line in seen.lines
    )


class _TurnReader:
    """All posts of a turn, in sequence."""

    def __init__(self, play: PlayContext, choice: Choice) -> None:
        self._play = play
        self._choice = choice
        self._blocks = {seat: SeatBlocks(play, seat) for seat in play.players}
        self._posts: list[PostRead] = []
        self._skipped: list[SkippedText] = []
        self._late: list[SkippedText] = []
        self._prose: dict[str, Prose] = {}

    def reading(self) -> TurnReading:
        """What stands for each seat now."""
        seats = tuple(reader.reading() for reader in self._blocks.values())
        used = {one.post.id for seat in seats for one in seat.in_force}
        facts = facts_of(self._prose, used)
        return TurnReading(seats, tuple(self._skipped), tuple(self._late), facts, tuple(self._posts))

    def carry(self) -> Carried:
        """What the seats take into the next turn."""
        return {seat: reader.carry() for seat, reader in self._blocks.items()}

    def read(self, candidate: Candidate) -> None:
        """Take the next post."""
        post = candidate.post
        seen, raw = see_post(post, self._play.game.forum.markup)
        if is_published(seen):
            return
        scan = self._scan(seen, raw)
        ref = PostRef(post.id, post.number, post.url, post.created_at, post.private)
        seats = self._seats_of(post)
        if seats and candidate.counts:
            self._prose[post.id] = Prose(post, _count_words(seen, scan), _text_of(seen), len(self._prose) + 1)
        if not (scan.blocks or scan.refused or scan.problems or any(map(_matters, scan.skipped))):
            if seats and candidate.counts:
                self._read_without_blocks(seen, ref, post, seats[0].id)
        elif not seats:
            self._list("no-seat", ref, post, None, self._skipped)
        else:
            self._note(candidate, ref, tuple(seat.id for seat in seats))
            self._read_players_post(candidate, ref, scan, raw, seats[0].id)

    def _seats_of(self, post: Post) -> list[Seat]:
        """Whose block may stand in a post: a former player's counts as long as the seat was theirs."""
        held = self._play.game.seats_at(post.author_id, post.created_at)
        return [seat for seat in held if seat.id in self._blocks]

    def _note(self, candidate: Candidate, ref: PostRef, seats: tuple[str, ...]) -> None:
        why = "edited-late" if candidate.edited_late else candidate.why
        self._posts.append(PostRead(ref, seats, why, candidate.accepted))

    def _read_players_post(
        self, candidate: Candidate, ref: PostRef, scan: BlockScan, raw: bool, seat: str
    ) -> None:
        """A post with blocks, or with what was meant as one: does it count, and what does it say?"""
        post = candidate.post
        reason = self._choice.ignored.get(post.id)
        if reason is not None:
            self._skipped.append(SkippedText(ref, "ignored", seat, post.author, excerpt=reason))
        elif candidate.why is not None:
            target = self._late if candidate.why in _LATE else self._skipped
            self._list(candidate.why, ref, post, seat, target)
        else:
            self._read_blocks(candidate, ref, scan, raw)

    def _scan(self, seen: SeenText, raw: bool) -> BlockScan:
        game = self._play.game
        return find_blocks(
            seen,
            raw=raw,
            code_counts=game.policies.code,
            spoilers_count=game.policies.spoilers,
            tracks=self._play.tracks,
            language=game.language,
        )

    def _read_without_blocks(self, seen: SeenText, ref: PostRef, post: Post, seat: str) -> None:
        """Prose; unless somebody has forgotten the marks around the orders."""
        stray = find_stray_order(seen, self._play, seat)
        if stray is not None:
            excerpt = cut_excerpt(stray.text)
            self._skipped.append(SkippedText(ref, "no-block", seat, post.author, stray.number, excerpt))

    def _list(self, why: str, ref: PostRef, post: Post, seat: str | None, target: list[SkippedText]) -> None:
        target.append(SkippedText(ref, why, seat, post.author))

    def _read_blocks(self, candidate: Candidate, ref: PostRef, scan: BlockScan, raw: bool) -> None:
        """Blocks and problems of one post in the order they stand there."""
        post = candidate.post
        seats = self._seats_of(post)
        if candidate.edited_late:
            self._list("edited-late", ref, post, seats[0].id, self._late)
        for skip in filter(_matters, scan.skipped):
            self._skipped.append(
                SkippedText(ref, skip.kind, seats[0].id, post.author, skip.line, skip.excerpt)
            )
        found: list[tuple[int, Block | BlockProblem]] = [(block.first_line, block) for block in scan.blocks]
        found += [(problem.line, problem) for problem in scan.problems[:1]]
        for _, one in sorted(found, key=lambda item: item[0]):
            if isinstance(one, BlockProblem):
                self._blocks[seats[0].id].refuse(scan.problems, ref)
            elif is_for_track(one, self._play):
                owner = find_owner(one, seats)
                seat = owner.id if isinstance(owner, Seat) else seats[0].id
                wrong = owner if isinstance(owner, Diagnostic) else None
                remarks = _remarks(candidate)
                self._blocks[seat].take(one, ref, raw=raw, wrong=wrong, remarks=remarks)


def _remarks(candidate: Candidate) -> tuple[Diagnostic, ...]:
    """What a receipt says of a post that counts at the edge of the time, or beyond it."""
    if candidate.accepted:
        return (note("block/accepted"),)
    return (warning("block/deadline-minute"),) if candidate.at_the_edge else ()


def _matters(skip: Skip) -> bool:
    """Whether what was skipped might have been meant as orders."""
    return skip.has_block or skip.kind in ("struck", "heading")


def _text_of(seen: SeenText) -> str:
    return "\n".join(line.text for line in seen.lines)


def _count_words(seen: SeenText, scan: BlockScan) -> int:
    """Words of prose outside blocks and quotes."""
    spans = [(block.first_line, block.last_line) for block in (*scan.blocks, *scan.refused)]
    prose = [line for line in seen.lines if not any(first <= line.number <= last for first, last in spans)]
    return sum(len(_WORD.findall(line.text)) for line in prose)
