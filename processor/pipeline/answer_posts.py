"""Posts that were written while a turn asks: the lines that answer, and what doesn't count (design.md 8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from parsers.orders.blocks import find_blocks
from parsers.orders.lines import MAX_LINE_CHARS, logical_lines
from parsers.orders.reading import read_orders
from parsers.orders.replies import read_reply
from processor.pipeline.blocks import find_owner, is_for_track
from processor.pipeline.context import PlayContext, PostVersion
from processor.pipeline.copies import settle_copies
from processor.pipeline.seen import is_published, see_post
from rules.engine.diagnostics import Diagnostic, error
from rules.play.answers import PostFinding
from rules.play.blocks import Block, Header, LinePart
from rules.play.game import Seat
from rules.play.lines import SeenLine, SeenText
from rules.play.posts import Post, Precision, Visibility
from rules.play.reading import PostRef

_INCOMPLETE = "parse/incomplete-reply"
_MOST_LINES = 400
"""Of a post without blocks that are looked at; a longer one is a story."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one block of a post says. at: when it was written (or last edited), UTC.

    replies: handle and words of each line that answers, in the order written. orders: whether it has orders.
    edited: whether the post was written before the turn asked, and only changed since.
    """

    seat: str
    author: str
    post: PostRef
    at: datetime
    precision: Precision
    replies: tuple[tuple[str, str], ...] = ()
    orders: bool = False
    edited: bool = False
    findings: tuple[PostFinding, ...] = ()


def read_answer_posts(
    play: PlayContext, versions: Sequence[PostVersion], since: datetime
) -> tuple[Said, ...]:
    """All that the turn's players have written since, in its newest version, by time and then by id."""
    seats = set(play.players)
    found: list[Said] = []
    for version in _newest(settle_copies(play.game, versions)):
        at = written_at(version)
        held = play.game.seats_at(version.post.author_id, version.post.created_at)
        own = [one for one in held if one.id in seats]
        if own and at >= floor_to(since, version.post.precision) and _is_there(version):
            edited = version.post.created_at < floor_to(since, version.post.precision)
            found += (replace(one, edited=edited) for one in _read_post(play, version.post, own, at))
    return tuple(sorted(found, key=lambda one: (one.at, len(one.post.id), one.post.id)))


def written_at(version: PostVersion) -> datetime:
    """When a version was written: as the forum says, or at the latest when it was seen."""
    if version.post.edited_at is not None:
        return version.post.edited_at
    first = version.seen_at == version.first_seen_at
    return version.post.created_at if first else version.seen_at


def floor_to(moment: datetime, precision: Precision) -> datetime:
    """A moment as a forum shows it: without seconds where it has none."""
    seconds = moment.second if precision is Precision.SECOND else 0
    return moment.replace(second=seconds, microsecond=0)


def _newest(versions: Sequence[PostVersion]) -> Iterable[PostVersion]:
    ordered = sorted(versions, key=lambda one: (one.post.topic, one.post.id, one.seen_at))
    for _, group in groupby(ordered, key=lambda one: (one.post.topic, one.post.id)):
        yield list(group)[-1]


def _is_there(version: PostVersion) -> bool:
    return version.post.visibility is Visibility.VISIBLE and not version.missing


def _read_post(play: PlayContext, post: Post, seats: Sequence[Seat], at: datetime) -> Iterable[Said]:
    seen, raw = see_post(post, play.game.forum.markup)
    if is_published(seen):
        return
    scan = find_blocks(
        seen,
        raw=raw,
        code_counts=play.game.policies.code,
        spoilers_count=play.game.policies.spoilers,
        tracks=play.tracks,
        language=play.game.language,
    )
    ref = PostRef(post.id, post.number, post.url, post.created_at, post.private)
    blank = Said(seats[0].id, post.author, ref, at, post.precision)
    for block in scan.blocks:
        if is_for_track(block, play):
            yield _read_block(play, block, blank, seats, raw=raw)
    wrong = [PostFinding(ref, one.text, one.finding) for one in scan.problems]
    if not (scan.blocks or scan.problems):
        wrong = [PostFinding(ref, bare=one) for one in _bare_replies(seen)]
    if wrong:
        yield replace(blank, findings=tuple(wrong))


def _read_block(play: PlayContext, block: Block, blank: Said, seats: Sequence[Seat], *, raw: bool) -> Said:
    """A closed block. blank: its post, before anything is known of it."""
    owner, ref = find_owner(block, seats), blank.post
    wrong = owner if isinstance(owner, Diagnostic) else _wrong_turn(block, play)
    said = replace(blank, seat=owner.id) if isinstance(owner, Seat) else blank
    if wrong is not None:
        return replace(said, findings=(PostFinding(ref, block.mark, wrong),))
    plan = play.kind.plan(play.look(said.seat))
    read = read_orders(logical_lines(block, raw=raw), play.kind, plan, post=ref.id)
    halves = [line for line in read.lines if line.findings and line.findings[0].code == _INCOMPLETE]
    orders = len(read.lines) > len(halves) or read.nothing
    findings = [PostFinding(ref, line.text, line.findings[0]) for line in halves]
    findings += [PostFinding(ref, orders=True)] if orders else []
    return replace(said, replies=read.replies, orders=orders, findings=tuple(findings))


def _wrong_turn(block: Block, play: PlayContext) -> Diagnostic | None:
    turn = block.header.turn
    return None if turn in (None, play.ref.turn) else error("block/wrong-turn", turn=turn, open=play.ref.turn)


def _bare_replies(seen: SeenText) -> Iterable[str]:
    """Answers that somebody wrote without the marks around them: `responder P1 …` with a handle's form."""
    for line in seen.lines[:_MOST_LINES]:
        if line.struck or len(line.text) > MAX_LINE_CHARS:
            continue
        reply = read_reply(_order_text(line))
        if reply is not None and reply[0][:1] == "P" and reply[0][1:].isdecimal():
            yield line.text


def _order_text(line: SeenLine) -> str:
    parts = (LinePart(line, 0, len(line.text)),)
    texts = [one.text for one in logical_lines(Block(Header(), "bracket", 1, 1, "", parts))]
    return texts[0] if texts else ""
