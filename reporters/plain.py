"""Plain text: the files of the game's folder, the terminal, and what a scenario's `expect.report` reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reporters.blocks import Fence, Figure, Grid, Heading, Lines, Listing, Piece, Run
from reporters.cleaning import clean_line, clean_lines
from rules.engine.document import Align
from rules.engine.inline import Fixed, Inline, Link, Mention, Text

_UNDER = {1: "=", 2: "-"}


class PlainRenderer:
    """Pieces to text that is read as it is; code stands in ticks, addresses behind their words."""

    def render(self, pieces: Sequence[Piece]) -> str:
        """The pieces with an empty line between them."""
        return "\n\n".join(drawn for drawn in map(_piece, pieces) if drawn)


def _piece(piece: Piece) -> str:
    match piece:
        case Heading(text, level):
            words = _run(text)
            drawn = f"{words}\n{_UNDER.get(level, '-') * len(words)}" if words else ""
        case Lines(lines):
            drawn = "\n".join(one for one in map(_run, lines) if one)
        case Listing():
            drawn = "\n".join(_items(piece))
        case Grid():
            drawn = "\n".join(_grid(piece))
        case Fence(text):
            drawn = "\n".join(f"    {one}".rstrip() for one in clean_lines(text).split("\n"))
        case Figure(name, alternative, told):
            drawn = "" if told else f"[{_run(alternative)}: {name}]"
        case _:
            drawn = "-" * 40
    return drawn


def _items(listing: Listing) -> Iterable[str]:
    for number, item in enumerate(listing.items, listing.start):
        yield f"{number}. {_run(item)}" if listing.ordered else f"- {_run(item)}"


def _grid(grid: Grid) -> Iterable[str]:
    """Columns of equal width, a line of dashes under the head."""
    rows = [[_run(cell) for cell in row] for row in (grid.head, *grid.rows)]
    widths = [max(len(row[at]) for row in rows if at < len(row)) for at in range(len(grid.head))]
    for number, row in enumerate(rows):
        cells = zip(row, widths, grid.align, strict=False)
        yield "  ".join(c.rjust(w) if a is Align.RIGHT else c.ljust(w) for c, w, a in cells).rstrip()
        if number == 0:
            yield "  ".join("-" * width for width in widths)


def _run(run: Run) -> str:
    return "".join(map(_inline, run)).strip()


def _inline(one: Inline) -> str:
    match one:
        case Text(text):
            return clean_line(text)
        case Mention():
            return one.text
        case Fixed(text):
            return f"`{clean_line(text).strip()}`"
        case Link(inner, url):
            return f"{''.join(map(_inline, inner))} ({url})" if url else "".join(map(_inline, inner))
        case _:
            return "".join(map(_inline, one.inner))
