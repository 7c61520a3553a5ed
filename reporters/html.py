"""HTML5 fragments and whole pages: reports kept as files, and boards that take HTML.

Foreign words are escaped and nothing else; links lead only where our own texts lead, and pages have no
script and fetch nothing but pictures that lie beside them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from html import escape

from reporters.blocks import Fence, Figure, Grid, Heading, Lines, Listing, Piece, Run
from reporters.cleaning import clean_line, clean_lines
from rules.engine.document import Align
from rules.engine.inline import Emphasis, Fixed, Inline, Link, Mention, Strong, Text, plain

_WEB = re.compile(r"https?://|/(?!/)")
_PICTURE = re.compile(r"https?://|/(?!/)|[\w-][\w.-]*\Z|data:image/svg\+xml;base64,[A-Za-z0-9+/]+=*\Z")
"""Pictures may also lie beside the page (a file name without folder, so no scheme either), or in it: as an
image, where a picture can neither run nor fetch anything.
"""

_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 46rem; padding: 1rem; font: 1rem/1.55 system-ui, sans-serif; }
h1, h2 { line-height: 1.25; }
h1 { font-size: 1.6rem; }
h2 { font-size: 1.25rem; margin-top: 2rem; }
p, li { overflow-wrap: anywhere; }
th, td { overflow-wrap: break-word; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid #8886; border-radius: 0.4rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: 0.25rem 0.75rem; border-bottom: 1px solid #8886; text-align: left; }
td, th { min-width: 3rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
figure { margin: 1rem 0; }
img { max-width: 100%; height: auto; }
figcaption { font-size: 0.9rem; }
""".strip()

_POLICY = "default-src 'none'; img-src 'self' https: http: data:; style-src 'unsafe-inline'"


def page(title: str, body: str, language: str = "es") -> str:
    """A whole page that reads well on a phone.

    title: words, foreign or not. body: what `HtmlRenderer.render` gave. language: `es` or `en`.
    """
    return "\n".join(
        (
            "<!DOCTYPE html>",
            f'<html lang="{_words(language)}">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            f"<title>{_words(clean_line(title).strip())}</title>",
            f"<style>\n{_STYLE}\n</style>",
            "</head>",
            "<body>",
            body,
            "</body>",
            "</html>",
        )
    )


class HtmlRenderer:
    """Pieces to HTML. pictures: address by a picture's name; without one its words stand there."""

    def __init__(self, pictures: Callable[[str], str | None] = lambda name: None) -> None:
        self._pictures = pictures

    def render(self, pieces: Sequence[Piece]) -> str:
        """The pieces below each other, each an element of its own."""
        return "\n".join(drawn for drawn in map(self._piece, pieces) if drawn)

    def _piece(self, piece: Piece) -> str:
        match piece:
            case Heading(text, level):
                drawn = _element(f"h{min(max(level, 1), 6)}", _run(text))
            case Lines(lines):
                drawn = _element("p", "<br>\n".join(one for one in map(_run, lines) if one))
            case Listing():
                drawn = _listing(piece)
            case Grid():
                drawn = _grid(piece)
            case Fence(text):
                typed = clean_lines(text)
                drawn = f"<pre><code>{_words(typed)}</code></pre>" if typed.strip() else ""
            case Figure():
                drawn = self._figure(piece)
            case _:
                drawn = "<hr>"
        return drawn

    def _figure(self, figure: Figure) -> str:
        address = self._pictures(figure.name) or ""
        words = _words(clean_line(plain(figure.alternative)).strip())
        if not _PICTURE.match(address):
            return "" if figure.told else _element("p", _element("em", words))
        picture = f'<img src="{_words(address)}" alt="{words}">'
        return f"<figure>{picture}{'' if figure.told else _element('figcaption', words)}</figure>"


def _listing(listing: Listing) -> str:
    items = "".join(f"<li>{_run(one)}</li>\n" for one in listing.items)
    if not listing.ordered:
        return f"<ul>\n{items}</ul>"
    start = "" if listing.start == 1 else f' start="{listing.start}"'
    return f"<ol{start}>\n{items}</ol>"


def _grid(grid: Grid) -> str:
    """A table in a box of its own, so that on a phone only the table is moved sideways."""
    head = _row("th", grid.head, grid.align)
    rows = "".join(f"{_row('td', row, grid.align)}\n" for row in grid.rows)
    return f'<div class="wide"><table>\n<thead>\n{head}\n</thead>\n<tbody>\n{rows}</tbody>\n</table></div>'


def _row(tag: str, cells: Iterable[Run], align: Sequence[Align]) -> str:
    scope = ' scope="col"' if tag == "th" else ""
    drawn = []
    for cell, side in zip(cells, align, strict=False):
        number = ' class="number"' if side is Align.RIGHT else ""
        drawn.append(f"<{tag}{scope}{number}>{_run(cell)}</{tag}>")
    return f"<tr>{''.join(drawn)}</tr>"


def _run(run: Run) -> str:
    return "".join(map(_inline, run)).strip()


def _inline(one: Inline) -> str:
    match one:
        case Text(text):
            return _words(clean_line(text))
        case Fixed(text):
            return _element("code", _words(clean_line(text).strip()))
        case Link(inner, url):
            words = _words(clean_line(plain(inner)).strip())
            linked = words and _WEB.match(url)
            return f'<a href="{_words(clean_line(url))}">{words}</a>' if linked else words
        case Strong(inner):
            return _element("strong", "".join(map(_inline, inner)))
        case Emphasis(inner):
            return _element("em", "".join(map(_inline, inner)))
        case Mention():
            return _words(one.text)


def _element(tag: str, content: str) -> str:
    """An element, or nothing where it would be empty."""
    return f"<{tag}>{content}</{tag}>" if content.strip() else content


def _words(text: str) -> str:
    return escape(text, quote=True)
