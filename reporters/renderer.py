"""What every dialect's renderer offers: Markdown, BBCode, HTML and plain text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from reporters.blocks import Piece


class Renderer(Protocol):
    """Pieces to the text of a post. Whatever stands in them, only the renderer's own marks have an effect."""

    def render(self, pieces: Sequence[Piece]) -> str:
        """The pieces below each other, without a line end behind the last; "" for none."""
        ...
