"""Timing of variants against each other, on a machine that others use too."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import log
from statistics import linear_regression, median

ROUNDS = 15


@dataclass(frozen=True, slots=True)
class Ratio:
    """A variant beside its floor. seconds, floor: medians of CPU time; ratio: median of rounds' ratios."""

    seconds: float
    floor: float
    ratio: float


def compare(product: Callable[[], object], floor: Callable[[], object], rounds: int = ROUNDS) -> Ratio:
    """Time both in turn in each round, so that noise falls on both; the first round warms up."""
    pairs = [(cpu_time(product), cpu_time(floor)) for _ in range(rounds + 1)][1:]
    ratio = median(one / other for one, other in pairs)
    return Ratio(median(one for one, _ in pairs), median(other for _, other in pairs), ratio)


def cpu_time(work: Callable[[], object]) -> float:
    """Seconds of CPU time of one call, without the garbage collector."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        work()
        return max(time.process_time() - start, 1e-9)
    finally:
        gc.enable()


def growth_exponent(sizes: list[int], seconds: list[float]) -> float:
    """The slope of the line through the logarithms: 1 where work grows with the size, 2 with its square."""
    return linear_regression([log(one) for one in sizes], [log(one) for one in seconds]).slope
