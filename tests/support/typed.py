"""What people type in a forum for a quote or for code, by the markup of its software."""

from __future__ import annotations

from parsers.markup.bbcode_text import BBCodeFlavour
from processor.pipeline.seen import FLAVOURS


def reads_bbcode(software: str) -> bool:
    """Whether the forum's posts are BBCode, not Markdown."""
    return isinstance(FLAVOURS.get(software), BBCodeFlavour)


def quote(software: str, text: str, name: str = "gamemaster") -> str:
    """Somebody's text, quoted, on lines of its own."""
    if reads_bbcode(software):
        return f"[quote={name}]{text}[/quote]"
    return "\n".join(f"> {line}".rstrip() for line in (f"@{name} said:", *text.split("\n")))


def code(software: str, text: str, word: str = "") -> str:
    """A block of code. word: behind a fence, which BBCode doesn't have."""
    return f"[code]{text}[/code]" if reads_bbcode(software) else f"```{word}\n{text}\n```"


def inline_code(software: str, text: str) -> str:
    """A word or two that stand out as typed."""
    return f"[b]{text}[/b]" if reads_bbcode(software) else f"`{text}`"
