"""How long a big turn takes to resolve and to tell, where the time goes, and how it grows."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable
from dataclasses import dataclass, replace
from io import StringIO
from typing import TypeVar

from benchmarks import turns
from benchmarks.rounds import cpu_time, growth_exponent
from benchmarks.worlds import Size

FULL = Size(100, 10_000, 5_000)
MIDDLE = Size(24, 2_400, 1_200)
"""The size from which one thing at a time is halved and doubled."""

T = TypeVar("T")

STEPS = (0.5, 1, 2)
DIMENSIONS = ("factions", "cells", "orders")


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that was played. seconds: of CPU, to read the blocks, to resolve, to write all reports.

    accepted: orders that stood and were resolved; texts, characters: what would be posted.
    """

    size: Size
    reading: float
    resolution: float
    reports: float
    accepted: int
    texts: int
    characters: int

    @property
    def seconds(self) -> float:
        """Resolution and reports, which is what the target is about."""
        return self.resolution + self.reports


def play(size: Size) -> Turn:
    """One turn of that size, stage by stage."""
    table = turns.set_table(size)
    reading, took_reading = _timed(lambda: turns.read(table))
    frozen = turns.lock(table, reading)
    result, took_resolution = _timed(lambda: turns.resolve(table, frozen))
    texts, took_reports = _timed(lambda: turns.report(table, frozen, result))
    accepted = sum(len(seat.orders) for seat in reading.seats)
    characters = sum(len(part) for one in texts for part in one.parts)
    return Turn(size, took_reading, took_resolution, took_reports, accepted, len(texts), characters)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    kept: list[T] = []
    seconds = cpu_time(lambda: kept.append(work()))
    return kept[0], seconds


def find_exponent(name: str, middle: Size = MIDDLE, steps: tuple[float, ...] = STEPS) -> float:
    """The exponent with which resolution and reports grow when that one dimension alone does."""
    sizes = [round(getattr(middle, name) * step) for step in steps]
    return growth_exponent(sizes, [play(replace(middle, **{name: one})).seconds for one in sizes])


def profile(size: Size, lines: int = 10) -> str:
    """The functions in which resolution and reports spend most time themselves, as a table."""
    table = turns.set_table(size)
    frozen = turns.lock(table, turns.read(table))
    profiler = cProfile.Profile()
    profiler.runcall(lambda: turns.report(table, frozen, turns.resolve(table, frozen)))
    told = StringIO()
    pstats.Stats(profiler, stream=told).strip_dirs().sort_stats("tottime").print_stats(lines)
    rows = told.getvalue().splitlines()
    return "\n".join(rows[next(at for at, row in enumerate(rows) if "ncalls" in row) :]).strip()
