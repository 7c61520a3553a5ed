"""Does what is due: safe at any time, from any number of processes (reliability.md 3.2)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime

from processor.ports import Clock
from processor.service.bundle import Service
from processor.service.pulse import ClockWatch, begin_tick, look_at_clock
from processor.service.stepping import find_queue, take_step
from processor.store.rows import TurnRow

logger = logging.getLogger("turnero.tick")

BUDGET = 50.0
"""Seconds that one tick may take; the next begins a minute after this one."""
PATIENCE = 15.0
"""Seconds that a tick waits for something that is due soon (a forum's pause between posts)."""


def _never() -> bool:
    return False


def _silent(_due: TurnRow) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Ticked:
    """What a tick did. steps: how many. next_at: when something will be due, None: nothing by itself."""

    steps: int
    next_at: datetime | None


def tick(
    service: Service,
    *,
    only: Collection[str] | None = None,
    budget: float = BUDGET,
    patience: float = PATIENCE,
    stop: Callable[[], bool] = _never,
    watch: ClockWatch | None = None,
    tell: Callable[[TurnRow], None] = _silent,
) -> Ticked:
    """Do step after step until nothing is due, the time is up, or somebody says stop.

    only: ids of the games to look at, None for all. budget, patience: seconds. watch: of this process's
    clock, None where this tick is all that it does. tell: is told each turn before its step.
    """
    clock = service.clock
    watch = watch or ClockWatch(clock)
    ends = clock.monotonic() + budget
    steps = 0
    look_at_clock(service, watch)
    queue = begin_tick(service, only)
    while not stop() and clock.monotonic() < ends:
        done = any(_do(service, due, watch, tell) for due in queue.due)
        steps += done
        if not done and not _wait(clock, queue.next_at, min(patience, ends - clock.monotonic())):
            break
        queue = find_queue(service, only)
    return Ticked(steps, queue.next_at)


def _do(service: Service, due: TurnRow, watch: ClockWatch, tell: Callable[[TurnRow], None]) -> bool:
    """Do a step of a due turn, unless another worker is faster to take it."""
    look_at_clock(service, watch)
    tell(due)
    return take_step(service, due)


def _wait(clock: Clock, soon: datetime | None, longest: float) -> bool:
    """Wait for what is due within `longest` seconds; whether there was anything to wait for."""
    if soon is None:
        return False
    wait = (soon - clock.now()).total_seconds()
    if wait > longest:
        return False
    clock.sleep(max(wait, 0.0) + 0.01)
    return True
