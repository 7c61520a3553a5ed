"""The daemon only wakes, and stops between two steps (reliability.md 3.1)."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from datetime import UTC

from apscheduler.jobstores.memory import MemoryJobStore

from jobs.serve import make_scheduler, serve


def test_the_scheduler_keeps_nothing_and_misses_nothing() -> None:
    """No stored pickles, no dropped run after a pause, no two runs at once, no local clock."""
    scheduler = make_scheduler(lambda: None)
    scheduler.start(paused=True)
    try:
        (job,) = scheduler.get_jobs()
        told = (job.misfire_grace_time, job.coalesce, job.max_instances, job.trigger.interval.total_seconds())
        assert (None, True, 1, 60.0) == told
        assert (UTC, MemoryJobStore) == (scheduler.timezone, type(scheduler._lookup_jobstore("default")))
    finally:
        scheduler.shutdown()


def test_sigterm_stops_after_the_step_under_way() -> None:
    """A tick that is told to stop finishes its step, and no other begins."""
    done: list[str] = []
    begun = threading.Event()

    def run(stop: Callable[[], bool]) -> None:
        while not stop():
            begun.set()
            time.sleep(0.01)
        done.append("a step")

    def tell() -> None:
        begun.wait(30)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=tell).start()
    serve(run, interval=3600)
    assert ["a step"] == done


def test_a_tick_that_fails_does_not_end_the_daemon() -> None:
    """The next one comes."""
    ticks: list[int] = []

    def run(_stop: Callable[[], bool]) -> None:
        ticks.append(len(ticks))
        if len(ticks) == 2:
            os.kill(os.getpid(), signal.SIGTERM)
        raise RuntimeError("a bug")

    serve(run, interval=0.05)
    assert len(ticks) >= 2


def test_the_handlers_of_before_are_put_back() -> None:
    """Who calls `serve` in a larger program gets its signals back."""
    before = signal.getsignal(signal.SIGTERM)

    def run(_stop: Callable[[], bool]) -> None:
        os.kill(os.getpid(), signal.SIGTERM)

    serve(run, interval=3600)
    assert before is signal.getsignal(signal.SIGTERM)
