"""Texts that a person reads, kept as files: `TURNERO_WRITE_TEXTS=1 pytest …` writes them anew."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "texts"
BETWEEN = "\n\n<<<<<<<< siguiente mensaje >>>>>>>>\n\n"


def compare(name: str, parts: Sequence[str]) -> tuple[str, str]:
    """The text that is kept and the one that was made."""
    made = BETWEEN.join(parts) + "\n"
    path = FOLDER / name
    if os.environ.get("TURNERO_WRITE_TEXTS"):
        path.write_text(made, encoding="utf-8")
    return path.read_text(encoding="utf-8"), made
