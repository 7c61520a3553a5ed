"""A stored post to what its reader sees: lines, and what doesn't count."""

from __future__ import annotations

import re

from parsers.markup import flavours
from parsers.markup.bbcode_text import BBCodeFlavour, read_bbcode
from parsers.markup.dialect import DIALECTS
from parsers.markup.html import read_html
from parsers.markup.markdown_text import MarkdownFlavour, read_markdown
from rules.play.lines import SeenText
from rules.play.posts import Post

FLAVOURS: dict[str, MarkdownFlavour | BBCodeFlavour] = {
    "spirit": flavours.SPIRIT,
    "flaskbb": flavours.FLASKBB,
    "misago": flavours.MISAGO,
    "nodebb": flavours.NODEBB,
    "discourse": flavours.DISCOURSE,
    "flarum": flavours.FLARUM,
    "phpbb": flavours.PHPBB,
    "mybb": flavours.MYBB,
    "smf": flavours.SMF,
    "xenforo": flavours.XENFORO,
}
"""How the raw text of each software is read."""
_MARKER = re.compile(r"ptd1:[^\s:]+:\d+\.\d+:[\w-]+:\d+/\d+(?::[0-9a-f]{8})?")
"""The last line of what Turnero publishes (design.md 1)."""


class NoDialect(Exception):
    """HTML of a software whose quotes we don't know must not be read: a quote could count as an order."""


def see_post(post: Post, software: str) -> tuple[SeenText, bool]:
    """The lines of a post, and whether they are raw text. Raises NoDialect for HTML of an unknown
    software; raw text of one is read as Markdown in which BBCode's quotes are known, too.
    """
    if post.html is None:
        return _see_raw(post.raw or "", FLAVOURS.get(software, flavours.UNKNOWN)), True
    dialect = DIALECTS.get(software)
    if dialect is None:
        raise NoDialect(software)
    return read_html(post.html, dialect), False


def _see_raw(text: str, flavour: MarkdownFlavour | BBCodeFlavour) -> SeenText:
    if isinstance(flavour, BBCodeFlavour):
        return read_bbcode(text, flavour)
    return read_markdown(text, flavour)


def is_published(seen: SeenText) -> bool:
    """Whether a text ends with our own marker: what Turnero has published, whoever posts it again."""
    return bool(seen.lines) and _MARKER.fullmatch(seen.lines[-1].text.strip("` ")) is not None
