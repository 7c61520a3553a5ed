"""What stands before the readers of raw text: caps, and characters that no line may hold."""

from __future__ import annotations

import re

from rules.engine.diagnostics import Diagnostic, error
from rules.engine.legible import make_legible

MAX_RAW_CHARS = 70_000
"""More than a block may hold and forums take (65,535): reading hostile text costs 0.1 ms a character."""

_LINE_ENDS = re.compile(r"\r\n?")


def find_raw_refusal(raw: str) -> Diagnostic | None:
    """Why a post's raw text must not be read, None where it may."""
    if len(raw) > MAX_RAW_CHARS:
        return error("parse/post-too-big", size=len(raw), limit=MAX_RAW_CHARS)
    return None


def clean(raw: str) -> str:
    """The text with one kind of line end; what can't be encoded is replaced, as in rendered pages."""
    return _LINE_ENDS.sub("\n", make_legible(raw))
