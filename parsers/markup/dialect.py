"""How a forum software marks quotes, code and the like in its HTML, declared as CSS selectors."""

from __future__ import annotations

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
    """

    quotes: Selectors
    signatures: Selectors = ()
    hidden: Selectors = ()
    spoilers: Selectors = ("details",)
    struck: Selectors = ("s", "strike", "del", '[style*="line-through" i]')
    code: Selectors = ("pre",)
    dropped: Selectors = ()
    smilies: Selectors = ()


SPIRIT = HtmlDialect(quotes=("blockquote",), spoilers=(), struck=("del", "s", "strike"), smilies=("i.tw",))
"""django-spirit 0.14 (mistune 0.8: `~~x~~` is `del`, emoji are `<i class="tw" title=":smile:">`)."""
