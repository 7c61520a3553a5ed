"""Flarum's Markdown, which knows spoilers of its own and BBCode, told in the BBCode of other forums."""

from __future__ import annotations

import re

from parsers.markup.bbcode_tags import find_tags, pair_in_rounds
from parsers.markup.markdown_bbcode import mark_regions

_SPOILER_LINE = r" {0,3}>!(?![^\n>]*!<)[^\n]*"
_SPOILER = re.compile(rf"^{_SPOILER_LINE}(?:\n{_SPOILER_LINE})*", re.MULTILINE)
_SPOILER_MARK = re.compile(r"^ {0,3}>! ?", re.MULTILINE)
_INLINE_SPOILER = re.compile(r">!([^\n]+?)!<|\|\|([^|\n]+)\|\|")
_LIST = re.compile(r"\[/?(?:list|center)(?:=[^\[\]\n]*)?\]|\[\*\]", re.IGNORECASE)


def mark_flarum(text: str) -> str:
    """The text with its regions as lines that the parser's rules know; a quote without its closing goes on to
    the end.
    """
    text = _SPOILER.sub(_name_spoiler, text)
    text = _INLINE_SPOILER.sub(lambda found: f"[spoiler]{found[1] or found[2]}[/spoiler]", text)
    return mark_regions(_close_quotes(_LIST.sub("\n", text)))


def _name_spoiler(found: re.Match[str]) -> str:
    return f"[spoiler]{_SPOILER_MARK.sub('', found[0])}[/spoiler]"


def _close_quotes(text: str) -> str:
    tags = list(find_tags(text, ("quote",)))
    paired = len(pair_in_rounds(tags)) // 2
    return text + "\n[/quote]" * (sum(not tag.closes for tag in tags) - paired)
