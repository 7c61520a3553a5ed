"""Chapters to parts that a forum takes: split at chapters, then pieces, then rows, items and lines.

Each part stands for itself: a table has its head, a list goes on with its number, a fence is closed. A fence,
a row or an item is cut only where it alone is longer than a whole part, a line then between its words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from reporters.blocks import Chapter, Fence, Figure, Grid, Heading, Lines, Listing, Piece, Run
from reporters.renderer import Renderer
from rules.engine.inline import Emphasis, Inline, Link, Mention, Strong, Text, plain

Size = Callable[[str], int]
"""What a text takes of the forum's limit (`Capabilities.size`: some count a line end twice)."""

Parts = tuple[tuple[Piece, ...], ...]

LONGEST_WORD = 200
"""Characters of a word that are kept together."""


class TooSmall(ValueError):
    """The limit leaves no room for what stands around a single word: a mistake of the settings."""


def split(chapters: Sequence[Chapter], renderer: Renderer, size: Size, limit: int) -> tuple[str, ...]:
    """The chapters as texts, each of at most `limit` by `size`; none where there is nothing to say.

    Raises:
        TooSmall: not even one word fits.
    """
    return tuple(renderer.render(part) for part in split_pieces(chapters, renderer, size, limit))


def split_pieces(chapters: Sequence[Chapter], renderer: Renderer, size: Size, limit: int) -> Parts:
    """The same before rendering, for those who add a line to each part (and leave room for it in `limit`)."""
    packer = _Packer(lambda pieces: size(renderer.render(pieces)) <= limit)
    for chapter in chapters:
        packer.add(chapter)
    packer.close()
    return tuple(packer.parts)


class _Packer:
    """Fills part after part. fits: whether pieces are short enough for one part."""

    def __init__(self, fits: Callable[[Sequence[Piece]], bool]) -> None:
        self.parts: list[tuple[Piece, ...]] = []
        self._fits = fits
        self._open: tuple[Piece, ...] = ()

    def close(self) -> None:
        if self._open:
            self.parts.append(self._open)
        self._open = ()

    def add(self, chapter: Chapter) -> None:
        if not self._add_whole(chapter.pieces):
            for group in _groups(chapter.pieces):
                if not self._add_whole(group):
                    for piece in group:
                        self._add_long(piece)

    def _add_whole(self, pieces: tuple[Piece, ...]) -> bool:
        """Put pieces into the open part or a new one; False where they are longer than a part."""
        if not self._fits((*self._open, *pieces)):
            if not self._fits(pieces):
                return False
            self.close()
        self._open += pieces
        return True

    def _add_long(self, piece: Piece) -> None:
        """A piece that may be longer than a part: as much as fits, the rest into the next parts."""
        if isinstance(piece, Fence):
            self.close()
        waiting = [piece]
        while waiting:
            first = waiting.pop(0)
            if not self._overflows(first) and self._add_whole((first,)):
                continue
            head, rest = self._take(first)
            self._open += () if head is None else (head,)
            self.close()
            waiting[:0] = rest

    def _overflows(self, piece: Piece) -> bool:
        """Whether a beginning of a piece is longer than a part, few units tried first.

        So a very long piece isn't drawn whole for each of its parts.
        """
        count, units = _count(piece), 1
        while 2 * units < count:
            units *= 2
            if not self._fits((_cut(piece, 0, units),)):
                return True
        return False

    def _take(self, piece: Piece) -> tuple[Piece | None, tuple[Piece, ...]]:
        """The longest beginning of a piece that fits into the open part (None: nothing), and what is left."""
        count = _count(piece)
        fitting = self._fitting(piece, count) if not (self._open and _is_line(piece)) else 0
        if fitting:
            return _cut(piece, 0, fitting), (_cut(piece, fitting, count),)
        if self._open:
            return None, (piece,)
        if count > 1:
            head, rest = self._take(_cut(piece, 0, 1))
            return head, (*rest, _cut(piece, 1, count))
        return None, (_as_line(piece),)

    def _fitting(self, piece: Piece, count: int) -> int:
        """How many units of a piece, fewer than all, fit into the open part; few are tried first."""

        def fits(units: int) -> bool:
            return self._fits((*self._open, _cut(piece, 0, units)))

        low, high = 0, 1
        while high < count and fits(high):
            low, high = high, 2 * high
        high = min(high, count) - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if fits(middle) else (low, middle - 1)
        return low


def _groups(pieces: Sequence[Piece]) -> Iterable[tuple[Piece, ...]]:
    """Pieces with those that must not be parted from the one behind."""
    group: list[Piece] = []
    for piece in pieces:
        group.append(piece)
        if not isinstance(piece, Heading) and not (isinstance(piece, Lines) and piece.keep):
            yield tuple(group)
            group = []
    if group:
        yield tuple(group)


def _is_line(piece: Piece) -> bool:
    return isinstance(piece, Lines) and len(piece.lines) == 1


def _as_line(piece: Piece) -> Piece:
    """A piece of one unit that is too long as it is, as a line that can be cut."""
    match piece:
        case Grid(rows=rows):
            return Lines((_joined(rows[0] if rows else piece.head),))
        case Listing(items=items):
            return Lines(items)
        case Heading(text=text) | Figure(alternative=text):
            return Lines((text,))
        case _:
            raise TooSmall(f"no room for a single word: {type(piece).__name__}")


def _joined(cells: tuple[Run, ...]) -> Run:
    return tuple(piece for at, cell in enumerate(cells) for piece in ((Text(" · "), *cell) if at else cell))


def _count(piece: Piece) -> int:
    """Units that a piece can be cut into: rows, items, lines, or the words of a single line."""
    match piece:
        case Grid(rows=rows):
            return len(rows)
        case Listing(items=items):
            return len(items)
        case Lines(lines=lines):
            return len(lines) if len(lines) > 1 else len(_words(lines[0]))
        case Fence(text=text):
            return text.count("\n") + 1 if "\n" in text else len(text)
        case _:
            return 1


def _cut(piece: Piece, start: int, end: int) -> Piece:
    """Units [start, end) of a piece as a piece of its kind."""
    match piece:
        case Grid():
            return replace(piece, rows=piece.rows[start:end])
        case Listing():
            return replace(piece, items=piece.items[start:end], start=piece.start + start)
        case Lines(lines=lines):
            cut = lines[start:end] if len(lines) > 1 else (_words(lines[0])[start:end],)
            return replace(piece, lines=cut)
        case Fence(text=text):
            joint = "\n" if "\n" in text else ""
            units = text.split(joint) if joint else list(text)
            return replace(piece, text=joint.join(units[start:end]))
        case _:
            return piece


def _words(run: Run) -> Run:
    """A line as single words, each with the blank behind it and the marks around it."""
    words: list[Inline] = []
    for one in run:
        match one:
            case Strong(inner) | Emphasis(inner):
                words += [type(one)((word,)) for word in _words(inner)]
            case Mention():
                words.append(one)
            case Link() if len(plain(one.inner)) <= LONGEST_WORD:
                words.append(one)
            case Link(inner=inner):
                words += _words(inner)
            case Text(text) if len(text) > 1:
                words += [Text(word) for word in _split_words(text)]
            case _ if len(plain((one,))) <= LONGEST_WORD:
                words.append(one)
            case _:
                words += [Text(word) for word in _split_words(plain((one,)))]
    return tuple(words)


def _split_words(text: str) -> list[str]:
    words = text.replace(" ", " \n").split("\n")
    return [word[at : at + LONGEST_WORD] for word in words for at in range(0, len(word), LONGEST_WORD)]
