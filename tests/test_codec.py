"""The state codec: dataclasses to plain data and back, with every mistake named by its path."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine.codec import StateError, canonical_json, dump_state, leaves, load_state


class Colour(StrEnum):
    """A choice."""

    RED = "rojo"
    BLUE = "azul"


@dataclass(slots=True)
class Thing:
    """Something with each kind of value."""

    size: int
    name: str = ""
    colour: Colour | None = None
    tags: tuple[str, ...] = ()
    ready: bool = False


@dataclass(slots=True)
class World:
    """Things by id."""

    things: dict[str, Thing] = field(default_factory=dict)
    count: int = 0


THINGS = st.builds(
    Thing,
    size=st.integers(-1000, 1000),
    name=st.text(max_size=8),
    colour=st.sampled_from([None, *Colour]),
    tags=st.lists(st.text(max_size=4), max_size=3).map(tuple),
    ready=st.booleans(),
)
IDS = st.text("abcñÁ-123", min_size=1, max_size=5)


@given(st.builds(World, things=st.dictionaries(IDS, THINGS, max_size=4), count=st.integers()))
def test_dumped_state_loads_to_an_equal_state(world: World) -> None:
    """A dumped state is a setup: nothing is lost, and dumping again gives the same text."""
    data = dump_state(world)

    assert world == load_state(World, data)
    assert canonical_json(data) == canonical_json(dump_state(load_state(World, data)))


def test_defaults_and_none_are_left_out() -> None:
    """A setup says only what differs."""
    assert {"things": {"a": {"size": 3}}} == dump_state(World({"a": Thing(3)}))


def test_every_mistake_is_named_with_its_path() -> None:
    """Five mistakes, five problems, in one go."""
    data = {
        "things": {
            "a": {"size": "tres", "colour": "verde", "tamaño": 1},
            "b": {"name": 7, "size": True},
            "c/d": {"size": 1},
        },
        "coumt": 2,
    }

    with pytest.raises(StateError) as caught:
        load_state(World, data)

    found = {("/".join(one.path), one.message.id) for one in caught.value.problems}
    assert {
        ("things/a/size", "state/wrong-type"),
        ("things/a/colour", "state/not-a-choice"),
        ("things/a/tamaño", "state/unknown-key"),
        ("things/b/name", "state/wrong-type"),
        ("things/b/size", "state/wrong-type"),
        ("things/c/d", "state/bad-id"),
        ("coumt", "state/unknown-key"),
    } == found
    close = next(one.message.params["close"] for one in caught.value.problems if one.path == ("coumt",))
    assert "count" == close


def test_missing_value_is_named() -> None:
    """A value without default has to be there."""
    with pytest.raises(StateError) as caught:
        load_state(World, {"things": {"a": {}}})

    assert [(("things", "a", "size"), "state/missing-key")] == [
        (one.path, one.message.id) for one in caught.value.problems
    ]


def test_leaves_walk_tables_and_keep_lists() -> None:
    """Paths of expectations and of `set` point at the leaves."""
    data = {"things": {"a": {"size": 3, "tags": ["x"]}}}

    assert [(("things", "a", "size"), 3), (("things", "a", "tags"), ["x"])] == list(leaves(data))
