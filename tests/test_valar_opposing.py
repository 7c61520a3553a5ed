"""Opposed missions of `valar` on their tables: who did best, whose goal is reached, what advantages add."""

from __future__ import annotations

import pytest

from rules.valar.bands import BANDS, DIFFICULTIES, EXTRA, Band, Difficulty, Share
from rules.valar.opposing import Goal, best_of, leader_of, settle, standing_of, worth_of
from rules.valar.options import Options

FAIL, LESS, SLIGHT, PLAIN, GREAT = (standing_of(one, BANDS.index(one) > 1) for one in BANDS)
PAID = standing_of(Band.FAILURE, success=True)
PAID_GREAT = standing_of(Band.GREAT_FAILURE, success=True)


def test_difficulties_are_the_originals() -> None:
    """Fácil +3, normal 0, difícil −3, imposible −6, in the words of setups."""
    assert {"fácil": 3, "normal": 0, "difícil": -3, "imposible": -6} == {
        one.value: DIFFICULTIES[one] for one in Difficulty
    }


def test_a_success_by_discretion_costs_one_consequence() -> None:
    """A major one for a fracaso mayor, a minor one for a fracaso menor."""
    assert {Band.GREAT_FAILURE: Share(major=1), Band.FAILURE: Share(minor=1)} == EXTRA


def test_standings_go_by_band_and_what_is_paid_for_ranks_between() -> None:
    """A success by discretion is above every failure and below éxito menor."""
    assert [FAIL, LESS, PAID_GREAT, PAID, SLIGHT, PLAIN, GREAT] == sorted(
        (PAID, GREAT, FAIL, PLAIN, LESS, SLIGHT, PAID_GREAT)
    )
    assert SLIGHT == standing_of(Band.FAILURE, success=True, discretion_below=False)
    assert LESS == standing_of(Band.FAILURE, success=False, discretion_below=False)
    assert standing_of(Band.SUCCESS, True, 14) > standing_of(Band.SUCCESS, True, 13)
    assert standing_of(Band.FAILURE, False, 9) > standing_of(Band.FAILURE, False, 8)


@pytest.mark.parametrize(
    ("sides", "goals"),
    [
        ((GREAT, SLIGHT), (Goal.REACHED, Goal.REDUCED)),
        ((PLAIN, LESS), (Goal.REACHED, Goal.MISSED)),
        ((SLIGHT, PAID), (Goal.REACHED, Goal.REDUCED)),
        ((PLAIN, PLAIN), (Goal.TIED, Goal.TIED)),
        ((PAID, PAID), (Goal.TIED, Goal.TIED)),
        ((LESS, LESS), (Goal.MISSED, Goal.MISSED)),
        ((FAIL, LESS), (Goal.MISSED, Goal.MISSED)),
        ((GREAT, GREAT, SLIGHT), (Goal.TIED, Goal.TIED, Goal.NOTHING)),
        ((GREAT, GREAT, LESS), (Goal.TIED, Goal.TIED, Goal.MISSED)),
        ((PAID, LESS, FAIL), (Goal.REACHED, Goal.MISSED, Goal.MISSED)),
        ((SLIGHT,), (Goal.REACHED,)),
    ],
)
def test_goals_are_settled_by_who_did_best(sides: tuple[object, ...], goals: tuple[Goal, ...]) -> None:
    """Equal: nobody; one failed: the other; both succeeded: the better first (004: Misiones enfrentadas)."""
    named = dict(zip("ABC", sides, strict=False))

    assert goals == tuple(settle(named).values())  # type: ignore[arg-type]


def test_the_best_is_one_alone() -> None:
    """A shared best is none."""
    assert "A" == best_of({"A": PLAIN, "B": SLIGHT})
    assert None is best_of({"A": PLAIN, "B": PLAIN, "C": SLIGHT})
    assert Goal.NOTHING is settle({"A": GREAT, "B": SLIGHT}, Goal.NOTHING)["B"]


@pytest.mark.parametrize(
    ("scores", "leader"),
    [
        ({"A": 1, "B": 0}, "A"),
        ({"A": 1, "B": 2}, "B"),
        ({"A": 0, "B": 0}, None),
        ({"A": 2, "B": 2, "C": 1}, None),
        ({"A": 0}, None),
        ({"A": 2}, "A"),
    ],
)
def test_an_aspect_is_whose_has_more_of_it(scores: dict[str, int], leader: str | None) -> None:
    """As much as another, or nothing at all, is no advantage."""
    assert leader == leader_of(scores)


@pytest.mark.parametrize(
    ("leaders", "adds"),
    [
        ((None, None, None), 0),
        (("A", None, None), 1),
        (("A", "A", None), 3),
        (("A", "A", "A"), 3),
        (("A", "B", None), 0),
        (("A", "A", "B"), 1),
        (("B", "B", None), 0),
        (("A", "B", "C"), 0),
    ],
)
def test_a_net_advantage_adds_and_never_takes_off(leaders: tuple[str | None, ...], adds: int) -> None:
    """One aspect is a minor factor, two or three a major one; what others lead in counts against."""
    assert adds == worth_of("A", leaders, Options().advantage)
