"""Reminders where there are no private messages: one post for all, which notifies and tells no secret."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from processor.pipeline.context import PlayContext
from processor.pipeline.texts import receipts, reminders
from reporters.receipts import is_known_silent
from rules.engine.messages import msg
from rules.play.game import Absence, NmrPolicy, Policies
from rules.play.reading import SeatReading, TurnReading
from tests.support import mini
from tests.support.fair import ACCOUNTS, Topic, block, make_play

HOURS = timedelta(hours=3)


def openly(play: PlayContext, *, mentions: bool = True) -> PlayContext:
    """The same on a forum without private messages."""
    return replace(play, forum=replace(play.forum, private=False, mentions=mentions))


def call(play: PlayContext, reading: TurnReading) -> str:
    """The only reminder, which is public."""
    (one,) = reminders(play, reading, HOURS)
    assert ("reminder", "topic") == (one.kind, one.to)
    return "\n".join(one.parts)


def test_all_who_have_no_orders_are_called_in_one_post() -> None:
    """How long there is, who is meant and mentioned, and what happens to who sends none."""
    play, topic = openly(make_play()), Topic()
    topic.post("Ana", block("trabajar"), 300)
    assert (
        "Quedan 3 horas para el cierre del turno 3 (domingo 2 de mayo, 22:00 (Madrid)) y aún no tengo "
        "órdenes de:\n• Bea @Bea\n• Ciro @Ciro\n\nQuien no las mande, este turno no hará nada."
    ) == call(play, topic.read(play)).replace("\\\n", "\n").replace("  \n", "\n")


@pytest.mark.parametrize("nmr", list(NmrPolicy))
def test_the_call_says_what_the_game_does_without_orders(nmr: NmrPolicy) -> None:
    """As the private word does."""
    play = openly(make_play(policies=Policies(nmr=nmr)))
    assert play.catalogue.text(msg(f"reminder/call-{nmr.value}")) in call(play, Topic().read(play))


def test_nobody_is_called_who_is_not_waited_for() -> None:
    """Who has ordered, who has withdrawn, who has announced to be away."""
    play, topic = openly(make_play()), Topic()
    topic.post("Ana", block("trabajar"), 300)
    topic.post("Bea", block("ninguna"), 300)
    away = Absence("Ciro", date(2027, 5, 1), date(2027, 5, 3))
    play = replace(play, game=replace(play.game, absences=(away,)))
    assert () == reminders(play, topic.read(play), HOURS)


def called(play: PlayContext, topic: Topic) -> set[str]:
    """Who is called."""
    said = call(play, topic.read(play))
    return {name for name in ACCOUNTS if f"• {name}" in said}


def write_for_bea(topic: Topic, text: str | None, *, private: bool) -> None:
    """Ana orders as always, Bea something else."""
    topic.post("Ana", block("trabajar"), 300, private=private)
    if text == "permanentes":
        topic.post("Bea", block("trabajar", header=text), 200, private=private)
    elif text is not None:
        topic.post("Bea", block(text), 200, private=private)


@pytest.mark.parametrize("text", [None, "trabajar", "ninguna", "volar", "permanentes"])
def test_the_call_says_no_more_than_the_receipts(text: str | None) -> None:
    """Where orders are secret, neither that a block isn't valid nor that there are standing orders."""
    play, topic = openly(make_play(secret=True)), Topic()
    write_for_bea(topic, text, private=True)
    said = "\n".join(part for one in receipts(play, topic.read(play), None) for part in one.parts)
    assert {name for name in ACCOUNTS if f"{name}** — sin órdenes" in said} == called(play, topic)


@pytest.mark.parametrize(
    ("text", "expected"),
    [(None, {"Bea", "Ciro"}), ("trabajar", {"Ciro"}), ("volar", {"Ciro"}), ("permanentes", {"Ciro"})],
)
def test_of_open_orders_about_hidden_things_only_silence_is_told(
    text: str | None, expected: set[str]
) -> None:
    """Whether a block is valid may rest on what its author alone can see."""
    play, topic = openly(make_play()), Topic()
    write_for_bea(topic, text, private=False)
    assert expected == called(play, topic)


def test_where_nothing_is_hidden_a_block_that_is_not_valid_is_none() -> None:
    """Everybody can see that it doesn't count, and its author still has time."""
    setting, post = mini.setting(secret=False), mini.post(41)
    broken = SeatReading("alta", (), mini.submission("alta", post, valid=False))
    ordered = mini.in_force(mini.submission("alta", post, mini.sow(1)))
    assert (True, False) == (is_known_silent(setting, broken), is_known_silent(setting, ordered))


@pytest.mark.parametrize("login", ["Ana María", "ana]", "_ana", "ana_", "@ana", "ana\n", "año", ""])
def test_a_name_that_would_break_the_post_is_not_mentioned(login: str) -> None:
    """The seat is named all the same."""
    play = openly(make_play())
    seats = tuple(replace(one, login=login) for one in play.game.seats)
    play = replace(play, game=replace(play.game, seats=seats))
    said = call(play, Topic().read(play))
    assert "• Ana" in said
    assert "@" not in said


def test_nobody_is_mentioned_where_that_notifies_nobody() -> None:
    """The account's name would be noise there."""
    play = openly(make_play(), mentions=False)
    assert "@" not in call(play, Topic().read(play))


@pytest.mark.parametrize("software", ["spirit", "phpbb", "mybb", "smf", "xenforo", "html", "text"])
def test_a_mention_stands_in_every_dialect(software: str) -> None:
    """As its forum reads it."""
    play = openly(make_play(software=software))
    assert "@Bea" in call(play, Topic().read(play))
