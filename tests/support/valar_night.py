"""A night of `valar` with the real pipeline (see `tests.support.secret_night`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rules.valar.state import State
from tests.support import secret_night
from tests.support.secret_night import SecretNight, Table

PLAYERS = {"Aldana": ("2", "alice"), "Brezo": ("3", "bob"), "Cardo": ("4", "carol")}
TABLE = Table("valar", PLAYERS, "La crónica")


def start_night(folder: Path, state: State, **game: Any) -> SecretNight:
    """A game of `valar`; see `secret_night.start_night`."""
    return secret_night.start_night(TABLE, folder, state, **game)
