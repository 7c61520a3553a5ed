"""What somebody can see: a filtered state and who looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class View(Generic[S]):
    """A state filtered for its viewer; everything that a seat is told is computed from its view alone.

    state: of the rule set's own type, without what the viewer can't know.
    viewer: a seat's id, `public` or `director`.
    options: the game's values of the rule set's options. track: "" for the main track.
    number: the turn's number within its track, from 1. kind: the kind of turn.
    """

    state: S
    viewer: str
    options: Any
    track: str = ""
    number: int = 1
    kind: str = ""
