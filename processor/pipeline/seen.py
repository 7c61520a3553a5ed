"""A stored post to what its reader sees: lines, and what doesn't count."""

from __future__ import annotations

import re

from parsers.markup.dialect import SPIRIT
from parsers.markup.html import read_html
from parsers.orders.marks import describe_skip
from rules.play.lines import SeenLine, SeenText
from rules.play.posts import Post

_DIALECTS = {"spirit": SPIRIT}
_MARKER = re.compile(r"ptd1:[^\s:]+:\d+\.\d+:[\w-]+:\d+/\d+(?::[0-9a-f]{8})?")
"""The last line of what Turnero publishes (design.md 1)."""


class NoDialect(Exception):
    """HTML of a software whose quotes we don't know must not be read: a quote could count as an order."""


def see_post(post: Post, software: str) -> tuple[SeenText, bool]:
    """The lines of a post, and whether they are raw text. Raises NoDialect for HTML of an unknown
    software.
    """
    if post.html is None:
        return see_plain(post.raw or ""), True
    dialect = _DIALECTS.get(software)
    if dialect is None:
        raise NoDialect(software)
    return read_html(post.html, dialect), False


def see_plain(text: str) -> SeenText:
    """Plain text as typed: each line with text is one; lines that begin with `>` are a quote."""
    lines: list[SeenLine] = []
    quoted: list[str] = []
    skipped = []
    for written in (*text.splitlines(), ""):
        if written.lstrip().startswith(">"):
            quoted.append(written.strip())
            continue
        if quoted:
            skipped.append(describe_skip("quote", len(lines) + 1, quoted))
            quoted = []
        if written.strip():
            lines.append(SeenLine(len(lines) + 1, written.strip()))
    return SeenText(tuple(lines), tuple(skipped))


def is_published(seen: SeenText) -> bool:
    """Whether a text ends with our own marker: what Turnero has published, whoever posts it again."""
    return bool(seen.lines) and _MARKER.fullmatch(seen.lines[-1].text.strip("` ")) is not None
