"""Of two states of `valar` that look equal to a house every byte that it is sent is equal (design.md 6)."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from processor.pipeline.locking import freeze
from rules.engine.audience import EVERYBODY
from rules.engine.codec import dump_state
from rules.engine.questions import TakeDefault
from rules.play.game import Policies
from rules.valar import RULESET
from rules.valar.questions import POLICIES
from rules.valar.state import Foe, State
from tests.support.equal_views import SECRETS, Players, collected, known_to, read_by, resolved
from tests.support.memory_forum import BOT
from tests.support.valar_fields import HIDDEN, OWN, Field
from tests.support.valar_games import (
    HOUSES,
    NUMBER,
    OPTIONS,
    chance,
    change_secrets,
    make_state,
    write_block,
    write_direction,
    write_quiet,
)

UNASKED = Policies(questions={kind: TakeDefault() for kind in POLICIES})
PLAYERS = Players(RULESET, HOUSES, OPTIONS, NUMBER, UNASKED)
SEEDS = st.integers(0, 2**32 - 1)


def two_states(random: Random) -> tuple[State, State, str]:
    """Two states that look equal to a house."""
    state, seat = make_state(random), random.choice(HOUSES)
    other = copy.deepcopy(state)
    change_secrets(random, other, seat)
    return state, other, seat


@given(SEEDS)
def test_the_states_are_setups_and_look_equal(seed: int) -> None:
    """To the house and to everybody."""
    state, other, seat = two_states(chance(seed))

    assert ((), ()) == (tuple(RULESET.check(state, OPTIONS)), tuple(RULESET.check(other, OPTIONS)))
    for viewer in (seat, EVERYBODY):
        assert dump_state(RULESET.view(state, viewer, OPTIONS)) == dump_state(
            RULESET.view(other, viewer, OPTIONS)
        )


def test_every_hidden_field_is_tried() -> None:
    """The states differ in all that a house or the director alone knows, save for what play brings later."""
    tried: set[Field] = set()
    for seed in range(80):
        state, other, _ = two_states(chance(seed))
        tried |= {field for field, _, _ in set(_things(state, "")) ^ set(_things(other, ""))}

    later = {
        "total",
        "opposed",
        "advantage",
        "accepted",
        "refused",
        "band",
        "paid",
        "reached",
        "grade",
        "delay",
    }
    assert {one for one in HIDDEN | OWN if one[0] is not Foe and one[1] not in later} - tried == set()


def _things(one: Any, path: str) -> Iterator[tuple[Field, str, str]]:
    if dataclasses.is_dataclass(one):
        for field in dataclasses.fields(one):
            value = getattr(one, field.name)
            yield (type(one), field.name), path, repr(value)
            yield from _things(value, f"{path}/{field.name}")
    elif isinstance(one, dict):
        for key, value in one.items():
            yield from _things(value, f"{path}/{key}")
    elif isinstance(one, tuple):
        for place, value in enumerate(one):
            yield from _things(value, f"{path}/{place}")


@settings(deadline=None, max_examples=15)
@given(SEEDS, st.booleans())
def test_up_to_the_lock_everything_that_is_sent_is_equal(seed: int, secret: bool) -> None:
    """Openings, receipts, templates, reminders, whatever anybody orders and the director has prepared."""
    random = chance(seed)
    state, other, seat = two_states(random)
    posts = PLAYERS.posts_of({one: write_block(random, state, one) for one in HOUSES}, secret=secret)
    files = [write_direction(random, one, seat) for one in (state, other)]

    here, there = (
        collected(PLAYERS.turn_of(one, secret=secret), posts, file)
        for one, file in zip((state, other), files, strict=True)
    )

    assert read_by(seat, here[1], here[0]) == read_by(seat, there[1], there[0])


@settings(deadline=None, max_examples=15)
@given(SEEDS, st.booleans())
def test_a_turn_in_which_nothing_meets_is_told_equally(seed: int, secret: bool) -> None:
    """Report, template, dice and proof, while others have work under way and the director acts on it."""
    random = chance(seed)
    state, other, seat = two_states(random)
    for one in (state, other):
        _put_off(one, seat)
    posts = PLAYERS.posts_of({one: write_quiet(random, state, one) for one in HOUSES}, secret=secret)
    plays = [PLAYERS.turn_of(one, secret=secret) for one in (state, other)]

    frozen = [freeze(play, posts, BOT, write_direction(random, play.state, seat), SECRETS) for play in plays]
    (proof, here), (again, there) = (resolved(*one) for one in zip(plays, frozen, strict=True))

    assert proof.replace(frozen[0].lock_tag, "") == again.replace(frozen[1].lock_tag, "")
    assert read_by(seat, here, frozen[0]) == read_by(seat, there, frozen[1])


def _put_off(state: State, seat: str) -> None:
    """Missions of others end later: one that ends may tell more than its house."""
    for key in (one for one in HOUSES if one != seat):
        for mission in state.houses[key].missions.values():
            mission.resolves = max(mission.resolves, NUMBER + 1)


def test_whatever_is_played_equal_events_are_told_equally() -> None:
    """Where all that a house may know of a turn comes out the same, so does every byte that it is sent."""
    met = 0
    for seed in range(30):
        random = chance(seed)
        state, other, seat = two_states(random)
        posts = PLAYERS.posts_of({one: write_block(random, state, one, 2) for one in HOUSES}, secret=True)
        plays = [PLAYERS.turn_of(one, secret=True) for one in (state, other)]
        frozen = [
            freeze(play, posts, BOT, write_direction(random, play.state, seat), SECRETS) for play in plays
        ]
        known = [known_to(play, one, seat) for play, one in zip(plays, frozen, strict=True)]
        if known[0] == known[1]:
            met += 1
            told = [read_by(seat, resolved(*one)[1], one[1]) for one in zip(plays, frozen, strict=True)]
            assert told[0] == told[1]
    assert met >= 5
