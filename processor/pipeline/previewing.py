"""What the entries of an override file would change, one after the other (`turnero check`, design.md 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from parsers.files.errors import FileProblem
from parsers.files.override import Override
from processor.pipeline.context import PlayContext, PostVersion
from processor.pipeline.corrections import Correcting
from processor.pipeline.given import override_file
from rules.engine.events import Event
from rules.play.reading import LineRead, TurnReading

Lines = tuple[tuple[str, LineRead], ...]
"""Order lines, each with its seat."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one entry changes.

    event: as it will be logged; None for dice and answers, which only the resolution can match.
    before, after: the order lines that are other. problem: why it can't be applied, then it changes nothing.
    """

    entry: Override
    event: Event | None = None
    before: Lines = ()
    after: Lines = ()
    problem: FileProblem | None = None


def walk_overrides(
    play: PlayContext,
    reading: TurnReading,
    overrides: Sequence[Override],
    versions: Sequence[PostVersion],
    late: frozenset[int] = frozenset(),
) -> Iterator[Step]:
    """Apply the entries to a turn, in file order. late: places of those made after the lock."""
    work = Correcting(play, reading, overrides, late, override_file(play), versions)
    for entry in overrides:
        yield _step(work, entry)


def _step(work: Correcting, entry: Override) -> Step:
    before, events, problems = _lines(work), len(work.events), len(work.problems)
    work.apply(entry)
    after = _lines(work)
    return Step(
        entry,
        next(iter(work.events[events:]), None),
        tuple(one for one in before if one not in after),
        tuple(one for one in after if one not in before),
        next(iter(work.problems[problems:]), None),
    )


def _lines(work: Correcting) -> Lines:
    return tuple((seat, line) for seat, lines in work.seats.items() for line in lines.lines)
