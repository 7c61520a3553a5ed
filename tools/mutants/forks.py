"""Running many small pieces of work, each in a fork of this process, which it can't harm."""

from __future__ import annotations

import json
import os
import resource
import selectors
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

T = TypeVar("T")

MEMORY = 3 * 2**30
"""Bytes of address space of a fork: a mutant may well collect things for ever."""


@dataclass(slots=True)
class _Running(Generic[T]):
    task: T
    pid: int
    read: int
    said: list[bytes] = field(default_factory=list)


def run_forks(
    tasks: Iterable[T], work: Callable[[T], Any], jobs: int, seconds: Callable[[T], int]
) -> Iterator[tuple[T, Any]]:
    """Do the work for each task in a fork of its own, `jobs` at once; in the order in which they end.

    seconds: of processor time that a task may take, so that a busy machine changes nothing. What work
    returns has to be JSON; None where the fork died: time, memory, a crash.
    """
    waiting = iter(tasks)
    with selectors.DefaultSelector() as selector:
        while True:
            while len(selector.get_map()) < jobs and (task := next(waiting, None)) is not None:
                one = _start(task, work, seconds(task))
                selector.register(one.read, selectors.EVENT_READ, one)
            if not selector.get_map():
                return
            for key, _ in selector.select():
                one = key.data
                if data := os.read(one.read, 2**16):
                    one.said.append(data)
                    continue
                selector.unregister(one.read)
                yield one.task, _end(one)


def _start(task: T, work: Callable[[T], Any], seconds: int) -> _Running[T]:
    read, write = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write)
        return _Running(task, pid, read)
    try:
        os.close(read)
        _bound(seconds)
        said = json.dumps(work(task)).encode()
        with os.fdopen(write, "wb") as pipe:
            pipe.write(said)
        os._exit(0)
    finally:  # whatever was raised, SystemExit too: nothing of the parent goes on in the fork
        os._exit(1)


def _bound(seconds: int) -> None:
    """What a fork may take, and nowhere to print to."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def _end(one: _Running[Any]) -> Any:
    os.close(one.read)
    _, status = os.waitpid(one.pid, 0)
    return json.loads(b"".join(one.said)) if status == 0 else None
