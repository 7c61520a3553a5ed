"""The toy rule set plays its scenarios: each member of the protocol has a user that shows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from parsers.files.scenario import load_scenario
from processor.pipeline.rehearsal import Rehearsal, rehearse
from tests.support.fair import load_toy, toy_texts
from tests.toy.ruleset import RULESET
from tests.toy.state import Options, Person, Stall, State

SCENARIOS = Path(__file__).parent / "scenarios" / "toy"


def play(path: Path) -> Rehearsal:
    """A scenario file as `rehearse` plays it."""
    return rehearse(load_scenario(path.read_text(encoding="utf-8"), path.name), load_toy, toy_texts)


@pytest.mark.parametrize("path", sorted(SCENARIOS.glob("*.toml")), ids=lambda path: path.stem)
def test_each_scenario_comes_as_it_says(path: Path) -> None:
    """A scenario of the toy rule set has no difference and leaves no question that it doesn't expect."""
    played = play(path)

    found = [(one.path, one.expected, one.actual) for turn in played.turns for one in turn.differences]
    assert [] == found
    assert [] == [problem for turn in played.turns for problem in turn.problems]
    assert played.passed


def test_the_eight_scenarios_are_there() -> None:
    """None of the scenarios has got lost."""
    assert 8 == len(list(SCENARIOS.glob("*.toml")))


def test_setups_of_version_1_are_brought_up_to_date() -> None:
    """Version 1 called coins `reales`."""
    old = {"folk": {"Ana": {"reales": 3, "charm": True}}}

    assert {"folk": {"Ana": {"coins": 3, "charm": True}}} == RULESET.migrate(old, "1")
    assert old == RULESET.migrate(old, "2")


def test_setup_is_judged_as_a_whole() -> None:
    """An apprentice who is called like a seat, and a stall where nobody can play."""
    state = State({"Ana": Person(apprentice="Bea"), "Bea": Person()}, {"tiro": Stall("Tiro", 1, places=0)})

    found = RULESET.check(state, Options())

    assert ["feria/setup-apprentice", "feria/setup-places"] == [one.id for one in found]


def test_prizes_enough_end_the_fair() -> None:
    """Three prizes win, and several may."""
    rich = Person(prizes=("a", "b", "c"))
    state = State({"Ana": rich, "Bea": Person(), "Ciro": rich})

    ended = RULESET.outcome(state, Options())

    assert ended is not None
    assert (("Ana", "Ciro"),) == ended.ranking
    assert RULESET.outcome(state, Options(to_win=4)) is None
