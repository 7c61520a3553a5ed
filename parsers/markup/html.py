"""A post's rendered HTML to the lines that its reader sees.

The walk is structural: every block element and `br` ends a line, every inline element adds nothing, so that
neither two orders are glued nor a word is split. Each body is parsed on its own: markup left open in one post
can't reach into the next (pitfalls.md, *Reading the post*).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bs4 import BeautifulSoup
from bs4.element import NavigableString, PageElement, PreformattedString, Tag

from parsers.markup.dialect import HtmlDialect, Selectors
from parsers.markup.guard import find_refusal
from parsers.markup.layout import LaidLine, Layout, Region, Style
from parsers.markup.sorting import sort_out
from rules.engine.legible import make_legible
from rules.play.lines import SeenText, SkipKind

_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "details",
    "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2",
    "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol",
    "p", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
))  # fmt: skip
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_DROPPED = frozenset((
    "script", "style", "template", "noscript", "textarea", "button", "select", "input", "iframe", "object",
    "embed", "svg", "math", "audio", "video", "canvas", "head", "title",
))  # fmt: skip
_INLINE_CODE = frozenset(("code", "tt", "kbd", "samp"))
_BROWSERS_BREAK_HERE = re.compile(r"</(?:br|p)(?=[\s/>])", re.IGNORECASE)


@dataclass(slots=True)
class _Open:
    """An element whose children are being read. ends_line: whether it stands on lines of its own."""

    children: Iterator[PageElement]
    before: Style
    ends_line: bool


def read_html(body_html: str, dialect: HtmlDialect) -> SeenText:
    """The lines of one post's body in reading order, with what was left out; one over the caps is refused
    whole.

    `body_html` is the body alone, without the page around it. Never raises, whatever the text.
    """
    refusal = find_refusal(body_html)
    if refusal is not None:
        return SeenText(refused=refusal)
    # Browsers break the line at a stray `</br>` and `</p>`, lxml drops both; after a `</p>` that closes
    # something the added `br` makes an empty line, which counts for nothing.
    body = _BROWSERS_BREAK_HERE.sub(r"<br>\g<0>", make_legible(body_html))
    soup = BeautifulSoup(f"<div>{body}</div>", "lxml")
    return sort_out(_Walk(soup, dialect).lay_out())


class _Walk:
    """One pass over the tree, without recursion since its depth is the poster's."""

    def __init__(self, soup: BeautifulSoup, dialect: HtmlDialect) -> None:
        self._soup = soup
        self._left_out: dict[int, SkipKind] = {}
        self._left_out |= dict.fromkeys(_find(soup, dialect.hidden), "hidden")
        self._left_out |= dict.fromkeys(_find(soup, dialect.quotes), "quote")
        self._left_out |= dict.fromkeys(_find(soup, dialect.signatures), "signature")
        self._spoilers = _find(soup, dialect.spoilers)
        self._struck = _find(soup, dialect.struck)
        self._code = _find(soup, dialect.code)
        self._dropped = _find(soup, dialect.dropped)
        self._smilies = _find(soup, dialect.smilies)
        self._layout = Layout()
        self._style = Style()
        self._regions = 0

    def lay_out(self) -> list[LaidLine]:
        stack = [_Open(iter(self._soup.contents), self._style, ends_line=True)]
        while stack:
            child = next(stack[-1].children, None)
            if child is None:
                self._leave(stack.pop())
            elif isinstance(child, Tag):
                if not self._read_whole(child):
                    stack.append(self._enter(child))
            elif isinstance(child, NavigableString) and not isinstance(child, PreformattedString):
                self._layout.add(str(child), self._style)
        return self._layout.lines

    def _read_whole(self, tag: Tag) -> bool:
        """Deal with elements whose children are not read."""
        if id(tag) in self._smilies:
            self._layout.add(_alternative(tag), self._style)
            return True
        if tag.name not in _DROPPED and id(tag) not in self._dropped:
            return False
        if tag.name in _BLOCKS:
            self._layout.end_line()
        return True

    def _enter(self, tag: Tag) -> _Open:
        before, inside = self._style, self._style_in(tag)
        ends_line = tag.name in _BLOCKS or _lies_apart(before, inside)
        if ends_line:
            self._layout.end_line()
        if inside.inline_code and not before.inline_code:
            self._layout.add_inline_code(_source(tag))
        self._style = inside
        return _Open(iter(tag.contents), before, ends_line)

    def _leave(self, element: _Open) -> None:
        if element.ends_line:
            self._layout.end_line()
        if self._style.code != element.before.code:
            self._layout.end_code(self._style)
        self._style = element.before

    def _style_in(self, tag: Tag) -> Style:
        style, key = self._style, id(tag)
        if key in self._left_out and style.left_out is None:
            style = replace(style, left_out=self._region(self._left_out[key]))
        if key in self._code and style.code is None and not style.inline_code:
            style = replace(style, code=self._region("code", _info_word(tag)), preformatted=True, heading=0)
        if tag.name in _INLINE_CODE and style.code is None:
            style = replace(style, inline_code=True)
        return replace(
            style,
            preformatted=style.preformatted or tag.name == "pre",
            struck=style.struck or key in self._struck,
            spoiler=style.spoiler or key in self._spoilers,
            heading=style.heading or (_HEADINGS.get(tag.name, 0) if style.code is None else 0),
        )

    def _region(self, kind: SkipKind, word: str = "") -> Region:
        self._regions += 1
        return Region(kind, self._regions, word)


def _find(soup: BeautifulSoup, selectors: Selectors) -> frozenset[int]:
    """Identities of the elements that selectors match; the soup keeps them alive."""
    return frozenset(id(tag) for tag in soup.select(", ".join(selectors))) if selectors else frozenset()


def _lies_apart(before: Style, inside: Style) -> bool:
    return (before.left_out, before.code, before.spoiler) != (inside.left_out, inside.code, inside.spoiler)


def _alternative(picture: Tag) -> str:
    """The text of a smiley; a name instead of one (MyBB's `Smile`) is marked, so that it is no word."""
    for name in ("alt", "data-shortname", "title"):
        text = picture.get(name)
        if isinstance(text, str) and text.strip():
            is_name = all(char.isalnum() or char in " _-" for char in text)
            return f":{'_'.join(text.split())}:" if is_name and text.isascii() else text
    return ""


def _info_word(code: Tag) -> str:
    """The info word of a code block: `lang-X`, `language-X` or a data attribute, of the block or the code
    in it.
    """
    for tag in (code, *code.find_all("code", limit=1)):
        for name in tag.get_attribute_list("class"):
            for prefix in ("lang-", "language-"):
                if name and name.startswith(prefix):
                    return name.removeprefix(prefix)
        for attribute in ("data-lang", "data-language"):
            word = tag.get(attribute)
            if isinstance(word, str) and word:
                return word
    return ""


def _source(code: Tag) -> str:
    """The text of inline code with the line breaks that rendering has made blanks."""
    parts: list[str] = []
    for node in code.descendants:
        if isinstance(node, Tag):
            parts.append("\n" if node.name == "br" else "")
        elif isinstance(node, NavigableString) and not isinstance(node, PreformattedString):
            parts.append(str(node))
    return "".join(parts).strip()
