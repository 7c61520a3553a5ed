"""Markdown as Misago reads it (Python-Markdown with some BBCode): CommonMark's without tables."""

from __future__ import annotations

from reporters.blocks import Grid, Piece
from reporters.cleaning import clean_line
from reporters.columns import align_columns
from reporters.markdown import MarkdownRenderer, fence
from rules.engine.inline import plain


class MisagoRenderer(MarkdownRenderer):
    """Pieces to Misago's Markdown; a table stands in columns of equal width, as typed."""

    def _piece(self, piece: Piece) -> str:
        if not isinstance(piece, Grid):
            return super()._piece(piece)
        head, *rows = [[clean_line(plain(cell)).strip() for cell in row] for row in (piece.head, *piece.rows)]
        return fence(align_columns(head, rows, piece.align))
