"""The director's corrections: what they change, how they are logged, and what holds a turn (design.md 4)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from processor.pipeline.context import Frozen, PlayContext, TurnResult
from processor.pipeline.locking import freeze
from processor.pipeline.resolving import resolve_turn
from rules.engine.events import Event
from rules.engine.questions import Answer, AnswerSource
from rules.play.game import NmrPolicy, Policies
from tests.support.fair import BOT, SECRETS, Topic, block, make_play


def lock(play: PlayContext, overrides: str = "", topic: Topic | None = None) -> Frozen:
    """A locked turn in which Ana plays, and Bea filches in private."""
    if topic is None:
        topic = Topic()
        topic.post("Ana", block("jugar en Tómbola", "Nico: trabajar"), 60)
        topic.post("Bea", block("hurtar a Ana", "bailar"), 50, private=True)
    return freeze(play, topic.versions, BOT, overrides, SECRETS)


def resolve(overrides: str, play: PlayContext | None = None, topic: Topic | None = None) -> TurnResult:
    """That turn with corrections that stood in the file when it was locked."""
    play = play or make_play(secret=True)
    return resolve_turn(play, lock(play, overrides, topic), SECRETS)


def late(overrides: str, before: str = "") -> TurnResult:
    """The same with another file after the lock."""
    play = make_play(secret=True)
    return resolve_turn(play, replace(lock(play, before), late_overrides=overrides), SECRETS)


def entry(**keys: Any) -> str:
    """An entry of an override file."""
    lines = [
        f"{key} = {str(value).lower() if isinstance(value, bool) else repr(value)}"
        for key, value in {"reason": "Así lo pidió", **keys}.items()
    ]
    return "\n".join(("[[override]]", *lines, ""))


def log(result: TurnResult) -> list[Event]:
    """The corrections among the events."""
    return [one for one in result.resolution.events if one.id == "engine/corrected"]


def orders(result: TurnResult, seat: str) -> list[str]:
    """What was resolved for a seat."""
    return [one.text for one in result.orders[seat]]


def test_a_replaced_order_is_the_one_that_is_resolved() -> None:
    """`replace` puts another order in the place of one, and the log says both and why."""
    result = resolve(entry(replace="Ana#1", was="jugar en Tómbola", **{"with": "pregonar"}))

    assert ["pregonar", "trabajar"] == orders(result, "Ana")
    assert not result.problems
    (logged,) = log(result)
    data = {key: getattr(value, "text", value) for key, value in logged.data.items()}
    assert {
        "change": "replace",
        "target": "Ana#1",
        "old": "jugar en Tómbola",
        "new": "pregonar",
        "reason": "Así lo pidió",
        "late": 0,
        "secret": 0,
    } == data
    assert ("Ana", 1) == (logged.seat, logged.number)
    assert logged.audience.everybody


def test_was_is_compared_as_an_order() -> None:
    """`was` may be worded otherwise: the same order counts as the same."""
    with_ = {"with": "pregonar"}

    assert not resolve(entry(replace="Ana#1", was="juego en la TOMBOLA", **with_)).problems
    (problem,) = resolve(entry(replace="Ana#1", was="jugar en Tiro al blanco", **with_)).problems
    assert "ya no es «jugar en Tiro al blanco», sino «jugar en Tómbola»" in problem
    assert "turn-003.toml, línea 1" in problem


def test_a_refused_line_can_be_replaced() -> None:
    """Bea's second line was nothing; the director knows what she meant."""
    result = resolve(entry(replace="Bea#2", was="bailar", secret=True, **{"with": "contratar orquesta"}))

    assert not result.problems
    assert ["hurtar a Ana", "contratar orquesta"] == orders(result, "Bea")


def test_a_cancelled_order_is_gone() -> None:
    """`cancel` takes one order out."""
    result = resolve(entry(cancel="Ana#2"))

    assert ["jugar en Tómbola"] == orders(result, "Ana")
    assert [None] == [one.data["new"] for one in log(result)]


def test_an_added_order_stands_behind_the_seats_own() -> None:
    """`add` counts on from the last number."""
    result = resolve(entry(cancel="Ana#2") + entry(add="Ana", order="Nico: pregonar"))

    assert not result.problems
    assert [(1, "play"), (3, "cry")] == [(one.number, one.name) for one in result.orders["Ana"]]


def test_corrections_apply_in_file_order() -> None:
    """The second entry sees what the first one has made."""
    first = entry(replace="Ana#1", **{"with": "pregonar"})
    second = entry(replace="Ana#1", was="pregonar", **{"with": "trabajar"})

    assert ["trabajar", "trabajar"] == orders(resolve(first + second), "Ana")
    assert resolve(second + first).problems


def test_what_the_rules_forbid_needs_force() -> None:
    """A second act for the same hands is refused, unless the director insists; nonsense never passes."""
    twice = {"add": "Ana", "order": "trabajar"}

    (problem,) = resolve(entry(**twice)).problems
    assert "Ana ya tiene qué hacer" in problem
    forced = resolve(entry(**twice, force=True))
    assert not forced.problems
    assert ["jugar en Tómbola", "trabajar", "trabajar"] == orders(forced, "Ana")
    (problem,) = resolve(entry(add="Ana", order="bailar", force=True)).problems
    assert "no conozco bailar" in problem


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"cancel": "Ana#7"}, "Ana no tiene ninguna orden número 7"),
        ({"cancel": "Zoe#1"}, "no hay ningún puesto «Zoe»"),
        ({"cancel": "Ciro#1"}, "Ciro no tiene ninguna orden número 1"),
        ({"cancel": "Bea#2"}, "la orden Bea#2 ya estaba rechazada"),
        ({"add": "director", "order": "trabajar"}, "el director no da órdenes"),
        ({"set": "folk/Zoe/coins", "value": 3}, "no existe «folk/Zoe»"),
        ({"set": "folk/Ana/coins", "value": "tres"}, "no cabe en el estado"),
        ({"set": "stalls/tiro/places", "value": 0}, "el estado es imposible"),
        ({"die": "play/tombola/Zoe", "value": 3}, "nadie ha tirado «play/tombola/Zoe»"),
        ({"die": "play/tombola/Ana", "value": 7}, "no puede salir 7"),
        ({"ruling": "lluvia/tiro", "answer": "seguir"}, "no se pregunta «lluvia/tiro»"),
        ({"ignore_post": "77"}, "no conozco ningún mensaje «77»"),
        ({"accept_post": "1001"}, "llegó a tiempo y ya cuenta"),
        ({"extend": "24h"}, "«extend» sólo vale mientras el turno está abierto"),
        ({"pause": True}, "«pause» sólo vale mientras el turno está abierto"),
    ],
)
def test_what_matches_nothing_holds_the_turn(keys: dict[str, Any], said: str) -> None:
    """Nothing is skipped in silence: the turn waits, and says which entry and why."""
    result = resolve(entry(**keys))

    assert result.held
    assert result.state is None
    (problem,) = result.problems
    assert said in problem


def test_a_broken_file_holds_the_turn() -> None:
    """A syntax error is the one problem."""
    result = resolve("[[override]\n")

    assert result.held
    assert 1 == len(result.problems)


def test_set_changes_the_turns_input() -> None:
    """Ana had seven coins all along."""
    changed = resolve(entry(set="folk/Ana/coins", value=7))
    plain = resolve("")

    assert changed.state is not None
    assert plain.state is not None
    assert plain.state["folk"]["Ana"]["coins"] + 2 == changed.state["folk"]["Ana"]["coins"]
    assert [(5, 7)] == [(one.data["old"], one.data["new"]) for one in log(changed)]


def test_set_of_something_hidden_is_told_to_who_sees_it() -> None:
    """Ana's coins are her own business: the public log must not say how many she had."""
    (hidden,) = log(resolve(entry(set="folk/Ana/coins", value=7)))

    assert ["Ana"] == hidden.audience.data()


def test_set_can_give_what_was_not_there() -> None:
    """A value that was at its default can be set too."""
    result = resolve(entry(set="folk/Bea/charm", value=True))

    assert not result.problems
    assert [("false", "true")] == [
        (getattr(one.data["old"], "text", one.data["old"]), one.data["new"]) for one in log(result)
    ]


def test_a_replaced_die_keeps_its_true_value_in_the_proof() -> None:
    """The rules see the director's value, the proof holds both, the log says both."""
    plain = resolve("")
    (true,) = [one.roll.value for one in plain.resolution.rolls if one.roll.label == "play/tombola/Ana"]
    other = 1 if true != 1 else 2

    result = resolve(entry(die="play/tombola/Ana", value=other))

    rolled = [one.data["roll"] for one in result.resolution.events if one.id == "feria/played"]
    assert [other] == rolled
    (logged,) = log(result)
    assert ((true,), (other,)) == (logged.data["old"], logged.data["new"])
    assert [{"label": "play/tombola/Ana", "i": 0, "value": other, "by": "director"}] == result.proofs[""][
        "overrides"
    ]
    assert true in [one["value"] for one in result.proofs[""]["rolls"] if one["label"] == "play/tombola/Ana"]


def test_a_replaced_die_of_a_group_stays_in_the_group() -> None:
    """Bea's secret roll: neither the public log nor the public proof tells of it."""
    result = resolve(entry(die="filch/Bea/Ana", value=6))

    (logged,) = log(result)
    assert ["Bea"] == logged.audience.data()
    assert [] == result.proofs[""]["overrides"]
    assert 1 == len(result.proofs["Bea"]["overrides"])


def test_a_correction_of_a_secret_order_goes_to_its_seat() -> None:
    """Bea filched in private; that her order is gone is nobody else's business."""
    (logged,) = log(resolve(entry(cancel="Bea#1")))

    assert ["Bea"] == logged.audience.data()


def test_secret_corrections_are_secret() -> None:
    """`secret = true`: the seat knows, or the director alone where there is no seat."""
    by_seat, alone = log(
        resolve(entry(cancel="Ana#2", secret=True) + entry(set="folk/Ana/coins", value=9, secret=True))
    )

    assert ["Ana"] == by_seat.audience.data()
    assert "director" == alone.audience.data()


def test_corrections_after_the_lock_say_so() -> None:
    """What stood in the file at the lock is not late; what came since is; what went is told."""
    first, second = entry(cancel="Ana#2"), entry(set="folk/Ana/coins", value=9)

    both = late(first + second, before=first)
    gone = late("", before=first)

    assert [0, 1] == [one.data["late"] for one in log(both)]
    assert [] == log(gone)
    assert ["engine/correction-dropped"] == [
        one.id for one in gone.resolution.events if one.id.startswith("engine/correction")
    ]


RAIN = entry(die="weather", value="lluvia")


def raining() -> Topic:
    """Ana means to play outdoors."""
    topic = Topic()
    topic.post("Ana", block("jugar en Tiro al blanco"), 60)
    return topic


def test_a_question_to_the_director_is_ruled_by_the_file() -> None:
    """Open it holds the turn and shows nothing behind it; ruled it is told with its reason."""
    held = resolve(RAIN, topic=raining())
    done = resolve(RAIN + entry(ruling="lluvia/tiro", answer="cerrar"), topic=raining())

    assert held.held
    assert ["lluvia/tiro"] == [one.id for one in held.resolution.open]
    assert (None, {}) == (held.state, held.proofs)
    (answered,) = [one for one in done.resolution.events if one.data.get("question") == "lluvia/tiro"]
    assert ("suspender", "director", 0) == tuple(
        answered.data[key] for key in ("answer", "source", "after_dice")
    )
    assert "feria/stall-closed" in [one.id for one in done.resolution.events]


def test_a_ruling_after_the_dice_says_so() -> None:
    """Given when the weather was known already."""
    play = make_play(secret=True)
    frozen = lock(play, RAIN, raining())
    ruled = replace(frozen, late_overrides=RAIN + entry(ruling="lluvia/tiro", answer="seguir"))

    result = resolve_turn(play, ruled, SECRETS)

    (answered,) = [one for one in result.resolution.events if one.data.get("question") == "lluvia/tiro"]
    assert 1 == answered.data["after_dice"]


def test_a_ruling_that_is_no_answer_holds_the_turn() -> None:
    """The answers are listed."""
    (problem,) = resolve(RAIN + entry(ruling="lluvia/tiro", answer="quizás"), topic=raining()).problems

    assert "«quizás» no contesta a «lluvia/tiro»" in problem
    assert "«suspender», «seguir»" in problem


def test_rulings_ahead_may_come_to_nothing() -> None:
    """`if_asked` is no error where nobody asks; a question that was published and is gone is moot."""
    ahead = resolve(entry(ruling="lluvia/tiro", answer="seguir", if_asked=True))
    play = make_play(secret=True)
    frozen = replace(lock(play, entry(ruling="lluvia/tiro", answer="seguir")), published=("lluvia/tiro",))
    moot = resolve_turn(play, frozen, SECRETS)

    assert not ahead.problems
    assert not moot.problems
    assert ["engine/moot-answer"] == [
        one.id for one in moot.resolution.events if one.id == "engine/moot-answer"
    ]


def test_handles_count_on_for_each_seat() -> None:
    """What was published keeps its handle; a new question gets the seat's next one."""
    play = make_play(secret=True)
    topic = Topic()
    topic.post("Ana", block("jugar en Tómbola"), 60)
    frozen = lock(play, entry(die="play/tombola/Ana", value=4), topic)

    new = resolve_turn(play, replace(frozen, last_handles={"Ana": 6}), SECRETS)
    known = resolve_turn(
        play, replace(frozen, last_handles={"Ana": 6}, handles={"segunda/Ana": "P6"}), SECRETS
    )
    answered = replace(frozen, answers={"segunda/Ana": Answer("dejar", AnswerSource.SEAT)})

    assert {"segunda/Ana": "P7"} == new.handles
    assert {"segunda/Ana": "P6"} == known.handles
    assert not resolve_turn(play, answered, SECRETS).held


def test_each_group_gets_its_own_rolls_proven() -> None:
    """The public proof holds no secret roll and no trace of how many there were."""
    proofs = resolve("").proofs

    labels = {
        group: {one["label"].split("/")[0] for one in proof["rolls"]} for group, proof in proofs.items()
    }
    assert {"filch"} == labels["Bea"]
    assert {"queue"} == labels["director"]
    assert labels[""] <= {"weather", "play", "prize"}
    assert (set(), set()) == (labels["Ana"], labels["Ciro"])
    assert 1 == len({proof["groups"] for proof in proofs.values()})


def test_a_policy_that_needs_somebody_holds_the_turn() -> None:
    """Ciro has no orders and the game's policy is that the director decides."""
    (problem,) = resolve("", make_play(secret=True, policies=Policies(nmr=NmrPolicy.HOLD))).problems

    assert problem.startswith("Ciro no tiene órdenes")


def test_default_orders_act_only_where_the_policy_says_so() -> None:
    """With the policy Ciro works, without it he does nothing; who withdrew does nothing either way."""
    topic = Topic()
    topic.post("Ana", block("ninguna"), 60)
    play = make_play(secret=True, policies=Policies(nmr=NmrPolicy.DEFAULT))

    result = resolve("", play, topic)

    assert ([], ["trabajar"]) == (orders(result, "Ana"), orders(result, "Ciro"))
    assert [] == orders(resolve("", make_play(secret=True), topic), "Ciro")


def test_who_only_says_listo_has_given_no_orders() -> None:
    """`listo` is no order: the rules' default acts."""
    topic = Topic()
    topic.post("Ana", block("listo"), 60)

    result = resolve("", make_play(secret=True, policies=Policies(nmr=NmrPolicy.DEFAULT)), topic)

    assert ["trabajar"] == orders(result, "Ana")


def test_equal_input_gives_equal_results() -> None:
    """A run depends on nothing but its arguments."""
    assert resolve(RAIN) == resolve(RAIN)
