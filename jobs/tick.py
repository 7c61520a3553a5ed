"""Does what is due: safe at any time, from any number of processes (reliability.md 3.2)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime

from processor.ports import Clock
from processor.service.bundle import Service
from processor.service.stepping import find_due, find_next_due_at, take_step

logger = logging.getLogger("turnero.tick")

BUDGET = 50.0
"""Seconds that one tick may take; the next begins a minute after this one."""
PATIENCE = 15.0
"""Seconds that a tick waits for something that is due soon (a forum's pause between posts)."""


def _never() -> bool:
    return False


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
) -> Ticked:
    """Do step after step until nothing is due, the time is up, or somebody says stop.

    only: ids of the games to look at, None for all. budget, patience: seconds.
    """
    clock = service.clock
    ends = clock.monotonic() + budget
    steps = 0
    while not stop() and clock.monotonic() < ends:
        done = _do_one(service, only)
        steps += done
        if done:
            continue
        soon = find_next_due_at(service, only)
        if not _wait(clock, soon, min(patience, ends - clock.monotonic())):
            return Ticked(steps, soon)
    return Ticked(steps, find_next_due_at(service, only))


def _do_one(service: Service, only: Collection[str] | None) -> bool:
    """Do a step of the first due turn that no other worker is faster to take."""
    return any(take_step(service, due) for due in find_due(service, only))


def _wait(clock: Clock, soon: datetime | None, longest: float) -> bool:
    """Wait for what is due within `longest` seconds; whether there was anything to wait for."""
    if soon is None:
        return False
    wait = (soon - clock.now()).total_seconds()
    if wait > longest:
        return False
    clock.sleep(max(wait, 0.0) + 0.01)
    return True
