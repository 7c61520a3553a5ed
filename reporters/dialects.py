"""Which dialect a forum reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from reporters.bbcode import MYBB, PHPBB, SMF, XENFORO, BBCodeDialect, BBCodeRenderer
from reporters.flaskbb import FlaskbbRenderer
from reporters.html import HtmlRenderer
from reporters.markdown import MarkdownRenderer
from reporters.misago import MisagoRenderer
from reporters.plain import PlainRenderer
from reporters.renderer import Renderer

_PLAIN = frozenset(("folder", "text", "umbria"))
_BBCODE: Mapping[str, BBCodeDialect] = {
    "phpbb": PHPBB,
    "mybb": MYBB,
    "smf": SMF,
    "xenforo": XENFORO,
}

_MARKDOWN: Mapping[str, type[MarkdownRenderer]] = {"flaskbb": FlaskbbRenderer, "misago": MisagoRenderer}
"""Dialects of it."""


def renderer_for(software: str, pictures: Callable[[str], str | None] = lambda name: None) -> Renderer:
    """The renderer for a forum's posts. software: as in `game.toml`; `folder` is one of plain text files,
    whatever isn't known reads Markdown. Umbría gets plain text: how its editor takes markup isn't known.

    pictures: how the forum's own markup refers to a picture, by its name; None: it can't be shown.
    """
    if software in _PLAIN:
        return PlainRenderer()
    if software == "html":
        return HtmlRenderer(pictures)
    if software in _BBCODE:
        return BBCodeRenderer(_BBCODE[software], pictures)
    return _MARKDOWN.get(software, MarkdownRenderer)(pictures)


def ending_for(renderer: Renderer) -> str:
    """Ending of a file that holds a renderer's texts: `md`, `html`, or `txt` for plain text and BBCode."""
    match renderer:
        case MarkdownRenderer():
            return "md"
        case HtmlRenderer():
            return "html"
        case _:
            return "txt"
