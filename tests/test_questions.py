"""Answers in people's own words, and what the engine does with questions and orders that nobody reached."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from processor.pipeline.context import Secrets
from processor.pipeline.locking import dice_source
from rules.engine.audience import DIRECTOR, PUBLIC, only
from rules.engine.dice import Dice
from rules.engine.events import Event, event
from rules.engine.messages import msg
from rules.engine.orders import Args, Order, adopt, same_order
from rules.engine.questions import Answer, AnswerSource, Hold, Question, TakeDefault
from rules.engine.resolution import Resolution, resolve
from rules.engine.ruleset import Kind, Ruleset, Step
from rules.engine.turn import Impossible, Turn, TurnInput
from tests.support.fair import make_play
from tests.toy.orders import DAY
from tests.toy.ruleset import RULESET

CHOICE = Question(
    "paso", "paso", msg("x"), legal={"abandonar": ("me voy",), "aguantar": ("sigo", "aguanto"), "agarrar": ()}
)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("abandonar", "abandonar"),
        (" Abandonar ", "abandonar"),
        ("ME VOY", "abandonar"),
        ("aban", "abandonar"),
        ("aguanto", "aguantar"),
        ("agu", "aguantar"),
        ("ab", None),
        ("aga", "agarrar"),
        ("a", None),
        ("", None),
        ("huir", None),
    ],
)
def test_an_answer_may_be_worded_and_shortened(words: str, meant: str | None) -> None:
    """Ids, their words, unambiguous beginnings; anything else is no answer."""
    assert meant == CHOICE.meaning(words)


def test_a_free_ruling_takes_any_words() -> None:
    """Without legal answers the text itself is one; blanks alone are none."""
    free = replace(CHOICE, legal={})

    assert "El río sube." == free.meaning(" El río sube. ")
    assert free.meaning("  ") is None


def test_a_question_is_for_whom_it_is_put_to() -> None:
    """The director alone, a seat alone, or who the rule set says."""
    assert DIRECTOR == CHOICE.known_to
    assert only("Ana") == replace(CHOICE, to="Ana").known_to
    assert PUBLIC == replace(CHOICE, to="Ana", audience=PUBLIC).known_to


@pytest.mark.parametrize("key", ["id", "audience", "seat", "number"])
def test_event_data_cant_be_named_like_the_events_own_keys(key: str) -> None:
    """Both stand in one flat table."""
    with pytest.raises(ValueError, match=key):
        Event("x/y", {key: 1})


# turns of two steps


def run(*acts: Any, orders: tuple[Order, ...] = (), **given: Any) -> Resolution:
    """A turn whose steps are these functions, with the toy's orders."""
    kind = Kind("prueba", DAY, tuple(Step(str(at), act) for at, act in enumerate(acts)))
    ruleset: Ruleset = replace(
        RULESET, kinds={"prueba": kind}, questions={"paso": Hold(), "duda": TakeDefault()}
    )
    play = make_play()
    secrets = Secrets(bytes(32), bytes(32))
    turn = TurnInput(play.state, {"Ana": orders}, play.game.options, **given)
    return resolve(ruleset, kind, turn, lambda: Dice(dice_source(play, secrets)))


def order(name: str, number: int, **fields: Any) -> Order:
    """An order of Ana's."""
    return Order("Ana", number, name, Args(), name, **fields)


def test_an_answer_given_in_the_orders_isnt_asked_for() -> None:
    """`casi: tirar` stands in the orders: no question, and the log says where the answer came from."""
    asked: list[str | None] = []

    resolution = run(lambda turn: asked.append(turn.ask(replace(CHOICE, default="aguantar"), "abandonar")))

    assert ["abandonar"] == asked
    assert not resolution.held
    assert ["order"] == [one.data["source"] for one in resolution.events]


def test_an_answer_beats_what_the_orders_say() -> None:
    """The director may rule on any question."""
    answers = {"paso": Answer("aguanto", AnswerSource.DIRECTOR, "porque sí")}

    resolution = run(lambda turn: turn.ask(CHOICE, "abandonar"), answers=answers)

    (told,) = resolution.events
    assert ("aguantar", "director") == (told.data["answer"], told.data["source"])


def test_a_wrong_answer_counts_as_none() -> None:
    """It is handed back, and the question stays open."""
    answers = {"paso": Answer("huir", AnswerSource.SEAT)}

    resolution = run(lambda turn: turn.ask(CHOICE), answers=answers)

    assert resolution.held
    assert [("paso", "huir")] == [(question.id, answer.value) for question, answer in resolution.misread]


def test_the_default_needs_no_one() -> None:
    """With policy `default` nobody is asked, and the log says so; without a default somebody must."""
    doubt = replace(CHOICE, id="duda", kind="duda", default="aguantar")

    taken = run(lambda turn: turn.ask(doubt))
    held = run(lambda turn: turn.ask(replace(doubt, default=None)))

    assert [("aguantar", "policy")] == [(one.data["answer"], one.data["source"]) for one in taken.events]
    assert held.held


def test_whether_dice_were_known_is_judged_at_the_question() -> None:
    """A late answer to a question that comes before the first die was given without knowing any."""

    def ask_and_throw(turn: Turn) -> None:
        turn.ask(CHOICE)
        turn.dice.roll(6, "weather", purpose="x")
        turn.ask(replace(CHOICE, id="luego"))

    late = Answer("agarrar", AnswerSource.DIRECTOR, after_dice=True)
    resolution = run(ask_and_throw, answers={"paso": late, "luego": late})

    assert [False, True] == [one.answer is not None and one.answer.after_dice for one in resolution.asked]


def test_questions_before_the_dice_go_out_alone() -> None:
    """Whoever answers them must not see what was thrown."""

    def ask_twice(turn: Turn) -> None:
        turn.ask(CHOICE)
        turn.tell(event("feria/sold", who="Ana"))
        turn.dice.roll(6, "weather", purpose="x")
        turn.ask(replace(CHOICE, id="luego"))

    resolution = run(ask_twice)

    assert ["paso"] == [one.id for one in resolution.open]
    assert (0, 0) == (resolution.shown, resolution.rolled)


def test_an_order_that_no_step_came_to_is_told() -> None:
    """Nothing is lost in silence."""
    resolution = run(lambda turn: None, orders=(order("work", 1),))

    (told,) = resolution.events
    assert ("engine/order-cancelled", "engine/not-reached") == (told.id, told.data["reason"].id)  # type: ignore[union-attr]


def test_joint_orders_that_dont_hold_are_set_aside_once() -> None:
    """The kind decides, once a turn; the others are told."""

    def decide(turn: Turn) -> None:
        assert () == turn.joint_orders()
        assert () == turn.joint_orders()

    resolution = run(decide, orders=(order("band", 1),))

    assert ["engine/joint-set-aside"] == [one.data["reason"].id for one in resolution.events]  # type: ignore[union-attr]


def test_a_fallback_may_be_another_order() -> None:
    """`si no` names another act, found in the table by its name."""
    done: list[str] = []

    def fail(turn: Turn, one: Order) -> Impossible:
        return Impossible(msg("feria/no-place"))

    def work(turn: Turn, one: Order) -> None:
        done.append(one.name)

    first = order("play", 1, otherwise=order("work", 1))
    run(lambda turn: turn.carry_out(turn.orders["Ana"][0], {"play": fail, "work": work}), orders=(first,))

    assert ["work"] == done


# orders as values


def test_orders_are_the_same_whoever_words_them() -> None:
    """Text, seat, number and post don't matter; arguments, marks and what stands below do."""
    one = Order("Ana", 1, "play", Args({"stall": "tiro"}), "jugar en tiro", post="7")
    other = Order("Bea", 4, "play", Args({"stall": "tiro"}, form=1), "juego en el TIRO")

    assert same_order(one, other)
    assert same_order(None, None)
    assert not same_order(one, None)
    assert not same_order(one, replace(other, marks=frozenset(("charm",))))
    assert not same_order(one, replace(other, args=Args({"stall": "tombola"})))
    assert not same_order(replace(one, otherwise=other), other)
    clauses = [{"almost": (Args(form=form),)} for form in (0, 1)]
    assert not same_order(*(replace(one, clauses=clause) for clause in clauses))


def test_orders_inside_orders_belong_to_the_outer_one() -> None:
    """Seat, number, actor, post and secrecy go down, also through lists and sub-arguments."""
    inner = Order("", 0, "play", Args({"stall": "tiro"}), "jugar en tiro")
    outer = Order(
        "Ana",
        3,
        "wait",
        Args({"act": (Args({"deep": inner}),)}),
        "esperar",
        actor="Nico",
        post="7",
        secret=True,
    )

    found = adopt(outer.args, outer)["act"][0]["deep"]

    assert ("Ana", 3, "Nico", "7", True) == (found.seat, found.number, found.actor, found.post, found.secret)
