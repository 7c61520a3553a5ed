"""Answers in JSON that a forum gives otherwise than it should."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Change = Callable[[Any], object]
"""Changes an answer in place."""


def changed(change: Change) -> Callable[[bytes], bytes]:
    """What `StandIn.fail("mutate", …)` does to an answer."""

    def mutate(body: bytes) -> bytes:
        answer = json.loads(body)
        change(answer)
        return json.dumps(answer).encode()

    return mutate
