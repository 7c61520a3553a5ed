"""What the terminal shows of a turn: the texts of receipts, letters and reports as plain words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta

from jobs.speech import say
from processor.pipeline.context import PlayContext
from processor.pipeline.texts import setting_of
from reporters.blocks import Chapter, Piece
from reporters.plain import PlainRenderer
from reporters.setting import Setting
from rules.engine.messages import msg


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


def say_span(span: timedelta) -> str:
    """A length of time in its two largest units: `2 días y 3 horas`, `45 minutos`, `menos de un minuto`."""
    minutes = int(span.total_seconds()) // 60
    units = (("days", minutes // 1440), ("hours", minutes % 1440 // 60), ("minutes", minutes % 60))
    parts = tuple(msg(f"cli/{unit}", count=count) for unit, count in units if count)
    return say("cli/span", parts=parts[:2])
