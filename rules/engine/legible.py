"""Characters that no text may hold, whoever wrote it: no database, file or page takes them all."""

from __future__ import annotations

import re

_ILLEGIBLE = re.compile("[\x00\ud800-\udfff]")


def make_legible(text: str) -> str:
    """The text with U+FFFD for each NUL, which PostgreSQL refuses, and for each half of a surrogate pair,
    which no encoding has (reliability.md F31).
    """
    return _ILLEGIBLE.sub("\ufffd", text)


def is_legible(text: str) -> bool:
    """Whether a text holds none of these characters."""
    return _ILLEGIBLE.search(text) is None
