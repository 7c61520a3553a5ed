"""In two states that look equal to a player, every byte that the player is sent is the same (design.md 6)."""

from __future__ import annotations

import copy
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from processor.pipeline.locking import freeze
from rules.conquista import RULESET
from rules.conquista.state import State
from tests.support.conquista_fields import change_secrets
from tests.support.conquista_games import FACTIONS, OPTIONS, chance, make_state, write_block
from tests.support.equal_views import SECRETS, Players, collected, known_to, read_by, resolved
from tests.support.memory_forum import BOT

PLAYERS = Players(RULESET, FACTIONS, OPTIONS)
QUIET = ("producir", "esperar", "construir generador en {cell}", "fortificar {cell} 1")
"""Orders of which nobody but their seat learns anything, whatever becomes of them."""


def two_states(random: Random) -> tuple[State, State, str]:
    """Two states that look equal to a seat."""
    state, seat = make_state(random), random.choice(FACTIONS)
    other = copy.deepcopy(state)
    change_secrets(random, other, seat)
    return state, other, seat


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_up_to_the_lock_everything_that_is_sent_is_equal(seed: int, secret: bool) -> None:
    """Openings, receipts, templates and reminders, whatever anybody orders, be orders open or secret."""
    random = chance(seed)
    state, other, seat = two_states(random)
    posts = PLAYERS.posts_of({one: write_block(random, state, one, 5) for one in FACTIONS}, secret=secret)

    here, there = (collected(PLAYERS.turn_of(one, secret=secret), posts) for one in (state, other))

    assert read_by(seat, here[1], here[0]) == read_by(seat, there[1], there[0])


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_a_turn_in_which_nobody_meets_is_told_equally(seed: int, secret: bool) -> None:
    """Report, template, dice and proof of a turn in which all work on their own land alone."""
    random = chance(seed)
    state, other, seat = two_states(random)
    posts = PLAYERS.posts_of({one: _quiet_block(random, state, one) for one in FACTIONS}, secret=secret)
    plays = [PLAYERS.turn_of(one, secret=secret) for one in (state, other)]

    frozen = [freeze(play, posts, BOT, "", SECRETS) for play in plays]
    (proof, here), (again, there) = (resolved(*one) for one in zip(plays, frozen, strict=True))

    assert proof.replace(frozen[0].lock_tag, "") == again.replace(frozen[1].lock_tag, "")
    assert read_by(seat, here, frozen[0]) == read_by(seat, there, frozen[1])


def _quiet_block(random: Random, state: State, seat: str) -> str:
    own = [key for key, cell in state.cells.items() if cell.owner == seat] or ["CE-1"]
    return "\n".join(random.choice(QUIET).format(cell=random.choice(own)) for _ in range(4))


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_the_sequence_in_which_posts_are_read_changes_nothing(seed: int) -> None:
    """Whoever's post is fetched first, orders, lock tag, dice and everything that is sent are the same."""
    random = chance(seed)
    play = PLAYERS.turn_of(make_state(random), secret=True)
    posts = PLAYERS.posts_of({one: write_block(random, play.state, one, 5) for one in FACTIONS}, secret=True)
    other = tuple(random.sample(posts, len(posts)))

    (frozen, here), (again, there) = (collected(play, one) for one in (posts, other))

    assert (frozen, here) == (again, there)
    assert resolved(play, frozen) == resolved(play, again)


def test_whatever_is_played_equal_events_are_told_equally() -> None:
    """Where all that a seat may know of a turn comes out the same, so does every byte that it is sent."""
    met = 0
    for seed in range(40):
        random = chance(seed)
        state, other, seat = two_states(random)
        posts = PLAYERS.posts_of({one: write_block(random, state, one, 2) for one in FACTIONS}, secret=True)
        plays = [PLAYERS.turn_of(one, secret=True) for one in (state, other)]
        frozen = [freeze(play, posts, BOT, "", SECRETS) for play in plays]
        known = [known_to(play, one, seat) for play, one in zip(plays, frozen, strict=True)]
        if known[0] == known[1]:
            met += 1
            told = [read_by(seat, resolved(*one)[1], one[1]) for one in zip(plays, frozen, strict=True)]
            assert told[0] == told[1]
    assert met >= 5


def test_orders_would_show_a_difference() -> None:
    """The comparison isn't blind: who ordered sees in the receipt what only it knows."""
    random = chance(5)
    state = make_state(random)
    state.factions["Liga"].supplies = 1
    state.cells["CE-1"].owner = "Liga"
    richer = copy.deepcopy(state)
    richer.factions["Liga"].supplies = 14
    posts = PLAYERS.posts_of({"Liga": "espiar Corona\nespiar Gremio"}, secret=True)
    told = [collected(PLAYERS.turn_of(one, secret=True), posts) for one in (state, richer)]

    assert read_by("Liga", told[0][1], told[0][0]) != read_by("Liga", told[1][1], told[1][0])
    assert read_by("Corona", told[0][1], told[0][0]) == read_by("Corona", told[1][1], told[1][0])
