"""A post's raw Markdown to the lines that its reader would see: the same as from its rendered HTML.

markdown-it cuts the text into tokens after CommonMark; where a forum software reads Markdown in another way,
a flavour changes the rules. The walk over the tokens fills the same layout as the one over HTML.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.common.utils import unescapeAll
from markdown_it.rules_inline import StateInline, escape
from markdown_it.token import Token

from parsers.markup.dialect import HtmlDialect
from parsers.markup.html import read_html
from parsers.markup.layout import LaidLine, Layout, Region, Style
from parsers.markup.raw import clean, find_raw_refusal
from parsers.markup.sorting import sort_out
from rules.engine.diagnostics import error
from rules.engine.text import fold
from rules.play.lines import SeenText, SkipKind

MAX_NESTING = 30
"""Quotes, or twice the lists, within each other; markdown-it drops what lies deeper, so we refuse it."""

_APART = frozenset(("spoiler_open", "spoiler_close"))
_CODE = frozenset(("fence", "code_block"))
_CONTAINERS = frozenset((
    "blockquote_open", "bullet_list_open", "ordered_list_open", "list_item_open", "quote_open",
    "spoiler_open",
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class MarkdownFlavour:
    """How a forum software reads Markdown, told by what is changed in CommonMark with tables and `~~`.

    prepare: applied to the text before it is parsed. changes: applied to the parser, once.
    page: how the rendered text is read, where HTML in it counts; else tags are text.
    Line breaks always count as such, as all known forums have it.
    """

    prepare: Callable[[str], str] | None = None
    changes: tuple[Callable[[MarkdownIt], None], ...] = ()
    page: HtmlDialect | None = None


COMMONMARK = MarkdownFlavour()
"""markdown-it itself, with tables and `~~`."""


def read_markdown(raw: str, flavour: MarkdownFlavour = COMMONMARK) -> SeenText:
    r"""The lines of one post's raw Markdown in reading order, with what was left out; one over the caps is
    refused whole.

    Lines, their numbers and all that is noted of them are those of the rendered post, save that a `\` which
    rendering makes a line break of stays at the line's end, since it continues an order there. A fence that
    is never closed goes on to the end of the post, or of the quote or list item it stands in. Never raises,
    whatever the text.
    """
    refusal = find_raw_refusal(raw)
    if refusal is not None:
        return SeenText(refused=refusal)
    text = clean(raw)
    parser = _parser(flavour)
    tokens = parser.parse(text if flavour.prepare is None else flavour.prepare(text))
    if any(_swallows(token) for token in tokens):
        return SeenText(refused=error("parse/post-too-deep", limit=MAX_NESTING))
    if flavour.page is not None:
        return read_html(parser.renderer.render(tokens, parser.options, {}), flavour.page)
    return sort_out(_Walk().lay_out(tokens))


@cache
def _parser(flavour: MarkdownFlavour) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING})
    parser.enable(["table", "strikethrough"])
    parser.inline.ruler.at("escape", _escape)
    for change in flavour.changes:
        change(parser)
    return parser


def _escape(state: StateInline, silent: bool) -> bool:
    r"""The parser's rule for `\`, which tells a line break that it makes from the others by its markup."""
    before = len(state.tokens)
    found = escape(state, silent)
    if len(state.tokens) > before and state.tokens[-1].type == "hardbreak":
        state.tokens[-1].markup = "\\"
    return found


def _swallows(token: Token) -> bool:
    """Whether the parser has come to its end of nesting in a container, and dropped what stands in it."""
    return token.nesting == 1 and token.level >= MAX_NESTING - 2 and token.type in _CONTAINERS


class _Walk:
    """One pass over the tokens, which come flat."""

    def __init__(self) -> None:
        self._layout = Layout()
        self._style = Style()
        self._outer: list[Style] = []
        self._regions = 0
        self._has_text = False

    def lay_out(self, tokens: Sequence[Token]) -> list[LaidLine]:
        for token in tokens:
            if token.type == "inline":
                self._read_inline(token.children or ())
            elif token.type in _CODE:
                self._read_code(token)
            else:
                self._end_line()
                self._enter_or_leave(token)
        self._end_line()
        return self._layout.lines

    def _enter_or_leave(self, token: Token) -> None:
        if token.nesting == 1:
            self._outer.append(self._style)
            self._style = self._style_in(token)
        elif token.nesting == -1:
            self._style = self._outer.pop()

    def _style_in(self, token: Token) -> Style:
        style = self._style
        if token.type in ("blockquote_open", "quote_open") and style.left_out is None:
            return replace(style, left_out=self._region("quote"))
        if token.type == "spoiler_open":
            return replace(style, spoiler=True)
        if token.type == "heading_open":
            return replace(style, heading=int(token.tag[1]))
        if token.type == "s_open":
            return replace(style, struck=True)
        return style

    def _read_code(self, token: Token) -> None:
        self._end_line()
        words = unescapeAll(token.info).split()
        style = replace(self._style, code=self._region("code", words[0] if words else ""), preformatted=True)
        self._layout.add(token.content, style)
        self._end_line()
        self._layout.end_code(style)

    def _read_inline(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            if token.type in ("softbreak", "hardbreak"):
                self._break_line(token)
            elif token.type == "code_inline":
                self._layout.add_inline_code(token.content.strip())
                self._add(token.content, replace(self._style, inline_code=True))
            elif token.nesting:
                if token.type in _APART:
                    self._end_line()
                self._enter_or_leave(token)
            elif token.type != "image":
                self._add(token.content, self._style)

    def _break_line(self, token: Token) -> None:
        if token.markup and self._has_text and self._style.left_out is None:
            self._add(token.markup, self._style)
        self._end_line()

    def _add(self, text: str, style: Style) -> None:
        self._has_text = self._has_text or bool(fold(text))
        self._layout.add(text, style)

    def _end_line(self) -> None:
        self._layout.end_line()
        self._has_text = False

    def _region(self, kind: SkipKind, word: str = "") -> Region:
        self._regions += 1
        return Region(kind, self._regions, word)
