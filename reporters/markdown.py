"""Markdown as forums read it: CommonMark (Misago, NodeBB, Discourse), mistune 0.8.4 (django-spirit).

The two disagree about escapes: mistune's patterns for emphasis and links don't know the backslash, and a
backslash stops neither a mention nor an emoji. So what could have an effect stands as a numeric entity, which
both show as the character itself; ordinary prose stays as it is (forums.md, django-spirit).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from urllib.parse import quote

from reporters.blocks import Fence, Figure, Grid, Heading, Lines, Listing, Piece, Run
from reporters.cleaning import clean_line, clean_lines
from rules.engine.document import Align
from rules.engine.inline import Emphasis, Fixed, Inline, Link, Mention, Strong, Text, plain, unwrapped

_ACTIVE = re.compile(
    r"[\\`*_\[\]<~|@]"  # marks, tags, mentions, table borders: wherever they stand
    r"|&(?=#?\w+;)"  # what reads as an entity
    r"|:(?![\s\d]|\Z)"  # emoji, smileys, addresses; not the colon of a sentence or of a time of day
    r"|:(?=[\w+-]+:)"  # `:100:`, and the first colon of 12:30:15
    r"|\$(?=\$)"  # a block formula
    r"|#(?=[^\W\d])"  # a topic tag
    r"|(?<=\w)\.(?=[^\W\d])"  # a bare address (www.…)
)
_START = re.compile(r"\d+[.)](?=\s|\Z)|[#>+=$-]+")
_AT_START = re.compile(r"[#>+=$.)-]")
_PLAIN_CODE = re.compile(r"[\w\s.,:;/#«»\"'%?!=+-]*")
_WEB = re.compile(r"(?:https?://|/(?!/))")
_UPLOADED = re.compile(r"upload://[\w.-]+")
_GAP = "\u00a0" * 2
"""In front of all columns but the first: Spirit sets table cells side by side without any space."""

_ALIGN = {Align.LEFT: "---", Align.RIGHT: "---:"}


def _entity(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"


def escape_text(text: str, *, at_start: bool = False) -> str:
    """Foreign words of one line with everything that Markdown or a forum would act on as entities.

    at_start: whether they begin a line, where more characters have an effect.
    """
    escaped = _ACTIVE.sub(_entity, text.lstrip() if at_start else text)
    start = _START.match(escaped) if at_start else None
    return escaped if start is None else _AT_START.sub(_entity, start[0]) + escaped[start.end() :]


def code_span(text: str) -> str:
    """Foreign words of one line in a fixed-width face, with more ticks around than any run inside."""
    if "`" not in text:
        return f"`{text}`" if text else ""
    ticks = "`" * (_longest_run("`", text) + 1)
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{room}{text}{room}{ticks}"


def fence(text: str, language: str = "") -> str:
    """Foreign lines in a fixed-width face, the fence longer than any run of ticks inside; "" for no lines."""
    shown = clean_lines(text)
    ticks = "`" * max(3, _longest_run("`", shown) + 1)
    return f"{ticks}{language}\n{shown}\n{ticks}" if shown.strip() else ""


def _longest_run(char: str, text: str) -> int:
    return max((len(run) for run in re.findall(f"{char}+", text)), default=0)


def _address(url: str) -> str | None:
    """An address that can't leave its brackets, None for one that is neither of the web nor of this forum."""
    return quote(url, safe="/:?#@!$&'+,;=%~") if _WEB.match(url) else None


def _picture(reference: str) -> str | None:
    """Where a picture lies: an address, or the name of a file of the forum's own (`upload://…`)."""
    return reference if _UPLOADED.fullmatch(reference) else _address(reference)


class MarkdownRenderer:
    """Pieces to Markdown. pictures: address by a picture's name; without one its words stand there."""

    def __init__(self, pictures: Callable[[str], str | None] = lambda name: None) -> None:
        self._pictures = pictures

    def render(self, pieces: Sequence[Piece]) -> str:
        """The pieces with an empty line between them: mistune sees no table without one."""
        return "\n\n".join(drawn for drawn in map(self._piece, pieces) if drawn)

    def _piece(self, piece: Piece) -> str:
        match piece:
            case Heading():
                drawn = _heading(piece)
            case Lines():
                drawn = _lines(piece.lines)
            case Listing():
                drawn = "\n".join(_items(piece))
            case Grid():
                drawn = _grid(piece)
            case Fence():
                drawn = fence(piece.text, piece.language)
            case Figure():
                drawn = self._figure(piece)
            case _:
                drawn = "---"
        return drawn

    def _figure(self, figure: Figure) -> str:
        address = _picture(self._pictures(figure.name) or "")
        words = escape_text(clean_line(plain(figure.alternative)).strip())
        if address:
            # What stands behind a `|` in a picture's words Discourse takes for its size, even escaped.
            return f"![{words.replace('&#124;', '/')}]({address})"
        return "" if figure.told else _run((Emphasis(figure.alternative),))


def _heading(heading: Heading) -> str:
    words = _run(heading.text, at_start=False)
    if words.endswith("#"):
        words = f"{words[:-1]}&#35;"
    return f"{'#' * heading.level} {words}" if words else ""


def _lines(lines: Iterable[Run]) -> str:
    """Lines of one paragraph; two blanks at the end break the line in every dialect."""
    drawn: list[str] = []
    for run in lines:
        linked = any("](" in one for one in drawn)
        drawn.append(_run(run, linked=linked))
    return "  \n".join(one for one in drawn if one)


def _items(listing: Listing) -> Iterable[str]:
    for number, item in enumerate(listing.items, listing.start):
        yield f"{number}. {_run(item)}" if listing.ordered else f"- {_run(item)}"


def _grid(grid: Grid) -> str:
    rows = [_row(_cells(row)) for row in (grid.head, *grid.rows)]
    rows.insert(1, _row(_ALIGN[align] for align in grid.align))
    return "\n".join(rows)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(row: Iterable[Run]) -> Iterable[str]:
    for column, cell in enumerate(row):
        drawn = _cell(cell)
        yield _GAP + drawn if column and drawn else drawn


def _cell(cell: Run) -> str:
    """A cell's text; code with a table border inside stands as ordinary text."""
    safe = tuple(Text(one.text) if isinstance(one, Fixed) and "|" in one.text else one for one in cell)
    return _run(safe, at_start=False)


@lru_cache(maxsize=2048)  # the splitter draws a long list's items again and again to see how many fit
def _run(run: Run, *, at_start: bool = True, linked: bool = False) -> str:
    """One line of text. linked: whether a link stands above it in the same paragraph."""
    drawn = [""]
    for one in _merged(run):
        before = drawn[-1]
        if isinstance(one, Link) and before.endswith("!"):
            drawn[-1] = f"{before[:-1]}&#33;"
        piece = _inline(one, before, at_start, linked)
        if piece:  # what follows looks at the last character and at what was said of all before
            linked = linked or "](" in f"{before[-1:]}{piece}"
            at_start = at_start and piece.isspace()
            drawn.append(piece)
    return "".join(drawn).strip()


def _inline(one: Inline, before: str, at_start: bool, linked: bool) -> str:
    match one:
        case Text(text):
            return escape_text(clean_line(text), at_start=at_start)
        case Fixed(text):
            return _code(clean_line(text).strip(), at_start=at_start, linked=linked)
        case Link(inner, url):
            words, address = escape_text(clean_line(plain(inner)).strip()), _address(url)
            return f"[{words}]({address})" if words and address else words
        case Strong(inner):
            return _marked("**", inner, before, at_start=False, linked=linked)
        case Emphasis(inner):
            return _marked("*", inner, before, at_start=at_start, linked=linked)
        case Mention():
            return one.text


def _code(text: str, *, at_start: bool, linked: bool) -> str:
    """Code, unless mistune would take `](` in it for the end of a link that stands before."""
    return escape_text(text, at_start=at_start) if linked and "](" in text else code_span(text)


def _marked(mark: str, inner: Run, before: str, *, at_start: bool, linked: bool) -> str:
    """Words between marks; marks inside marks are left out, blanks at the ends stand outside."""
    words = "".join(
        _unmarked(one, at_start and not at, linked) for at, one in enumerate(_merged(unwrapped(inner)))
    )
    core = words.strip()
    if not core.strip("- "):  # between stars it would be a line across
        core = core.replace("-", "&#45;")
    if not core or before.endswith("*"):
        return words
    blank_before, blank_behind = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
    return f"{blank_before}{mark}{core}{mark}{blank_behind}"


def _unmarked(one: Inline, at_start: bool, linked: bool) -> str:
    """A piece inside marks; code there must hold nothing that mistune would take for the closing mark."""
    if isinstance(one, Fixed) and not _PLAIN_CODE.fullmatch(one.text):
        one = Text(one.text)
    return _inline(one, "", at_start, linked)


def _merged(run: Run) -> list[Inline]:
    """The pieces with neighbours of one kind joined, since `:` and `smile:` are harmless only apart."""
    merged: list[Inline] = []
    for one in run:
        last = merged[-1] if merged else None
        if isinstance(one, Text) and isinstance(last, Text):
            merged[-1] = Text(last.text + one.text)
        elif isinstance(one, Strong) and isinstance(last, Strong):
            merged[-1] = Strong(last.inner + one.inner)
        elif isinstance(one, Emphasis) and isinstance(last, Emphasis):
            merged[-1] = Emphasis(last.inner + one.inner)
        else:
            merged.append(one)
    return merged
