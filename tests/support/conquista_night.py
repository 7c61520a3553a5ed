"""A night of `conquista` with the real pipeline (see `tests.support.secret_night`)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.support import secret_night
from tests.support.secret_night import (
    CLOSED,
    DIRECTOR,
    EARLY,
    LATE,
    KeepingForum,
    SecretNight,
    Table,
    block,
)

__all__ = [
    "CLOSED",
    "DIRECTOR",
    "EARLY",
    "LATE",
    "PLAYERS",
    "ConquistaNight",
    "KeepingForum",
    "block",
    "start_night",
]

PLAYERS = {"Liga": ("2", "alice"), "Corona": ("3", "bob"), "Gremio": ("4", "carol")}
TABLE = Table("conquista", PLAYERS, "Las marcas")
ConquistaNight = SecretNight


def start_night(folder: Path, state: Any, *, ruleset: str = "conquista", **game: Any) -> ConquistaNight:
    """A game of `conquista`, or of a rule set with the same seats; see `secret_night.start_night`."""
    return secret_night.start_night(replace(TABLE, ruleset=ruleset), folder, state, **game)
