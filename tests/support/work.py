"""Counting work instead of seconds: the machine is shared, and a clock would make tests fail at random."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_executed(function: Callable[[str], object], text: str) -> int:
    """How many lines of Python run while `function(text)` is computed, caches being warm."""
    function(text)
    count = 0

    def trace(_frame: FrameType, event: str, _arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(text)
    finally:
        sys.settrace(before)
    return count
