"""How a mission's roll is read: median, bands, what each band offers, position and effect (004: El Sistema).

Tables and functions over them, without state and without dice.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum


class Band(StrEnum):
    """What a total comes to, worst first (004: "con 6 o menos …")."""

    GREAT_FAILURE = "fracaso mayor"
    FAILURE = "fracaso menor"
    SLIGHT_SUCCESS = "éxito menor"
    SUCCESS = "éxito simple"
    GREAT_SUCCESS = "éxito superior"


class Position(StrEnum):
    """How much is risked (004: Posición)."""

    CONTROLLED = "controlada"
    RISKY = "arriesgada"
    DESPERATE = "desesperada"


class Effect(StrEnum):
    """How much can be won (004: Efecto)."""

    GREAT = "mayor"
    PLAIN = "simple"
    SLIGHT = "menor"


class Difficulty(StrEnum):
    """How hard a task is (004: Dificultades)."""

    EASY = "fácil"
    NORMAL = "normal"
    HARD = "difícil"
    IMPOSSIBLE = "imposible"


BANDS = tuple(Band)
"""Worst first; a band's place counts in `Position` and in opposed missions."""

EDGES = (7, 10, 13, 16)
"""The least total of each band but the first."""

FIRST_SUCCESS = BANDS.index(Band.SLIGHT_SUCCESS)

DIFFICULTIES: Mapping[Difficulty, int] = {
    Difficulty.EASY: 3,
    Difficulty.NORMAL: 0,
    Difficulty.HARD: -3,
    Difficulty.IMPOSSIBLE: -6,
}

TOKENS = (0, 3, 5, 6)
"""What 0 to 3 tokens add (004: "+3 en caso de 1 token o +5 en caso de dos, y +1 por cada … posterior")."""

MOST_TOKENS = len(TOKENS) - 1

STEPS_OF: Mapping[Position, int] = {Position.CONTROLLED: 1, Position.RISKY: 0, Position.DESPERATE: -1}
"""How many bands better the consequences are."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one option of a band brings: major and minor consequences, and improvements, from 0 each."""

    major: int = 0
    minor: int = 0
    improvements: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(
            self.major + other.major, self.minor + other.minor, self.improvements + other.improvements
        )


NOTHING = Share()

SHARES: Mapping[Band, tuple[Share, ...]] = {
    Band.GREAT_FAILURE: (Share(major=1), Share(minor=3)),
    Band.FAILURE: (Share(minor=1),),
    Band.SLIGHT_SUCCESS: (
        Share(minor=1),
        Share(major=1, improvements=1),
        Share(minor=3, improvements=1),
    ),
    Band.SUCCESS: (NOTHING, Share(minor=1, improvements=1)),
    Band.GREAT_SUCCESS: (Share(improvements=1), Share(minor=1, improvements=2)),
}
"""The options of each band, the first is the default."""

EXTRA: Mapping[Band, Share] = {Band.GREAT_FAILURE: Share(major=1), Band.FAILURE: Share(minor=1)}
"""What a failing band pays besides to count as a success (004: Éxitos automáticos)."""


def read_die(face: int) -> int:
    """What a median of 3d10 counts: 1 is −5, 10 is 15 (004: 1o3d10)."""
    return {1: -5, 10: 15}.get(face, face)


def median(faces: tuple[int, ...]) -> int:
    """The middle one of three dice as it is read."""
    return read_die(sorted(faces)[len(faces) // 2])


def band_of(total: int) -> Band:
    """The band of a total."""
    return BANDS[bisect_right(EDGES, total)]


def chances(modifier: int) -> dict[Band, int]:
    """Of the 1,000 outcomes of 3d10, how many fall into each band with a modifier; all bands, worst first."""
    counted = dict.fromkeys(BANDS, 0)
    for face in range(1, 11):
        counted[band_of(read_die(face) + modifier)] += _at_most(face) - _at_most(face - 1)
    return counted


def _at_most(face: int) -> int:
    """Outcomes whose middle die is at most so much: two of the three are, or all three."""
    return 3 * face**2 * (10 - face) + face**3


def succeeds(band: Band) -> bool:
    """Whether the band by itself is a success."""
    return BANDS.index(band) >= FIRST_SUCCESS


def shift(band: Band, position: Position) -> Band:
    """The band whose options hold: one better or worse, beyond the ends of the table the end (Posición)."""
    place = BANDS.index(band) + STEPS_OF[position]
    return BANDS[min(max(place, 0), len(BANDS) - 1)]


def shares_of(
    band: Band,
    position: Position = Position.RISKY,
    effect: Effect = Effect.PLAIN,
    success: bool | None = None,
) -> tuple[Share, ...]:
    """The options of a mission, the default first; never empty.

    success: whether the mission really succeeds; None: as its band says. The position is applied first, then
    the effect (valar.md, *Further readings*).
    """
    reached = succeeds(band) if success is None else success
    options = SHARES[shift(band, position)]
    if not reached:
        return tuple(one for one in options if not one.improvements)
    if effect is Effect.GREAT:
        return tuple(one + Share(improvements=1) for one in options)
    if effect is Effect.SLIGHT:
        return tuple(dict.fromkeys(replace(one, improvements=0) for one in options))
    return options


def choose(options: tuple[Share, ...], *wanted: Share | None) -> Share:
    """The first wanted one that is there to the letter, else the default."""
    return next((one for one in wanted if one in options), options[0])


def grade_of(band: Band, success: bool, can_fail: bool = True) -> int:
    """The grade of success, 1 to 5; 0 where a mission that may fail did (Grados de éxito)."""
    return BANDS.index(band) + 1 if success or not can_fail else 0
