"""Whether everybody has said `listo` (design.md 1)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from processor.pipeline.context import PlayContext
from processor.pipeline.readiness import is_everybody_ready
from processor.pipeline.reading import read_turn
from rules.play.game import Absence
from tests.support.fair import BOT, Topic, block, make_play

READY = block("jugar en Tómbola", "listo")


def is_ready(play: PlayContext, **texts: tuple[str, ...]) -> bool:
    """Whether everybody is, where seats have posted so."""
    topic = Topic()
    for minutes, (seat, text) in enumerate((seat, text) for seat, all_ in texts.items() for text in all_):
        topic.post(seat, text, 100 - minutes)
    return is_everybody_ready(play, read_turn(play, topic.versions, BOT))


def playing() -> tuple[PlayContext, tuple[str, ...]]:
    """A turn, and the seats that somebody plays."""
    play = make_play()
    return play, tuple(one.id for one in play.game.seats if one.account is not None)


def test_everybody_has_to_say_it() -> None:
    """Vacant seats aren't waited for; one that plays and says nothing is."""
    play, seats = playing()
    assert is_ready(play, **dict.fromkeys(seats, (READY,)))
    assert not is_ready(play, **dict.fromkeys(seats[1:], (READY,)))
    assert not is_ready(play)


@pytest.mark.parametrize(
    ("posted", "expected"),
    [
        ((block("listo"),), True),
        (
            (
                block("ninguna"),
                block("listo"),
            ),
            True,
        ),
        (
            (
                READY,
                block("jugar en Tómbola"),
            ),
            False,
        ),
        (
            (
                READY,
                block("Nico: trabajar", header="turno 3 añade"),
            ),
            False,
        ),
        (
            (
                block("jugar en Tómbola"),
                block("listo", header="turno 3 añade"),
            ),
            True,
        ),
        (
            (
                READY,
                block("bailar"),
            ),
            True,
        ),
    ],
)
def test_the_newest_block_in_force_counts(posted: tuple[str, ...], expected: bool) -> None:
    """A new block without `listo` takes it back; one that isn't valid changes nothing."""
    play, seats = playing()
    assert expected is is_ready(play, **{**dict.fromkeys(seats, (READY,)), seats[0]: posted})


def test_who_is_away_is_not_waited_for() -> None:
    """An announced absence without orders; with orders it counts like anybody."""
    play, seats = playing()
    day = play.deadline.at.date()
    away = Absence(seats[0], day - timedelta(days=1), day + timedelta(days=1))
    play = replace(play, game=replace(play.game, absences=(away,)))
    others = dict.fromkeys(seats[1:], (READY,))
    assert is_ready(play, **others)
    assert not is_ready(play, **others, **{seats[0]: (block("jugar en Tómbola"),)})
