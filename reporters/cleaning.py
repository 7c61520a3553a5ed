"""Foreign text made harmless before a dialect escapes it: nothing invisible, one line."""

from __future__ import annotations

import unicodedata

LONGEST_EXCERPT = 80
"""Characters shown of a line as a player wrote it (reliability.md F31)."""

_BREAKS = "\u2424"
"""A picture of a line end, which some Markdown readers take for one."""


def clean_line(text: str) -> str:
    """The text as one line: controls and invisible characters go, any run of blanks is one blank.

    Blanks at the ends are kept (as one), since pieces of a line follow each other.
    """
    cleaned = _clean_all(text)
    while "  " in cleaned:
        cleaned = cleaned.replace("  ", " ")
    return cleaned


def clean_lines(text: str) -> str:
    """Lines to show in a fixed-width face: line ends and inner blanks stay, controls go."""
    return "\n".join(_clean_all(one).rstrip() for one in text.expandtabs(4).splitlines()).strip("\n")


def _clean_all(text: str) -> str:
    # What is printable has neither controls nor blanks but the usual one: nearly every text there is.
    return text if text.isprintable() and _BREAKS not in text else "".join(map(_clean, text))


def _clean(char: str) -> str:
    if char == " " or char.isalnum():
        return char
    category = unicodedata.category(char)
    if char.isspace() or category in ("Zs", "Zl", "Zp") or char in _BREAKS:
        return "\u00a0" if char in "\u00a0\u202f" else " "
    return "" if category in ("Cc", "Cf", "Cs") else char


def excerpt(text: str, longest: int = LONGEST_EXCERPT) -> str:
    """At most `longest` characters of a line, with an ellipsis where something was left out."""
    line = clean_line(text).strip()
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
