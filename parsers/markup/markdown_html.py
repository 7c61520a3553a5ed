"""Markdown in which HTML counts: the text is rendered, and read as the page that its readers would see."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from html import escape

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from parsers.markup.bbcode_tags import Tag, find_tags, pair_in_rounds
from parsers.markup.markdown_bbcode import fence_code

_SHOWN = frozenset((
    "a", "abbr", "aside", "b", "bdo", "big", "blockquote", "br", "code", "dd", "del", "details", "dfn", "div",
    "dl", "dt", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "mark", "ol",
    "p", "pre", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "summary", "sup", "table",
    "tbody", "td", "tfoot", "th", "thead", "tr", "tt", "u", "ul", "var",
))  # fmt: skip
_ELEMENT = re.compile(r"<(?=/?([a-zA-Z][a-zA-Z0-9-]*))")
_FENCE = re.compile(r"^ {0,3}(`{3,}(?=[^`\n]*$)|~{3,})", re.MULTILINE)
_INLINE_CODE = re.compile(r"(?<!`)(`+)(?!`)[^`\n]*\1(?!`)")
_REGIONS = ("quote", "spoiler", "details")


def html_counts(parser: MarkdownIt) -> None:
    r"""HTML that forums let through is part of the page, other tags are text; a line's end breaks the line,
    and a `\` there stays, since it continues an order.
    """
    parser.options["html"] = True
    parser.options["breaks"] = True
    parser.add_render_rule("html_block", _show_html)
    parser.add_render_rule("html_inline", _show_html)
    parser.add_render_rule("hardbreak", _break)


def html_regions(text: str) -> str:
    """`[quote]`, `[spoiler]` and `[details]` outside of code as the HTML that they make, each on lines of its
    own; without a closing they are text.
    """
    text = fence_code(text)
    code = list(_find_code(text))
    tags = [tag for tag in find_tags(text, _REGIONS) if not _is_within(tag, code)]
    pieces: list[str] = []
    at = 0
    for tag in pair_in_rounds(tags):
        pieces += (text[at : tag.start], f"\n\n{_element(tag)}\n\n")
        at = tag.end
    return "".join((*pieces, text[at:]))


def _element(tag: Tag) -> str:
    if tag.name == "details":
        title = escape(tag.value.lstrip("= ").strip("\"'“”"))
        return "</details>" if tag.closes else f"<details>\n<summary>{title}</summary>"
    name = "aside" if tag.name == "quote" else "div"
    return f"</{name}>" if tag.closes else f'<{name} class="{tag.name}">'


def _find_code(text: str) -> Iterator[tuple[int, int]]:
    """Where fences and inline code stand, ascending; a fence without its end goes to the text's."""
    at = 0
    while (fence := _FENCE.search(text, at)) is not None:
        yield from (found.span() for found in _INLINE_CODE.finditer(text, at, fence.start()))
        end = _find_fence_end(text, fence)
        yield fence.start(), end
        at = end
    yield from (found.span() for found in _INLINE_CODE.finditer(text, at))


def _find_fence_end(text: str, fence: re.Match[str]) -> int:
    mark = fence.group(1)
    closing = re.compile(rf"^ {{0,3}}{re.escape(mark)}{re.escape(mark[0])}*[ \t]*$", re.MULTILINE)
    found = closing.search(text, fence.end())
    return len(text) if found is None else found.end()


def _is_within(tag: Tag, spans: Sequence[tuple[int, int]]) -> bool:
    at = bisect_right(spans, tag.start, key=lambda span: span[0])
    return at > 0 and tag.start < spans[at - 1][1]


def _show_html(
    _renderer: RendererProtocol, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
) -> str:
    def keep(found: re.Match[str]) -> str:
        return "<" if found.group(1).lower() in _SHOWN else "&lt;"

    return _ELEMENT.sub(keep, tokens[index].content)


def _break(
    _renderer: RendererProtocol, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
) -> str:
    begins_line = index == 0 or tokens[index - 1].type in ("softbreak", "hardbreak")
    return "<br>\n" if begins_line else f"{tokens[index].markup}<br>\n"
