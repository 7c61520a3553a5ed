"""How the forums that we know read raw text, beside the dialects that say how they write HTML."""

from __future__ import annotations

from parsers.markup import dialect
from parsers.markup.bbcode_text import BBCodeFlavour, Role
from parsers.markup.markdown_bbcode import inline_tags, mark_regions, regions
from parsers.markup.markdown_blocks import (
    detached_tables,
    indented_marks_end_paragraphs,
    lists,
    tight_headings,
    underlined_line,
    without,
)
from parsers.markup.markdown_html import html_counts, html_regions
from parsers.markup.markdown_inline import (
    any_length_code,
    inline_spoilers,
    loose_links,
    loose_strike,
    paired_marks,
)
from parsers.markup.markdown_litedown import mark_flarum
from parsers.markup.markdown_regions import (
    greedy_quotes,
    greedy_quotes_to_headings,
    lazy_quotes,
    loose_fences,
    outer_fences,
)
from parsers.markup.markdown_text import COMMONMARK, MarkdownFlavour

NODEBB = COMMONMARK
"""NodeBB 4: markdown-it. Not for Discourse, whose quotes are BBCode and which lets HTML through."""

DISCOURSE = MarkdownFlavour(
    prepare=html_regions,
    changes=(
        html_counts,
        inline_tags({"b": "strong", "i": "em", "u": "u", "s": "s", "url": "a", "email": "a", "img": "image"}),
    ),
    page=dialect.DISCOURSE,
)
"""Discourse: markdown-it with HTML, quotes and spoilers in BBCode. A `[quote]` amid a line, which it may show
as text, is taken for one, so that what may be a quote never counts as an order.
"""

FLARUM = MarkdownFlavour(
    prepare=mark_flarum,
    changes=(
        regions,
        inline_tags(
            {
                **dict.fromkeys(("b", "i", "u", "url", "email", "color", "size"), "span"),
                **dict.fromkeys(("s", "del"), "s"),
                "img": "image",
            }
        ),
        without("table", "entity"),
    ),
)
"""Flarum with its extensions for Markdown and BBCode, both of s9e's TextFormatter, as its documentation says;
no board was seen.
"""

UNKNOWN = MarkdownFlavour(
    prepare=mark_regions,
    changes=(
        regions,
        inline_tags({"b": "strong", "i": "em", "u": "u", "s": "s", "url": "link", "img": "image"}),
    ),
)
"""Text files, and texts whose forum isn't known: Markdown, and the BBCode in which something is quoted,
struck or shown as code, so that nobody's orders count that were only quoted.
"""

SPIRIT = MarkdownFlavour(
    changes=(
        lists(amid_paragraphs=True),
        tight_headings(in_lists=False),
        underlined_line(amid_paragraphs=True),
        detached_tables,
        indented_marks_end_paragraphs,
        loose_fences,
        greedy_quotes,
        any_length_code,
        paired_marks,
        loose_links,
    )
)
"""django-spirit 0.14: mistune 0.8."""

FLASKBB = MarkdownFlavour(changes=(lazy_quotes, inline_spoilers, without("entity")))
"""FlaskBB 3: mistune 3. Its HTML loses the info words of fences, which the raw text has."""

MISAGO = MarkdownFlavour(
    prepare=mark_regions,
    changes=(
        regions,
        inline_tags({"b": "strong", "i": "em", "u": "u", "url": "link", "img": "image"}),
        lists(amid_paragraphs=False),
        tight_headings(in_lists=True),
        underlined_line(amid_paragraphs=False),
        outer_fences,
        greedy_quotes_to_headings,
        any_length_code,
        loose_strike,
        without("table", "reference"),
    ),
)
"""Misago 0.39: Python-Markdown with quotes, spoilers and marks in BBCode."""

_MARKS: dict[str, Role] = dict.fromkeys(("b", "i", "u", "color", "size", "url", "email"), "inline")
_BASE: dict[str, Role] = {
    "quote": "quote",
    "code": "code",
    "img": "dropped",
    "list": "line",
    "*": "item",
    **_MARKS,
}
_TABLE: dict[str, Role] = dict.fromkeys(("table", "tr", "td"), "line")

PHPBB = BBCodeFlavour(
    roles={**_BASE, "attachment": "dropped", "flash": "dropped"}, valued=frozenset(("color", "size"))
)
"""phpBB from 3.2. Boards add tags of their own, `[s]` and `[spoiler]` most often: their roles come on top."""

MYBB = BBCodeFlavour(
    roles={
        **_BASE,
        "php": "code",
        "s": "struck",
        "font": "inline",
        "align": "line",
        "hr": "break",
        "video": "dropped",
    },
    valued=frozenset(("color", "size", "font", "align")),
    unclosed="text",
    entities=True,
)
"""MyBB 1.8."""

SMF = BBCodeFlavour(
    roles={
        **_BASE,
        **_TABLE,
        **dict.fromkeys(
            ("font", "sub", "sup", "tt", "abbr", "anchor", "iurl", "ftp", "glow", "shadow"), "inline"
        ),
        **dict.fromkeys(("center", "left", "right", "li", "move"), "line"),
        **dict.fromkeys(("@", "+", "x", "#", "o", "0"), "item"),
        **dict.fromkeys(("php", "pre"), "code"),
        "s": "struck",
        "nobbc": "plain",
        "hr": "break",
        "br": "break",
        "attach": "dropped",
        "youtube": "dropped",
    },
    valued=frozenset(("color", "size", "font")),
    items="anywhere",
)
"""SMF 2.1, whose `[x]`, `[o]` and the like begin an item of a list."""

XENFORO = BBCodeFlavour(
    roles={
        **_BASE,
        **_TABLE,
        **dict.fromkeys(("font", "user", "ispoiler"), "inline"),
        **dict.fromkeys(("center", "left", "right", "justify", "indent", "th"), "line"),
        **dict.fromkeys(("php", "html"), "code"),
        "icode": "inline code",
        "plain": "plain",
        "s": "struck",
        "spoiler": "spoiler",
        "heading": "heading",
        "hr": "break",
        "attach": "dropped",
        "media": "dropped",
    },
    valued=frozenset(("color", "size", "font")),
)
"""XenForo 2. What it makes of unclosed tags isn't known: they are taken to reach to the end, so that what may
be a quote never counts as an order.
"""
