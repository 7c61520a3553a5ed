"""What the terminal shows of a turn: the texts of receipts, letters and reports as plain words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta

from processor.pipeline.context import PlayContext
from processor.pipeline.texts import setting_of
from reporters.blocks import Chapter, Piece
from reporters.plain import PlainRenderer
from reporters.setting import Setting


def paper_setting(play: PlayContext) -> Setting:
    """The turn's texts without any marks of a forum."""
    return replace(setting_of(play), renderer=PlainRenderer())


def draw_chapters(chapters: Sequence[Chapter]) -> str:
    """Chapters below each other."""
    return draw_pieces(piece for chapter in chapters for piece in chapter.pieces)


def draw_pieces(pieces: Iterable[Piece]) -> str:
    """Pieces below each other."""
    return PlainRenderer().render(tuple(pieces))


def indent(text: str, by: str = "  ") -> str:
    """Each line with text moved to the right."""
    return "\n".join(f"{by}{line}" if line.strip() else "" for line in text.splitlines())


def say_count(number: int, one: str, many: str) -> str:
    """`1 orden`, `3 órdenes`."""
    return f"{number} {one if number == 1 else many}"


def say_list(words: Sequence[str]) -> str:
    """`Tau, Eldar y Caos`; before a word that sounds like «i», «e»."""
    if len(words) < 2:
        return "".join(words)
    last = words[-1]
    joined = "e" if last.lower().startswith(("i", "í", "hi")) and not last.lower().startswith("hie") else "y"
    return f"{', '.join(words[:-1])} {joined} {last}"


def say_span(span: timedelta) -> str:
    """A length of time in its two largest units: `2 días y 3 horas`, `45 minutos`, `menos de un minuto`."""
    minutes = int(span.total_seconds()) // 60
    units = (
        (minutes // 1440, "día", "días"),
        (minutes % 1440 // 60, "hora", "horas"),
        (minutes % 60, "minuto", "minutos"),
    )
    parts = [say_count(*unit) for unit in units if unit[0]]
    return say_list(parts[:2]) if parts else "menos de un minuto"
