"""BBCode as phpBB, MyBB, SMF and XenForo read it: what all four know, and a few tags of each one's own.

phpBB and MyBB have no tables, so that tables stand as aligned text in `[code]` everywhere; the same goes for
headings, which are bold lines. The face for things typed is `[i]` where a forum has none (phpBB, MyBB).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from reporters.bbcode_text import escape_code, escape_json, escape_text
from reporters.blocks import Fence, Figure, Grid, Heading, Lines, Listing, Piece, Run
from reporters.cleaning import clean_line, clean_lines
from reporters.columns import align_columns
from rules.engine.inline import Emphasis, Fixed, Inline, Link, Mention, Strong, Text, plain, unwrapped

Tags = tuple[str, str]

_BOLD: Tags = ("[b]", "[/b]")
_ITALIC: Tags = ("[i]", "[/i]")
_ATTACHED = re.compile(r"attachment:(\d+)")
_RULE = "—" * 12
"""A line across: phpBB knows no `[hr]`."""


@dataclass(frozen=True, slots=True)
class BBCodeDialect:
    """What forums disagree about.

    title: around a post's own title. typed: around what is to be typed, within a line. numbered: opening tag
    of a numbered list. attached: around the number of a picture that the forum keeps as a file of the post,
    None where pictures have addresses alone; `{place}` stands for its place among those of the post, the
    newest first, from 0 on.
    """

    title: Tags
    typed: Tags = _ITALIC
    numbered: str = "[list=1]"
    attached: Tags | None = None


PHPBB = BBCodeDialect(("[size=150][b]", "[/b][/size]"), attached=("[attachment={place}]", "[/attachment]"))
MYBB = BBCodeDialect(("[size=x-large][b]", "[/b][/size]"), attached=("[attachment=", "]"))
SMF = BBCodeDialect(("[size=14pt][b]", "[/b][/size]"), ("[tt]", "[/tt]"), "[list type=decimal]")
XENFORO = BBCodeDialect(
    ("[size=5][b]", "[/b][/size]"), ("[icode]", "[/icode]"), attached=("[ATTACH=full]", "[/ATTACH]")
)


class BBCodeRenderer:
    """Pieces to BBCode. pictures: address by a picture's name; without one its words stand there."""

    def __init__(
        self, dialect: BBCodeDialect = PHPBB, pictures: Callable[[str], str | None] = lambda name: None
    ) -> None:
        self._dialect = dialect
        self._pictures = pictures

    def render(self, pieces: Sequence[Piece]) -> str:
        """The pieces with an empty line between them: all of a post, since its files have places in it."""
        files = self._files(pieces)
        return "\n\n".join(drawn for piece in pieces if (drawn := self._piece(piece, files)))

    def _files(self, pieces: Sequence[Piece]) -> Sequence[int]:
        """The numbers of the pictures that are files of the post, the newest first."""
        shown = (self._pictures(piece.name) or "" for piece in pieces if isinstance(piece, Figure))
        found = (_ATTACHED.fullmatch(reference) for reference in shown)
        return sorted({int(one[1]) for one in found if one}, reverse=True)

    def _piece(self, piece: Piece, files: Sequence[int]) -> str:
        match piece:
            case Heading():
                tags = self._dialect.title if piece.level == 1 else _BOLD
                drawn = self._marked(tags, piece.text).strip()
            case Lines():
                drawn = "\n".join(one for one in map(self._run, piece.lines) if one)
            case Listing():
                drawn = self._listing(piece)
            case Grid():
                drawn = _grid(piece)
            case Fence():
                drawn = _fence(piece)
            case Figure():
                drawn = self._figure(piece, files)
            case _:
                drawn = _RULE
        return drawn

    def _listing(self, listing: Listing) -> str:
        """A list; one that goes on from another part has its numbers in front, since tags count from 1."""
        items = [self._run(one) for one in listing.items]
        if listing.ordered and listing.start != 1:
            return "\n".join(f"{number}. {one}" for number, one in enumerate(items, listing.start))
        opening = self._dialect.numbered if listing.ordered else "[list]"
        return "\n".join((opening, *(f"[*]{one}" for one in items), "[/list]"))

    def _figure(self, figure: Figure, files: Sequence[int]) -> str:
        """The picture with its words below, which `[img]` has no place for."""
        picture = self._picture(self._pictures(figure.name) or "", files)
        words = "" if figure.told else self._run((Emphasis(figure.alternative),))
        return "\n".join(one for one in (picture, words) if one)

    def _picture(self, reference: str, files: Sequence[int]) -> str:
        """A picture by its address or by its number as a file of the forum, "" where there is neither."""
        tags, number = self._dialect.attached, _ATTACHED.fullmatch(reference)
        if tags is not None and number is not None:
            place = files.index(int(number[1]))
            return f"{tags[0].replace('{place}', str(place))}{number[1]}{tags[1]}"
        address = _address(reference)
        return f"[img]{address}[/img]" if address else ""

    def _run(self, run: Run) -> str:
        return "".join(self._inline(one) for one in _merged(run)).strip()

    def _inline(self, one: Inline) -> str:
        match one:
            case Text(text):
                return escape_text(clean_line(text))
            case Fixed(text):
                return self._typed(clean_line(text).strip())
            case Link(inner, url):
                words, address = escape_text(clean_line(plain(inner)).strip()), _address(url)
                return f"[url={address}]{words}[/url]" if words and address else words
            case Strong(inner):
                return self._marked(_BOLD, inner)
            case Emphasis(inner):
                return self._marked(_ITALIC, inner)
            case Mention():
                return one.text

    def _typed(self, text: str) -> str:
        """What is typed, escaped like all words: a board that has switched the tag off would act on them."""
        start, end = self._dialect.typed
        return f"{start}{escape_text(text)}{end}" if text else ""

    def _marked(self, tags: Tags, inner: Run) -> str:
        """Words between tags; marks inside marks are left out, blanks at the ends stand outside."""
        words = "".join(self._unmarked(one, tags) for one in _merged(unwrapped(inner)))
        core = words.strip()
        if not core:
            return words
        before, behind = words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]
        return f"{before}{tags[0]}{core}{tags[1]}{behind}"

    def _unmarked(self, one: Inline, tags: Tags) -> str:
        """A piece inside marks; what is typed has no marks of its own where they would be the same."""
        same = isinstance(one, Fixed) and tags == self._dialect.typed
        return escape_text(clean_line(plain((one,)))) if same else self._inline(one)


def _address(url: str) -> str | None:
    """An address that can't leave its tag, None for one that a forum wouldn't link as it stands."""
    if not url.startswith(("https://", "http://")):
        return None
    return quote(url.encode("utf-8", "replace"), safe="/:?#@&+,;=%~")


def _grid(grid: Grid) -> str:
    rows = [[clean_line(plain(cell)).strip() for cell in row] for row in (grid.head, *grid.rows)]
    return _code(escape_code(align_columns(rows[0], rows[1:], grid.align)))


def _fence(fence: Fence) -> str:
    lines = clean_lines(fence.text)
    return _code(escape_json(lines) if fence.language == "json" else escape_code(lines))


def _code(lines: str) -> str:
    return f"[code]\n{lines}\n[/code]" if lines.strip() else ""


def _merged(run: Run) -> Iterable[Inline]:
    """The pieces with neighbouring words joined, since `:` and `)` are harmless only apart."""
    merged: list[Inline] = []
    for one in run:
        last = merged[-1] if merged else None
        if isinstance(one, Text) and isinstance(last, Text):
            merged[-1] = Text(last.text + one.text)
        else:
            merged.append(one)
    return merged
