"""How a forum software marks quotes, code and the like in its HTML, declared as CSS selectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Selectors = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HtmlDialect:
    """Selectors within one post's body, one tuple for each role.

    A software without a dialect must not be read: a quote that isn't recognised would count as an order.

    quotes, signatures, hidden: not the author's live text, left out and named.
    spoilers: text that may count (a game's option). struck: crossed out.
    code: code blocks, their title left out by `dropped`.
    dropped: what the forum adds and nobody wrote (titles of code boxes, buttons' labels).
    smilies: pictures that stand for text; `alt`, else `data-shortname`, else `title` is read.
    nameless_code: the forum loses the word behind a fence, by which orders may be known.
    """

    quotes: Selectors
    signatures: Selectors = ()
    hidden: Selectors = ()
    spoilers: Selectors = ("details",)
    struck: Selectors = ("s", "strike", "del", '[style*="line-through" i]')
    code: Selectors = ("pre",)
    dropped: Selectors = ()
    smilies: Selectors = ()
    nameless_code: bool = False


SPIRIT = HtmlDialect(quotes=("blockquote",), spoilers=(), struck=("del", "s", "strike"), smilies=("i.tw",))
"""django-spirit 0.14 (mistune 0.8: `~~x~~` is `del`, emoji are `<i class="tw" title=":smile:">`)."""

PHPBB = HtmlDialect(
    quotes=("blockquote",),
    signatures=("div.signature",),
    spoilers=("div.quotecontent", "details"),
    code=("div.codebox", "pre"),
    dropped=("div.codebox > p", "div.quotetitle", "div.inline-attachment"),
    smilies=("img.smilies", "img.emoji"),
)
"""phpBB 3; its boards add spoilers of their own, most often of these two kinds."""

XENFORO = HtmlDialect(
    quotes=("blockquote.bbCodeBlock--quote", "div.bbCodeBlock--unfurl"),
    signatures=("aside.message-signature",),
    spoilers=("div.bbCodeSpoiler-content", "div.bbCodeSpoiler"),
    code=("div.bbCodeBlock--code",),
    dropped=("div.bbCodeBlock-title",),
    smilies=("img.smilie",),
)
"""XenForo 2."""

MYBB = HtmlDialect(
    quotes=("blockquote.mycode_quote",),
    signatures=("div.signature",),
    struck=("s", "strike", "del", ".mycode_s", '[style*="line-through" i]'),
    code=("div.codeblock",),
    dropped=("div.codeblock > div.title",),
    smilies=("img.smilie",),
)
"""MyBB 1.8."""

SMF = HtmlDialect(
    quotes=("blockquote",),
    signatures=("div.signature",),
    code=("code.bbc_code",),
    dropped=("div.codeheader",),
    smilies=("img.smiley",),
)
"""SMF 2.1."""

NODEBB = HtmlDialect(
    quotes=("blockquote",), signatures=('[component="post/signature"]',), smilies=("img.emoji",)
)
"""NodeBB with its Markdown plug-in."""

DISCOURSE = HtmlDialect(
    quotes=("aside.quote", "aside.onebox", "blockquote"),
    spoilers=(".spoiler", ".spoiled", "details"),
    dropped=(".cooked-selection-barrier", ".lightbox-wrapper .meta"),
    smilies=("img.emoji",),
)
"""Discourse, which shows the beginning of a post to which a line links as its `onebox`."""

FLARUM = HtmlDialect(quotes=("blockquote",), spoilers=("details", ".spoiler"), smilies=("img.emoji",))
"""Flarum with its Markdown and BBCode, both of s9e's TextFormatter."""

UMBRIA = HtmlDialect(quotes=("blockquote",), hidden=("div.notas",))
"""Comunidad Umbría; private notes are read only by option."""

FLASKBB = HtmlDialect(
    quotes=("blockquote",),
    signatures=(".post-signature",),
    spoilers=("div.spoiler", "span.spoiler"),
    nameless_code=True,
)
"""FlaskBB 3: mistune 3 with its spoilers (`>! …`); the signature stands in the post's body."""

MISAGO = HtmlDialect(
    quotes=("aside.quote-block", "blockquote:not(.spoiler-body)"),
    spoilers=("aside.spoiler-block",),
    dropped=(".quote-heading", ".spoiler-heading"),
)
"""Misago 0.3x."""

DIALECTS: Mapping[str, HtmlDialect] = {
    "spirit": SPIRIT, "phpbb": PHPBB, "xenforo": XENFORO, "mybb": MYBB, "smf": SMF, "nodebb": NODEBB,
    "discourse": DISCOURSE, "flarum": FLARUM, "umbria": UMBRIA, "flaskbb": FLASKBB, "misago": MISAGO,
}  # fmt: skip
"""By the software's name in `game.toml`."""
