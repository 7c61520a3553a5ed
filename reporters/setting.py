"""What every text of a turn needs: the game, the turn, its deadline, the language and the forum's limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from reporters.blocks import Chapter, Lines, Piece, Run
from reporters.dates import say_moment, say_moment_with_utc, say_time
from reporters.renderer import Renderer
from reporters.split import split_pieces
from rules.engine.catalogue import Catalogue
from rules.engine.messages import Message, Name, Param, msg
from rules.play.game import Game
from rules.play.posts import Capabilities
from rules.play.reading import PostRef
from rules.play.turns import Deadline, TurnRef

LONGEST_KIND = 40
"""Letters that a seat's name may add to a kind."""

MARKER_ROOM = 16
"""Characters kept free besides the marker itself: ticks, blanks, a third digit of a number."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One turn of one game as its texts see it.

    renderer: of the forum's dialect. hidden: whether the state holds what some may see and others may not.
    """

    game: Game
    ref: TurnRef
    deadline: Deadline
    catalogue: Catalogue
    forum: Capabilities
    renderer: Renderer
    hidden: bool = False
    _names: dict[str, Name] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_names", {one.id: one.shown for one in reversed(self.game.seats)})

    @property
    def language(self) -> str:
        """`es` or `en`."""
        return self.catalogue.language

    @property
    def secret(self) -> bool:
        """Whether what rests on hidden information goes to each seat alone."""
        return self.hidden or self.private_orders

    @property
    def private_orders(self) -> bool:
        """Whether orders come by private message."""
        return self.game.forum.secret

    def say(self, message_id: str, /, **params: Param) -> Run:
        """A text of the catalogue."""
        return self.catalogue.say(Message(message_id, params))

    def name(self, seat: str) -> Name:
        """How a seat is called; its id where the game doesn't know it."""
        return self._names.get(seat) or Name(seat)

    def post(self, post: PostRef) -> Message:
        """A link to a post, as words within a text."""
        if post.private:
            return msg("post/private", url=post.url)
        return msg("post/public", url=post.url, number=None if post.number is None else str(post.number))

    def short(self, post: PostRef) -> Message:
        """The same in a list of posts: `#43`."""
        if post.private:
            return msg("post/short-private", url=post.url)
        return msg("post/short", url=post.url, number=None if post.number is None else str(post.number))

    def moment(self, at: datetime) -> str:
        """A date in full, in the game's zone."""
        return say_moment(at, self.game.zone, self.language)

    def moment_with_utc(self, at: datetime) -> str:
        """A date in full, in the game's zone and in UTC."""
        return say_moment_with_utc(at, self.game.zone, self.language)

    def time(self, at: datetime) -> str:
        """An hour, with its day where it isn't the deadline's."""
        return say_time(at, self.game.zone, self.language, self.deadline.at)

    def fits(self, pieces: Sequence[Piece], *, private: bool = False) -> bool:
        """Whether pieces fit into one part of a post, or of a private message."""
        limit = self._limit("report-" + "x" * LONGEST_KIND, private=private)
        return self.forum.size(self.renderer.render(pieces)) <= limit

    def parts(self, kind: str, chapters: list[Chapter], *, private: bool = False) -> tuple[str, ...]:
        """The chapters in the forum's dialect, each part short enough for the marker to follow.

        Where there are several, each but the first says which one it is. private: as private messages.
        """
        limit = self._limit(kind, private=private)
        pages = self._pages(chapters, limit)
        if len(pages) > 1:
            extra = self.forum.size(self.renderer.render([self._page_line(99, 99)]) + "\n\n")
            pages = self._pages(chapters, limit - extra)
        drawn = []
        for number, page in enumerate(pages, 1):
            line: tuple[Piece, ...] = (self._page_line(number, len(pages)),) if number > 1 else ()
            drawn.append(self.renderer.render((*line, *page)))
        return tuple(drawn)

    def _page_line(self, number: int, count: int) -> Piece:
        return Lines((self.say("part/continued", turn=self.ref.turn, part=number, parts=count),))

    def _pages(self, chapters: list[Chapter], limit: int) -> tuple[tuple[Piece, ...], ...]:
        return split_pieces(chapters, self.renderer, self.forum.size, limit)

    def _limit(self, kind: str, *, private: bool) -> int:
        """What is left of a post when the marker and the line on top have their room."""
        marker = self.ref.marker(kind, 99, 99, "0" * 64)
        return self.forum.most(private=private) - self.forum.size(f"\n\n{marker}") - MARKER_ROOM
