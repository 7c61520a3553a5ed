"""What happened, as the sections of reports tell it: in one list for each actor."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.document import Items, Paragraph, Section
from rules.engine.messages import Message, Param


def find_actor(viewer: str, named: Iterable[Param], playing: Container[str]) -> str | None:
    """Under whom a reader is told an event: the first of those named who plays.

    None where nobody does, and in a seat's own report, which is all about it.
    """
    if viewer not in (EVERYBODY, DIRECTOR_SEAT):
        return None
    return next((key for key in named if isinstance(key, str) and key in playing), None)


def tell_by_actor(
    title: Message,
    nothing: Message,
    lines: Iterable[tuple[str | None, Message | None]],
    heading: Callable[[str], Message],
) -> Section:
    """The section `events`: actors by id, each with a list, what belongs to nobody behind them.

    lines: each with its actor, in the order told; None for what isn't told. nothing: instead of no lists.
    """
    told: dict[str | None, list[Message]] = {}
    for actor, line in lines:
        if line is not None:
            told.setdefault(actor, []).append(line)
    if not told:
        return Section("events", title, (Paragraph(nothing),))
    actors = sorted(told, key=lambda actor: (actor is None, actor))
    blocks = tuple(Items(tuple(told[one]), title=None if one is None else heading(one)) for one in actors)
    return Section("events", title, blocks)
