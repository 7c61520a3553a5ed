"""What a director may set in `[options]`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """acts: orders of a crew in a turn. catch: days of food that fishing gives.

    depth: what a d6 has to show for the bottom of a hole to be reached, 2 to 6.
    """

    acts: int = 2
    catch: int = 2
    depth: int = 4
