"""How a mission's roll is read in `valar`: the tables, by enumeration and cell by cell."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from rules.valar.bands import (
    BANDS,
    Band,
    Effect,
    Position,
    Share,
    band_of,
    chances,
    choose,
    grade_of,
    median,
    shares_of,
    succeeds,
)
from tests.support.valar_cells import TABLE, offered

FACES = tuple(product(range(1, 11), repeat=3))
"""The 1,000 outcomes of 3d10."""


def words(share: Share) -> str:
    """As valar.md writes it: `m + C`, `3c`, `nothing`."""
    parts = ((share.improvements, "m"), (share.major, "C"), (share.minor, "c"))
    return " + ".join(f"{n if n > 1 else ''}{letter}" for n, letter in parts if n) or "nothing"


def at_most(k: int) -> int:
    """Outcomes of 1,000 whose middle die is at most k: two of the three are, or all three."""
    return 3 * k * k * (10 - k) + k**3


@pytest.mark.parametrize("modifier", range(-12, 16))
def test_the_chances_of_each_band_are_exact(modifier: int) -> None:
    """Of the 1,000 outcomes as many fall into each band as the distribution of the median says."""
    said = Counter(band_of(median(faces) + modifier) for faces in FACES)

    read = {1: -5, 10: 15} | {face: face for face in range(2, 10)}
    exact: Counter[Band] = Counter()
    for face in range(1, 11):
        total = read[face] + modifier
        place = sum(total >= edge for edge in (7, 10, 13, 16))
        exact[BANDS[place]] += at_most(face) - at_most(face - 1)
    assert +exact == said
    assert exact == Counter(chances(modifier))
    assert 1000 == sum(said.values())


def test_fortune_succeeds_in_half_of_all_cases() -> None:
    """1o3d10 ≥ 6 without factors: 500 of 1,000 (valar.md)."""
    assert 500 == sum(median(faces) >= 6 for faces in FACES)


@pytest.mark.parametrize(
    ("faces", "read"),
    [
        ((1, 1, 9), -5),
        ((10, 10, 2), 15),
        ((1, 5, 10), 5),
        ((10, 1, 1), -5),
        ((2, 2, 2), 2),
        ((9, 10, 9), 9),
    ],
)
def test_a_median_of_1_counts_minus_5_and_one_of_10_counts_15(faces: tuple[int, int, int], read: int) -> None:
    """The median is taken first and read then (004: 1o3d10)."""
    assert read == median(faces)


@pytest.mark.parametrize(
    ("total", "band"),
    [
        (-17, "fracaso mayor"),
        (6, "fracaso mayor"),
        (7, "fracaso menor"),
        (9, "fracaso menor"),
        (10, "éxito menor"),
        (12, "éxito menor"),
        (13, "éxito simple"),
        (15, "éxito simple"),
        (16, "éxito superior"),
        (30, "éxito superior"),
    ],
)
def test_each_edge_of_the_band_table(total: int, band: str) -> None:
    """6/7, 9/10, 12/13 and 15/16 (004: "con 6 o menos …")."""
    assert band == band_of(total)
    assert (total >= 10) == succeeds(band_of(total))


@pytest.mark.parametrize(("band", "position"), TABLE)
@pytest.mark.parametrize("effect", ["mayor", "simple", "menor"])
def test_each_cell_of_band_position_and_effect(band: str, position: str, effect: str) -> None:
    """Position first, then effect; options with an improvement are dropped where the mission failed."""
    options = shares_of(Band(band), Position(position), Effect(effect))

    assert offered(band, position, effect) == tuple(map(words, options))


def test_a_failure_made_a_success_gets_improvements_of_its_effect() -> None:
    """Efecto mayor's improvement depends on the mission's real success (valar.md, *Further readings*)."""
    made = shares_of(Band.FAILURE, Position.RISKY, Effect.GREAT, success=True)

    assert ["m + c"] == [words(one) for one in made]


def test_the_first_wanted_option_that_is_there_is_taken() -> None:
    """Exact content, else the first option."""
    options = shares_of(Band.SLIGHT_SUCCESS)

    assert Share(minor=3, improvements=1) == choose(options, None, Share(minor=3, improvements=1))
    assert Share(minor=1) == choose(options, Share(minor=2, improvements=1))
    assert Share(major=1, improvements=1) == choose(
        options, Share(major=1, improvements=1), Share(minor=3, improvements=1)
    )


@pytest.mark.parametrize(
    ("band", "may_fail", "cannot"), [(0, 0, 1), (1, 0, 2), (2, 3, 3), (3, 4, 4), (4, 5, 5)]
)
def test_grades_go_by_band_and_a_failure_has_none(band: int, may_fail: int, cannot: int) -> None:
    """Grades 1 to 5; 0 unless failure isn't possible (004: Grados de éxito)."""
    assert may_fail == grade_of(BANDS[band], succeeds(BANDS[band]))
    assert cannot == grade_of(BANDS[band], succeeds(BANDS[band]), can_fail=False)
