"""The daemon: ticks once a minute and stops between two steps when told to.

The scheduler only wakes. What is due stands in the database: a lost, late or doubled wake-up changes nothing
(reliability.md 3).
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable
from datetime import UTC, datetime
from threading import Event
from types import FrameType

from apscheduler.jobstores.memory import MemoryJobStore
from apscheduler.schedulers.background import BackgroundScheduler
from apscheduler.triggers.interval import IntervalTrigger

logger = logging.getLogger("turnero.serve")

INTERVAL = 60
"""Seconds between two ticks."""


def make_scheduler(tick: Callable[[], object], interval: float = INTERVAL) -> BackgroundScheduler:
    """A scheduler that calls `tick` now and then every `interval` seconds.

    It keeps nothing on the disk; a run that is late is made up for once, and none overlaps another.
    """
    scheduler = BackgroundScheduler(jobstores={"default": MemoryJobStore()}, timezone=UTC)
    scheduler.add_job(
        tick,
        IntervalTrigger(seconds=interval, timezone=UTC),
        id="tick",
        replace_existing=True,
        next_run_time=datetime.now(UTC),
        misfire_grace_time=None,
        coalesce=True,
        max_instances=1,
    )
    return scheduler


def serve(run: Callable[[Callable[[], bool]], object], interval: float = INTERVAL) -> None:
    """Tick until SIGTERM or SIGINT; `run` is given a function that says whether to stop between steps."""
    stopping = Event()

    def stop(number: int, _frame: FrameType | None) -> None:
        logger.info("%s: stopping after this step", signal.Signals(number).name)
        stopping.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    scheduler = make_scheduler(lambda: _run_guarded(run, stopping), interval)
    scheduler.start()
    try:
        while not stopping.wait(1.0):
            pass
    finally:
        scheduler.shutdown(wait=True)  # a step is short, and `run` has been told to stop after it
        for number, handler in before.items():
            signal.signal(number, handler)


def _run_guarded(run: Callable[[Callable[[], bool]], object], stopping: Event) -> None:
    """One tick; whatever goes wrong with it, the next one comes."""
    try:
        run(stopping.is_set)
    except Exception:
        logger.exception("this tick failed")
