"""`ignore_post` and `accept_post`: which posts count, from the frozen evidence (design.md 2 and 4).

The posts are read once more with the director's choice. Seats whose posts it doesn't concern keep what was
frozen: a correction never changes what a player didn't touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from parsers.files.models import nearest
from parsers.files.override import AcceptPost, IgnorePost, Override
from processor.pipeline.context import PlayContext, PostVersion
from processor.pipeline.keeping import stand_in
from processor.pipeline.override_entries import Refused, read_quietly
from processor.pipeline.reading import Choice, read_and_carry, read_turn
from processor.pipeline.versions import keep_frozen
from rules.engine.messages import Message, msg
from rules.engine.turn import Facts
from rules.play.carried import Carried
from rules.play.reading import PostRead, SeatReading, TurnReading

MOST_LISTED = 12
"""Posts that an error names."""


@dataclass(frozen=True, slots=True)
class ChosenPost:
    """What an entry has changed: the post as it was read, and its author's seats before and after."""

    post: PostRead
    before: tuple[SeatReading, ...]
    after: tuple[SeatReading, ...]


class PostChoices:
    """A turn's reading while the director chooses posts. reading: with the choices made so far."""

    def __init__(self, play: PlayContext, reading: TurnReading, versions: Sequence[PostVersion]) -> None:
        self.reading = reading
        self._play = play
        self._frozen = reading
        self._versions = keep_frozen(versions, reading.until)
        self._all, self._open = Choice(), Choice()
        self._moved: set[str] = set()
        self._posts: tuple[PostRead, ...] | None = None

    def choose(self, entry: IgnorePost | AcceptPost) -> ChosenPost:
        """Let a post count or not. Raises Refused where there is none, or nothing to change."""
        found = self._find(entry.post)
        _require_change(found, entry)
        before = self._seats(found)
        self._all = _with(self._all, found, entry)
        if found.post.private or not entry.secret:
            self._open = _with(self._open, found, entry)
        self._moved |= set(found.seats)
        self.reading = self._read(self._all)
        if self._open != self._all:
            self.reading = replace(self.reading, openly=self._read(self._open))
        return ChosenPost(found, before, self._seats(found))

    @property
    def carried(self) -> Carried | None:
        """What the seats take into the next turn, None where no choice has changed it."""
        if self._all == Choice():
            return None
        return read_and_carry(self._play, self._versions, "", self._all)[1]

    @property
    def _known(self) -> tuple[PostRead, ...]:
        """The posts as they are without any choice."""
        if self._posts is None:
            again = read_turn(self._play, self._versions, "") if self._versions else self._frozen
            self._posts = again.posts
        return self._posts

    def _find(self, written: str) -> PostRead:
        for one in self._known:
            if one.post.id == written.strip():
                return one
        raise Refused("no-post", msg("correct/no-post", post=written), self._nearest(written.strip()))

    def _nearest(self, written: str) -> Message:
        """The post whose number in the topic was written instead of its id; else what there is."""
        number = written.lstrip("#")
        meant = [one for one in self._known if str(one.post.number) == number]
        near = nearest(written, [one.post.id for one in self._known])
        meant = meant or [one for one in self._known if one.post.id == near]
        others = [one for one in self._known if one not in meant]
        listed = tuple(_describe(self._play, one) for one in (*meant, *others)[:MOST_LISTED])
        return msg("correct/posts-are", posts=listed)

    def _seats(self, found: PostRead) -> tuple[SeatReading, ...]:
        return tuple(self.reading.seat(seat) for seat in found.seats)

    def _read(self, choice: Choice) -> TurnReading:
        """Read again; untouched seats stay as they are, and what was sealed keeps its salt."""
        again = read_turn(self._play, self._versions, "", choice)
        again = stand_in(self._play, again) if self._frozen.closed else again
        seats = tuple(
            self._sealed(again.seat(one.seat)) if one.seat in self._moved else one
            for one in self._frozen.seats
        )
        facts = {**again.facts, **self._frozen.facts}
        used = {block.post.id for seat in seats for block in seat.in_force}
        used |= {link for post in used for link in facts.get(post, Facts()).links}
        return replace(
            self._frozen,
            seats=seats,
            skipped=again.skipped,
            late=again.late,
            facts={post: known for post, known in facts.items() if post in used},
        )

    def _sealed(self, seat: SeatReading) -> SeatReading:
        salts = {one.post.id: one.salt for one in self._frozen.seat(seat.seat).in_force}
        blocks = tuple(replace(one, salt=salts.get(one.post.id, "")) for one in seat.in_force)
        return replace(seat, in_force=blocks)


def _with(choice: Choice, found: PostRead, entry: IgnorePost | AcceptPost) -> Choice:
    post = found.post.id
    if isinstance(entry, IgnorePost):
        return replace(choice, ignored={**choice.ignored, post: entry.reason})
    return replace(choice, accepted=choice.accepted | {post})


def _require_change(found: PostRead, entry: IgnorePost | AcceptPost) -> None:
    counts = found.why in (None, "edited-late")
    if isinstance(entry, IgnorePost) and not counts:
        raise Refused("no-change", msg("correct/counts-not", post=found.post.id), msg("correct/remove"))
    if isinstance(entry, AcceptPost) and found.why is None:
        raise Refused("on-time", msg("correct/on-time", post=found.post.id), msg("correct/remove"))


def _describe(play: PlayContext, one: PostRead) -> str:
    """A post in an error: its id, its number, whose it is, whether it was late."""
    late = int(one.why not in (None, "edited-late"))
    seats = tuple(play.game.seat(seat).shown for seat in one.seats)
    return play.say(msg("correct/post", post=one.post.id, number=one.post.number, seats=seats, late=late))


def named_posts(overrides: str, attempt: int) -> frozenset[str]:
    """Ids of the posts that the text of an override file chooses for an attempt; none of a file that can't be
    read.
    """
    return frozenset(one.post.strip() for one in chosen_posts(read_quietly(overrides, attempt)))


def chosen_posts(overrides: Iterable[Override]) -> tuple[IgnorePost | AcceptPost, ...]:
    """The entries that choose posts, in file order."""
    return tuple(one for one in overrides if isinstance(one, IgnorePost | AcceptPost))


def choose_posts(
    play: PlayContext, reading: TurnReading, versions: Sequence[PostVersion], overrides: str
) -> TurnReading:
    """The reading with the director's choice of posts, for receipts and reminders.

    A file that can't be read, and an entry that fits no post, change nothing yet: they hold the turn later.
    """
    choices = PostChoices(play, reading, versions)
    for entry in chosen_posts(read_quietly(overrides, play.ref.attempt)):
        with suppress(Refused):
            choices.choose(entry)
    return choices.reading
