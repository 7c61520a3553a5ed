"""In two states that look equal to a player, every byte that the player is sent is the same (design.md 6)."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from datetime import timedelta
from functools import cache
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.catalogues import load_catalogue
from processor.pipeline import texts
from processor.pipeline.context import Commitments, Frozen, PlayContext, PostVersion, Secrets
from processor.pipeline.locking import commitments, freeze
from processor.pipeline.reading import read_turn
from processor.pipeline.resolving import resolve_turn
from reporters.proof import render_proof
from rules.conquista import RULESET
from rules.conquista.state import State
from rules.engine.audience import EVERYBODY
from rules.engine.catalogue import Catalogue
from rules.engine.codec import load_state
from rules.engine.events import visible
from rules.engine.messages import Name
from rules.play.game import ForumSettings, Game, Policies, Schedule, Seat
from rules.play.outgoing import TOPIC, Outgoing
from rules.play.posts import Post, Precision
from rules.play.turns import Deadline, TurnRef
from tests.support.conquista_fields import change_secrets
from tests.support.conquista_games import FACTIONS, OPTIONS, chance, make_state, write_block
from tests.support.memory_forum import BOT, CAPABILITIES
from tests.support.small_night import DEADLINE

SECRETS = Secrets(bytes(range(32)), bytes(range(100, 132)))
LATER = Deadline(DEADLINE + timedelta(days=7), "Europe/Madrid")
QUIET = ("producir", "esperar", "construir generador en {cell}", "fortificar {cell} 1")
"""Orders of which nobody but their seat learns anything, whatever becomes of them."""


@cache
def spanish() -> Catalogue:
    """The texts."""
    return load_catalogue("es", RULESET.package)


def turn_of(state: State, *, secret: bool) -> PlayContext:
    """A turn of a game with three players."""
    seats = tuple(Seat(key, str(11 + n), key.lower(), Name(key)) for n, key in enumerate(FACTIONS))
    game = Game(
        id="parejas",
        title="Parejas",
        ruleset="conquista",
        language="es",
        zone="Europe/Madrid",
        forum=ForumSettings("spirit", "https://foro.example.net/", TOPIC, "turnero", "Europe/Madrid", secret),
        schedule=Schedule(DEADLINE.time(), DEADLINE.replace(tzinfo=None), every_days=7),
        seats=seats,
        policies=Policies(),
        options=OPTIONS,
    )
    ref = TurnRef("parejas", 1)
    deadline = Deadline(DEADLINE, "Europe/Madrid")
    kind = RULESET.main_kind
    return PlayContext(game, RULESET, kind, state, ref, deadline, spanish(), CAPABILITIES)


def posts_of(blocks: Mapping[str, str], *, secret: bool) -> tuple[PostVersion, ...]:
    """Each seat's block, by private message where orders are secret."""
    return tuple(_version(n, seat, text, private=secret) for n, (seat, text) in enumerate(blocks.items(), 1))


def _version(number: int, seat: str, text: str, *, private: bool) -> PostVersion:
    at = DEADLINE - timedelta(minutes=30 - number)
    made = Post(
        id=str(100 + number),
        topic=str(1000 + number) if private else TOPIC,
        author_id=str(11 + FACTIONS.index(seat)),
        author=seat,
        created_at=at,
        precision=Precision.MINUTE,
        url=f"https://foro.example.net/{number}",
        raw=f"[órdenes turno 1]\n{text}\n[/órdenes]",
        private=private,
        number=None if private else number,
    )
    return PostVersion(made, at, at)


def collected(play: PlayContext, posts: tuple[PostVersion, ...]) -> tuple[Frozen, list[Outgoing]]:
    """All that is sent up to the lock, whatever the orders are."""
    reading = read_turn(play, posts, BOT)
    frozen = freeze(play, posts, BOT, "", SECRETS)
    sent = [
        *texts.opening(play, commitments(play, SECRETS)),
        *texts.receipts(play, reading, None),
        *texts.reminders(play, reading, timedelta(hours=3)),
        *texts.receipts(play, frozen.reading, frozen),
    ]
    return frozen, sent


def resolved(play: PlayContext, frozen: Frozen) -> tuple[str, list[Outgoing]]:
    """The public proof of the turn, and all that is sent of it."""
    result = resolve_turn(play, frozen, SECRETS)
    after = load_state(State, result.state)
    following = Commitments("c4" * 32, "d5" * 32)
    made = texts.reports(play, frozen, result, commitments(play, SECRETS), following, LATER, after)
    return render_proof(result.proofs[""]), [*made]


def read_by(seat: str, sent: Iterable[Outgoing], frozen: Frozen) -> str:
    """What one player could read, the lock tag masked: it is over what nobody else may know."""
    parts = [
        f"{one.kind}\n{one.title}\n{part}" for one in sent if one.to in (TOPIC, seat) for part in one.parts
    ]
    return "\n".join(parts).replace(frozen.lock_tag, "SELLO")


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
    posts = posts_of({one: write_block(random, state, one, 5) for one in FACTIONS}, secret=secret)

    here, there = (collected(turn_of(one, secret=secret), posts) for one in (state, other))

    assert read_by(seat, here[1], here[0]) == read_by(seat, there[1], there[0])


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_a_turn_in_which_nobody_meets_is_told_equally(seed: int, secret: bool) -> None:
    """Report, template, dice and proof of a turn in which all work on their own land alone."""
    random = chance(seed)
    state, other, seat = two_states(random)
    posts = posts_of({one: _quiet_block(random, state, one) for one in FACTIONS}, secret=secret)
    plays = [turn_of(one, secret=secret) for one in (state, other)]

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
    play = turn_of(make_state(random), secret=True)
    posts = posts_of({one: write_block(random, play.state, one, 5) for one in FACTIONS}, secret=True)
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
        posts = posts_of({one: write_block(random, state, one, 2) for one in FACTIONS}, secret=True)
        plays = [turn_of(one, secret=True) for one in (state, other)]
        frozen = [freeze(play, posts, BOT, "", SECRETS) for play in plays]
        known = [_known(play, one, seat) for play, one in zip(plays, frozen, strict=True)]
        if known[0] == known[1]:
            met += 1
            told = [read_by(seat, resolved(*one)[1], one[1]) for one in zip(plays, frozen, strict=True)]
            assert told[0] == told[1]
    assert met >= 5


def _known(play: PlayContext, frozen: Frozen, seat: str) -> object:
    """What happened as far as a seat may know, and how things look to it then."""
    result = resolve_turn(play, frozen, SECRETS)
    after = load_state(State, result.state)
    events = [(one.id, dict(one.data)) for one in visible(result.resolution.events, seat)]
    return events, play.look(seat, after), play.look(EVERYBODY, after)


def test_orders_would_show_a_difference() -> None:
    """The comparison isn't blind: who ordered sees in the receipt what only it knows."""
    random = chance(5)
    state = make_state(random)
    state.factions["Liga"].supplies = 1
    state.cells["CE-1"].owner = "Liga"
    richer = copy.deepcopy(state)
    richer.factions["Liga"].supplies = 14
    posts = posts_of({"Liga": "espiar Corona\nespiar Gremio"}, secret=True)
    told = [collected(turn_of(one, secret=True), posts) for one in (state, richer)]

    assert read_by("Liga", told[0][1], told[0][0]) != read_by("Liga", told[1][1], told[1][0])
    assert read_by("Corona", told[0][1], told[0][0]) == read_by("Corona", told[1][1], told[1][0])
