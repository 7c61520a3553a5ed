"""The lines that a reader of a post sees; in the last stands our marker."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup

# What a reader sees begin and end on lines of its own.
_BLOCKS = re.compile(
    "^(address|article|aside|blockquote|br|dd|div|dl|dt|figure|footer|form|h[1-6]|header|hr|li|ol|p|pre"
    "|section|table|tbody|td|tfoot|th|thead|tr|ul)$"
)
_SILENT = ("blockquote", "script", "style", "template", "noscript", "textarea")


def read_last_line(html: str) -> str:
    """The last line that a reader sees outside quotes, blanks folded; empty where there is none.

    Emoji pictures count as the `:word:` that was typed, so that a marker survives them.
    """
    lines = read_lines(html)
    return lines[-1] if lines else ""


def read_lines(html: str) -> list[str]:
    """The lines that a reader sees outside quotes, as `read_last_line` reads them, without the empty ones."""
    body = BeautifulSoup(html, "lxml")
    for tag in body(_SILENT):
        tag.decompose()
    for emoji in body.select("i.tw[title], img.emoji[title]"):
        emoji.replace_with(str(emoji["title"]))
    for tag in body(_BLOCKS):
        tag.insert_before("\n")
        tag.append("\n")
    lines = (" ".join(line.split()) for line in body.get_text().splitlines())
    return [line for line in lines if line]
