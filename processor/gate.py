"""The gate that every request passes which changes a forum.

Between the mark `sending` and the request itself an adapter may log in, fetch a form or wait for its turn.
So the last look at the lease is taken here, where the adapter says that the request leaves now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

LEAVING = "http/sending"
"""What an adapter says just before a request leaves."""
ANSWERED = "http/answered"
"""What it says just after the answer came, before using it."""

Watch = Callable[[str], None]


class Gate:
    """Handed to adapters as their `checkpoint`; silent unless somebody watches."""

    def __init__(self) -> None:
        self._watch: Watch | None = None

    def __call__(self, moment: str) -> None:
        """A request passes; an exception of the watch keeps it from leaving."""
        if self._watch is not None:
            self._watch(moment)

    @contextmanager
    def watched(self, watch: Watch) -> Iterator[None]:
        """Have `watch` called for every request until the end of the block."""
        before, self._watch = self._watch, watch
        try:
            yield
        finally:
            self._watch = before
