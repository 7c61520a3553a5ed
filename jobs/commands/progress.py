"""A bar for long work, on a terminal only; it goes when the work is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from jobs.commands.files import make_console
from jobs.logs import is_for_machines

Tell = Callable[[int, int], None]
"""Is told what is done and how much there is."""


@contextmanager
def showing(text: str) -> Iterator[Tell]:
    """Show how far something is; until the first word of that, only that it goes on."""
    console = make_console(stderr=True)
    hidden = not console.is_terminal or is_for_machines()
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=hidden) as bar:
        task = bar.add_task(text, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
