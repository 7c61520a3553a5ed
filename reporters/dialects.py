"""Which dialect a forum reads."""

from __future__ import annotations

from reporters.markdown import MarkdownRenderer
from reporters.plain import PlainRenderer
from reporters.renderer import Renderer

_PLAIN = frozenset(("folder",))


def renderer_for(software: str) -> Renderer:
    """The renderer for a forum's posts. software: as in `game.toml`; `folder` is one of plain text files."""
    return PlainRenderer() if software in _PLAIN else MarkdownRenderer()
