"""Maps and charts as data: what is drawn, never where or how (design.md 6).

Reporters place and draw them; the same data always gives the same picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.engine.messages import Message


class Sign(StrEnum):
    """Small signs that are told apart by their form; what each means is the rule set's to say."""

    STAR = "star"
    HOUSE = "house"
    SHIELD = "shield"
    WHEEL = "wheel"
    TOWER = "tower"
    WALL = "wall"


@dataclass(frozen=True, slots=True)
class Side:
    """Who owns things in a picture. mark: one to three letters that tell it without colour.

    A side's place in its picture's list decides its colour, so all pictures of a game list all its sides.
    """

    mark: str
    name: Message


@dataclass(frozen=True, slots=True)
class Node:
    """A place of a map. id: shown in it. side: place in `Map.sides`, None for nobody's.

    signs: what stands there, each with a number beside it, 0 for none. notes: lines below it (armies).
    at: where the map's author wants it, columns to the right and rows down, in units of their own; None:
    wherever it fits.
    """

    id: str
    side: int | None = None
    signs: tuple[tuple[Sign, int], ...] = ()
    notes: tuple[Message, ...] = ()
    at: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Map:
    """Places and the ways between them. edges: pairs of ids. exits: (id, words): ways that lead off the map.

    nobody: what the places of nobody are called. signs: meaning of the signs that may stand on it.
    """

    nodes: tuple[Node, ...]
    edges: tuple[tuple[str, str], ...]
    exits: tuple[tuple[str, str], ...]
    sides: tuple[Side, ...]
    nobody: Message
    signs: tuple[tuple[Sign, Message], ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """A number of each side over the turns. lines: for each side its numbers, the last of turn `last`.

    Shorter ones begin later; an empty one isn't drawn. across: what the turns are called.
    """

    sides: tuple[Side, ...]
    lines: tuple[tuple[int, ...], ...]
    last: int
    across: Message


Drawing = Map | Chart
